#include "engine/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml {

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

// Reads digits and literals from the front of a text; once something is missing it stays failed.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    if (rest_.size() < count) ok_ = false;
    for (std::size_t i = 0; ok_ && i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') ok_ = false;
      value = value * 10 + (rest_[i] - '0');
    }
    if (ok_) rest_.remove_prefix(count);
    return value;
  }
  void literal(char expected) {
    if (!skip(expected)) ok_ = false;
  }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void fraction() {
    if (!skip('.')) return;
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (end == 0) ok_ = false;
    rest_.remove_prefix(end);
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// Seconds east of UTC; nothing if the text does not end with a valid offset (or none).
std::optional<int> parse_offset(Scanner& scan) {
  if (scan.at_end() || scan.skip('Z')) return 0;
  const bool east = scan.skip('+');
  if (!east && !scan.skip('-')) return std::nullopt;
  const int hours = scan.digits(2);
  scan.literal(':');
  const int minutes = scan.digits(2);
  if (!scan.ok() || minutes > 59 || hours * 60 + minutes > 14 * 60) return std::nullopt;
  const int seconds = (hours * 60 + minutes) * 60;
  return east ? seconds : -seconds;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

constexpr std::int64_t kFirst = sys_days(std::chrono::year(1) / 1 / 1).time_since_epoch().count();
constexpr std::int64_t kLast =
    sys_days(std::chrono::year(9999) / 12 / 31).time_since_epoch().count();

}  // namespace

std::string format_instant(Instant instant) {
  const auto point = std::chrono::sys_seconds(std::chrono::seconds(instant.seconds));
  const sys_days day = std::chrono::floor<days>(point);
  const year_month_day date(day);
  const std::chrono::hh_mm_ss time(point - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}+00:00", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::optional<Instant> parse_instant(std::string_view text) {
  Scanner scan(trim(text));
  const int year = scan.digits(4);
  scan.literal('-');
  const int month = scan.digits(2);
  scan.literal('-');
  const int day = scan.digits(2);
  scan.literal('T');
  const int hour = scan.digits(2);
  scan.literal(':');
  const int minute = scan.digits(2);
  scan.literal(':');
  const int second = scan.digits(2);
  scan.fraction();
  if (!scan.ok()) return std::nullopt;
  const std::optional<int> offset = parse_offset(scan);
  if (!offset || !scan.at_end()) return std::nullopt;

  const year_month_day date{std::chrono::year(year),
                            std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || year < 1 || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::int64_t seconds = sys_days(date).time_since_epoch().count() * 86400 + hour * 3600 +
                               minute * 60 + second - *offset;
  // An offset may lead out of the years that can be written again.
  if (seconds < kFirst * 86400 || seconds >= (kLast + 1) * 86400) return std::nullopt;
  return Instant{seconds};
}

}  // namespace netml
