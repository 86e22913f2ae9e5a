// A member of a cluster as a program runs it, with its threads, on a disk of the test.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "tests/support/temporary_directory.hpp"
#include "tests/support/transaction_builder.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/cluster/membership.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::wal::test {

inline bool comes_true(const std::function<bool()>& condition) {
  constexpr int kTries = 30000;
  for (int i = 0; i < kTries; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

// A node as a program runs it.
class RunningNode {
 public:
  RunningNode(const std::string& name, std::uint64_t seed) : name_(name), random_(seed) {
    testing::SeededRandom same;  // all have the cluster's UUID
    EXPECT_TRUE(initialise(*root_, same));
  }
  ~RunningNode() { stop(); }
  NodeUuid uuid() const { return (*load_manifest(*root_))->manifest.node; }

  // `clock` must outlive it.
  void start(const Clock& clock, const OpenSharedLog& open_log) {
    MembershipOptions options;
    options.name = name_;
    options.address = "https://" + name_;
    options.lease = std::chrono::seconds(12);  // a slow machine takes long to renew it
    options.poll = std::chrono::milliseconds(2);
    options.became_leader = [this](Epoch) { ++began_; };
    options.ceased_to_lead = [this](const std::string&) { ++ceased_; };
    member_ = std::make_unique<Membership>(clock, random_, open_log, options);
    StoreOptions store_options = small_options();
    store_options.group_log = &member_->group_log();
    writer_ = std::make_unique<Writer>(*Store::open(*root_, clock, random_, store_options));
    const Status begun = member_->begin(*root_, *writer_);
    ASSERT_TRUE(begun) << begun.error().message;
  }
  void stop() {
    if (member_ != nullptr) member_->stop();
    if (writer_ != nullptr)
      static_cast<void>(writer_->stop(Writer::Stop::with_checkpoint).has_value());
    writer_.reset();
    member_.reset();
  }
  Membership& member() { return *member_; }
  Writer& writer() { return *writer_; }
  bool leads() const { return member_->role() == Role::leader; }
  std::future<Result<Committed>> import(const std::string& name) {
    return writer_->submit(Plan([name](const engine::State& base) -> Result<engine::Transaction> {
      return testing::import_topology(base, name, 2);
    }));
  }
  int began() const { return began_; }
  int ceased() const { return ceased_; }

 private:
  const std::string name_;
  netml::test::TemporaryDirectory directory_;
  std::unique_ptr<PosixStorage> root_ = *PosixStorage::open_path(directory_.path().string());
  testing::SeededRandom random_;
  std::unique_ptr<Membership> member_;
  std::unique_ptr<Writer> writer_;
  std::atomic<int> began_ = 0;
  std::atomic<int> ceased_ = 0;
};

}  // namespace netml::wal::test
