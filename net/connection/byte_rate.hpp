// How fast bytes may come from many who share one rate: each says what came and learns how long to
// pause before it takes more.
//
// Thread: any (locks).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace netml::net {

class ByteRate {
 public:
  // What nobody used is good for so long.
  static constexpr std::chrono::milliseconds kBurst{250};
  // However many share the rate, nobody pauses for longer; what is beyond that is forgiven.
  static constexpr std::chrono::milliseconds kPauseMax{1000};

  explicit ByteRate(std::uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  // For what comes from now on.
  void set(std::uint64_t bytes_per_second) {
    const std::lock_guard lock(mutex_);
    bytes_per_second_ = bytes_per_second;
  }
  // So many have come; not positive: more may be taken at once.
  std::chrono::nanoseconds pause_after(std::uint64_t bytes, std::chrono::nanoseconds now) {
    const std::lock_guard lock(mutex_);
    const std::chrono::duration<double> taken(static_cast<double>(bytes) /
                                              static_cast<double>(bytes_per_second_));
    paid_until_ = std::max<std::chrono::nanoseconds>(paid_until_, now - kBurst) +
                  std::chrono::duration_cast<std::chrono::nanoseconds>(taken);
    paid_until_ = std::min<std::chrono::nanoseconds>(paid_until_, now + kPauseMax);
    return paid_until_ - now;
  }

 private:
  std::mutex mutex_;
  std::uint64_t bytes_per_second_;  // guarded by mutex_, as is what follows
  std::chrono::nanoseconds paid_until_ = std::chrono::nanoseconds::min() / 2;
};

}  // namespace netml::net
