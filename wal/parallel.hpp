// Two pieces of work at a time: the port through which the journal's work on one large transaction
// is spread over two cores. In a simulation both run on the one thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace netml::wal {

class Parallel {
 public:
  virtual ~Parallel() = default;
  // Returns when both have ended. `second` may run on another thread.
  virtual void run_both(const std::function<void()>& first,
                        const std::function<void()>& second) = 0;
};

class InlineParallel final : public Parallel {
 public:
  void run_both(const std::function<void()>& first, const std::function<void()>& second) override {
    first();
    second();
  }
};

// One helper thread for its whole life. Thread: run_both() by one thread at a time.
class HelperThread final : public Parallel {
 public:
  HelperThread();
  ~HelperThread() override;
  void run_both(const std::function<void()>& first, const std::function<void()>& second) override;

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;  // guarded by mutex_
  bool stopping_ = false;                        // guarded by mutex_
  std::thread thread_;
};

}  // namespace netml::wal
