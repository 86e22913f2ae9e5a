#include "admin/polling/poll_schedule.hpp"

#include <fmt/format.h>

#include "admin/base/pause.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

void PollSchedule::start() {
  NETML_ASSERT(!thread_.joinable());
  thread_ = std::jthread([this](const std::stop_token& stop) {
    do {
      const Status looked = guarded([&]() -> Status {
        tick();
        return {};
      });
      if (!looked) node_.events().error("poll_schedule", looked.error().message);
    } while (pause(kLook, stop));
  });
}

void PollSchedule::tick() {
  const engine::StatePtr state = node_.version().state;
  const WallTime now = node_.clock().wall();
  follow_setting(state->catalog, now);
  follow_others(state->catalog);
  if (!leads_()) return;
  const bool due = [&] {
    const std::lock_guard lock(mutex_);
    return plan_ && plan_->take_due(now);
  }();
  if (!due) return;
  if (const auto ran = just_ran(state->catalog, now.instant()))
    plan_from(*ran);
  else
    poll(state->catalog);
}

void PollSchedule::follow_setting(const engine::Catalog& catalog, WallTime now) {
  std::string text = setting_value(catalog, kPollingInterval);
  if (text == text_) return;
  text_ = std::move(text);
  Result<CronSchedule> schedule = CronSchedule::parse(text_);
  if (!schedule)  // stored by another version
    node_.events().warning("poll_schedule", fmt::format("{}: {}; nothing is polled by it", text_,
                                                        schedule.error().message));
  const std::lock_guard lock(mutex_);
  plan_.reset();
  if (schedule) plan_.emplace(std::move(*schedule), now, node_.random());
}

// A run that another member made counts as one of the own plan, which goes on from there.
void PollSchedule::follow_others(const engine::Catalog& catalog) {
  const std::uint64_t newest = catalog.poll_batches.next_number() - 1;
  const std::uint64_t seen = std::exchange(batch_, newest).value_or(newest);
  std::optional<Instant> ran;
  for (std::uint64_t number = seen + 1; number <= newest; ++number)
    if (const auto batch = catalog.poll_batches.find(number); batch && batch->scheduled)
      ran = batch->started;
  if (ran) plan_from(*ran);
}

void PollSchedule::plan_from(Instant ran) {
  Result<CronSchedule> schedule = CronSchedule::parse(text_);
  if (!schedule) return;  // it was warned of
  const std::lock_guard lock(mutex_);
  plan_.emplace(*std::move(schedule), WallTime{ran.seconds * 1'000'000}, node_.random());
}

// The run less than a minute ago. A plan forgets those before it when the clock was wrong; the
// catalog has them.
std::optional<Instant> PollSchedule::just_ran(const engine::Catalog& catalog, Instant now) {
  for (std::uint64_t number = catalog.poll_batches.next_number(); number-- > 1;) {
    const auto batch = catalog.poll_batches.find(number);
    if (!batch) continue;
    const std::int64_t ago = now.seconds - batch->started.seconds;
    if (ago >= RunPlan::kApart.count()) return {};
    if (batch->scheduled && ago >= 0) return batch->started;
  }
  return {};
}

void PollSchedule::poll(const engine::Catalog& catalog) {
  EventLog& events = node_.events();
  if (setting_value(catalog, kPollingEnabled) != "True")
    return events.information("poll_schedule", "polling is disabled");
  if (poller_.busy())
    return events.warning("poll_schedule", "left out: the poll before it has not ended");
  const auto started = polling_.collect_all(
      {.caller = {engine::ActorKind::schedule, "schedule", text_, {}}, .scheduled = true});
  if (!started) return events.error("poll_schedule", started.error().message);
  if (*started) batch_ = (*started)->batch;
  events.information("poll_schedule", *started ? fmt::format("poll {} has begun", (*started)->batch)
                                               : "no source is to be polled");
}

std::optional<Instant> PollSchedule::next_run() const {
  const std::lock_guard lock(mutex_);
  return plan_ ? plan_->next() : std::nullopt;
}

}  // namespace netml::admin
