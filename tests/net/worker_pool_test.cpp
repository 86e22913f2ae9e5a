// The pool: lanes keep urgent work from waiting behind slow work; stop() runs what was submitted.
#include "net/connection/worker_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "tests/net/support/fakes.hpp"

namespace netml::net {
namespace {

struct Task final : WorkItem {
  explicit Task(std::function<void()> work_) : work(std::move(work_)) {}
  void run() noexcept override { work(); }
  std::function<void()> work;
};

TEST(WorkerPool, RunsUrgentAndNormalWorkWhileSlowWorkWaits) {
  WorkerPool pool(4);
  Gate gate;
  Gate urgent_done;
  Gate normal_done;
  std::vector<std::unique_ptr<Task>> slow;
  for (int i = 0; i < 10; ++i) {
    slow.push_back(std::make_unique<Task>([&] { gate.wait(); }));
    pool.submit(WorkerPool::Urgency::slow, *slow.back());
  }
  Task normal([&] { normal_done.open(); });
  Task urgent([&] { urgent_done.open(); });
  pool.submit(WorkerPool::Urgency::normal, normal);
  pool.submit(WorkerPool::Urgency::urgent, urgent);
  normal_done.wait();
  urgent_done.wait();
  gate.open();
  pool.stop();
}

TEST(WorkerPool, KeepsAThreadForUrgentWork) {
  WorkerPool pool(2);
  Gate gate;
  Gate done;
  Task first([&] { gate.wait(); });
  Task second([&] { gate.wait(); });
  pool.submit(WorkerPool::Urgency::normal, first);
  pool.submit(WorkerPool::Urgency::normal, second);
  Task urgent([&] { done.open(); });
  pool.submit(WorkerPool::Urgency::urgent, urgent);
  done.wait();
  gate.open();
  pool.stop();
}

// Normal and slow work together could fill all threads.
TEST(WorkerPool, KeepsAThreadForUrgentWorkWhateverElseIsRun) {
  constexpr int kThreads = 4;
  WorkerPool pool(kThreads);
  Gate gate;
  std::vector<std::unique_ptr<Task>> waiting;
  for (int i = 0; i < kThreads; ++i) {
    waiting.push_back(std::make_unique<Task>([&] { gate.wait(); }));
    pool.submit(i < 2 ? WorkerPool::Urgency::slow : WorkerPool::Urgency::normal, *waiting.back());
  }
  Gate done;
  Task urgent([&] { done.open(); });
  pool.submit(WorkerPool::Urgency::urgent, urgent);
  done.wait();
  gate.open();
  pool.stop();
}

// How much work has begun that holds its thread, and how much urgent work was done.
class Progress {
 public:
  void hold() {
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return released_; });
  }
  void urgent() {
    const std::lock_guard lock(mutex_);
    ++urgent_;
    changed_.notify_all();
  }
  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }
  // Either happens: until so much urgent work was done, or so much else has begun.
  void wait_for(int urgent, int begun) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return urgent_ >= urgent || begun_ >= begun; });
  }
  int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0;
  int urgent_ = 0;
  bool released_ = false;
};

// With as many threads at work as other work may have, and more of it waiting: the last thread
// looks for work again after each urgent task, and must leave that alone.
TEST(WorkerPool, LeavesAThreadWithoutWorkUntilThereIsUrgentWork) {
  constexpr int kThreads = 4;
  constexpr int kSlowMax = kThreads / 2;
  for (const int slow : {0, kSlowMax, 3 * kThreads}) {
    WorkerPool pool(kThreads);
    Progress progress;
    std::vector<std::unique_ptr<Task>> holding;
    for (int i = 0; i < 3 * kThreads; ++i) {
      holding.push_back(std::make_unique<Task>([&] { progress.hold(); }));
      pool.submit(i < slow ? WorkerPool::Urgency::slow : WorkerPool::Urgency::normal,
                  *holding.back());
    }
    const int others_max = slow == 3 * kThreads ? kSlowMax : kThreads - 1;
    progress.wait_for(1, others_max);
    std::vector<std::unique_ptr<Task>> urgent;
    for (int i = 1; i <= 100 && progress.begun() == others_max; ++i) {
      urgent.push_back(std::make_unique<Task>([&] { progress.urgent(); }));
      pool.submit(WorkerPool::Urgency::urgent, *urgent.back());
      progress.wait_for(i, others_max + 1);
    }
    EXPECT_EQ(progress.begun(), others_max) << slow << " of them slow";
    progress.release();
    pool.stop();
  }
}

TEST(WorkerPool, RunsWhatWasSubmittedBeforeItStops) {
  std::atomic<int> ran{0};
  std::vector<std::unique_ptr<Task>> tasks;
  WorkerPool pool(3);
  for (int i = 0; i < 300; ++i) {
    tasks.push_back(std::make_unique<Task>([&] { ++ran; }));
    pool.submit(static_cast<WorkerPool::Urgency>(i % 3), *tasks.back());
  }
  pool.stop();
  EXPECT_EQ(ran, 300);
}

}  // namespace
}  // namespace netml::net
