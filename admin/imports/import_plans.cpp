#include "admin/imports/import_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <ranges>

#include "admin/base/effect_memory.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/imports/import_json.hpp"
#include "admin/settings/rule_json.hpp"
#include "engine/base/wording.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/plan_polls.hpp"

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
  const auto name_at = [&](std::size_t index) {
    engine::ElementDifference element = effects.at(index);
    return std::pair(element.kind, std::move(element.identifier));
  };
  const auto place =
      std::ranges::lower_bound(places, std::pair(name.kind, name.identifier), {}, name_at);
  if (place == places.end()) return std::nullopt;
  engine::ElementDifference element = effects.at(*place);
  if (element.kind != name.kind || element.identifier != name.identifier) return std::nullopt;
  return element;
}

// The refusal of a plan that no longer fits; nothing when it fits.
std::optional<PlanRefusal> staleness(std::uint64_t number, const engine::KeptPlan& kept,
                                     std::vector<engine::ElementName> moved) {
  if (moved.empty()) return std::nullopt;
  const std::uint64_t count = moved.size();
  std::string message = fmt::format(
      "plan {0} cannot be applied: since LSN {1}, on which it was made, {2} moved, so that "
      "it would do something else now: {3}; `netml plan again {0}` plans the file again and shows "
      "what differs",
      number, kept.lsn.value, counted(count, "element"), first_names(moved));
  if (moved.size() > ImportPlans::kMovedMax) moved.resize(ImportPlans::kMovedMax);
  return PlanRefusal{{Errc::conflict, std::move(message)}, std::move(moved), count};
}

}  // namespace

struct ImportPlans::Planned {
  MemoryReservation memory;
  engine::ImportPlan plan;
};

// What a plan's file did where it was planned. It holds its memory.
struct ImportPlans::Replanned {
  std::shared_ptr<const engine::KeptPlan> kept;
  std::unique_ptr<ImportJob> job;  // it holds that of the content
  FileContent content;
  wal::PastState base;
  Planned planned;

  const engine::Transaction& transaction() const { return planned.plan.transaction; }
};

// What it would do now, and the elements to which that is something else.
struct ImportPlans::PlannedNow {
  engine::StatePtr state;
  Planned planned;
  std::vector<engine::ElementName> moved;

  const engine::Transaction& transaction() const { return planned.plan.transaction; }
};

Result<ImportPlans::Planned> ImportPlans::plan_on(const engine::State& state, const ImportJob& job,
                                                  const FileContent& content,
                                                  std::uint64_t elements) {
  Planned planned;
  NETML_TRY_VOID(reserve_effects(node_.memory(), planned.memory, elements));
  engine::InputErrors misfits;  // the error names the first
  NETML_TRY(planned.plan, job.plan(state, content, misfits));
  NETML_TRY_VOID(reserve_effects(node_.memory(), planned.memory, planned.plan.transaction));
  return planned;
}

Result<ImportPlans::Replanned> ImportPlans::replan(const Caller& caller, std::uint64_t number) {
  NETML_TRY(Replanned then, replan_anyhow(caller, number));
  if (planned_effects(then.base.state->graph, then.transaction()) == then.kept->effects)
    return then;
  return fail(Errc::conflict,
              fmt::format("plan {} was made by a version of netml that imports otherwise; `netml "
                          "plan again {}` plans its file again",
                          number, number));
}

Result<ImportPlans::Replanned> ImportPlans::replan_anyhow(const Caller& caller,
                                                          std::uint64_t number) {
  const engine::StatePtr now = node_.version().state;
  NETML_TRY(auto kept, find_kept_plan(now->catalog, number));
  NETML_TRY(auto job, ImportJob::of_plan(node_, caller, number));
  auto content = job->read();
  if (!content) return tl::unexpected(std::move(content.error().error));
  NETML_TRY(wal::PastState base, node_.state_at(kept->lsn));
  NETML_TRY(Planned planned,
            plan_on(*base.state, *job, *content, kept->created + kept->updated + kept->deleted));
  return Replanned{std::move(kept), std::move(job), std::move(*content), std::move(base),
                   std::move(planned)};
}

Result<std::unique_ptr<net::BodySource>> ImportPlans::show(std::uint64_t number, const Page& page,
                                                           PlanNow outlook) {
  NETML_TRY(Replanned replanned, replan(kNobody, number));
  const auto held = std::make_shared<const Replanned>(std::move(replanned));
  const Replanned& then = *held;
  const engine::ImportPlan& plan = then.planned.plan;
  NETML_TRY(engine::Difference difference, effects_of(*then.base.state, plan.transaction));
  json::object head = kept_plan_json(number, *then.kept, *node_.version().state);
  head["log"] = plan.log.text();
  head["moves"] = moves_json(topology_moves(then.base.state->graph, plan.transaction));
  head["rules"] = rule_logs_json(plan.rules);
  head["counts"] = counts_json(difference);
  head["elements"] = difference.size();
  if (outlook == PlanNow::tell) {
    Result<PlannedNow> now = plan_now(then);
    if (!now && now.error().code == Errc::unavailable) return tl::unexpected(now.error());
    if (now) {
      NETML_TRY(const engine::State after,
                engine::apply(*now->state, now->transaction(), now->state->lsn.next()));
      head["export"] =
          export_state_json(new_problems(export_state(*now->state), export_state(after)));
    }
    const auto stale = now ? staleness(number, *then.kept, std::move(now->moved))
                           : PlanRefusal{now.error(), {}, 0};
    head["stale"] = stale ? json::value(stale->error.text()) : json::value();
    head["moved_count"] = stale ? stale->moved_count : 0;
  }
  return difference_stream(std::move(difference), std::move(head), held, page);
}

Result<PlannedChange> ImportPlans::changes(std::uint64_t number) {
  NETML_TRY(Replanned then, replan(kNobody, number));
  engine::ImportPlan& plan = then.planned.plan;
  return PlannedChange{std::move(then.base.state), std::move(plan.transaction),
                       std::move(plan.rules), std::move(then.planned.memory)};
}

tl::expected<ImportResult, PlanRefusal> ImportPlans::apply(const Caller& caller,
                                                           std::uint64_t number) {
  const auto job = ImportJob::of_plan(node_, caller, number);
  if (!job) return tl::unexpected(PlanRefusal{job.error(), {}, 0});
  const auto learn = [number](engine::Transaction& transaction, const engine::State& state,
                              const ImportEnding& ending) {
    if (const auto kept = state.catalog.plans.find(number); kept && ending.failure == nullptr)
      learn_applied_plan(transaction, state, *kept, ending.root, ending.parent);
  };
  ImportOutcome outcome = (*job)->commit(learn);
  if (outcome) return std::move(*outcome);
  const Error& error = outcome.error().error;
  if (error.code != Errc::conflict) return tl::unexpected(PlanRefusal{error, {}, 0});
  PlanRefusal unexplained{error, {}, 0};
  const Result<Replanned> then = replan(kNobody, number);
  if (!then && then.error().code == Errc::conflict) unexplained.error = then.error();
  if (!then) return tl::unexpected(std::move(unexplained));
  Result<PlannedNow> now = plan_now(*then);
  if (!now) return tl::unexpected(PlanRefusal{now.error(), {}, 0});
  return tl::unexpected(
      staleness(number, *then->kept, std::move(now->moved)).value_or(std::move(unexplained)));
}

Result<ImportPlans::PlannedNow> ImportPlans::plan_now(const Replanned& then) {
  PlannedNow now{.state = node_.version().state, .planned = {}, .moved = {}};
  NETML_TRY(now.planned,
            plan_on(*now.state, *then.job, then.content, then.transaction().records.size()));
  now.moved = engine::differing_effects({then.base.state->graph, then.transaction()},
                                        {now.state->graph, now.transaction()});
  return now;
}

Result<PlannedAgain> ImportPlans::again(const Caller& caller, std::uint64_t number,
                                        PlanAgain what) {
  NETML_TRY(const Replanned then, replan_anyhow(caller, number));
  // Where there was no main topology, nobody could choose to go below it.
  if (!then.kept->parent_topology && then.base.state->graph.mains().empty())
    then.job->request().place = ImportPlace::where_it_is;
  NETML_TRY(const PlannedNow now, plan_now(then));
  NETML_TRY(const engine::Difference was, effects_of(*then.base.state, then.transaction()));
  NETML_TRY(const engine::Difference is, effects_of(*now.state, now.transaction()));
  PlannedAgain again;
  again.difference_count = now.moved.size();
  for (const engine::ElementName& name :
       std::span(now.moved).first(std::min(now.moved.size(), kMovedMax)))
    again.differences.push_back({name, element_of(was, name), element_of(is, name)});
  if (what == PlanAgain::look) {
    again.result = planned_result(now.state->graph, now.planned.plan);
  } else {
    NETML_TRY(again.result, then.job->renew_plan(*now.state, now.planned.plan));
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
