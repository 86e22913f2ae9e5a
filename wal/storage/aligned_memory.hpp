// Memory for large transfers: not zeroed first, and aligned so that a transfer past the page cache
// can use it as it is.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace netml::wal {

// Offsets, lengths and addresses of direct transfers are multiples of this; no device in use asks
// for more.
inline constexpr std::size_t kDirectAlignment = 4096;

class AlignedMemory {
 public:
  AlignedMemory() = default;
  explicit AlignedMemory(std::size_t size) : size_(size) {
    const std::size_t whole = (size + kDirectAlignment - 1) / kDirectAlignment * kDirectAlignment;
    if (whole == 0) return;
    memory_.reset(static_cast<std::byte*>(::operator new(whole, kAlignment)));
  }

  std::span<std::byte> bytes() { return {memory_.get(), size_}; }
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  static constexpr std::align_val_t kAlignment{kDirectAlignment};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_ = 0;
};

}  // namespace netml::wal
