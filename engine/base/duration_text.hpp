// How long something took or lasts, for people.
#pragma once

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

namespace netml {

// In its largest two units: "3 d 4 h", "8 h 59 min", "12 min 5 s", "0 s".
inline std::string duration_text(std::chrono::seconds duration) {
  struct Unit {
    std::int64_t seconds;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits{{{86'400, "d"}, {3'600, "h"}, {60, "min"}, {1, "s"}}};
  std::int64_t left = duration.count();
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    if (left < kUnits[i].seconds) continue;
    const std::int64_t whole = left / kUnits[i].seconds;
    const std::int64_t rest = left % kUnits[i].seconds / kUnits[i + 1].seconds;
    const std::string text = fmt::format("{} {}", whole, kUnits[i].name);
    return rest == 0 ? text : fmt::format("{} {} {}", text, rest, kUnits[i + 1].name);
  }
  return fmt::format("{} s", left);
}

}  // namespace netml
