// Counts what clients did within the present minute, each client by itself; IPv6 clients by network
// (net::client_group). Memory is bounded: when more come in one minute than it keeps, it begins
// anew.
//
// Thread: any (locks).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "net/http/address.hpp"

namespace netml::admin {

class MinuteCounts {
 public:
  explicit MinuteCounts(const Clock& clock) : clock_(clock) {}

  // How often that client did it within this minute, with this time.
  std::uint64_t add(std::string_view address) {
    const std::lock_guard lock(mutex_);
    const std::chrono::nanoseconds now = clock_.steady();
    if (now - began_ >= kMinute || counts_.size() >= kClientsMax) {
      counts_.clear();
      began_ = now;
    }
    return ++counts_[net::client_group(address)];
  }

 private:
  static constexpr std::chrono::minutes kMinute{1};
  static constexpr std::size_t kClientsMax = 4096;

  const Clock& clock_;
  std::mutex mutex_;
  std::chrono::nanoseconds began_{};             // guarded by mutex_
  std::map<std::string, std::uint64_t> counts_;  // the same
};

}  // namespace netml::admin
