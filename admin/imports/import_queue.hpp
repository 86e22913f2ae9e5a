// Uploads that were accepted and wait to be imported (decision 10, `Queued`): each is a stored file
// and a record in progress, both durable before the client is answered. They are imported one after
// the other, in the order of their records, also after a restart. One that cannot be finished now,
// because its file cannot be read or nothing can be written, keeps those behind it waiting, since
// they may build on it: it is tried again after a while. When its file cannot be read time after
// time, its record is aborted and the others go on.
//
// Owner: the server, for as long as the node is open. Thread: any, except start() and stop().
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "admin/imports/import_job.hpp"

namespace netml::admin {

// Whether the record is of an upload that waits for its turn, or is in hand. Records of polls are
// in progress while their poll is.
bool is_waiting(const engine::ImportRecord& record);

class ImportQueue {
 public:
  // `leads`: whether this node imports at all now; another member of its cluster does otherwise.
  using Leads = std::function<bool()>;
  explicit ImportQueue(
      Node& node, std::chrono::milliseconds retry_delay = std::chrono::seconds(10),
      Leads leads = [] { return true; })
      : node_(node), retry_delay_(retry_delay), leads_(std::move(leads)) {}
  ~ImportQueue() { stop(); }
  ImportQueue(const ImportQueue&) = delete;
  ImportQueue& operator=(const ImportQueue&) = delete;

  // What is known of files that come again, from now on.
  void use(std::shared_ptr<KnownFiles> known) {
    const std::lock_guard lock(mutex_);
    known_ = std::move(known);
  }
  // Begins with what was accepted before.
  void start();
  // Looks at what waits, as from now on it may be this node's to import.
  void wake();
  // Ends after the import in hand; the others wait for the next start.
  void stop();
  // Imports what waits; what the queue's thread does. One thread at a time. False when an import
  // has to be tried again later.
  bool import_waiting();

  // Of the import in hand.
  const ImportProgress& progress() const { return progress_; }

  // Errc::unavailable when too many wait.
  Status check_room() const;
  // Returns the number of the record once it and the file are durable.
  Result<std::uint64_t> add(ImportJob& job);

 private:
  static constexpr std::size_t kWaitingMax = 1000;
  static constexpr std::size_t kFailuresMax = 3;

  void run();
  bool finish(std::uint64_t number);
  bool waits(std::uint64_t number) const;
  std::shared_ptr<KnownFiles> known() const;
  // The record says why; nothing was imported.
  Status abort(std::uint64_t number, const std::string& reason);
  std::uint64_t first_after(std::uint64_t number) const;
  bool stopping() const;

  Node& node_;
  const std::chrono::milliseconds retry_delay_;
  const Leads leads_;
  ImportProgress progress_;
  std::uint64_t failing_ = 0;  // the import that could not be finished; of the queue's thread
  std::size_t failures_ = 0;   // how often in a row; of the queue's thread
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<KnownFiles> known_;  // guarded by mutex_
  bool woken_ = false;                 // guarded by mutex_
  bool stopping_ = false;              // guarded by mutex_
  std::thread thread_;
};

}  // namespace netml::admin
