#include "admin/cli/client/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "admin/base/pause.hpp"
#include "admin/base/work_list.hpp"
#include "admin/cli/client/output.hpp"

namespace netml::admin::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kShownAfter = 1s;
constexpr auto kInterval = 100ms;
constexpr std::size_t kBarCharacters = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";

// "12 s", "3 min 20 s", "2 h 5 min", rounded up: what is left is never nothing.
std::string short_duration(double seconds) {
  constexpr double kLongest = 100.0 * 3600;
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::min(seconds, kLongest)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

double seconds_between(std::chrono::nanoseconds from, std::chrono::nanoseconds to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string amount_text(WorkUnit unit, std::uint64_t amount) {
  return unit == WorkUnit::bytes ? human_size(amount)
                                 : fmt::format("{} {}", amount, work_unit_name(unit));
}

// "[###...] 45 % of 1.2 GiB", "[###...] 3 of 7 sources"
std::string share_text(WorkUnit unit, std::uint64_t done, std::uint64_t total) {
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const auto filled = static_cast<std::size_t>(share * kBarCharacters);
  const std::string bar = fmt::format("[{:#<{}}{:.<{}}]", "", filled, "", kBarCharacters - filled);
  if (unit != WorkUnit::bytes)
    return fmt::format("{} {} of {}", bar, done, amount_text(unit, total));
  return fmt::format("{} {:.0f} % of {}", bar, std::min(share * 100, 99.0), human_size(total));
}

// ", 12 MiB/s, 8 s left"; the time where it is known what is left, nothing where nothing moves.
std::string rate_text(WorkUnit unit, double rate, std::uint64_t left) {
  if (rate <= 0) return {};
  constexpr double kWholeFrom = 10;
  const std::string speed = unit == WorkUnit::bytes
                                ? human_size(static_cast<std::uint64_t>(rate))
                                : fmt::format("{:.{}f}", rate, rate < kWholeFrom ? 1 : 0);
  const std::string time = short_duration(static_cast<double>(left) / rate);
  return fmt::format(", {}/s{}", speed, left == 0 ? "" : fmt::format(", {} left", time));
}

}  // namespace

ProgressBar::ProgressBar(const Clock& clock, Draw draw, ProgressTexts texts,
                         std::optional<std::uint64_t> total)
    : clock_(clock),
      draw_(std::move(draw)),
      texts_(std::move(texts)),
      total_(total),
      began_(clock.steady()) {}

void ProgressBar::sent(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ = bytes;
  draw_if_due();
}

void ProgressBar::work(const WorkNow& now) {
  const std::lock_guard lock(mutex_);
  const bool goes_on = work_ && work_->part == now.part && work_->unit == now.unit &&
                       work_->total == now.total && work_->done <= now.done;
  if (!goes_on) {
    work_from_ = now.done;
    work_since_ = clock_.steady();
  }
  work_ = now;
  draw_if_due();
}

void ProgressBar::refresh() {
  const std::lock_guard lock(mutex_);
  draw_if_due();
}

void ProgressBar::finish() {
  const std::lock_guard lock(mutex_);
  if (visible_ && !finished_) draw_(kClearLine);
  finished_ = true;
}

void ProgressBar::draw_if_due() {
  const auto now = clock_.steady();
  if (finished_ || now - began_ <= kShownAfter) return;
  if (visible_ && now - drawn_ < kInterval) return;
  visible_ = true;
  drawn_ = now;
  draw_(fmt::format("{}{}", kClearLine, line(now)));
}

std::string ProgressBar::line(std::chrono::nanoseconds now) const {
  if (!work_) return sent_line(now);
  const bool known = work_->total == 0 ? work_->done > 0 : work_->done < work_->total;
  return known ? work_line(now) : seconds_line(now);
}

std::string ProgressBar::seconds_line(std::chrono::nanoseconds now) const {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now - began_);
  return fmt::format("{}, {} s", texts_.working, seconds.count());
}

// Over all of the time so far: what is asked every tenth of a second should not jump about.
std::string ProgressBar::sent_line(std::chrono::nanoseconds now) const {
  const bool working = total_ ? bytes_ >= *total_ : bytes_ == 0;
  if (working) return seconds_line(now);
  const double rate = static_cast<double>(bytes_) / seconds_between(began_, now);
  const std::string done =
      total_ ? share_text(WorkUnit::bytes, bytes_, *total_) : human_size(bytes_);
  return fmt::format("{} {}{}", texts_.moving, done,
                     rate_text(WorkUnit::bytes, rate, total_ ? *total_ - bytes_ : 0));
}

std::string ProgressBar::work_line(std::chrono::nanoseconds now) const {
  const WorkNow& work = *work_;
  const double seconds = seconds_between(work_since_, now);
  const double rate = seconds > 0 ? static_cast<double>(work.done - work_from_) / seconds : 0;
  const std::string done = work.total == 0 ? amount_text(work.unit, work.done)
                                           : share_text(work.unit, work.done, work.total);
  return fmt::format("{}{}{} {}{}", texts_.working, work.part.empty() ? "" : ": ", work.part, done,
                     rate_text(work.unit, rate, work.total == 0 ? 0 : work.total - work.done));
}

ProgressTicker::ProgressTicker(ProgressBar& bar)
    : thread_([&bar](const std::stop_token& stop) {
        while (pause(kInterval, stop)) bar.refresh();
      }) {}

}  // namespace netml::admin::cli
