#include "net/connection/worker_pool.hpp"

#include <signal.h>

#include <algorithm>

#include "engine/base/priority.hpp"
#include "engine/base/result.hpp"

namespace netml::net {

void begin_service_thread(int niceness) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  if (niceness != 0) give_way(niceness);
}

WorkerPool::WorkerPool(unsigned threads, int niceness)
    : not_urgent_max_(std::max(1u, threads - 1)) {
  NETML_ASSERT(threads > 0);
  lanes_[0].running_max = threads;
  lanes_[1].running_max = not_urgent_max_;
  lanes_[2].running_max = std::max(1u, threads / 2);
  for (unsigned i = 0; i < threads; ++i)
    threads_.emplace_back([this, niceness] { work(niceness); });
}

void WorkerPool::submit(Urgency urgency, WorkItem& item) {
  {
    const std::lock_guard lock(mutex_);
    NETML_ASSERT(!stopping_);
    lanes_[static_cast<std::size_t>(urgency)].waiting.push_back(&item);
  }
  wake_.notify_one();
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const Lane& lane : lanes_) count += lane.waiting.size();
  return count;
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

WorkerPool::Lane* WorkerPool::next_lane() {
  for (Lane& lane : lanes_) {
    const bool free = is_urgent(lane) || running_not_urgent_ < not_urgent_max_;
    if (free && !lane.waiting.empty() && lane.running < lane.running_max) return &lane;
  }
  return nullptr;
}

void WorkerPool::work(int niceness) {
  begin_service_thread(niceness);
  std::unique_lock lock(mutex_);
  for (;;) {
    Lane* lane = next_lane();
    if (lane == nullptr) {
      if (stopping_) return;
      wake_.wait(lock);
      continue;
    }
    WorkItem* item = lane->waiting.front();
    lane->waiting.pop_front();
    const std::size_t not_urgent = is_urgent(*lane) ? 0 : 1;
    ++lane->running;
    running_not_urgent_ += not_urgent;
    lock.unlock();
    item->run();
    lock.lock();
    --lane->running;
    running_not_urgent_ -= not_urgent;
    // A thread that found this lane full may be asleep while its next item waits; this thread
    // looks again itself, so nobody needs to be woken.
  }
}

}  // namespace netml::net
