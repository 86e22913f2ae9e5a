// Rulesets and rules (docs/api.md, section "Rules"; rules.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/src/json.hpp"
#include "admin/src/rule_json.hpp"
#include "admin/web_api/calls.hpp"
#include "admin/web_api/planned_changes.hpp"
#include "admin/web_api/record_text.hpp"
#include "codecs/rules_json.hpp"
#include "engine/plan_rules.hpp"
#include "engine/run_rules.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Rule;
using engine::RulePart;
using engine::Ruleset;
using net::Method;
using net::Response;

namespace {

constexpr std::size_t kMatchesShown = 50;

// ---- as JSON ----

json::array parts_json(const std::vector<RulePart>& parts) {
  json::array array;
  for (const RulePart& part : parts) {
    json::array infos;
    for (const engine::RuleInfo& info : part.infos)
      infos.push_back(json::object{{"key", info.key}, {"value", info.value}});
    array.push_back(json::object{{"type", part.type}, {"infos", std::move(infos)}});
  }
  return array;
}

json::object rule_item(const engine::State& state, std::uint64_t number) {
  const auto rule = state.catalog.rules.find(number);
  const auto problem = rule_problem(*rule);
  const auto ruleset = state.catalog.rulesets.find(rule->ruleset);
  return {{"number", number},
          {"name", rule->name},
          {"ruleset", {{"number", rule->ruleset}, {"name", ruleset ? ruleset->name : ""}}},
          {"enabled", rule->enabled},
          {"priority", rule->priority},
          {"healthy", !problem.has_value()},
          {"problem", problem ? json::value(*problem) : json::value()},
          {"warnings", json::value_from(rule_warnings(state, *rule))},
          {"criteria", parts_json(rule->criteria)},
          {"actions", parts_json(rule->actions)}};
}

json::object ruleset_item(const engine::State& state, std::uint64_t number) {
  const auto ruleset = state.catalog.rulesets.find(number);
  json::array rules;
  bool healthy = true;
  for (const std::uint64_t rule : rules_of(state.catalog, number)) {
    rules.push_back(rule_item(state, rule));
    healthy &= rules.back().at("healthy").as_bool();
  }
  return {{"number", number},
          {"name", ruleset->name},
          {"enabled", ruleset->enabled},
          {"priority", ruleset->priority},
          {"healthy", healthy},
          {"rules", std::move(rules)}};
}

Result<Response> rule_answer(const Call& call, std::uint64_t number, int status) {
  const engine::StatePtr state = call.state();
  if (state->catalog.rules.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no rule {}", number));
  return json_answer(status, rule_item(*state, number));
}

Result<Response> ruleset_answer(const Call& call, std::uint64_t number, int status) {
  const engine::StatePtr state = call.state();
  if (state->catalog.rulesets.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no ruleset {}", number));
  return json_answer(status, ruleset_item(*state, number));
}

// ---- from JSON ----

Result<std::int16_t> priority_of(const json::object& fields) {
  const json::value* value = fields.if_contains("priority");
  if (value == nullptr || value->is_null()) return engine::kDefaultPriority;
  boost::system::error_code error;
  const auto number = value->to_number<std::int16_t>(error);
  if (error) return fail(Errc::invalid_input, "priority: must be a number from -32768 to 32767");
  return number;
}

Result<Ruleset> read_ruleset(const json::object& fields) {
  Ruleset ruleset;
  NETML_TRY(ruleset.name, text_of(fields, "name"));
  NETML_TRY(ruleset.enabled, flag_of(fields, "enabled", true));
  NETML_TRY(ruleset.priority, priority_of(fields));
  return ruleset;
}

Result<const json::array*> list_of(const json::object& fields, std::string_view name) {
  const json::value* value = fields.if_contains(name);
  if (value != nullptr && value->is_array()) return &value->get_array();
  return fail(Errc::invalid_input, fmt::format("{}: must be a list", name));
}

// Parts keep no numbers of their own here: a form sends the rule as a whole.
Result<std::vector<RulePart>> read_parts(const json::object& fields, std::string_view name) {
  NETML_TRY(const json::array* const list, list_of(fields, name));
  std::vector<RulePart> parts;
  for (const json::value& each : *list) {
    if (!each.is_object())
      return fail(Errc::invalid_input, fmt::format("{}: must hold objects", name));
    RulePart part;
    NETML_TRY(part.type, text_of(each.get_object(), "type"));
    NETML_TRY(const json::array* const infos, list_of(each.get_object(), "infos"));
    for (const json::value& info : *infos) {
      if (!info.is_object()) return fail(Errc::invalid_input, "infos: must hold objects");
      engine::RuleInfo read;
      NETML_TRY(read.key, text_of(info.get_object(), "key"));
      NETML_TRY(read.value, text_of(info.get_object(), "value"));
      part.infos.push_back(std::move(read));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

Result<std::uint64_t> ruleset_of(const json::object& fields) {
  const json::value* value = fields.if_contains("ruleset");
  if (value != nullptr && value->is_object()) value = value->get_object().if_contains("number");
  boost::system::error_code error;
  const auto number = value == nullptr ? 0 : value->to_number<std::uint64_t>(error);
  if (value == nullptr || error) return fail(Errc::invalid_input, "ruleset: must be a number");
  return number;
}

Result<Rule> read_rule(const json::object& fields) {
  Rule rule;
  NETML_TRY(rule.ruleset, ruleset_of(fields));
  NETML_TRY(rule.name, text_of(fields, "name"));
  NETML_TRY(rule.enabled, flag_of(fields, "enabled", true));
  NETML_TRY(rule.priority, priority_of(fields));
  NETML_TRY(rule.criteria, read_parts(fields, "criteria"));
  NETML_TRY(rule.actions, read_parts(fields, "actions"));
  if (rule.criteria.empty()) return fail(Errc::invalid_input, "criteria: at least one is needed");
  if (rule.actions.empty()) return fail(Errc::invalid_input, "actions: at least one is needed");
  return rule;
}

// ---- rulesets ----

Result<Response> list_rulesets(const Call& call) {
  const engine::StatePtr state = call.state();
  json::array items;
  for (const std::uint64_t number : rulesets_in_order(state->catalog))
    items.push_back(ruleset_item(*state, number));
  const std::size_t total = items.size();
  return json_answer(200, {{"items", std::move(items)}, {"next", nullptr}, {"total", total}});
}

Result<Response> show_ruleset(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  return ruleset_answer(call, number, 200);
}

// Creates with the number 0.
Result<Response> put_ruleset(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const Ruleset ruleset, read_ruleset(fields));
  std::uint64_t stored = number;
  NETML_TRY_VOID(
      call.commit(engine::Cause::rule,
                  [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                    if (number == 0) stored = state.catalog.rulesets.next_number();
                    return plan_ruleset_put(state, number, ruleset);
                  }));
  return ruleset_answer(call, stored, number == 0 ? 201 : 200);
}

Result<Response> delete_ruleset(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  NETML_TRY_VOID(call.commit(engine::Cause::rule, [&](const engine::State& state, WallTime) {
    return plan_ruleset_delete(state, number);
  }));
  return no_content();
}

Result<Response> export_rulesets(const Call& call) {
  Response response = json_text(call.services.rules.exported());
  std::string stamp = time_text(call.services.node.clock().wall().instant());
  std::erase(stamp, ':');
  stamp.resize(stamp.find('Z'));
  response.headers.set("Content-Disposition",
                       fmt::format("attachment; filename=\"rulesets_{}.json\"", stamp));
  return response;
}

Result<Response> import_rulesets(const Call& call) {
  const auto imported = call.services.rules.import(call.caller(), call.body);
  if (imported) return json_answer(200, imported_rules_json(*imported));
  json::object error = error_json(imported.error(), imported.error().errors);
  error["message"] = error.at("detail");
  error.erase("detail");
  error["code"] = "invalid-file";
  return json_answer(net::http_status(imported.error().code), {{"error", std::move(error)}});
}

// ---- rules ----

Result<Response> show_rule(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  return rule_answer(call, number, 200);
}

Result<Response> put_rule(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const Rule wanted, read_rule(fields));
  std::uint64_t stored = number;
  NETML_TRY_VOID(call.commit(
      engine::Cause::rule,
      [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
        Rule rule = wanted;
        if (number == 0) stored = state.catalog.rules.next_number();
        if (const auto before = state.catalog.rules.find(number))
          rule.last_ordinal = before->last_ordinal;  // numbers of parts are never given again
        return plan_rule_put(state, number, std::move(rule));
      }));
  return rule_answer(call, stored, number == 0 ? 201 : 200);
}

Result<Response> delete_rule(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  NETML_TRY_VOID(call.commit(engine::Cause::rule, [&](const engine::State& state, WallTime) {
    return plan_rule_delete(state, number);
  }));
  return no_content();
}

Result<Response> clone_rule(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  std::uint64_t copy = 0;
  NETML_TRY_VOID(
      call.commit(engine::Cause::rule,
                  [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                    NETML_TRY(engine::Transaction transaction, plan_rule_clone(state, number));
                    copy = transaction.rules.front().number;
                    return transaction;
                  }));
  return rule_answer(call, copy, 201);
}

Result<Response> preview_application(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  NETML_TRY(engine::RuleRun run, plan_rule_run(*state, number));
  std::size_t matched = 0;
  for (const engine::RuleLog& log : run.logs) matched += log.matched.size();
  NETML_TRY(json::object answer,
            planned_changes_json(call, {state, std::move(run.transaction), {}}));
  answer["matched"] = matched;
  return json_answer(200, answer);
}

Result<Response> apply_rule(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  if (call.is_preview()) return preview_application(call, number);
  RuleChoice choice;
  choice.rule = number;
  NETML_TRY(const RulesOutcome outcome, call.services.rules.apply(call.caller(), choice));
  return json_answer(200, rules_outcome_json(outcome));
}

// What applying it would do now; nothing is changed.
Result<Response> try_rule(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  const engine::StatePtr state = call.state();
  NETML_TRY(const engine::RuleRun run, plan_rule_run(*state, number));
  const engine::ChangeCounts changes = count_changes(run.transaction);
  std::size_t matched = 0;
  json::array matches;
  for (const engine::RuleLog& log : run.logs) {
    matched += log.matched.size();
    for (const engine::RecordReference& reference : log.matched) {
      if (matches.size() == kMatchesShown) break;
      const RecordId id = state->graph.find_by_number(reference.number);
      if (!id) continue;
      const engine::Attributes& attributes = state->graph.attributes(id);
      matches.push_back(json::object{{"kind", kind_name(attributes.kind())},
                                     {"number", reference.number.value},
                                     {"id", attributes.id()},
                                     {"name", attributes.name()}});
    }
  }
  return json_answer(200, {{"matched", matched},
                           {"matches", std::move(matches)},
                           {"created", changes.created},
                           {"updated", changes.updated},
                           {"deleted", changes.deleted},
                           {"rules", rule_logs_json(run.logs)}});
}

// ---- types ----

template <class Type>
json::array types_json(std::span<const Type> types) {
  json::array array;
  for (const Type& type : types)
    array.push_back(json::object{
        {"type", type.name},
        {"element", kind_name(type.element)},
        {"required",
         json::value_from(std::vector<std::string>(type.required.begin(), type.required.end()))},
        {"optional",
         json::value_from(std::vector<std::string>(type.optional.begin(), type.optional.end()))}});
  return array;
}

Result<Response> rule_types(const Call&) {
  return json_answer(200, {{"criteria", types_json(engine::match_types())},
                           {"actions", types_json(engine::action_types())}});
}

}  // namespace

void add_rules(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access editor{Needs::editor};
  const auto of_number = [](auto put) {
    return [put](const Call& call) -> Result<Response> {
      NETML_TRY(const std::uint64_t number, call.number());
      if (number == 0) return fail(Errc::not_found, "there is no such item");
      return put(call, number);
    };
  };
  routes.add_entries("rulesets", viewer, editor,
                     {list_rulesets, [](const Call& call) { return put_ruleset(call, 0); },
                      show_ruleset, of_number(put_ruleset), delete_ruleset});
  routes.add_removal_of_several(
      "rulesets", editor,
      {engine::Cause::rule, [](const engine::State& state, std::uint64_t number, WallTime) {
         return plan_ruleset_delete(state, number);
       }});
  routes.add(Method::get, "rulesets/export", viewer, export_rulesets);
  routes.add(Method::post, "rulesets/import", editor, import_rulesets);
  routes.add(Method::post, "rules", editor, [](const Call& call) { return put_rule(call, 0); });
  routes.add(Method::get, "rules/{n}", viewer, show_rule);
  routes.add(Method::put, "rules/{n}", editor, of_number(put_rule));
  routes.add(Method::del, "rules/{n}", editor, delete_rule);
  routes.add(Method::post, "rules/{n}/apply", editor, apply_rule);
  routes.add(Method::post, "rules/{n}/clone", editor, clone_rule);
  routes.add(Method::post, "rules/{n}/try", viewer, try_rule);
  routes.add(Method::get, "rule-types", viewer, rule_types);
}

}  // namespace netml::admin::web
