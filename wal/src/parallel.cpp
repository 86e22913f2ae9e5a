#include "wal/parallel.hpp"

namespace netml::wal {

HelperThread::HelperThread() : thread_([this] { work(); }) {}

HelperThread::~HelperThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HelperThread::run_both(const std::function<void()>& first,
                            const std::function<void()>& second) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &second;
  }
  changed_.notify_all();
  first();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return task_ == nullptr; });
}

void HelperThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return task_ != nullptr || stopping_; });
    if (task_ == nullptr) return;
    const std::function<void()>& task = *task_;
    lock.unlock();
    task();
    lock.lock();
    task_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace netml::wal
