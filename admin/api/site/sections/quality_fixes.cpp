// Fixes of what a check of the map's quality finds (docs/api.md, section "Quality").
#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "admin/analysis/quality_answer.hpp"
#include "admin/analysis/quality_fixes.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/sections/planned_changes.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::FixPlan;
using engine::WantedFixes;

namespace {

Result<WantedFixes> wanted_fixes(const json::object& fields, const engine::Graph& graph) {
  WantedFixes wanted;
  NETML_TRY(const std::string name, text_of(fields, "check"));
  const auto check = engine::check_named(name);
  if (!check) return wrong_field("check", "there is no such check");
  wanted.check = *check;
  NETML_TRY(const auto topology, optional_text(fields, "topology"));
  if (topology) {
    NETML_TRY(wanted.topology, engine::find_topology(graph, *topology));
  }
  const json::value* const record = given_field(fields, "record");
  if (record == nullptr) return wanted;
  if (!record->is_int64() || record->get_int64() < 0)
    return wrong_field("record", "must be a number");
  wanted.record =
      graph.find_by_number(RecordNumber{static_cast<std::uint64_t>(record->get_int64())});
  if (!wanted.record) return fail(Errc::not_found, "record", "there is none of this number");
  return wanted;
}

// Looking at the whole map takes long. So it is done before the writer's turn, and in it only where
// the map has changed.
class Planner {
 public:
  Planner(const Call& call, json::object fields)
      : countries_(call.site.countries()), fields_(std::move(fields)) {}

  Status plan(const engine::State& state, Instant today) {
    lsn_ = {};
    NETML_TRY(const WantedFixes wanted, wanted_fixes(fields_, state.graph));
    NETML_TRY(plan_, engine::plan_fixes(state, countries_, today, wanted));
    answer_ = fixes_json(state.graph, plan_);
    const engine::ChangeCounts counts = engine::count_changes(plan_.transaction);
    answer_["created"] = counts.created;
    answer_["updated"] = counts.updated;
    answer_["deleted"] = counts.deleted;
    lsn_ = state.lsn;
    return {};
  }
  Result<engine::Transaction> transaction(const engine::State& state, WallTime now) {
    if (lsn_ != state.lsn) NETML_TRY_VOID(plan(state, begin_of_day(now)));
    return plan_.transaction;
  }
  const json::object& answer() const { return answer_; }

 private:
  const engine::Countries& countries_;
  const json::object fields_;
  std::optional<Lsn> lsn_;  // that the plan is of
  FixPlan plan_;
  json::object answer_;
};

Result<net::Response> fix(const Call& call) {
  NETML_TRY(json::object fields, call.fields());
  NETML_TRY(const MemoryReservation memory,
            call.services.node.memory().reserve(
                MemoryUse::answers, kQualityMemoryOfRecord * call.state()->graph.size()));
  const auto planner = std::make_shared<Planner>(call, std::move(fields));
  const Instant today = begin_of_day(call.services.node.clock().wall());
  NETML_TRY(Change change, call.change(engine::Cause::edit));
  change.plan = [planner](const engine::State& state, WallTime now) {
    return planner->transaction(state, now);
  };
  if (call.is_preview()) {
    const std::string key = fmt::format("fix {}\n{}", call.query("keep").value_or(""), call.body);
    NETML_TRY(const PreviewPtr preview, preview_of(call, key, change));
    NETML_TRY_VOID(planner->transaction(*preview->change.base, call.services.node.clock().wall()));
    json::object answer = planner->answer();
    NETML_TRY(const json::object changes, planned_changes_json(call, *preview));
    for (const auto& [name, value] : changes) answer[name] = value;
    return json_answer(200, answer);
  }
  NETML_TRY_VOID(planner->plan(*call.state(), today));
  return commit_as_previewed(call, [&](decltype(Change::check) check) -> Result<net::Response> {
    change.check = std::move(check);
    NETML_TRY_VOID(call.services.node.commit(std::move(change)));
    return json_answer(200, planner->answer());
  });
}

}  // namespace

void add_quality_fixes(Routes& routes) {
  routes.add(net::Method::post, "quality/fix", {.needs = Needs::editor, .previewed = true}, fix);
}

}  // namespace netml::admin::web
