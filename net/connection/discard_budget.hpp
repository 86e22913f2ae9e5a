// What a connection may still cost once it is answered and will not be used again: bytes that are
// read and dropped, at the least rate of transfers, for so long.
//
// Thread: one at a time (a value).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "net/http/limits.hpp"
#include "net/http/transfer_allowance.hpp"

namespace netml::net {

class DiscardBudget {
 public:
  // For the rest of a body whose framing holds.
  static DiscardBudget for_body(const Limits& limits, std::chrono::nanoseconds now) {
    return {limits, std::max(limits.upload_bytes_max, limits.discard_bytes_max),
            now + limits.discard_max};
  }
  // For bytes that nothing is known about.
  static DiscardBudget for_remains(const Limits& limits, std::chrono::nanoseconds now) {
    return {limits, limits.linger_bytes_max, now + limits.linger_max};
  }

  // How long the next read may take; not positive once something is used up.
  std::chrono::nanoseconds left(std::chrono::nanoseconds now) const {
    if (bytes_ == 0) return std::chrono::nanoseconds(0);
    return std::min(until_ - now, allowance_.left());
  }
  void spend(std::chrono::nanoseconds waited, std::size_t bytes) {
    allowance_.spend(waited, bytes);
    bytes_ -= std::min<std::uint64_t>(bytes_, bytes);
  }

 private:
  DiscardBudget(const Limits& limits, std::uint64_t bytes, std::chrono::nanoseconds until)
      : allowance_(limits), bytes_(bytes), until_(until) {}

  TransferAllowance allowance_;
  std::uint64_t bytes_;
  std::chrono::nanoseconds until_;
};

}  // namespace netml::net
