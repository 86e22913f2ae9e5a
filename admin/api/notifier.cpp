#include "admin/api/notifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

// Between two looks, so that a storm of changes wakes nobody more often.
constexpr std::chrono::milliseconds kLook{200};
constexpr std::chrono::seconds kSilenceMax{15};
constexpr std::chrono::seconds kPollLook{1};

// By ImportStep.
constexpr std::array kStepNames{"reading", "planning", "storing"};

std::string event(const char* name, const json::object& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, json::serialize(data));
}

std::string progress_event(std::uint64_t import, const char* step, std::uint64_t done,
                           std::uint64_t total) {
  return event("progress", {{"import", import}, {"step", step}, {"done", done}, {"total", total}});
}

}  // namespace

class Notifier::Stream final : public net::WaitingSource {
 public:
  Stream(Notifier& notifier, std::function<bool()> goes_on, std::shared_ptr<void> slot)
      : notifier_(notifier), goes_on_(std::move(goes_on)), slot_(std::move(slot)) {}

  Result<std::string_view> next() override {
    text_.clear();
    rung_ = notifier_.bell_.rung();  // before it looks: what comes meanwhile wakes it again
    over_ = notifier_.closed() || !goes_on_();
    if (over_) return std::string_view();
    tell(notifier_.news());
    const auto now = notifier_.node_.clock().steady();
    if (text_.empty() && now >= silent_until_) text_ = ": still here\n\n";
    if (!text_.empty()) silent_until_ = now + kSilenceMax;
    return std::string_view(text_);
  }
  std::optional<Pause> pause() override {
    if (over_) return std::nullopt;
    const auto left = silent_until_ - notifier_.node_.clock().steady();
    return Pause{
        &notifier_.bell_, rung_,
        std::max(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds(1))};
  }

 private:
  void tell(std::shared_ptr<const News> news) {
    if (news == known_) return;
    const News nothing;
    const News& before = known_ ? *known_ : nothing;
    if (!known_ || news->lsn != before.lsn) text_ += event("change", {{"lsn", news->lsn.value}});
    for (const std::uint64_t import : before.waiting)
      if (!news->waiting.contains(import)) text_ += progress_event(import, "done", 1, 1);
    for (const std::uint64_t import : news->waiting)
      if (!before.waiting.contains(import)) text_ += progress_event(import, "waiting", 0, 1);
    if (const auto& now = news->import; now && now != before.import)
      text_ += progress_event(now->import, kStepNames[static_cast<std::size_t>(now->step)],
                              now->done, now->total);
    if (known_ ? news->poll_looks != before.poll_looks : news->polling)
      text_ += event("poll", {{"number", news->poll}});
    known_ = std::move(news);
  }

  Notifier& notifier_;
  const std::function<bool()> goes_on_;
  const std::shared_ptr<void> slot_;
  std::shared_ptr<const News> known_;
  std::chrono::nanoseconds silent_until_{0};
  std::uint64_t rung_ = 0;
  bool over_ = false;
  std::string text_;
};

std::unique_ptr<net::BodySource> Notifier::listen(std::function<bool()> goes_on) {
  std::shared_ptr<void> slot = listeners_.take();
  if (slot == nullptr || closed()) return nullptr;
  if (news() == nullptr) begin();
  return std::make_unique<Stream>(*this, std::move(goes_on), std::move(slot));
}

void Notifier::begin() {
  auto first = std::make_shared<const News>(look());
  const std::lock_guard lock(mutex_);
  if (closed_ || thread_.joinable()) return;
  thread_ = std::thread([this] { run(); });  // first: where there can be none, the next one tries
  news_ = std::move(first);
}

void Notifier::close() {
  std::thread ended;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    ended.swap(thread_);
    woken_.notify_all();
  }
  bell_.ring();
  if (ended.joinable()) ended.join();
}

void Notifier::run() {
  std::chrono::nanoseconds next_poll_look{0};
  while (!closed()) {
    const std::uint64_t rung = node_.advanced().rung();
    bool working = true;
    // Without memory it looks again a little later.
    static_cast<void>(guarded([&]() -> Status {
      const News before = *news();
      News now = look();
      working = now.import || now.polling || !now.waiting.empty();
      const auto time = node_.clock().steady();
      const bool poll_news = now.polling ? time >= next_poll_look : before.polling;
      if (poll_news) next_poll_look = time + kPollLook;
      now.poll_looks = before.poll_looks + (poll_news ? 1 : 0);
      if (now != before) tell(std::move(now));
      return {};
    }));
    wait(rung, working);
  }
}

// Never with mutex_ held: who polls may be committing, and the writer waking this meanwhile.
Notifier::News Notifier::look() const {
  const engine::StatePtr state = node_.version().state;
  News now;
  now.lsn = state->lsn;
  state->catalog.imports.for_each_with<&engine::ImportRecord::status>(
      engine::ImportStatus::in_progress,
      [&](std::uint64_t number, const engine::ImportRecord&) { now.waiting.insert(number); });
  if (const ImportProgress* progress = progress_) now.import = progress->now();
  now.polling = poller_.busy();
  now.poll = state->catalog.poll_batches.next_number() - 1;
  return now;
}

void Notifier::tell(News now) {
  auto made = std::make_shared<const News>(std::move(now));
  {
    const std::lock_guard lock(mutex_);
    news_ = std::move(made);
  }
  bell_.ring();
}

void Notifier::wait(std::uint64_t rung, bool working) {
  const Bell::Waiting waiting = node_.advanced().wait(rung, [this] {
    const std::lock_guard lock(mutex_);
    awake_ = true;
    woken_.notify_all();
  });
  std::unique_lock lock(mutex_);
  woken_.wait_for(lock, kLook, [this] { return closed_; });
  if (!working) woken_.wait(lock, [this] { return closed_ || awake_; });
  awake_ = false;
}

std::shared_ptr<const Notifier::News> Notifier::news() const {
  const std::lock_guard lock(mutex_);
  return news_;
}

bool Notifier::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

net::Response event_stream(std::unique_ptr<net::BodySource> stream) {
  net::Response response;
  response.headers.set("Content-Type", "text/event-stream");
  response.headers.set("X-Accel-Buffering", "no");
  response.body = net::StreamBody{std::move(stream), std::nullopt};
  return response;
}

}  // namespace netml::admin
