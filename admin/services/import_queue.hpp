// Uploads that were accepted and wait to be imported (decision 10, `Queued`): each is a kept file
// and a record in progress, both durable before the client is answered. They are imported one after
// the other, in the order of their records, also after a restart.
//
// Owner: the server, for as long as the node is open. Thread: any, except start() and stop().
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "admin/services/import_job.hpp"

namespace netml::admin {

class ImportQueue {
 public:
  explicit ImportQueue(Node& node) : node_(node) {}
  ~ImportQueue() { stop(); }
  ImportQueue(const ImportQueue&) = delete;
  ImportQueue& operator=(const ImportQueue&) = delete;

  // Begins with what was accepted before.
  void start();
  // Ends after the import in hand; the others wait for the next start.
  void stop();
  // Imports what waits; what the queue's thread does. One thread at a time.
  void import_waiting();

  // Errc::unavailable when too many wait.
  Status check_room() const;
  // Returns the number of the record once it and the file are durable.
  Result<std::uint64_t> add(const ImportRequest& request, Spool& spool);

 private:
  static constexpr std::size_t kWaitingMax = 1000;

  void run();
  // The record says why; nothing was imported.
  Status abort(std::uint64_t number, const std::string& reason);
  std::uint64_t first_after(std::uint64_t number) const;
  bool stopping() const;

  Node& node_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;     // guarded by mutex_
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace netml::admin
