// An intrusive reference count and its pointer. Half the size of std::shared_ptr and without its
// control block, which matters where a million of them make up the memory of the graph.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace netml::engine {

class ReferenceCount {
 public:
  ReferenceCount() = default;
  ReferenceCount(const ReferenceCount&) = delete;
  ReferenceCount& operator=(const ReferenceCount&) = delete;

  void retain() const noexcept {
    if (!immortal()) count_.fetch_add(1, std::memory_order_relaxed);
  }
  // True when this was the last reference.
  bool release() const noexcept {
    return !immortal() && count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  // True when nobody else can see the object, so that its owner may change it in place.
  bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }
  // Of an object in memory that nobody may write to, and that others keep: it is not counted.
  bool immortal() const noexcept { return count_.load(std::memory_order_relaxed) == kImmortal; }
  // The count of such an object, as it is stored.
  static constexpr std::uint32_t kImmortal = 0xffffffff;

 private:
  mutable std::atomic<std::uint32_t> count_{1};
};

// T has retain() and release(), the latter destroying the object with its last reference.
// Thread: the pointer itself belongs to one thread; what it points at may be shared.
template <class T>
class SharedPtr {
 public:
  constexpr SharedPtr() noexcept = default;
  constexpr SharedPtr(std::nullptr_t) noexcept {}
  // Takes over the reference that a new object is born with.
  static SharedPtr adopt(T* object) noexcept {
    SharedPtr pointer;
    pointer.object_ = object;
    return pointer;
  }

  SharedPtr(const SharedPtr& other) noexcept : object_(other.object_) {
    if (object_ != nullptr) object_->retain();
  }
  SharedPtr(SharedPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  SharedPtr& operator=(SharedPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~SharedPtr() {
    if (object_ != nullptr) object_->release();
  }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  bool operator==(const SharedPtr& other) const noexcept { return object_ == other.object_; }
  bool operator==(std::nullptr_t) const noexcept { return object_ == nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace netml::engine
