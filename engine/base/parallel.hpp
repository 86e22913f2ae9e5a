// Two pieces of work at a time: the port through which the work on one large transaction or one
// checkpoint is spread over two cores. In a simulation both run on the one thread.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace netml {

class Parallel {
 public:
  virtual ~Parallel() = default;
  // Returns when both have ended; what one of them threw is thrown again then. `second` may run on
  // another thread.
  virtual void run_both(const std::function<void()>& first,
                        const std::function<void()>& second) = 0;
  // Whether the two run at the same time, so that one may wait for the other.
  virtual bool concurrent() const = 0;
};

class InlineParallel final : public Parallel {
 public:
  void run_both(const std::function<void()>& first, const std::function<void()>& second) override {
    first();
    second();
  }
  bool concurrent() const override { return false; }
};

// Helper threads for its whole life. Each call in progress takes one of them, also a call made
// from within another, so `count` bounds how deep calls run on two cores. Whoever is done with the
// first piece takes the second back where no helper has begun it: helpers give way to other work,
// and nobody waits for that. Thread: any.
class HelperThreads final : public Parallel {
 public:
  explicit HelperThreads(unsigned count = 4);
  ~HelperThreads() override;
  void run_both(const std::function<void()>& first, const std::function<void()>& second) override;
  bool concurrent() const override { return true; }

 private:
  struct Task {
    const std::function<void()>* work;
    bool done = false;
    std::exception_ptr thrown = nullptr;
  };
  void work();
  bool take_back(const Task& task);  // false: a helper has begun it

  std::mutex mutex_;
  std::condition_variable wake_;      // there is a task, or the end has come
  std::condition_variable finished_;  // a task is done
  std::vector<Task*> tasks_;          // not yet begun; guarded by mutex_
  bool stopping_ = false;             // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace netml
