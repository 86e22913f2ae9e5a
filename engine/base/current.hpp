// A value that is replaced while others use it: who asked for it keeps what there was.
//
// Thread: any (locks).
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace netml {

template <class T>
class Current {
 public:
  using Pointer = std::shared_ptr<T>;

  explicit Current(Pointer value = nullptr) : value_(std::move(value)) {}
  Pointer get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  // The former value goes, if nobody has it, when the lock is free.
  void set(Pointer next) {
    const std::lock_guard lock(mutex_);
    value_.swap(next);
  }

 private:
  mutable std::mutex mutex_;
  Pointer value_;
};

}  // namespace netml
