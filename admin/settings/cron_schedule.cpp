#include "admin/settings/cron_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/algorithm/string/predicate.hpp>
#include <span>

#include "engine/base/random.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

namespace chrono = std::chrono;

constexpr std::size_t kTextMax = 256;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::uint64_t kSunday = 1, kSundayAsSeven = std::uint64_t{1} << 7;
// Leap days, weekdays and centuries meet again within this time.
constexpr chrono::days kHorizon{41 * 366};

constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays{"sun", "mon", "tue", "wed",
                                                    "thu", "fri", "sat"};

struct ColumnRules {
  const char* name;
  unsigned first;
  unsigned last;
  unsigned last_random;  // the 28th, which every month has
  std::span<const std::string_view> value_names;
};
// In the order of CronSchedule's columns. The weekday 7 is Sunday too.
constexpr std::array<ColumnRules, 6> kRules{{{"minute", 0, 59, 59, {}},
                                             {"hour", 0, 23, 23, {}},
                                             {"day of month", 1, 31, 28, {}},
                                             {"month", 1, 12, 12, kMonths},
                                             {"day of week", 0, 7, 6, kWeekdays},
                                             {"second", 0, 59, 59, {}}}};

struct Shorthand {
  std::string_view name;
  std::string_view text;
};
constexpr std::array kShorthands{
    Shorthand{"@hourly", "0 * * * *"},   Shorthand{"@daily", "0 0 * * *"},
    Shorthand{"@midnight", "0 0 * * *"}, Shorthand{"@weekly", "0 0 * * 0"},
    Shorthand{"@monthly", "0 0 1 * *"},  Shorthand{"@yearly", "0 0 1 1 *"},
    Shorthand{"@annually", "0 0 1 1 *"}};

std::uint64_t bit(unsigned value) {
  return std::uint64_t{1} << value;
}

std::uint64_t bits(unsigned first, unsigned last, unsigned step = 1) {
  std::uint64_t set = 0;
  for (unsigned value = first; value <= last; value += step) set |= bit(value);
  return set;
}

std::uint64_t all_values(std::size_t column) {
  return bits(kRules.at(column).first, kRules.at(column).last);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found = split(text, kBlanks);
  std::erase(found, std::string_view());
  return found;
}

tl::unexpected<Error> wrong(const ColumnRules& rules, std::string_view text) {
  return fail(Errc::invalid_input,
              fmt::format("\"{}\" is not valid as the {} of a schedule", text, rules.name));
}

// A number or a name, within the range of the column.
std::optional<unsigned> value_of(const ColumnRules& rules, std::string_view text) {
  for (std::size_t i = 0; i < rules.value_names.size(); ++i)
    if (boost::iequals(text, rules.value_names[i])) return rules.first + static_cast<unsigned>(i);
  const auto number = parse_integer<unsigned>(text);
  if (!number || *number < rules.first || *number > rules.last) return std::nullopt;
  return number;
}

// "a" or "a-b". A range to Sunday ends with the week.
std::optional<std::pair<unsigned, unsigned>> range_of(const ColumnRules& rules,
                                                      std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = value_of(rules, text.substr(0, dash));
  if (!first || dash == std::string_view::npos)
    return first ? std::optional(std::pair(*first, *first)) : std::nullopt;
  auto last = value_of(rules, text.substr(dash + 1));
  if (last && *last == 0 && rules.last == 7) last = 7;
  if (!last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

unsigned uniform(Random& random, unsigned first, unsigned last) {
  return first + static_cast<unsigned>(random_below(random, last - first + 1));
}

// The lowest value of at least `least`; 64 if there is none.
unsigned lowest(std::uint64_t values, unsigned least) {
  return least > 63 ? 64 : static_cast<unsigned>(std::countr_zero(values >> least << least));
}

// The first time of day of at least `least` that the columns allow.
std::optional<chrono::seconds> first_time(std::uint64_t hours, std::uint64_t minutes,
                                          std::uint64_t seconds, chrono::seconds least) {
  const chrono::hh_mm_ss from{least};
  const auto first_hour = static_cast<unsigned>(from.hours().count());
  const auto first_minute = static_cast<unsigned>(from.minutes().count());
  const auto first_second = static_cast<unsigned>(from.seconds().count());
  for (unsigned hour = lowest(hours, first_hour); hour < 24; hour = lowest(hours, hour + 1)) {
    const bool edge_hour = hour == first_hour;
    const unsigned from_minute = edge_hour ? first_minute : 0;
    for (unsigned minute = lowest(minutes, from_minute); minute < 60;
         minute = lowest(minutes, minute + 1)) {
      const bool edge = edge_hour && minute == first_minute;
      const unsigned second = lowest(seconds, edge ? first_second : 0);
      if (second < 60)
        return chrono::hours(hour) + chrono::minutes(minute) + chrono::seconds(second);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<CronSchedule> CronSchedule::parse(std::string_view text) {
  if (text.size() > kTextMax)
    return fail(Errc::invalid_input, fmt::format("a schedule has at most {} characters", kTextMax));
  std::vector<std::string_view> columns = words(text);
  if (columns.size() == 1)
    for (const Shorthand& shorthand : kShorthands)
      if (boost::iequals(columns.front(), shorthand.name)) {
        columns = words(shorthand.text);
        break;
      }
  if (columns.size() == 5) columns.emplace_back("0");
  if (columns.size() != kColumns)
    return fail(Errc::invalid_input,
                "a schedule has 5 columns (minute, hour, day of month, month, day of week), or 6 "
                "with seconds last, or is one of @hourly, @daily, @weekly, @monthly, @yearly");
  CronSchedule schedule;
  for (std::size_t i = 0; i < kColumns; ++i)
    NETML_TRY_VOID(schedule.parse_column(static_cast<ColumnIndex>(i), columns[i]));
  return schedule;
}

Status CronSchedule::parse_column(ColumnIndex index, std::string_view text) {
  const ColumnRules& rules = kRules.at(index);
  Column& column = columns_.at(index);
  if (text.front() == 'R' || text.front() == 'r') {
    column.random = std::pair(rules.first, rules.last_random);
    if (text.size() == 1) return {};
    if (text.size() < 3 || text[1] != '(' || text.back() != ')') return wrong(rules, text);
    column.random = range_of(rules, text.substr(2, text.size() - 3));
    if (!column.random) return wrong(rules, text);
    return {};
  }
  for (const std::string_view part : split(text, ",")) NETML_TRY_VOID(parse_part(index, part));
  if (index == weekday && (column.values & kSundayAsSeven) != 0) column.values |= kSunday;
  return {};
}

Status CronSchedule::parse_part(ColumnIndex index, std::string_view part) {
  const ColumnRules& rules = kRules.at(index);
  if (index == day && boost::iequals(part, "l")) {
    last_day_ = true;
    return {};
  }
  if (const std::size_t hash = part.find('#'); index == weekday && hash != std::string_view::npos) {
    const auto which = value_of(rules, part.substr(0, hash));
    const auto nth = parse_integer<unsigned>(part.substr(hash + 1));
    if (!which || !nth || *nth < 1 || *nth > 5) return wrong(rules, part);
    nth_weekdays_.push_back({*which % 7, *nth});
    return {};
  }
  const std::size_t slash = part.find('/');
  const std::string_view what = part.substr(0, slash);
  auto range = what == "*" ? std::pair(rules.first, rules.last) : range_of(rules, what);
  if (!range) return wrong(rules, part);
  unsigned step = 1;
  if (slash != std::string_view::npos) {
    const auto given = parse_integer<unsigned>(part.substr(slash + 1));
    if (!given || *given < 1 || *given > rules.last) return wrong(rules, part);
    step = *given;
    if (what != "*" && what.find('-') == std::string_view::npos) range->second = rules.last;
  }
  columns_.at(index).values |= bits(range->first, range->second, step);
  return {};
}

// The start of the first span that the random columns cover and that has not begun.
chrono::sys_seconds CronSchedule::earliest(chrono::sys_seconds after) const {
  const auto is_random = [&](ColumnIndex index) { return columns_.at(index).random.has_value(); };
  const auto today = chrono::floor<chrono::days>(after);
  const chrono::year_month_day date{today};
  using chrono::January;
  if (is_random(month)) return chrono::sys_days((date.year() + chrono::years(1)) / January / 1);
  if (is_random(day)) return chrono::sys_days((date.year() / date.month() + chrono::months(1)) / 1);
  if (is_random(weekday)) return today + chrono::days(7 - chrono::weekday(today).c_encoding());
  if (is_random(hour)) return today + chrono::days(1);
  if (is_random(minute)) return chrono::floor<chrono::hours>(after) + chrono::hours(1);
  if (is_random(second)) return chrono::floor<chrono::minutes>(after) + chrono::minutes(1);
  return after + chrono::seconds(1);
}

CronSchedule::Values CronSchedule::draw(Random& random) const {
  Values values{};
  for (std::size_t i = 0; i < kColumns; ++i) {
    const Column& column = columns_.at(i);
    values.at(i) = column.values;
    if (column.random)
      values.at(i) = bit(uniform(random, column.random->first, column.random->second));
  }
  if ((values[weekday] & kSundayAsSeven) != 0) values[weekday] |= kSunday;
  return values;
}

// When both the day of month and the weekday are narrowed, either is enough.
bool CronSchedule::runs_on(chrono::year_month_day date, const Values& values) const {
  if ((values[month] & bit(static_cast<unsigned>(date.month()))) == 0) return false;
  const auto day_number = static_cast<unsigned>(date.day());
  const unsigned weekday_number = chrono::weekday(chrono::sys_days(date)).c_encoding();
  const bool last_of_month =
      chrono::year_month_day_last(date.year(), date.month() / chrono::last).day() == date.day();
  const bool day_fits = (values[day] & bit(day_number)) != 0 || (last_day_ && last_of_month);
  const bool weekday_fits =
      (values[weekday] & bit(weekday_number)) != 0 ||
      std::any_of(nth_weekdays_.begin(), nth_weekdays_.end(), [&](const NthWeekday& entry) {
        return entry.weekday == weekday_number && entry.nth == (day_number - 1) / 7 + 1;
      });
  const bool any_day = values[day] == all_values(day);
  const bool any_weekday = (~values[weekday] & bits(0, 6)) == 0;
  return any_day || any_weekday ? day_fits && weekday_fits : day_fits || weekday_fits;
}

std::optional<Instant> CronSchedule::next_run(Instant after, Random& random) const {
  const chrono::sys_seconds start = earliest(chrono::sys_seconds(chrono::seconds(after.seconds)));
  const Values values = draw(random);
  const auto first_day = chrono::floor<chrono::days>(start);
  for (auto today = first_day; today < first_day + kHorizon; today += chrono::days(1)) {
    if (!runs_on(today, values)) continue;
    const auto least = today == first_day ? start - chrono::sys_seconds(today) : chrono::seconds(0);
    if (const auto time = first_time(values[hour], values[minute], values[second], least))
      return Instant{(chrono::sys_seconds(today) + *time).time_since_epoch().count()};
  }
  return std::nullopt;
}

RunPlan::RunPlan(CronSchedule schedule, WallTime now, Random& random)
    : schedule_(std::move(schedule)),
      random_(random),
      seen_(now.instant()),
      next_(schedule_.next_run(now.instant(), random)) {}

bool RunPlan::take_due(WallTime now) {
  const Instant instant = now.instant();
  if (seen_.seconds - instant.seconds > chrono::seconds(kWrongClock).count())
    next_ = schedule_.next_run(seen_ = instant, random_);
  seen_ = std::max(seen_, instant);
  if (!next_ || instant < *next_) return false;
  next_ = schedule_.next_run(Instant{instant.seconds + kApart.count() - 1}, random_);
  return true;
}

}  // namespace netml::admin
