#include "engine/base/parallel.hpp"

#include "engine/base/priority.hpp"

namespace netml {

namespace {

std::exception_ptr thrown_by(const std::function<void()>& work) {
  try {
    work();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

HelperThreads::HelperThreads(unsigned count) {
  while (threads_.size() < count) threads_.emplace_back([this] { work(); });
}

HelperThreads::~HelperThreads() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void HelperThreads::run_both(const std::function<void()>& first,
                             const std::function<void()>& second) {
  Task task{.work = &second};
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(&task);
  }
  wake_.notify_one();
  const std::exception_ptr thrown = thrown_by(first);
  if (take_back(task)) {
    task.thrown = thrown_by(second);
  } else {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return task.done; });
  }
  if (thrown) std::rethrow_exception(thrown);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

bool HelperThreads::take_back(const Task& task) {
  const std::lock_guard lock(mutex_);
  return std::erase(tasks_, &task) > 0;
}

void HelperThreads::work() {
  give_way();
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return !tasks_.empty() || stopping_; });
    if (tasks_.empty()) return;
    Task& task = *tasks_.back();
    tasks_.pop_back();
    lock.unlock();
    std::exception_ptr thrown = thrown_by(*task.work);
    lock.lock();
    task.thrown = std::move(thrown);
    task.done = true;
    finished_.notify_all();
  }
}

}  // namespace netml
