// Bytes received and not yet used. Small while a connection is idle, so that many idle ones are
// cheap; grows up to its limit as a head or a body needs it.
//
// Thread: its connection's strand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace netml::net {

class ReceiveBuffer {
 public:
  explicit ReceiveBuffer(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  std::string_view view() const { return {bytes_.data() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  // What it takes beyond its least.
  std::size_t grown_bytes() const { return bytes_.size() - std::min(bytes_.size(), kLeastBytes); }
  void consume(std::size_t count) { begin_ += count; }

  // Room for more, at least one byte unless the limit is reached. Invalidates views.
  std::span<char> prepare() {
    if (empty()) begin_ = end_ = 0;
    if (end_ == bytes_.size() && begin_ > 0) {
      std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
                bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
      end_ -= std::exchange(begin_, 0);
    }
    if (end_ == bytes_.size())
      bytes_.resize(
          std::max(bytes_.size(), std::min(bytes_max_, std::max(kLeastBytes, 2 * bytes_.size()))));
    return std::span(bytes_).subspan(end_);
  }
  // Room for a body of which so many bytes are to come, at most `bytes_max` of them at once. Only a
  // body that has filled what there was gets more: one that does not come takes little.
  std::span<char> prepare_body(std::uint64_t bytes_left, std::size_t bytes_max) {
    const std::size_t filled = end_ == bytes_.size() ? 2 * end_ : 0;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes_left, bytes_max));
    bytes_.resize(std::max({bytes_.size(), bytes_max_, std::min(wanted, filled)}));
    return prepare();
  }
  void commit(std::size_t count) { end_ += count; }

  // Between requests: gives back what a body or a long head needed.
  void shrink() {
    if (!empty() || bytes_.size() <= kLeastBytes) return;
    begin_ = end_ = 0;
    bytes_ = std::vector<char>(kLeastBytes);
  }

 private:
  static constexpr std::size_t kLeastBytes = 2048;

  std::size_t bytes_max_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace netml::net
