// A bounded number of something at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace netml::admin {

// So many of something at once. Thread: any.
class Slots {
 public:
  explicit Slots(std::size_t max) : max_(static_cast<std::ptrdiff_t>(max)) {}

  std::uint64_t max() const { return static_cast<std::uint64_t>(max_.load()); }
  // Who has a place keeps it.
  void set_max(std::size_t max) { max_ = static_cast<std::ptrdiff_t>(max); }
  bool full() const { return *taken_ >= max_; }
  // Held until it is destroyed; nothing when all are taken. It may outlive the Slots.
  std::shared_ptr<void> take() {
    if (taken_->fetch_add(1) >= max_) {
      taken_->fetch_sub(1);
      return nullptr;
    }
    return {taken_.get(), [taken = taken_](void*) { taken->fetch_sub(1); }};
  }

 private:
  using Count = std::atomic<std::ptrdiff_t>;
  std::atomic<std::ptrdiff_t> max_;
  std::shared_ptr<Count> taken_ = std::make_shared<Count>(0);
};

}  // namespace netml::admin
