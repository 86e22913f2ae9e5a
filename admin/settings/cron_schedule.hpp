// When the node polls: a cron expression, and the runs it asks for
// (docs/requirements/polling-and-publishing.md, section 7; rule N10; decision 31).
//
// All of it is UTC, so no zone and no daylight saving has a say. Nothing here reads a clock: times
// come in, times go out.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/random.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"

namespace netml::admin {

// "every fourth hour, at a random minute"
inline constexpr std::string_view kDefaultSchedule = "R */4 * * *";

// A cron expression: minute, hour, day of month, month, day of week, and perhaps second. Thread:
// any (immutable).
class CronSchedule {
 public:
  // Errc::invalid_input names the column that is wrong.
  static Result<CronSchedule> parse(std::string_view text);

  // The first run after `after`; nothing when there is none, as for the 31st of February.
  //
  // Columns that are random get a new value in each span that they cover: `R` minutes in each hour,
  // `R R` in each day. A span that has begun by `after` is passed over, so it never has two runs.
  std::optional<Instant> next_run(Instant after, Random& random) const;

 private:
  struct NthWeekday {
    unsigned weekday = 0;  // 0 = Sunday
    unsigned nth = 1;
  };
  // The values of a column as bits, or the ends of what one is drawn from.
  struct Column {
    std::uint64_t values = 0;
    std::optional<std::pair<unsigned, unsigned>> random;
  };
  enum ColumnIndex : std::size_t { minute, hour, day, month, weekday, second, kColumns };
  using Values = std::array<std::uint64_t, kColumns>;

  Status parse_column(ColumnIndex index, std::string_view text);
  Status parse_part(ColumnIndex index, std::string_view part);
  std::chrono::sys_seconds earliest(std::chrono::sys_seconds after) const;
  Values draw(Random& random) const;
  bool runs_on(std::chrono::year_month_day date, const Values& values) const;

  std::array<Column, kColumns> columns_;
  bool last_day_ = false;                 // `L`
  std::vector<NthWeekday> nth_weekdays_;  // `sun#1`
};

// The runs of one schedule on a clock that may be set. Time that was missed, asleep or by a clock
// set forward, gives one run; a clock set back repeats none, and one that is set back by more than
// a day was wrong before, so the plan is made anew. No run is closer than a minute to the last.
// Thread: one.
class RunPlan {
 public:
  static constexpr std::chrono::seconds kApart{60};
  static constexpr std::chrono::hours kWrongClock{24};

  RunPlan(CronSchedule schedule, WallTime now, Random& random);

  std::optional<Instant> next() const { return next_; }
  // Whether a run is due; it then counts as made. Asked about once a second.
  bool take_due(WallTime now);

 private:
  CronSchedule schedule_;
  Random& random_;
  Instant seen_;  // the latest time that was reported
  std::optional<Instant> next_;
};

}  // namespace netml::admin
