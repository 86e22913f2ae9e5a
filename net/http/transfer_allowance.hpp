// How long a peer may still keep us waiting during one transfer: it starts with window + grace,
// waiting spends it, bytes earn it back at the least rate, never beyond the window. A peer at less
// than the least rate is thus cut off, a fast one that pauses for less than the window is not.
// Only time spent waiting for the peer counts, never our own work.
//
// Thread: one at a time (a value).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "net/http/limits.hpp"

namespace netml::net {

class TransferAllowance {
 public:
  explicit TransferAllowance(const Limits& limits)
      : window_(limits.transfer_window),
        per_byte_(std::chrono::nanoseconds(std::chrono::seconds(1)) /
                  static_cast<std::int64_t>(limits.transfer_bytes_per_second_min)),
        left_(limits.transfer_window + limits.transfer_grace) {}

  std::chrono::nanoseconds left() const { return left_; }

  void spend(std::chrono::nanoseconds waited, std::size_t bytes) {
    left_ -= waited;
    // Beyond the window nothing can be earned, so a larger count needs no larger product.
    const auto counted =
        std::min<std::int64_t>(static_cast<std::int64_t>(bytes), window_ / per_byte_ + 1);
    const auto earned = left_ + per_byte_ * counted;
    left_ = std::max(left_, std::min(earned, window_));
  }

 private:
  std::chrono::nanoseconds window_;
  std::chrono::nanoseconds per_byte_;
  std::chrono::nanoseconds left_;
};

}  // namespace netml::net
