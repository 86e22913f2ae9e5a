#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/base/effect_memory.hpp"
#include "admin/node/detail/node_impl.hpp"
#include "admin/node/node.hpp"
#include "engine/base/guarded.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/undo/plan_undo.hpp"
#include "wal/commit/writer.hpp"

namespace netml::admin {

namespace {

engine::Provenance provenance_of(const Change& change, WallTime now, WallTime effective) {
  return {.actor_kind = change.caller.kind,
          .actor = change.caller.actor,
          .cause = change.cause,
          .source = change.caller.source,
          .file_hash = change.file_hash,
          .request_id = change.caller.request_id,
          .wall_time = now,
          .effective_time = effective};
}

// Decision 19: a date may be given, but time never goes back.
Result<WallTime> effective_time(const Change& change, const engine::State& state, WallTime now) {
  if (!change.effective_time) return std::max(now, state.effective_time);
  if (*change.effective_time < WallTime{})
    return fail(Errc::invalid_input, fmt::format("the date {} lies before {}, which history begins "
                                                 "with",
                                                 format_instant(change.effective_time->instant()),
                                                 format_instant(WallTime{}.instant())));
  if (*change.effective_time >= state.effective_time) return *change.effective_time;
  return fail(Errc::conflict, fmt::format("the date {} lies before that of the last change, {}",
                                          format_instant(change.effective_time->instant()),
                                          format_instant(state.effective_time.instant())));
}

bool concerns_rules(const engine::Transaction& transaction) {
  return !transaction.records.empty() || !transaction.rulesets.empty() ||
         !transaction.rules.empty();
}

// What the change, planned on `state`, comes to with what follows from it: overrides, then rules.
Result<engine::FollowedByRules> with_what_follows(const Change& change, const engine::State& state,
                                                  engine::Transaction transaction, WallTime now) {
  if (change.cause == engine::Cause::edit) {
    std::optional<engine::OverrideTerms> keep = change.keep;
    if (keep) keep->made = now.instant();
    followed_by_overrides(transaction, state, keep);
  }
  if (change.rules == RulesAfter::skip || !concerns_rules(transaction))
    return engine::FollowedByRules{std::move(transaction), {}};
  return followed_by_rules(state, std::move(transaction));
}

// After every change: the first show what is wrong.
void report_rules(const std::vector<engine::RuleLog>& logs, EventLog& events) {
  constexpr std::uint64_t kEvents = 20;
  std::uint64_t count = 0;
  const auto warn = [&](const engine::RuleLog& log, std::string_view before,
                        const std::string& text) {
    if (++count <= kEvents)
      events.warning("rules", fmt::format("rule \"{}\"{}: {}", log.name, before, text));
  };
  for (const engine::RuleLog& log : logs) {
    if (!log.problem.empty()) warn(log, " skipped", log.problem);
    for (const std::string& warning : log.warnings) warn(log, "", warning);
  }
  if (count > kEvents)
    events.warning("rules", fmt::format("{} more warnings of rules", count - kEvents));
}

// What a log line tells of a change, which goes away before it is made.
class Made {
 public:
  explicit Made(const Change& change)
      : cause_(engine::cause_name(change.cause)),
        request_id_(change.caller.request_id),
        actor_(change.caller.actor) {}

  void tell(EventLog& events, Lsn lsn, std::chrono::nanoseconds took) const {
    events.record(EventLevel::debug, "change", cause_,
                  {.request_id = request_id_, .actor = actor_, .lsn = lsn, .duration = took});
  }

 private:
  const std::string_view cause_;
  const std::string request_id_;
  const std::string actor_;
};

}  // namespace

void Node::Impl::tell(VersionWatch& watching) {
  const Status looked = guarded([&]() -> Status {
    watching.look(*version().state);
    return {};
  });
  if (!looked) events.warning("export", looked.error().message);
}

Result<Lsn> Node::commit(Change change) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  const std::uint64_t bytes = change.bytes;
  const auto committed = change.caller.committed;
  const Made made(change);
  const auto began = impl_->clock.steady();
  // Set on the writer's thread, read once it is done.
  struct Concerned {
    bool anything = false;
    bool undo = false;
    VersionWatch* watch = nullptr;
  };
  const auto concerned = std::make_shared<Concerned>();
  wal::Plan plan([this, concerned, change = std::move(change)](
                     const engine::State& state) -> Result<engine::Transaction> {
    const WallTime now = impl_->clock.wall();
    NETML_TRY(const WallTime effective, effective_time(change, state, now));
    NETML_TRY(engine::Transaction planned, change.plan(state, now));
    NETML_TRY(engine::FollowedByRules followed,
              with_what_follows(change, state, std::move(planned), now));
    if (change.check) NETML_TRY_VOID(change.check(state, followed));
    report_rules(followed.logs, impl_->events);
    engine::Transaction transaction = std::move(followed.transaction);
    transaction.provenance = provenance_of(change, now, effective);
    VersionWatch* const watcher = impl_->watch;
    const bool watched = watcher != nullptr && watcher->concerns(transaction);
    *concerned = {!transaction.empty(), is_undoable(transaction), watched ? watcher : nullptr};
    // Also where it cannot be stored then: one too many is no mistake.
    if (!transaction.records.empty()) ++impl_->contents;
    return transaction;
  });
  NETML_TRY(const wal::Committed done,
            guarded([&] { return impl_->writer->submit(std::move(plan), bytes).get(); }));
  if (concerned->anything) {
    const auto now = impl_->clock.steady();
    impl_->changed_at = now;
    made.tell(impl_->events, done.lsn, now - began);
  }
  if (concerned->watch != nullptr) impl_->tell(*concerned->watch);
  if (concerned->undo && committed) committed(done.lsn);
  return done.lsn;
}

Result<PlannedChange> Node::plan(const Change& change) const {
  PlannedChange planned{impl_->version().state, {}, {}};
  const engine::State& state = *planned.base;
  const WallTime now = impl_->clock.wall();
  NETML_TRY(planned.transaction, change.plan(state, now));
  NETML_TRY_VOID(reserve_effects(memory(), planned.memory, planned.transaction));
  NETML_TRY(engine::FollowedByRules followed,
            with_what_follows(change, state, std::move(planned.transaction), now));
  planned.transaction = std::move(followed.transaction);
  planned.rules = std::move(followed.logs);
  NETML_TRY_VOID(reserve_effects(memory(), planned.memory, planned.transaction));
  return planned;
}

}  // namespace netml::admin
