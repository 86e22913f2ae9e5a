// Text that is made piece by piece in memory that is used again: clearing it keeps the memory, and
// making room for more fills nothing with zeros, as std::string does.
//
// Thread: one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace netml::codecs {

// Writes a text that the compiler knows; the end of it.
template <std::size_t Size>
char* put(char* at, const char (&literal)[Size]) {
  std::memcpy(at, literal, Size - 1);
  return at + Size - 1;
}
inline char* put(char* at, std::string_view text) {
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

class TextBuffer {
 public:
  TextBuffer() = default;
  TextBuffer(TextBuffer&& other) noexcept
      : data_(std::move(other.data_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  TextBuffer& operator=(TextBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  std::string_view view() const { return {data_.get(), size_}; }
  void clear() { size_ = 0; }
  void reserve(std::size_t bytes) {
    if (bytes > capacity_) move_to(bytes);
  }

  // Gives back room that is more than what is written: for a text that is kept.
  void fit() {
    if (capacity_ > 2 * size_) move_to(size_);
  }

  // Where `bytes` more can be written; those in front of wrote()'s `end` count from then on.
  char* room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) move_to(std::max(2 * capacity_, size_ + bytes));
    return data_.get() + size_;
  }
  void wrote(const char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }

  template <std::size_t Size>
  void append(const char (&literal)[Size]) {
    wrote(put(room(Size), literal));
  }
  void append(std::string_view text) { wrote(put(room(text.size()), text)); }

 private:
  void move_to(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    put(larger.get(), view());
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace netml::codecs
