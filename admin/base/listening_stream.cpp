#include "admin/base/listening_stream.hpp"

#include <algorithm>

namespace netml::admin {

namespace {

constexpr std::chrono::seconds kSilenceMax{15};

}  // namespace

Result<std::string_view> ListeningStream::next() {
  piece_.reset();
  // Before it looks: what comes meanwhile wakes it again.
  if (bell_ != nullptr) rung_ = bell_->rung();
  over_ = over_ || !goes_on_();
  if (over_) return std::string_view();
  over_ = !look(piece_);
  std::string_view text = piece_ == nullptr ? std::string_view() : *piece_;
  if (bell_ == nullptr) {
    over_ = over_ || text.empty();
    return text;
  }
  const auto now = clock_.steady();
  if (text.empty() && now >= silent_until_) text = still_here_;
  if (!text.empty()) silent_until_ = now + kSilenceMax;
  return text;
}

std::optional<net::WaitingSource::Pause> ListeningStream::pause() {
  if (over_) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(silent_until_ - clock_.steady());
  return Pause{bell_, rung_, std::max(left, std::chrono::milliseconds(1))};
}

}  // namespace netml::admin
