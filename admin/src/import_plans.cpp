#include "admin/services/import_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <ranges>

#include "admin/src/audit_json.hpp"
#include "admin/src/json.hpp"
#include "admin/src/rule_json.hpp"
#include "engine/plan_edit.hpp"
#include "engine/plan_polls.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

const Caller kNobody{engine::ActorKind::system, "netml", "plan", {}};

// Two or three tell what it is about; all of them are in the answer.
std::string first_names(const std::vector<engine::ElementName>& names) {
  constexpr std::size_t kNames = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNames); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", kind_name(names[i].kind),
                        net::excerpt(names[i].identifier));
  if (names.size() > kNames) text += ", ...";
  return text;
}

Result<engine::Difference> effects_of(const engine::State& base,
                                      const engine::Transaction& transaction) {
  NETML_TRY(engine::State after, engine::apply(base, transaction, base.lsn.next()));
  return engine::Difference(base.graph, std::move(after.graph));
}

// They are in the order of kind and identifier.
std::optional<engine::ElementDifference> element_of(const engine::Difference& effects,
                                                    const engine::ElementName& name) {
  const auto places = std::views::iota(std::size_t{0}, effects.size());
  const auto place = std::ranges::lower_bound(
      places, std::pair(name.kind, name.identifier), {}, [&](std::size_t index) {
        engine::ElementDifference element = effects.at(index);
        return std::pair(element.kind, std::move(element.identifier));
      });
  if (place == places.end()) return std::nullopt;
  engine::ElementDifference element = effects.at(*place);
  if (element.kind != name.kind || element.identifier != name.identifier) return std::nullopt;
  return element;
}

}  // namespace

// What a plan's file did where it was planned, and what it would do now.
struct ImportPlans::Replanned {
  std::shared_ptr<const engine::KeptPlan> kept;
  engine::Document document;
  wal::PastState base;
  engine::ImportPlan plan;
};

Result<ImportPlans::Replanned> ImportPlans::replan(std::uint64_t number) {
  NETML_TRY(Replanned planned, replan_anyhow(number));
  if (planned_effects(planned.base.state->graph, planned.plan.transaction) == planned.kept->effects)
    return planned;
  return fail(Errc::conflict,
              fmt::format("plan {} was made by a version of netml that imports otherwise; `netml "
                          "plan again {}` plans its file again",
                          number, number));
}

Result<ImportPlans::Replanned> ImportPlans::replan_anyhow(std::uint64_t number) {
  const engine::StatePtr now = node_.version().state;
  NETML_TRY(auto kept, find_kept_plan(now->catalog, number));
  NETML_TRY(const auto job, ImportJob::of_plan(node_, kNobody, number));
  auto document = job->read();
  if (!document) return tl::unexpected(std::move(document.error().error));
  NETML_TRY(wal::PastState base, node_.state_at(kept->lsn));
  NETML_TRY(engine::ImportPlan plan, job->plan(*base.state, *document));
  return Replanned{std::move(kept), std::move(*document), std::move(base), std::move(plan)};
}

Result<std::unique_ptr<net::BodySource>> ImportPlans::show(std::uint64_t number, const Page& page) {
  NETML_TRY(const Replanned planned, replan(number));
  NETML_TRY(engine::Difference difference,
            effects_of(*planned.base.state, planned.plan.transaction));
  json::object head = kept_plan_json(number, *planned.kept, *node_.version().state);
  head["log"] = planned.plan.log.text();
  head["moves"] = moves_json(topology_moves(planned.base.state->graph, planned.plan.transaction));
  head["rules"] = rule_logs_json(planned.plan.rules);
  head["counts"] = counts_json(difference);
  head["elements"] = difference.size();
  if (page.first == 0) {
    const auto stale = staleness(number, planned);
    head["stale"] = stale ? json::value(stale->error.message) : json::value();
    head["moved_count"] = stale ? stale->moved_count : 0;
  }
  return difference_stream(std::move(difference), std::move(head), page);
}

tl::expected<ImportResult, PlanRefusal> ImportPlans::apply(const Caller& caller,
                                                           std::uint64_t number) {
  const auto job = ImportJob::of_plan(node_, caller, number);
  if (!job) return tl::unexpected(PlanRefusal{job.error(), {}, 0});
  (*job)->request().also = [number](engine::Transaction& transaction, const engine::State& state,
                                    const ImportEnding& ending) {
    if (const auto kept = state.catalog.plans.find(number); kept && ending.failure == nullptr)
      learn_applied_plan(transaction, state, *kept, ending.root, ending.parent);
  };
  ImportOutcome outcome = (*job)->commit();
  if (outcome) return std::move(*outcome);
  const Error& error = outcome.error().error;
  if (error.code != Errc::conflict) return tl::unexpected(PlanRefusal{error, {}, 0});
  PlanRefusal unexplained{error, {}, 0};
  const Result<Replanned> then = replan(number);
  if (!then && then.error().code == Errc::conflict) unexplained.error = then.error();
  if (!then) return tl::unexpected(std::move(unexplained));
  return tl::unexpected(staleness(number, *then).value_or(std::move(unexplained)));
}

Result<std::vector<engine::ElementName>> ImportPlans::moved_since(std::uint64_t number,
                                                                  const Replanned& then) {
  NETML_TRY(const auto job, ImportJob::of_plan(node_, kNobody, number));
  const engine::StatePtr state = node_.version().state;
  NETML_TRY(const engine::ImportPlan now, job->plan(*state, then.document));
  return engine::differing_effects({then.base.state->graph, then.plan.transaction},
                                   {state->graph, now.transaction});
}

std::optional<PlanRefusal> ImportPlans::staleness(std::uint64_t number, const Replanned& then) {
  auto moved = moved_since(number, then);
  if (!moved) return PlanRefusal{moved.error(), {}, 0};
  if (moved->empty()) return std::nullopt;
  PlanRefusal refusal{{Errc::conflict, {}}, std::move(*moved), 0};
  refusal.moved_count = refusal.moved.size();
  refusal.error.message = fmt::format(
      "plan {} cannot be applied: since LSN {}, on which it was made, {} element{} moved, so that "
      "it would do something else now: {}; `netml plan again {}` plans the file again and shows "
      "what differs",
      number, then.kept->lsn.value, refusal.moved_count, refusal.moved_count == 1 ? "" : "s",
      first_names(refusal.moved), number);
  if (refusal.moved.size() > kMovedMax) refusal.moved.resize(kMovedMax);
  return refusal;
}

Result<PlannedAgain> ImportPlans::again(const Caller& caller, std::uint64_t number,
                                        PlanAgain what) {
  NETML_TRY(const Replanned then, replan_anyhow(number));
  NETML_TRY(const auto job, ImportJob::of_plan(node_, caller, number));
  const engine::StatePtr state = node_.version().state;
  NETML_TRY(const engine::ImportPlan now, job->plan(*state, then.document));
  const std::vector<engine::ElementName> names = engine::differing_effects(
      {then.base.state->graph, then.plan.transaction}, {state->graph, now.transaction});
  NETML_TRY(const engine::Difference was, effects_of(*then.base.state, then.plan.transaction));
  NETML_TRY(const engine::Difference is, effects_of(*state, now.transaction));
  PlannedAgain again;
  again.difference_count = names.size();
  for (const engine::ElementName& name : std::span(names).first(std::min(names.size(), kMovedMax)))
    again.differences.push_back({name, element_of(was, name), element_of(is, name)});
  if (what == PlanAgain::look) {
    again.result = planned_result(state->graph, now);
  } else {
    NETML_TRY(again.result, job->renew_plan(*state, now));
  }
  return again;
}

Status ImportPlans::remove(const Caller& caller, std::uint64_t number) {
  Change change{.caller = caller, .cause = engine::Cause::upload};
  change.plan = [this, number](const engine::State& state,
                               WallTime) -> Result<engine::Transaction> {
    engine::Transaction transaction = engine::empty_transaction(state);
    if (const auto plan = state.catalog.plans.find(number)) node_.spare_upload(plan->file_hash);
    NETML_TRY_VOID(delete_kept_plan(transaction, state, number));
    return transaction;
  };
  NETML_TRY_VOID(node_.commit(std::move(change)));
  return {};
}

}  // namespace netml::admin
