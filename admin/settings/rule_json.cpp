#include "admin/settings/rule_json.hpp"

#include <boost/json.hpp>

namespace netml::admin {

namespace json = boost::json;

namespace {

// A record that the same transaction creates has no number yet.
json::array numbers_json(const std::vector<engine::RecordReference>& references) {
  json::array numbers;
  for (const engine::RecordReference& reference : references)
    numbers.push_back(reference.number ? json::value(reference.number.value) : json::value());
  return numbers;
}

json::object by_kind_json(const engine::ReferencesByKind& references) {
  const auto of = [&](Kind kind) {
    return numbers_json(references[static_cast<std::size_t>(kind)]);
  };
  return {{"institutions", of(Kind::institution)},
          {"nodes", of(Kind::node)},
          {"links", of(Kind::link)}};
}

json::object with_topologies(json::object object, const engine::ReferencesByKind& references) {
  object["topologies"] = numbers_json(references[static_cast<std::size_t>(Kind::topology)]);
  return object;
}

json::object action_json(const engine::ActionLog& action) {
  return {{"action", action.action},
          {"element", action.element},
          {"message", action.message},
          {"succeeded", action.succeeded}};
}

}  // namespace

json::object rule_log_json(const engine::RuleLog& log) {
  json::array actions;
  for (const engine::ActionLog& action : log.actions) actions.push_back(action_json(action));
  return {{"rule", {{"pk", log.rule}, {"name", log.name}}},
          {"problem", log.problem.empty() ? json::value() : json::value(log.problem)},
          {"matched_elements",
           {{"type", kind_name(log.element)},
            {"quantity", log.matched.size()},
            {"primary_keys", numbers_json(log.matched)}}},
          {"actions", std::move(actions)},
          {"action_count", log.action_count},
          {"affected", by_kind_json(log.affected)},
          {"cascaded", with_topologies(by_kind_json(log.cascaded), log.cascaded)},
          {"warnings", json::value_from(log.warnings)}};
}

json::array rule_logs_json(const std::vector<engine::RuleLog>& logs) {
  json::array array;
  for (const engine::RuleLog& log : logs) array.push_back(rule_log_json(log));
  return array;
}

json::object rules_outcome_json(const RulesOutcome& outcome) {
  return {{"lsn", outcome.lsn.value},
          {"created", outcome.changes.created},
          {"updated", outcome.changes.updated},
          {"deleted", outcome.changes.deleted},
          {"rules", rule_logs_json(outcome.logs)}};
}

json::object imported_file_json(const ImportedRules& imported) {
  json::array invalid;
  for (const engine::RefusedRuleset& refused : imported.invalid)
    invalid.push_back({{"name", refused.name}, {"reason", refused.reason}});
  json::array unhealthy;
  for (const engine::UnhealthyRule& rule : imported.unhealthy)
    unhealthy.push_back(
        {{"ruleset", rule.ruleset}, {"rule", rule.rule}, {"problem", rule.problem}});
  return {{"created_rulesets", json::value_from(imported.created)},
          {"invalid_rulesets", std::move(invalid)},
          {"unhealthy_rules", std::move(unhealthy)}};
}

json::object imported_rules_json(const ImportedRules& imported) {
  json::object object = rules_outcome_json(imported.outcome);
  for (auto& [key, value] : imported_file_json(imported)) object[key] = std::move(value);
  return object;
}

}  // namespace netml::admin
