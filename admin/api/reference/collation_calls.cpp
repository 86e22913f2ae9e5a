// Running rules, their health, and exchange of rulesets (docs/requirements/http-api.md,
// section 13).
#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/api/reference/collation_json.hpp"
#include "codecs/formats/rules_json.hpp"
#include "engine/base/texts.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using engine::RuleRun;
using net::Method;
using net::Response;

namespace {

Response unknown_item() {
  return text_answer(404, "");
}

// Commits what `plan` gives and returns its logs.
using PlanRun = std::function<Result<RuleRun>(const engine::State&)>;
Result<std::vector<engine::RuleLog>> run(const Call& call, const PlanRun& plan) {
  std::vector<engine::RuleLog> logs;
  const auto change = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(RuleRun planned, plan(state));
    logs = std::move(planned.logs);
    return std::move(planned.transaction);
  };
  NETML_TRY_VOID(call.commit(engine::Cause::rule, change));
  return logs;
}

// A rule that is not ready is an error of the server here: functional tests rely on 500.
Result<Response> apply_rule(const Call& call, std::uint64_t number) {
  const auto logs =
      run(call, [number](const engine::State& state) { return plan_rule_run(state, number); });
  if (!logs && logs.error().code == Errc::not_found) return unknown_item();
  if (!logs && logs.error().code == Errc::conflict) return net::refusal(500, logs.error().message);
  if (!logs) return tl::make_unexpected(logs.error());
  return json_answer(200, rule_log_json(logs->front()));
}

Result<Response> apply_ruleset(const Call& call, std::uint64_t number) {
  const auto logs =
      run(call, [number](const engine::State& state) { return plan_ruleset_run(state, number); });
  if (!logs && logs.error().code == Errc::not_found) return unknown_item();
  if (!logs) return tl::make_unexpected(logs.error());
  return json_answer(200, rule_logs_json(*logs));
}

Result<Response> apply_all(const Call& call) {
  const auto plan = [](const engine::State& state) {
    return Result<RuleRun>(plan_rules_run(state));
  };
  NETML_TRY(const auto logs, run(call, plan));
  return json_answer(200, rule_logs_json(logs));
}

Result<Response> rule_status(const Call& call, std::uint64_t number) {
  const auto rule = call.state()->catalog.rules.find(number);
  if (rule == nullptr) return unknown_item();
  const std::optional<std::string> problem = rule_problem(*rule);
  if (!problem) return json_answer(200, json::object{{"ready", true}});
  return json_answer(200, json::object{{"ready", false}, {"detail", *problem}});
}

Result<Response> ruleset_status(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  if (state->catalog.rulesets.find(number) == nullptr) return unknown_item();
  json::object problems;
  for (const std::uint64_t rule : rules_of(state->catalog, number))
    if (const auto problem = rule_problem(*state->catalog.rules.find(rule)))
      problems[fmt::format("{}", rule)] = *problem;
  if (problems.empty()) return json_answer(200, json::object{{"ready", true}});
  return json_answer(200, json::object{{"ready", false}, {"detail", problems}});
}

Result<Response> enable_all(const Call& call, bool enabled) {
  NETML_TRY_VOID(call.commit(engine::Cause::rule, [&](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_rulesets_enable(state, enabled));
  }));
  return text_answer(200, "");
}

Result<Response> restore_defaults(const Call& call) {
  engine::RestoredDefaults restored;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    restored = plan_restore_defaults(state);
    return restored.transaction;
  };
  NETML_TRY_VOID(call.commit(engine::Cause::rule, plan));
  const engine::StatePtr state = call.state();
  json::array rulesets;
  for (const std::uint64_t number : {restored.default_ruleset, restored.custom_ruleset})
    if (const auto ruleset = state->catalog.rulesets.find(number))
      rulesets.push_back(ruleset_json(number, *ruleset));
  return json_answer(200, rulesets);
}

// ---- exchange ----

// "1,2"; nothing when it is no list of numbers.
std::optional<std::vector<std::uint64_t>> parse_numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  while (!text.empty()) {
    const auto number = parse_integer<std::uint64_t>(take_until(text, ','));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

Result<Response> export_rulesets(const Call& call) {
  const auto ids = net::query_parameter(call.request.query, "ids");
  const auto numbers = ids ? parse_numbers(*ids) : std::nullopt;
  if (!numbers || numbers->empty())
    return text_answer(400, "ids must be a list of numbers of rulesets");
  return net::json_response(200,
                            codecs::write_rules(export_rules(call.state()->catalog, *numbers)));
}

Result<Response> import_rulesets(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  const json::value* given = fields.if_contains("rulesets");
  if (given == nullptr) return text_answer(400, "rulesets is missing");
  const std::string text =
      given->is_string() ? std::string(given->get_string()) : json::serialize(*given);
  NETML_TRY(const codecs::RulesFile file, codecs::read_rules(text));
  json::array created;
  json::array invalid;
  for (const engine::RefusedRuleset& refused : file.invalid) invalid.emplace_back(refused.name);
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    engine::RulesImport planned = plan_rules_import(state, file.rulesets);
    for (const std::string& name : planned.created) created.emplace_back(name);
    for (const engine::RefusedRuleset& refused : planned.invalid)
      invalid.emplace_back(refused.name);
    return std::move(planned.transaction);
  };
  NETML_TRY_VOID(call.commit(engine::Cause::rule, plan));
  return json_answer(201,
                     json::object{{"created_rulesets", created}, {"invalid_rulesets", invalid}});
}

}  // namespace

void add_collation_calls(Routes& routes) {
  const std::string rules = "/collation/test/rules/{id}/";
  const std::string rulesets = "/collation/test/rulesets/";
  // GET has effects only here (decision 38): functional tests call it so.
  const auto add_run = [&](const std::string& path, auto handle) {
    routes.add(Method::get, path, Access::basic, handle);
    routes.add(Method::post, path, Access::basic, handle);
    routes.refuse_head(path);
  };
  add_run(rules + "apply/", apply_rule);
  add_run(rulesets + "{id}/apply/", apply_ruleset);
  add_run(rulesets + "apply_all/", apply_all);
  routes.add(Method::get, rules + "status/", Access::basic, rule_status);
  routes.add(Method::get, rulesets + "{id}/status/", Access::basic, ruleset_status);
  routes.add(Method::patch, rulesets + "enable_all/", Access::basic,
             [](const Call& call) { return enable_all(call, true); });
  routes.add(Method::patch, rulesets + "disable_all/", Access::basic,
             [](const Call& call) { return enable_all(call, false); });
  routes.add(Method::post, rulesets + "restore_default_collision_resolution/", Access::basic,
             restore_defaults);
  routes.add(Method::get, "/collation/test/export_rulesets", Access::test, export_rulesets);
  routes.add(Method::post, "/collation/test/import_rulesets", Access::test, import_rulesets);
}

}  // namespace netml::admin::functional
