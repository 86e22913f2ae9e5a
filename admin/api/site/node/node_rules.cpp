#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/settings/rule_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

// Rules are named in the query, by their names.
Result<RuleChoice> choice_of(const Call& call) {
  const engine::StatePtr state = call.state();
  const engine::Catalog& catalog = state->catalog;
  RuleChoice choice;
  if (const auto name = given(call, "rule")) {
    choice.rule =
        catalog.rules.find_if([&](const engine::Rule& rule) { return rule.name == *name; });
    if (*choice.rule == 0) return fail(Errc::not_found, fmt::format("no rule \"{}\"", *name));
  } else if (const auto ruleset_name = given(call, "ruleset")) {
    choice.ruleset = catalog.rulesets.find_if(
        [&](const engine::Ruleset& ruleset) { return ruleset.name == *ruleset_name; });
    if (*choice.ruleset == 0)
      return fail(Errc::not_found, fmt::format("no ruleset \"{}\"", *ruleset_name));
  }
  return choice;
}

Result<Response> list_rules(const Call& call) {
  const engine::StatePtr state = call.state();
  json::array rulesets;
  engine::RulesByRuleset rules = rules_by_ruleset(state->catalog);
  for (const std::uint64_t number : rulesets_in_order(state->catalog))
    rulesets.push_back(ruleset_json(*state, number, rules[number]));
  return json_answer(200, rulesets);
}

bool is_dry_run(const Call& call) {
  return given(call, "dry_run") == "1";
}

Result<Response> apply_rules(const Call& call) {
  NETML_TRY(const RuleChoice choice, choice_of(call));
  NETML_TRY(const RulesOutcome outcome, is_dry_run(call)
                                            ? call.services.rules.preview(choice)
                                            : call.services.rules.apply(call.caller(), choice));
  return json_answer(200, rules_outcome_json(outcome));
}

Result<Response> restore_defaults(const Call& call) {
  NETML_TRY(const RestoredRules restored, call.services.rules.restore_defaults(call.caller()));
  const engine::StatePtr state = call.state();
  json::array rulesets;
  for (const std::uint64_t number : {restored.default_ruleset, restored.custom_ruleset})
    if (state->catalog.rulesets.find(number) != nullptr)
      rulesets.push_back(ruleset_json(*state, number, rules_of(state->catalog, number)));
  json::object answer = rules_outcome_json(restored.outcome);
  answer["rulesets"] = std::move(rulesets);
  return json_answer(200, answer);
}

Result<Response> exported(const Call& call) {
  Response response;
  response.headers.set("Content-Type", "application/json");
  response.body = call.services.rules.exported();
  return response;
}

// The body is a file of rulesets.
using ReadOutcome = tl::expected<ImportedRules, codecs::RulesRefused>;
Response file_answer(const ReadOutcome& result) {
  if (result) return json_answer(200, imported_rules_json(*result));
  return json_answer(net::http_status(result.error().code),
                     {{"error", error_json(result.error(), result.error().errors)}});
}

Result<Response> import_rules(const Call& call) {
  return file_answer(call.services.rules.import(
      call.caller(), call.body, is_dry_run(call) ? Rules::Import::preview : Rules::Import::store));
}

Result<Response> test_rules(const Call& call) {
  return file_answer(call.services.rules.test(call.body));
}

constexpr Access kRulesFile{.needs = Needs::admin, .body_bytes_max = 32 << 20};

}  // namespace

void add_node_rules(Routes& routes) {
  routes.add(Method::get, "node/rules", kNodeVerb, list_rules);
  routes.add(Method::get, "node/rules/export", kNodeVerb, exported);
  routes.add(Method::post, "node/rules/import", kRulesFile, import_rules);
  routes.add(Method::post, "node/rules/test", kRulesFile, test_rules);
  routes.add(Method::post, "node/rules/apply", kNodeVerb, apply_rules);
  routes.add(Method::post, "node/rules/restore-defaults", kNodeVerb, restore_defaults);
}

}  // namespace netml::admin::web
