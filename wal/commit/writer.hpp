// The writer thread: the only code that appends, syncs and publishes. Everybody else submits plans
// and reads published versions (rules S2, J6 and K6).
//
// Group commit: the writer takes everything queued as one group (commit.cpp). The sync in progress
// is the only thing that gathers a group; there is no timer.
//
// Checkpoints are written by a thread of their own from an immutable state; commits go on.
// Thread: any; made and destroyed by its owner.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/guarded.hpp"
#include "wal/commit/plan.hpp"
#include "wal/commit/store.hpp"

namespace netml::wal {

class Writer;

struct WriterOptions {
  std::size_t queue_transactions_max = 1024;
  std::uint64_t queue_bytes_max = 64ULL << 20;           // a larger one may still wait
  std::chrono::milliseconds watermark_delay{50};         // idle time before a watermark is appended
  std::chrono::milliseconds watermark_sync_delay{1000};  // and before it is synced
  // Run by the background thread whenever another segment was begun, and for those that are there
  // at first, maybe before who makes the writer has it; it must outlive the writer.
  std::function<void(const Writer&)> after_rotation = {};
  // Run by the writer's thread whenever the head may have advanced, so it is brief; the same.
  std::function<void()> after_commit = {};
  // Run by the background thread after each checkpoint, before who asked for it is answered: what
  // writing it took is free again. The same.
  std::function<void()> after_checkpoint = {};
  // Run by the writer's thread, given how long the disk took for what somebody waits for.
  std::function<void(std::chrono::nanoseconds)> after_sync = {};
};

struct Committed {
  Lsn lsn;
  engine::StatePtr state;  // durable: after this transaction, perhaps after later ones too
};

// What somebody waits for. One that goes away without it had no memory for it: Errc::unavailable.
template <class T>
class Answer {
 public:
  Answer() = default;
  Answer(Answer&& other) noexcept
      : promise_(std::move(other.promise_)), owed_(std::exchange(other.owed_, false)) {}
  Answer& operator=(Answer&&) = delete;
  ~Answer() {
    if (owed_) set(fail(Errc::unavailable, kOutOfMemory));
  }

  std::future<T> future() { return promise_.get_future(); }
  void set(T value) {
    promise_.set_value(std::move(value));
    owed_ = false;
  }

 private:
  std::promise<T> promise_;
  bool owed_ = true;
};

struct WriterStatus {
  WriteState write_state = WriteState::writable;
  std::string write_error;
  Head head;
  std::size_t queued = 0;
  std::uint64_t groups = 0;        // synced
  std::uint64_t transactions = 0;  // answered with success
  std::uint64_t journal_bytes = 0;
  std::uint16_t format = format::kVersion1;  // that of the data directory
  std::string checkpoint_error;              // of the last checkpoint; empty = it succeeded
  StartProof start_proof = {};
  // What the manifest names, newest first. Any thread may read them; one may be deleted meanwhile.
  std::shared_ptr<const std::vector<CheckpointEntry>> checkpoints;
};

class Writer {
 public:
  // Takes over the store and starts.
  Writer(std::unique_ptr<Store> store, const WriterOptions& options = {});
  // Stops if stop() was not called, without a checkpoint.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // `bytes`: about how much memory the plan holds while it waits. The result is ready when the
  // transaction is durable and published. Errc::unavailable when the queue is full, the writer
  // stops, or nothing can be written.
  std::future<Result<Committed>> submit(Plan plan, std::uint64_t bytes = 0);

  // Runs `work` on the writer thread, between groups. If the head has moved by it, the version is
  // published before the answer.
  std::future<Status> run(std::function<Status(Store&)> work);

  // Keeps the newest durable state as a published one; returns its LSN, by which an item of the
  // catalog must name it before the next call.
  std::future<Result<Lsn>> publish();
  std::future<Status> checkpoint();

  // The newest durable version.
  Version published() const;
  // The same once it is at least `lsn`: at the latest after `at_most`, with Errc::unavailable.
  Result<Version> wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const;
  WriterStatus status() const;

  // How the store is closed.
  enum class Stop : std::uint8_t {
    with_checkpoint,
    without_checkpoint,  // for a second signal: the sync is never skipped
  };
  // Refuses new work, does what is queued, lets a checkpoint that is under way count, begins no
  // other, closes the store.
  Status stop(Stop how);

 private:
  struct Change {
    Plan plan;
    Answer<Result<Committed>> answer;
    Lsn planned_on;   // the version that the plan was given
    Result<Lsn> lsn;  // of the version that holds it; durable when the head is there
  };
  struct Task {
    std::function<Status(Store&)> work;
    Answer<Status> answer;
  };
  struct Work {
    std::deque<Change> changes;
    std::deque<Task> tasks;
    bool last = false;  // nobody is left to ask for more
  };
  // How long the writer has been idle, in steps.
  enum class Idle : std::uint8_t { busy, group_done, marked, quiet };

  void work();
  bool work_once(Idle& idle);
  Work wait_for_work(Idle idle);
  Idle do_idle(Idle idle);
  void commit(std::deque<Change> group);  // commit.cpp
  void put_off_damaged(std::deque<Change>& group) const;
  void publish_version(Version head);
  void publish_moved();
  void count_group(std::ptrdiff_t transactions);
  void run_tasks(std::deque<Task> tasks);
  void note_rotation();
  void start_checkpoint_if_due();
  void prove_start();
  void show_status();
  enum class Stopping : std::uint8_t { refused, no_matter };
  std::future<Status> queue_task(std::function<Status(Store&)> work, Stopping stopping);
  // From the background thread: as run(), also while the writer stops, so that a checkpoint that is
  // under way then counts.
  std::future<Status> ask(std::function<Status(Store&)> work);
  // False, and it is not done, once the writer stops.
  bool post_background(std::function<void()> work);
  template <class T>
  std::future<T> from_background(std::function<T()> work);
  void work_in_background();
  using Install = Status (CheckpointSet::*)(const CheckpointFiles&);
  Result<Lsn> write_and_install(Install install);
  Status close(Stop how);

  const WriterOptions options_;
  const std::unique_ptr<Store> store_;  // writer thread; checkpoints are written by the other

  mutable std::mutex mutex_;
  std::condition_variable wake_writer_;
  Work queue_;                      // guarded by mutex_
  std::uint64_t queued_bytes_ = 0;  // guarded by mutex_
  bool stopping_ = false;           // guarded by mutex_
  WriterStatus status_;             // guarded by mutex_

  mutable std::mutex published_mutex_;
  mutable std::condition_variable published_moved_;
  Version published_;  // guarded by published_mutex_

  std::mutex background_mutex_;
  std::condition_variable wake_background_;
  std::deque<std::function<void()>> background_work_;  // guarded by background_mutex_
  std::stop_source stop_background_;                   // asked to under background_mutex_

  std::atomic<bool> checkpoint_running_ = false;
  std::size_t segments_ = 0;  // that were there last; writer thread
  std::thread background_;
  std::thread writer_;
};

}  // namespace netml::wal
