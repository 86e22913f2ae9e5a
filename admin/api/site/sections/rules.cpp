// Rulesets and rules (docs/api.md, section "Rules"; docs/requirements/collation-rules.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <functional>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/sections/planned_changes.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/imports/rules_rehearsal.hpp"
#include "admin/settings/rule_json.hpp"
#include "codecs/formats/rules_json.hpp"
#include "engine/rules/plan_rules.hpp"
#include "engine/rules/run_rules.hpp"
#include "engine/transaction/entry_changes.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Rule;
using engine::RulePart;
using engine::Ruleset;
using net::Method;
using net::Response;

namespace {

constexpr std::size_t kMatchesShown = 50;
constexpr std::uint64_t kFileBytesMax = 32 << 20;

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

// What a change of rules did to the records, and which rules did it.
json::object ran_json(const RulesOutcome& outcome) {
  const auto skipped = std::ranges::count_if(
      outcome.logs, [](const engine::RuleLog& log) { return !log.problem.empty(); });
  return {{"lsn", outcome.lsn.value},
          {"created", outcome.changes.created},
          {"updated", outcome.changes.updated},
          {"deleted", outcome.changes.deleted},
          {"rules", rules_that_acted_json(outcome.logs)},
          {"rule_count", outcome.logs.size() - static_cast<std::size_t>(skipped)}};
}

Result<json::object> stored_rule(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  if (state->catalog.rules.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no rule {}", number));
  return rule_item(*state, number);
}

Result<json::object> stored_ruleset(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  if (state->catalog.rulesets.find(number) == nullptr)
    return fail(Errc::not_found, fmt::format("there is no ruleset {}", number));
  return ruleset_item(*state, number);
}

// ---- changing ----

// Commits it as it was previewed. `answer` is called with what ran.
using AnswerRan = std::function<Result<Response>(const RulesOutcome&)>;
Result<Response> commit(const Call& call, Change change, const AnswerRan& answer) {
  return commit_as_previewed(call, [&](decltype(Change::check) check) -> Result<Response> {
    change.check = std::move(check);
    NETML_TRY(const RulesOutcome outcome, call.services.rules.commit(std::move(change)));
    return answer(outcome);
  });
}

// The same, or its preview.
Result<Response> change_rules(const Call& call, Call::Plan plan, const AnswerRan& answer) {
  Change change{.caller = call.caller(), .cause = engine::Cause::rule};
  change.plan = std::move(plan);
  if (call.is_preview()) return preview_answer(call, change);
  return commit(call, std::move(change), answer);
}

Result<Response> with_ran(int status, json::object item, const RulesOutcome& outcome) {
  item["ran"] = ran_json(outcome);
  return json_answer(status, item);
}

// Deletes by `plan`, which leaves nothing to show but what ran.
Result<Response> delete_by(const Call& call, Call::Plan plan) {
  return change_rules(call, std::move(plan), std::bind_front(with_ran, 200, json::object()));
}

// Stores an entry by `plan`, and shows it. `number` is known once that has planned.
using StoredItem = Result<json::object> (*)(const Call&, std::uint64_t number);
Result<Response> store_by(const Call& call, Call::Plan plan, int status, StoredItem item,
                          const std::uint64_t& number) {
  return change_rules(call, std::move(plan), [&](const RulesOutcome& outcome) -> Result<Response> {
    NETML_TRY(json::object stored, item(call, number));
    return with_ran(status, std::move(stored), outcome);
  });
}

// ---- from JSON ----

Result<std::int16_t> priority_of(const json::object& fields) {
  const json::value* value = fields.if_contains("priority");
  if (value == nullptr || value->is_null()) return engine::kDefaultPriority;
  boost::system::error_code error;
  const auto number = value->to_number<std::int16_t>(error);
  if (error) return fail(Errc::invalid_input, "priority", "must be a number from -32768 to 32767");
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
  return fail(Errc::invalid_input, name, "must be a list");
}

// Parts keep no numbers of their own here: a form sends the rule as a whole.
Result<std::vector<RulePart>> read_parts(const json::object& fields, std::string_view name) {
  NETML_TRY(const json::array* const list, list_of(fields, name));
  std::vector<RulePart> parts;
  for (const json::value& each : *list) {
    if (!each.is_object()) return fail(Errc::invalid_input, name, "must hold objects");
    RulePart part;
    NETML_TRY(part.type, text_of(each.get_object(), "type"));
    NETML_TRY(const json::array* const infos, list_of(each.get_object(), "infos"));
    for (const json::value& info : *infos) {
      if (!info.is_object()) return fail(Errc::invalid_input, "infos", "must hold objects");
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
  if (value == nullptr || error) return fail(Errc::invalid_input, "ruleset", "must be a number");
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
  if (rule.criteria.empty()) return fail(Errc::invalid_input, "criteria", "at least one is needed");
  if (rule.actions.empty()) return fail(Errc::invalid_input, "actions", "at least one is needed");
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

Result<Response> show_ruleset(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object item, stored_ruleset(call, number));
  return json_answer(200, item);
}

// Creates with the number 0.
Result<Response> put_ruleset(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const Ruleset ruleset, read_ruleset(fields));
  std::uint64_t stored = number;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    if (number == 0) stored = state.catalog.rulesets.next_number();
    return plan_ruleset_put(state, number, ruleset);
  };
  return store_by(call, plan, number == 0 ? 201 : 200, stored_ruleset, stored);
}

Result<Response> delete_ruleset(const Call& call, std::uint64_t number) {
  return delete_by(call, [&](const engine::State& state, WallTime) {
    return plan_ruleset_delete(state, number);
  });
}

// All that were chosen in one transaction.
Result<Response> delete_rulesets(const Call& call) {
  NETML_TRY(const std::vector<std::uint64_t> numbers, numbers_wanted(call));
  return delete_by(call, [&](const engine::State& state, WallTime) {
    return plan_in_turn(state, numbers, engine::plan_ruleset_delete);
  });
}

Result<Response> export_rulesets(const Call& call) {
  Response response = net::json_response(200, call.services.rules.exported());
  std::string stamp = time_text(call.services.node.clock().wall().instant());
  std::erase(stamp, ':');
  stamp.resize(stamp.find('Z'));
  response.headers.set("Content-Disposition",
                       fmt::format("attachment; filename=\"rulesets_{}.json\"", stamp));
  return response;
}

Response refused_file(const codecs::RulesRefused& refused) {
  json::object error = error_json(refused, refused.errors);
  error["code"] = "invalid-file";
  return json_answer(net::http_status(refused.code), {{"error", std::move(error)}});
}

Result<Response> import_rulesets(const Call& call) {
  ImportedRules imported;
  auto change = Rules::change_of_import(call.caller(), call.body, imported);
  if (!change) return refused_file(change.error());
  if (call.is_preview()) {
    NETML_TRY(PlannedChange planned, call.services.node.plan(*change));
    json::array logs = rule_logs_json(planned.rules);
    NETML_TRY(json::object answer, planned_changes_json(call, std::move(planned)));
    for (auto& [key, value] : imported_file_json(imported)) answer[key] = std::move(value);
    answer["logs"] = std::move(logs);
    answer["lsn"] = 0;
    return json_answer(200, answer);
  }
  return commit(call, *std::move(change), [&](const RulesOutcome& outcome) -> Result<Response> {
    imported.outcome = outcome;
    return with_ran(200, imported_rules_json(imported), outcome);
  });
}

// What the rulesets of the file would match and change now, each run manually; nothing is stored.
Result<Response> try_rulesets(const Call& call) {
  const auto tried = call.services.rules.test(call.body);
  return tried ? json_answer(200, imported_rules_json(*tried)) : refused_file(tried.error());
}

// What the rulesets of the file would have made of the history; nothing is stored.
Result<Response> rehearse_rulesets(const Call& call) {
  const auto since = call.query("since");
  if (!since) return fail(Errc::invalid_input, "since", "must say from when the rules count");
  auto stream = rehearse_rules(call.services.node, call.services.audit, call.site.rehearsals,
                               call.body, *since);
  if (!stream && stream.error().errors.count == 0) return tl::unexpected<Error>(stream.error());
  if (!stream) return refused_file(stream.error());
  return document_answer(*std::move(stream));
}

Result<Response> restore_defaults(const Call& call) {
  NETML_TRY(const RestoredRules restored, call.services.rules.restore_defaults(call.caller()));
  const engine::StatePtr state = call.state();
  json::array rulesets;
  for (const std::uint64_t number : {restored.default_ruleset, restored.custom_ruleset})
    if (state->catalog.rulesets.find(number) != nullptr)
      rulesets.push_back(ruleset_item(*state, number));
  json::object answer = rules_outcome_json(restored.outcome);
  answer["rulesets"] = std::move(rulesets);
  return with_ran(200, std::move(answer), restored.outcome);
}

// ---- rules ----

Result<Response> show_rule(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object item, stored_rule(call, number));
  return json_answer(200, item);
}

// Stores the rule of a form. `stored`, which must live until it is planned, is given its number.
Call::Plan putting(std::uint64_t number, const Rule& wanted, std::uint64_t& stored) {
  return [number, wanted, &stored](const engine::State& state,
                                   WallTime) -> Result<engine::Transaction> {
    Rule rule = wanted;
    stored = number == 0 ? state.catalog.rules.next_number() : number;
    if (const auto before = state.catalog.rules.find(number))
      rule.last_ordinal = before->last_ordinal;  // numbers of parts are never given again
    return plan_rule_put(state, number, std::move(rule));
  };
}

Result<Response> put_rule(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const Rule wanted, read_rule(fields));
  std::uint64_t stored = 0;
  return store_by(call, putting(number, wanted, stored), number == 0 ? 201 : 200, stored_rule,
                  stored);
}

Result<Response> delete_rule(const Call& call, std::uint64_t number) {
  return delete_by(
      call, [&](const engine::State& state, WallTime) { return plan_rule_delete(state, number); });
}

Result<Response> clone_rule(const Call& call, std::uint64_t number) {
  std::uint64_t copy = 0;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    NETML_TRY(engine::Transaction transaction, plan_rule_clone(state, number));
    copy = transaction.rules.front().number;
    return transaction;
  };
  return store_by(call, plan, 201, stored_rule, copy);
}

// What the rules would match, and what applying them would do.
Result<json::object> tried_json(const Call& call, engine::StatePtr state,
                                const RuleChoice& choice) {
  NETML_TRY(engine::RuleRun run, Rules::plan(*state, choice));
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
  json::array logs = rule_logs_json(run.logs);
  NETML_TRY(json::object answer,
            planned_changes_json(call, {std::move(state), std::move(run.transaction), {}}));
  answer["matched"] = matched;
  answer["matches"] = std::move(matches);
  answer["rules"] = std::move(logs);
  answer["lsn"] = 0;  // as of a rules outcome: nothing was committed
  return answer;
}

Result<Response> apply_rules(const Call& call, const RuleChoice& choice) {
  if (call.is_preview()) {
    NETML_TRY(const json::object answer, tried_json(call, call.state(), choice));
    return json_answer(200, answer);
  }
  return commit_as_previewed(call, [&](decltype(Change::check) check) -> Result<Response> {
    NETML_TRY(const RulesOutcome outcome,
              call.services.rules.apply(call.caller(), choice, std::move(check)));
    return json_answer(200, rules_outcome_json(outcome));
  });
}

// What applying it would do now; nothing is changed. With a rule in the body: as if it were stored
// so; the number 0 is that of a new one.
Result<Response> try_rule(const Call& call, std::uint64_t number) {
  engine::StatePtr state = call.state();
  NETML_TRY(const json::object fields, call.fields());
  if (!fields.empty() || number == 0) {
    NETML_TRY(const Rule typed, read_rule(fields));
    NETML_TRY(const engine::Transaction put, putting(number, typed, number)(*state, {}));
    NETML_TRY(engine::State stored, apply(*state, put, state->lsn.next()));
    state = std::make_shared<const engine::State>(std::move(stored));
  }
  NETML_TRY(const json::object answer,
            tried_json(call, std::move(state), {.rule = number, .ruleset = {}}));
  return json_answer(200, answer);
}

// ---- types ----

template <class Type>
json::array types_json(std::span<const Type> types) {
  json::array array;
  for (const Type& type : types)
    array.push_back(
        json::object{{"type", type.name},
                     {"element", kind_name(type.element)},
                     {"required", json::array(type.required.begin(), type.required.end())},
                     {"optional", json::array(type.optional.begin(), type.optional.end())}});
  return array;
}

Result<Response> rule_types(const Call&) {
  return json_answer(200, {{"criteria", types_json(engine::match_types())},
                           {"actions", types_json(engine::action_types())}});
}

}  // namespace

void add_rules(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access editor{.needs = Needs::editor, .previewed = true};
  const Access file{.needs = Needs::editor, .previewed = true, .body_bytes_max = kFileBytesMax};
  const auto of_number = [](auto put) {
    return [put](const Call& call, std::uint64_t number) -> Result<Response> {
      if (number == 0) return fail(Errc::not_found, "there is no such item");
      return put(call, number);
    };
  };
  routes.add_entries("rulesets", viewer, editor,
                     {list_rulesets, [](const Call& call) { return put_ruleset(call, 0); },
                      show_ruleset, of_number(put_ruleset), delete_ruleset});
  routes.add(Method::get, "rulesets/export", viewer, export_rulesets);
  routes.add(Method::post, "rulesets/import", file, import_rulesets);
  routes.add(Method::post, "rulesets/try", {.body_bytes_max = kFileBytesMax}, try_rulesets);
  routes.add(Method::post, "rulesets/rehearsal",
             {.needs = Needs::editor, .body_bytes_max = kFileBytesMax}, rehearse_rulesets);
  routes.add(Method::post, "rulesets/restore-defaults", {Needs::editor}, restore_defaults);
  routes.add(Method::post, "rulesets/apply", editor,
             [](const Call& call) { return apply_rules(call, {}); });
  routes.add(Method::post, "rulesets/{n}/apply", editor,
             of_number([](const Call& call, std::uint64_t number) {
               return apply_rules(call, {.rule = {}, .ruleset = number});
             }));
  routes.add(Method::post, "rulesets/delete", editor, delete_rulesets);
  routes.add(Method::post, "rules", editor, [](const Call& call) { return put_rule(call, 0); });
  routes.add(Method::get, "rules/{n}", viewer, show_rule);
  routes.add(Method::put, "rules/{n}", editor, of_number(put_rule));
  routes.add(Method::del, "rules/{n}", editor, delete_rule);
  routes.add(Method::post, "rules/{n}/apply", editor,
             of_number([](const Call& call, std::uint64_t number) {
               return apply_rules(call, {.rule = number, .ruleset = {}});
             }));
  routes.add(Method::post, "rules/{n}/clone", editor, clone_rule);
  routes.add(Method::post, "rules/try", viewer, [](const Call& call) { return try_rule(call, 0); });
  routes.add(Method::post, "rules/{n}/try", viewer, of_number(try_rule));
  routes.add(Method::get, "rule-types", viewer, rule_types);
}

}  // namespace netml::admin::web
