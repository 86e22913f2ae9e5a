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
  const bool due = [&] {
    const std::lock_guard lock(mutex_);
    return plan_ && plan_->take_due(now);
  }();
  if (due) poll(state->catalog);
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

void PollSchedule::poll(const engine::Catalog& catalog) {
  EventLog& events = node_.events();
  if (setting_value(catalog, kPollingEnabled) != "True")
    return events.information("poll_schedule", "polling is disabled");
  if (poller_.busy())
    return events.warning("poll_schedule", "left out: the poll before it has not ended");
  const auto started = polling_.collect_all(
      {.caller = {engine::ActorKind::schedule, "schedule", text_, {}}, .scheduled = true});
  if (!started) return events.error("poll_schedule", started.error().message);
  events.information("poll_schedule", *started ? fmt::format("poll {} has begun", (*started)->batch)
                                               : "no source is to be polled");
}

std::optional<Instant> PollSchedule::next_run() const {
  const std::lock_guard lock(mutex_);
  return plan_ ? plan_->next() : std::nullopt;
}

}  // namespace netml::admin
