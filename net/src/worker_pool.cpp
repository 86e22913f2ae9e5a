#include "net/src/worker_pool.hpp"

#include <signal.h>

#include <algorithm>

#include "engine/result.hpp"

namespace netml::net {

void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

WorkerPool::WorkerPool(unsigned threads) {
  NETML_ASSERT(threads > 0);
  lanes_[0].running_max = threads;
  lanes_[1].running_max = std::max(1u, threads - 1);
  lanes_[2].running_max = std::max(1u, threads / 2);
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
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
    if (!lane.waiting.empty() && lane.running < lane.running_max) return &lane;
  }
  return nullptr;
}

void WorkerPool::work() {
  block_signals();
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
    ++lane->running;
    lock.unlock();
    item->run();
    lock.lock();
    --lane->running;
    // A thread that found this lane full may be asleep while its next item waits; this thread
    // looks again itself, so nobody needs to be woken.
  }
}

}  // namespace netml::net
