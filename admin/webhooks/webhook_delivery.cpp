#include "admin/webhooks/webhook_delivery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "admin/history/journal_place.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/random.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin {

namespace {

// Between two looks, so that a storm of changes wakes nobody more often.
constexpr std::chrono::milliseconds kStormLook{200};
// While a webhook waits until its time comes.
constexpr std::chrono::seconds kLaterLook{1};

std::uint64_t drawn_digits(Random& random) {
  std::uint64_t drawn = 0;
  random.fill(std::as_writable_bytes(std::span(&drawn, 1)));
  return drawn;
}

std::string digits_text(std::uint64_t digits) {
  return fmt::format("{:016x}", digits);
}

}  // namespace

// ---- the threads ----

void WebhookDelivery::start() {
  for (std::size_t i = 0; i < kThreads; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
}

void WebhookDelivery::stop() {
  tests_stop_.request_stop();
  if (threads_.empty()) return;
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
  const Status kept = guarded([&]() -> Status {
    keep_places(Keep::rest);
    return {};
  });
  if (!kept) node_.events().error("webhook", kept.error().message);
}

void WebhookDelivery::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const Woken before = woken_so_far();
    bool served = false;
    const Status looked = guarded([&]() -> Status {
      served = deliver_due(stop);
      return {};
    });
    if (!looked) {
      node_.events().error("webhook", looked.error().message);
      look_later();
    }
    if (!served) wait(before, stop);
  }
}

WebhookDelivery::Woken WebhookDelivery::woken_so_far() const {
  const std::uint64_t rung = node_.advanced().rung();
  const std::lock_guard lock(mutex_);
  return {rung, news_};
}

// For the writer, for the time of a webhook, or for somebody who resumes one.
void WebhookDelivery::wait(const Woken& before, const std::stop_token& stop) {
  bool rang = false;  // guarded by mutex_
  const Bell::Waiting waiting = node_.advanced().wait(before.rung, [&] {
    const std::lock_guard lock(mutex_);
    rang = true;
    woken_.notify_all();
  });
  std::unique_lock lock(mutex_);
  const auto has_news = [&] { return news_ != before.news; };
  const auto woken = [&] { return rang || has_news(); };
  woken_.wait_for(lock, stop, kStormLook, has_news);
  if (later_)
    woken_.wait_for(lock, stop, kLaterLook, woken);
  else
    woken_.wait(lock, stop, woken);
}

// ---- whose turn it is ----

bool WebhookDelivery::is_due(const Version& version, const engine::Webhook& webhook,
                             const Hook& hook, Instant now) {
  if (!webhook.active || hook.place.paused || hook.in_hand) return false;
  // By the hash, too: the place may be of another history, and its LSN not reached yet.
  if (!hook.place.reset && to_string(hook.place.after) == version.head) return false;
  // A time that is farther away is of a clock that was wrong.
  const std::int64_t left = hook.place.next.seconds - now.seconds;
  const bool later = left > 0 && left <= kBackOffMax.count();
  later_ = later_ || later;
  return !later;
}

std::optional<WebhookDelivery::Job> WebhookDelivery::take_due() {
  const Version version = node_.version();
  const engine::Catalog& catalog = version.state->catalog;
  const Instant now = node_.clock().wall().instant();
  const std::lock_guard lock(mutex_);
  later_ = !load();
  if (later_) return std::nullopt;
  begin_to_lead();
  std::erase_if(hooks_, [&](const auto& each) {
    return !each.second.in_hand && catalog.webhooks.find(each.first) == nullptr;
  });
  std::optional<Job> job;
  catalog.webhooks.for_each([&](std::uint64_t number, const engine::Webhook& webhook) {
    const Hook& hook = hooks_[number];
    if (!is_due(version, webhook, hook, now)) return;
    if (!job || hook.turn < hooks_[job->number].turn)
      job = Job{.number = number,
                .after = hook.place.after,
                .reset = hook.place.reset,
                .reset_digits = hook.place.reset_digits};
  });
  if (job) hooks_[job->number].in_hand = true;
  return job;
}

void WebhookDelivery::look_later() {
  const std::lock_guard lock(mutex_);
  later_ = true;
}

// It may lead soon.
void WebhookDelivery::stand_by() {
  const std::lock_guard lock(mutex_);
  later_ = true;
  led_ = false;
}

// However it ends, nobody else waits for it.
class WebhookDelivery::InHand {
 public:
  InHand(WebhookDelivery& delivery, const Job& job) : delivery_(delivery), job_(job) {}
  ~InHand() { delivery_.put_back(job_); }
  InHand(const InHand&) = delete;
  InHand& operator=(const InHand&) = delete;

 private:
  WebhookDelivery& delivery_;
  const Job& job_;
};

bool WebhookDelivery::deliver_due(const std::stop_token& stop) {
  if (poller_.rules().sandbox) return false;
  std::optional<Job> job;
  if (leads_())
    job = take_due();
  else
    stand_by();
  if (!job) {
    keep_places(Keep::rest);
    return false;
  }
  const wal::Head before = job->after;
  {
    const InHand in_hand(*this, *job);
    serve(*job, stop);
  }
  if (job->failed) keep_places(Keep::at_once);
  // Where an aborted transaction is the newest, a place stays another than that of the version.
  return job->posted || !(job->after == before);
}

// ---- what it is sent ----

void WebhookDelivery::serve(Job& job, const std::stop_token& stop) {
  const Status served = guarded([&] { return serve_from_journal(job, stop); });
  if (served) return;
  const auto webhook = node_.version().state->catalog.webhooks.find(job.number);
  if (webhook == nullptr) return;
  const WebhookAnswer answer{0, served.error().text()};
  note_failure(job, webhook->name, answer);
  keep_attempt(job.number, {node_.clock().wall().instant(),
                            {},
                            job.reset ? "reset" : "transaction",
                            {},
                            answer.status,
                            answer.problem});
}

// The digits are kept first: a message that is posted again after a crash has the id that it had.
void WebhookDelivery::begin_anew(Job& job, const wal::Head& place) {
  job.after = place;
  job.reset = true;
  job.reset_digits = drawn_digits(node_.random());
  {
    const std::lock_guard lock(mutex_);
    WebhookPlace& known = hooks_[job.number].place;
    known.after = job.after;
    known.reset = job.reset;
    known.reset_digits = job.reset_digits;
  }
  keep_places(Keep::at_once);
}

// Ends early where a message was not taken.
Status WebhookDelivery::serve_from_journal(Job& job, const std::stop_token& stop) {
  NETML_TRY(wal::JournalReader reader, node_.journal());
  NETML_TRY(const std::optional<wal::Head> start, find_place(reader, job.after));
  NETML_TRY(const wal::Manifest manifest, node_.manifest());
  const WebhookStream to{to_string(manifest.node), job.number};
  const auto began = node_.clock().steady();
  const bool is_new = job.reset && !job.reset_digits;
  if (!start || is_new) begin_anew(job, reader.head_hash());
  if (job.reset) {
    const std::string digits = digits_text(*job.reset_digits);
    if (!deliver(job, reset_message(to, job.after, digits, node_.clock().wall()), stop)) return {};
  }
  NETML_TRY(const auto reading, ChangeReading::open(node_, job.after));
  for (std::size_t posted = 0; posted < kMessagesInARow; ++posted) {
    if (node_.clock().steady() - began >= kWebhookSecondsMax) break;
    NETML_TRY(const auto message, next_webhook_message(*reading, to));
    if (!message) break;
    if (!deliver(job, *message, stop)) return {};
  }
  job.after = reading->place();  // behind those that nobody hears of
  return {};
}

// Whether it was taken.
bool WebhookDelivery::deliver(Job& job, const WebhookMessage& message,
                              const std::stop_token& stop) {
  if (!leads_()) {
    stand_by();
    return false;
  }
  const auto webhook = node_.version().state->catalog.webhooks.find(job.number);
  if (webhook == nullptr || !webhook->active || stop.stop_requested()) return false;
  const WebhookAnswer answer = post(*webhook, message, stop);
  const bool taken = answer.problem.empty();
  if (!taken && stop.stop_requested()) return false;  // which says nothing of the receiver
  note_attempt(job.number, message, answer);
  if (!taken) {
    note_failure(job, webhook->name, answer);
    return false;
  }
  job = {.number = job.number, .after = message.place, .reset = false, .posted = true};
  {
    const std::lock_guard lock(mutex_);
    hooks_[job.number].place = {.after = job.after, .reset = false};
    unkept_ = true;
  }
  keep_places(Keep::now_and_then);
  return true;
}

WebhookAnswer WebhookDelivery::post(const engine::Webhook& webhook, const WebhookMessage& message,
                                    const std::stop_token& stop) const {
  const auto secret = webhooks_.secret(webhook);
  if (!secret) return {0, secret.error().text()};
  return post_to_webhook({webhook, *secret, message}, poller_.rules().outgoing, node_.clock(),
                         stop);
}

// ---- what people ask ----

Result<WebhookAttempt> WebhookDelivery::test(std::uint64_t number) {
  if (poller_.rules().sandbox) return fail(Errc::denied, "in a sandbox nothing is posted");
  NETML_TRY(const auto webhook,
            engine::find_entry<engine::Webhook>(node_.version().state->catalog, number));
  const std::shared_ptr<void> slot = tests_.take();
  if (slot == nullptr) return fail(Errc::unavailable, "others test webhooks; try again soon");
  NETML_TRY(const wal::Manifest manifest, node_.manifest());
  const WebhookMessage message =
      webhook_test_message({to_string(manifest.node), number},
                           digits_text(drawn_digits(node_.random())), node_.clock().wall());
  const std::stop_token stop = tests_stop_.get_token();
  const WebhookAnswer answer = post(*webhook, message, stop);
  // Which says nothing of the receiver.
  if (!answer.problem.empty() && stop.stop_requested())
    return fail(Errc::unavailable, "the node ends");
  return note_attempt(number, message, answer);
}

}  // namespace netml::admin
