#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/settings/rule_json.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

namespace {

constexpr std::uint64_t kRulesBytesMax = 32 << 20;

// Rules are named in the query, by their names.
Result<RuleChoice> choice_of(const engine::Catalog& catalog, const Request& request) {
  RuleChoice choice;
  if (const auto name = net::query_parameter(request.query, "rule")) {
    choice.rule = catalog.rules.find_with<&engine::Rule::name>(*name);
    if (*choice.rule == 0) return fail(Errc::not_found, fmt::format("no rule \"{}\"", *name));
  } else if (const auto ruleset_name = net::query_parameter(request.query, "ruleset")) {
    choice.ruleset = catalog.rulesets.find_with<&engine::Ruleset::name>(*ruleset_name);
    if (*choice.ruleset == 0)
      return fail(Errc::not_found, fmt::format("no ruleset \"{}\"", *ruleset_name));
  }
  return choice;
}

Result<Response> list_rules(const Services& services) {
  const engine::StatePtr state = services.node.version().state;
  json::array rulesets;
  engine::RulesByRuleset rules = rules_by_ruleset(state->catalog);
  for (const std::uint64_t number : rulesets_in_order(state->catalog))
    rulesets.push_back(ruleset_json(*state, number, rules[number]));
  return json_answer(200, rulesets);
}

bool is_dry_run(const Request& request) {
  return net::query_parameter(request.query, "dry_run") == "1";
}

Result<Response> apply_rules(Services& services, const Request& request) {
  NETML_TRY(const RuleChoice choice, choice_of(services.node.version().state->catalog, request));
  NETML_TRY(const RulesOutcome outcome, is_dry_run(request)
                                            ? services.rules.preview(choice)
                                            : services.rules.apply(caller_of(request), choice));
  return json_answer(200, rules_outcome_json(outcome));
}

Result<Response> restore_defaults(Services& services, const Request& request) {
  NETML_TRY(const RestoredRules restored, services.rules.restore_defaults(caller_of(request)));
  const engine::StatePtr state = services.node.version().state;
  json::array rulesets;
  for (const std::uint64_t number : {restored.default_ruleset, restored.custom_ruleset})
    if (state->catalog.rulesets.find(number) != nullptr)
      rulesets.push_back(ruleset_json(*state, number, rules_of(state->catalog, number)));
  json::object answer = rules_outcome_json(restored.outcome);
  answer["rulesets"] = std::move(rulesets);
  return json_answer(200, answer);
}

Response exported(const Services& services) {
  Response response;
  response.headers.set("Content-Type", "application/json");
  response.body = services.rules.exported();
  return response;
}

// A handler whose body is a file of rulesets.
using ReadOutcome = tl::expected<ImportedRules, codecs::RulesRefused>;
net::Handler with_rules(std::function<ReadOutcome(const Request&, const std::string&)> use) {
  return [use = std::move(use)](const Request& request) -> Answer {
    return net::collect_body(kRulesBytesMax, [use, request](const std::string& body) {
      const ReadOutcome result = use(request, body);
      if (!result)
        return json_answer(net::http_status(result.error().code),
                           error_json(result.error(), result.error().errors));
      return json_answer(200, imported_rules_json(*result));
    });
  };
}

}  // namespace

void register_rules_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/rules/",
             without_body([&services](const Request&) { return list_rules(services); }));
  router.add(
      Method::get, "/control/rules/export/",
      without_body([&services](const Request&) -> Result<Response> { return exported(services); }));
  router.add(Method::post, "/control/rules/import/",
             with_rules([&services](const Request& request, const std::string& text) {
               return services.rules.import(
                   caller_of(request), text,
                   is_dry_run(request) ? Rules::Import::preview : Rules::Import::store);
             }));
  router.add(Method::post, "/control/rules/test/",
             with_rules([&services](const Request&, const std::string& text) {
               return services.rules.test(text);
             }));
  router.add(
      Method::post, "/control/rules/apply/",
      without_body([&services](const Request& request) { return apply_rules(services, request); }));
  router.add(Method::post, "/control/rules/restore-defaults/",
             without_body([&services](const Request& request) {
               return restore_defaults(services, request);
             }));
}

}  // namespace netml::admin
