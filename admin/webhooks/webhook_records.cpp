// What is known of each webhook, in memory and in the file of places; who posts it is in
// webhook_delivery.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/webhooks/webhook_delivery.hpp"
#include "engine/base/random.hpp"
#include "engine/edit/plan_entries.hpp"

namespace netml::admin {

namespace {

// Between two times that the file is written while messages follow each other.
constexpr std::chrono::seconds kKeepPlaces{1};
constexpr int kGone = 410;  // of HTTP: the receiver wants no more
constexpr std::uint64_t kDoublingsMax = 12;

std::chrono::seconds webhook_back_off(std::uint64_t failures, Random& random) {
  const std::uint64_t doublings = std::min(failures - 1, kDoublingsMax);
  const std::chrono::seconds whole = std::min<std::chrono::seconds>(
      WebhookDelivery::kBackOffFirst * (1LL << doublings), WebhookDelivery::kBackOffMax);
  const auto tenth = static_cast<std::uint64_t>(whole.count() / 10);
  return whole - std::chrono::seconds(random_below(random, tenth));
}

}  // namespace

// ---- what there is ----

bool WebhookDelivery::load() const {
  if (loaded_) return true;
  const auto places = load_webhook_places(node_.directory());
  if (!places) {
    if (std::exchange(load_problem_, places.error().message) != places.error().message)
      node_.events().warning("webhook", places.error().message);
    if (places.error().code != Errc::corruption) return false;
  } else {
    for (const auto& [number, place] : *places) hooks_[number].place = place;
  }
  loaded_ = true;
  return true;
}

// Others have posted since, and may have been heard.
void WebhookDelivery::begin_to_lead() {
  if (std::exchange(led_, true)) return;
  for (auto& [number, hook] : hooks_) {
    WebhookPlace& place = hook.place;
    place = {.after = place.after, .reset = place.reset, .reset_digits = place.reset_digits};
  }
}

// ---- what happens ----

WebhookAttempt WebhookDelivery::note_attempt(std::uint64_t number, const WebhookMessage& message,
                                             const WebhookAnswer& answer) {
  const bool taken = answer.problem.empty();
  node_.metrics().webhook_messages[taken ? WebhookOutcome::taken : WebhookOutcome::failed].add();
  WebhookAttempt attempt{node_.clock().wall().instant(),
                         message.id,
                         message.type,
                         message.place.lsn,
                         answer.status,
                         answer.problem};
  keep_attempt(number, attempt);
  return attempt;
}

void WebhookDelivery::keep_attempt(std::uint64_t number, WebhookAttempt attempt) {
  const std::lock_guard lock(mutex_);
  std::deque<WebhookAttempt>& attempts = hooks_[number].attempts;
  attempts.push_front(std::move(attempt));
  if (attempts.size() > kAttemptsKept) attempts.pop_back();
}

// The operator hears of the first in a row, and when nothing more is tried.
void WebhookDelivery::note_failure(Job& job, const std::string& webhook,
                                   const WebhookAnswer& answer) {
  const Instant now = node_.clock().wall().instant();
  WebhookPlace place;
  {
    const std::lock_guard lock(mutex_);
    WebhookPlace& known = hooks_[job.number].place;
    known.after = job.after;
    known.reset = job.reset;
    known.reset_digits = job.reset_digits;
    ++known.failures;
    if (!known.since) known.since = now;
    known.next = {now.seconds + webhook_back_off(known.failures, node_.random()).count()};
    const std::chrono::seconds failing(now.seconds - known.since->seconds);
    known.paused = answer.status == kGone || failing >= kFailingMax;
    place = known;
  }
  job.posted = job.failed = true;
  if (place.failures > 1 && !place.paused) return;
  const std::string status = answer.status == 0 ? "" : fmt::format(" ({})", answer.status);
  node_.events().warning("webhook",
                         fmt::format("{}: {}{}{}", webhook, answer.problem, status,
                                     place.paused ? "; it is paused until somebody resumes it"
                                                  : "; it is tried again"));
}

void WebhookDelivery::put_back(const Job& job) {
  const std::lock_guard lock(mutex_);
  Hook& hook = hooks_.at(job.number);  // none goes while it is in hand
  hook.in_hand = false;
  hook.turn = ++turns_;
  hook.place.after = job.after;
  hook.place.reset = job.reset;
  hook.place.reset_digits = job.reset_digits;
}

// What is not kept is posted again after a restart.
void WebhookDelivery::keep_places(Keep when) {
  const std::lock_guard file_lock(file_mutex_);
  const auto now = node_.clock().steady();
  const bool of_late = kept_at_ && now - *kept_at_ < kKeepPlaces;
  WebhookPlaces places;
  {
    const std::lock_guard lock(mutex_);
    if (!loaded_) return;  // what is there must stay
    // Whoever has one in hand looks again afterwards.
    const bool goes_on =
        when == Keep::now_and_then ||
        std::ranges::any_of(hooks_, [](const auto& each) { return each.second.in_hand; });
    if (when != Keep::at_once && (!unkept_ || (goes_on && of_late))) return;
    unkept_ = false;
    for (const auto& [number, hook] : hooks_) places[number] = hook.place;
  }
  kept_at_ = now;
  const Status kept = store_webhook_places(node_.directory(), places);
  if (!kept) node_.events().warning("webhook", kept.error().message);
}

WebhookState WebhookDelivery::state_of(const engine::Webhook& webhook, const WebhookPlace& place) {
  if (!webhook.active) return WebhookState::inactive;
  if (place.paused) return WebhookState::paused;
  return place.failures > 0 ? WebhookState::failing : WebhookState::working;
}

// ---- what people ask ----

Result<WebhookStatus> WebhookDelivery::status(std::uint64_t number) const {
  const engine::StatePtr state = node_.version().state;
  NETML_TRY(const auto webhook, engine::find_entry<engine::Webhook>(state->catalog, number));
  const std::lock_guard lock(mutex_);
  load();
  WebhookStatus status;
  if (const auto hook = hooks_.find(number); hook != hooks_.end()) {
    status.place = hook->second.place;
    status.attempts.assign(hook->second.attempts.begin(), hook->second.attempts.end());
  }
  status.state = state_of(*webhook, status.place);
  return status;
}

WebhookDelivery::Counts WebhookDelivery::counts() const {
  const engine::StatePtr state = node_.version().state;
  const std::lock_guard lock(mutex_);
  load();
  Counts counts{};
  state->catalog.webhooks.for_each([&](std::uint64_t number, const engine::Webhook& webhook) {
    const auto hook = hooks_.find(number);
    const WebhookPlace place = hook == hooks_.end() ? WebhookPlace() : hook->second.place;
    ++counts[static_cast<std::size_t>(state_of(webhook, place))];
  });
  return counts;
}

Status WebhookDelivery::resume(std::uint64_t number) {
  NETML_TRY_VOID(engine::find_entry<engine::Webhook>(node_.version().state->catalog, number));
  {
    const std::lock_guard lock(mutex_);
    if (!load()) return fail(Errc::unavailable, load_problem_);
    WebhookPlace& place = hooks_[number].place;
    place = {.after = place.after, .reset = place.reset, .reset_digits = place.reset_digits};
    ++news_;
    woken_.notify_all();
  }
  keep_places(Keep::at_once);
  return {};
}

}  // namespace netml::admin
