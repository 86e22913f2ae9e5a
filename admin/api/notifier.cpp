#include "admin/api/notifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "admin/base/listening_stream.hpp"
#include "admin/history/shared_feed.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

// Between two looks, so that a storm of changes wakes nobody more often.
constexpr std::chrono::milliseconds kLook{200};
constexpr std::chrono::seconds kPollLook{1};
// While an import is in hand, those who follow the changes hear of the last version a little later:
// as many as may listen would take the processor from it.
constexpr std::chrono::seconds kFollowersWait{1};

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

class Notifier::Stream final : public ListeningStream {
 public:
  Stream(Notifier& notifier, std::function<bool()> goes_on, std::shared_ptr<void> slot)
      : ListeningStream(notifier.node_.clock(), &notifier.bell_, std::move(goes_on),
                        ": still here\n\n"),
        notifier_(notifier),
        slot_(std::move(slot)) {}

 private:
  bool look(Piece& piece) override {
    std::string text;
    tell(notifier_.news(), text);
    if (!text.empty()) piece = std::make_shared<const std::string>(std::move(text));
    return true;
  }
  void tell(std::shared_ptr<const News> news, std::string& text) {
    if (news == known_) return;
    const News nothing;
    const News& before = known_ ? *known_ : nothing;
    if (!known_ || news->lsn != before.lsn) text += event("change", {{"lsn", news->lsn.value}});
    for (const std::uint64_t import : before.waiting)
      if (!news->waiting.contains(import)) text += progress_event(import, "done", 1, 1);
    for (const std::uint64_t import : news->waiting)
      if (!before.waiting.contains(import)) text += progress_event(import, "waiting", 0, 1);
    if (const auto& now = news->import; now && now != before.import)
      text += progress_event(now->import, kStepNames[static_cast<std::size_t>(now->step)],
                             now->done, now->total);
    if (known_ ? news->poll_looks != before.poll_looks : news->polling)
      text += event("poll", {{"number", news->poll}});
    known_ = std::move(news);
  }

  Notifier& notifier_;
  const std::shared_ptr<void> slot_;
  std::shared_ptr<const News> known_;
};

Notifier::Notifier(Node& node, const Poller& poller)
    : node_(node), poller_(poller), feeds_(std::make_unique<SharedFeeds>(node)) {}

Notifier::~Notifier() {
  close();
}

std::function<bool()> Notifier::while_open(std::function<bool()> goes_on) const {
  return [this, goes_on = std::move(goes_on)] { return !closed() && goes_on(); };
}

std::unique_ptr<net::BodySource> Notifier::listen(std::function<bool()> goes_on) {
  std::shared_ptr<void> slot = listeners_.take();
  if (slot == nullptr || closed()) return nullptr;
  if (news() == nullptr) begin();
  return std::make_unique<Stream>(*this, while_open(std::move(goes_on)), std::move(slot));
}

std::optional<Notifier::Seat> Notifier::seat(std::function<bool()> goes_on) {
  std::shared_ptr<void> slot = followers_.take();
  // Whose client has gone finds that out when it looks, and leaves its place to the next.
  if (slot == nullptr) feeds_->ring();
  if (slot == nullptr || closed()) return std::nullopt;
  if (news() == nullptr) begin();
  return Seat{*feeds_, [slot = std::move(slot), goes_on = while_open(std::move(goes_on))] {
                return goes_on();
              }};
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
  feeds_->ring();
  if (ended.joinable()) ended.join();
}

void Notifier::run() {
  std::chrono::nanoseconds next_poll_look{0};
  // Whether there is a version that followers know nothing of, and since when.
  bool unheard = false;
  std::chrono::nanoseconds since{0};
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
      if (now.lsn != before.lsn && !std::exchange(unheard, true)) since = time;
      const bool may_wait = now.import && time - since < kFollowersWait;
      if (now != before) tell(std::move(now));
      if (unheard && !may_wait) {
        feeds_->ring();
        unheard = false;
      }
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
