// The machine's clocks. Thread: any.
#pragma once

#include "engine/base/time.hpp"

namespace netml::admin {

class SystemClock : public Clock {
 public:
  WallTime wall() const override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return WallTime{std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
  }
  std::chrono::nanoseconds steady() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
};

}  // namespace netml::admin
