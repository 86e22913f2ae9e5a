#include "admin/cli/client/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/base/pause.hpp"
#include "admin/cli/client/output.hpp"

namespace netml::admin::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kShownAfter = 1s;
constexpr auto kInterval = 100ms;
constexpr std::size_t kBarCharacters = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";

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
  draw_(fmt::format("{}{}", kClearLine, line()));
}

std::string ProgressBar::line() const {
  const bool working = total_ ? bytes_ >= *total_ : bytes_ == 0;
  if (working) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(clock_.steady() - began_);
    return fmt::format("{}, {} s", texts_.working, seconds.count());
  }
  if (!total_) return fmt::format("{} {}", texts_.moving, human_size(bytes_));
  const double share = static_cast<double>(bytes_) / static_cast<double>(*total_);
  const auto done = static_cast<std::size_t>(share * kBarCharacters);
  return fmt::format("{} [{:#<{}}{:.<{}}] {:.0f} % of {}", texts_.moving, "", done, "",
                     kBarCharacters - done, std::min(share * 100, 99.0), human_size(*total_));
}

ProgressTicker::ProgressTicker(ProgressBar& bar)
    : thread_([&bar](const std::stop_token& stop) {
        while (pause(kInterval, stop)) bar.refresh();
      }) {}

}  // namespace netml::admin::cli
