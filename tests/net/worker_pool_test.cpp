// The pool: lanes keep urgent work from waiting behind slow work; stop() runs what was submitted.
#include "net/src/worker_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

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
