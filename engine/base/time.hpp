// Points in time, and the clock port. All times are UTC.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace netml {

// Whole seconds since 1970-01-01T00:00:00Z; years 1 to 9999. What the exchange format stores.
struct Instant {
  std::int64_t seconds = 0;
  auto operator<=>(const Instant&) const = default;
};

// Microseconds since 1970-01-01T00:00:00Z. What the journal stores.
struct WallTime {
  std::int64_t microseconds = 0;
  auto operator<=>(const WallTime&) const = default;
  Instant instant() const {
    return Instant{
        std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds(microseconds)).count()};
  }
};

// "2024-03-01T12:00:00+00:00": the form the writer uses.
std::string format_instant(Instant instant);

// XML Schema date-time (docs/requirements/exchange-format.md, section 6): fraction cut off, no
// offset means UTC, surrounding blanks tolerated. Nothing when the text is not such a date-time.
std::optional<Instant> parse_instant(std::string_view text);

// Time comes in through this port alone, so that a test can run on a simulated clock.
// Thread: any.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime wall() const = 0;
  // For deadlines and intervals; unaffected by changes of the wall clock.
  virtual std::chrono::nanoseconds steady() const = 0;
};

}  // namespace netml
