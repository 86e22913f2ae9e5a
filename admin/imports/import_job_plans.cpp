// What an import has to do with plans: it is held as one instead of being done, kept as one because
// somebody wants to see it first, or does what one says.
#include <fmt/format.h>

#include "admin/imports/detail/policy_check.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/deletions.hpp"
#include "engine/import/source_authority.hpp"
#include "engine/transaction/difference.hpp"
#include "engine/transaction/entry_changes.hpp"
#include "engine/transaction/planned_effects.hpp"

namespace netml::admin {

namespace {

// Its numbers were those of the file when it was held.
std::string held_then(const std::string& because) {
  constexpr std::string_view kThen = "when it was held: ";
  return because.empty() || because.starts_with(kThen) ? because
                                                       : fmt::format("{}{}", kThen, because);
}

}  // namespace

// ---- held instead of done ----

Result<std::optional<std::string>> ImportJob::reason_to_hold(const engine::State& state,
                                                             engine::ImportPlan& plan) const {
  NETML_TRY(auto of_policies, check_policies(node_, state, plan));
  if (auto reason = beyond_authority(state, plan, request_.polled_source)) return reason;
  engine::MassDeletionGuard limits = mass_deletion_guard(state.catalog, request_.source);
  limits.count_max = request_.deletions_max.value_or(limits.count_max);
  limits.percent_max = request_.deletion_percent_max.value_or(limits.percent_max);
  if (!limits.off() && deletes_records(plan))
    if (auto reason = held_because(count_deletions(state.graph, plan), limits)) return reason;
  return of_policies;
}

Status ImportJob::guard(const engine::State& state, engine::ImportPlan& plan,
                        const SpooledFile& file) {
  const bool is_decided = plan_ != 0;  // by an administrator
  if (!is_decided && request_.polled_source != 0 &&
      !state.catalog.sources.find(request_.polled_source))
    return fail(Errc::conflict, "the source was deleted");
  NETML_TRY(auto reason, reason_to_hold(state, plan));
  if (!reason || is_decided) return {};
  NETML_TRY(held_, kept_plan(state, plan, file));
  held_->held_because = std::move(*reason);
  return fail(Errc::conflict, "it is held: " + held_->held_because);
}

// The plan is kept in the transaction that tells why the import was not done. A peer that is polled
// again before somebody has looked makes no second one.
void ImportJob::hold(engine::Transaction& transaction, const engine::State& state, WallTime now,
                     engine::ImportRecord& aborted, ImportFailure& failure) {
  std::uint64_t waiting = 0;
  state.catalog.plans.for_each_with<&engine::KeptPlan::file_hash>(
      held_->file_hash, [&](std::uint64_t number, const engine::KeptPlan& plan) {
        const bool same = plan.import_record != 0 && plan.source == engine::ImportSource::poll &&
                          plan.name == held_->name && plan.effects == held_->effects;
        if (same && waiting == 0) waiting = number;
      });
  failure.plan = waiting != 0 ? waiting : state.catalog.plans.next_number();
  failure.error.message =
      fmt::format("held as plan {} for an administrator: {}", failure.plan, held_->held_because);
  aborted.message = engine::aborted_import_text(failure.error.text());
  if (waiting != 0) return;
  held_->planned_at = now.instant();
  held_->import_record =
      record_in_progress_ != 0 ? record_in_progress_ : state.catalog.imports.next_number();
  add_entry(transaction, state, *held_);
}

// ---- kept to be seen first ----

Result<engine::KeptPlan> ImportJob::kept_plan(const engine::State& state,
                                              const engine::ImportPlan& plan,
                                              const SpooledFile& file) const {
  auto kept = entry<engine::KeptPlan>(file);
  kept.parent_topology = plan.parent;
  kept.lsn = state.lsn;
  kept.effects = planned_effects(state.graph, plan.transaction);
  NETML_TRY(engine::State after, engine::apply(state, plan.transaction, state.lsn.next()));
  const engine::ChangeCounts changes =
      engine::Difference(state.graph, std::move(after.graph)).counts();
  kept.created = changes.created;
  kept.updated = changes.updated;
  kept.deleted = changes.deleted;
  return kept;
}

ImportOutcome ImportJob::keep_plan() {
  const auto fail_with = [&](const Error& error) { return tl::unexpected(failure(error)); };
  auto content = read();
  if (!content) return tl::unexpected(std::move(content.error()));
  const engine::StatePtr base = node_.version().state;
  Result<engine::ImportPlan> planned = plan_now(*base, *content);
  if (!planned) return fail_with(planned.error());
  if (const auto checked = reason_to_hold(*base, *planned); !checked)
    return fail_with(checked.error());
  const Result<SpooledFile> file = store();
  if (!file) return fail_with(file.error());
  Result<engine::KeptPlan> kept = kept_plan(*base, *planned, *file);
  if (!kept) return fail_with(kept.error());
  ImportResult result = planned_result(base->graph, *planned);
  result.changes = {kept->created, kept->updated, kept->deleted};
  Change change{.caller = caller(), .cause = engine::Cause::upload, .file_hash = file->hash};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    kept->planned_at = now.instant();
    result.plan = state.catalog.plans.next_number();
    add_entry(transaction, state, *kept);
    return transaction;
  };
  const Result<Lsn> lsn = node_.commit(std::move(change));
  if (!lsn) return fail_with(lsn.error());
  result.lsn = *lsn;
  return result;
}

// ---- done as planned, or planned again ----

Status ImportJob::use_plan(const engine::State& state, engine::Transaction& transaction) const {
  if (plan_ == 0) return {};
  NETML_TRY(const auto kept, find_kept_plan(state.catalog, plan_));
  if (planned_effects(state.graph, transaction) != kept->effects)
    return fail(Errc::conflict, fmt::format("plan {0} does not fit any more; `netml plan again "
                                            "{0}` plans its file "
                                            "again",
                                            plan_));
  return delete_kept_plan(transaction, state, plan_);
}

Result<ImportResult> ImportJob::renew_plan(const engine::State& base,
                                           const engine::ImportPlan& planned) {
  NETML_ASSERT(plan_ != 0);
  NETML_TRY(const SpooledFile file, store());
  NETML_TRY(engine::KeptPlan renewed, kept_plan(base, planned, file));
  Change change{.caller = caller(), .cause = engine::Cause::upload, .file_hash = file.hash};
  change.plan = [&](const engine::State& state, WallTime now) -> Result<engine::Transaction> {
    NETML_TRY(const auto kept, find_kept_plan(state.catalog, plan_));
    renewed.planned_at = now.instant();
    renewed.import_record = kept->import_record;
    renewed.held_because =
        renewed.effects == kept->effects ? kept->held_because : held_then(kept->held_because);
    engine::Transaction transaction = engine::empty_transaction(state);
    NETML_TRY_VOID(replace_kept_plan(transaction, state, plan_, renewed));
    return transaction;
  };
  NETML_TRY(const Lsn lsn, node_.commit(std::move(change)));
  ImportResult result = planned_result(base.graph, planned);
  result.changes = {renewed.created, renewed.updated, renewed.deleted};
  result.plan = plan_;
  result.lsn = lsn;
  return result;
}

}  // namespace netml::admin
