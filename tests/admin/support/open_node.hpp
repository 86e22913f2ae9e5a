// A node open on a data directory of its own, which goes with it.
// Thread: one, except what Node says of itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "admin/access/passwords.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/node/node.hpp"
#include "tests/support/ports.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin::testing {

// Argon2id at the least cost that libsodium takes, so that a test stays short.
inline constexpr PasswordCost kCheapPasswords{1, 8 * 1024};

// Who changes something where a test does not care.
inline const Caller kCaller{engine::ActorKind::command_line, "tester", "here", "r1"};

// Keeps what was reported. Thread: any; to be read when nothing is reported any more.
class KeptEvents : public EventLog {
 public:
  void information(std::string_view, std::string_view) override {}
  void warning(std::string_view event, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    warnings.push_back(std::string(event) + ": " + std::string(text));
  }
  void error(std::string_view event, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    errors.push_back(std::string(event) + ": " + std::string(text));
  }

  void record(EventLevel level, std::string_view event, std::string_view text,
              const EventFields& fields) override {
    EventLog::record(level, event, text, fields);
    if (!keeps_records) return;
    const std::lock_guard lock(mutex_);
    records_.push_back({level, std::string(event), std::string(text),
                        std::string(fields.request_id), std::string(fields.actor),
                        fields.duration.has_value()});
  }

  std::vector<std::string> warnings;
  std::vector<std::string> errors;

  struct Record {
    EventLevel level;
    std::string event, text, request_id, actor;
    bool timed;  // it has a duration
  };
  std::atomic<bool> keeps_records{false};
  // Those of that event, at any time.
  std::vector<Record> records_of(std::string_view event) const {
    const std::lock_guard lock(mutex_);
    std::vector<Record> found;
    std::ranges::copy_if(records_, std::back_inserter(found),
                         [&](const Record& record) { return record.event == event; });
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Record> records_;  // guarded by mutex_
};

class OpenNode {
 public:
  // `memory`: what the node may use, outlives it; null: no limit.
  explicit OpenNode(MemoryBudget* memory = nullptr, Mode mode = Mode::production)
      : memory_(memory), mode_(mode) {
    open();
  }
  explicit OpenNode(Mode mode) : OpenNode(nullptr, mode) {}

  Node& operator*() { return *node_; }
  Node* operator->() { return node_.get(); }
  std::filesystem::path file(std::string_view name) const { return directory_.file("data") / name; }
  const KeptEvents& events() const { return events_; }
  void keep_records() { events_.keeps_records = true; }
  netml::testing::ManualClock& clock() { return clock_; }

  // From the next open() on, however small the checkpoint.
  void prove_behind() { store_.proved_bytes = 0; }
  void close() { node_.reset(); }
  void open(bool read_only = false) {
    auto opened = Node::open({.data_directory = file("").string(),
                              .read_only = read_only,
                              .memory = memory_,
                              .mode = mode_,
                              .store = store_},
                             clock_, random_, events_);
    NETML_ASSERT(opened.has_value());
    node_ = std::move(*opened);
  }

 private:
  MemoryBudget* const memory_;
  const Mode mode_;
  wal::StoreOptions store_;
  netml::test::TemporaryDirectory directory_;
  netml::testing::ManualClock clock_;
  netml::testing::SeededRandom random_;
  KeptEvents events_;
  std::unique_ptr<Node> node_;
};

// A map on its way into the node. What `request` leaves open: kCaller sends map.xml.
inline std::unique_ptr<ImportJob> import_job(Node& node, const std::string& content,
                                             ImportRequest request = {}) {
  if (request.caller.actor.empty()) request.caller = kCaller;
  if (request.file_name.empty()) request.file_name = "map.xml";
  auto begun = ImportJob::begin(node, std::move(request));
  NETML_ASSERT(begun.has_value());
  (*begun)->write(content);
  return std::move(*begun);
}

}  // namespace netml::admin::testing
