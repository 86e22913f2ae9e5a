// Threads for work that may block: handlers, body sinks and sources.
//
// Three lanes, first in first out in each, more urgent lanes first. A lane may occupy only so many
// threads, and one thread serves the urgent lane only, so that long waits (an import that must
// become durable) never keep /status/ waiting.
//
// Thread: any (locks).
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace netml::net {

// How every thread of this layer begins. Signals are the main thread's business. `niceness` is
// added to that of the process: the higher, the less processor time beside others.
void begin_service_thread(int niceness = 0);

// Something to be run once. It lives where it was made, until run() has returned or later.
class WorkItem {
 public:
  virtual void run() noexcept = 0;

 protected:
  ~WorkItem() = default;
};

class WorkerPool {
 public:
  enum class Urgency : std::uint8_t { urgent, normal, slow };

  // `niceness` is added to that of the process: the higher, the less processor time beside others.
  explicit WorkerPool(unsigned threads, int niceness = 0);
  ~WorkerPool() { stop(); }

  void submit(Urgency urgency, WorkItem& item);
  std::size_t waiting() const;
  // Runs what was submitted, then ends the threads.
  void stop();

 private:
  struct Lane {
    std::deque<WorkItem*> waiting;
    std::size_t running = 0;
    std::size_t running_max = 0;
  };

  void work(int niceness);
  bool is_urgent(const Lane& lane) const { return &lane == &lanes_[0]; }
  Lane* next_lane();  // with mutex_ held; nothing when no item may run

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::array<Lane, 3> lanes_;
  std::size_t running_not_urgent_ = 0;
  const std::size_t not_urgent_max_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace netml::net
