#include "admin/api/reference/collation_json.hpp"

#include <boost/json.hpp>

namespace netml::admin::functional {

namespace json = boost::json;
using engine::RuleLog;

namespace {

std::string array_text(std::span<const std::string_view> keys) {
  return json::serialize(json::array(keys.begin(), keys.end()));
}

// A record that the same run created has no number that anybody has seen.
json::array numbers(const std::vector<engine::RecordReference>& records) {
  json::array array;
  for (const engine::RecordReference& record : records)
    if (record.number) array.push_back(record.number.value);
  return array;
}

}  // namespace

json::object ruleset_json(std::uint64_t number, const engine::Ruleset& ruleset) {
  return {{"id", number},
          {"name", ruleset.name},
          {"enabled", ruleset.enabled},
          {"priority", ruleset.priority}};
}

json::object rule_json(std::uint64_t number, const engine::Rule& rule) {
  return {{"id", number},
          {"ruleset", rule.ruleset},
          {"name", rule.name},
          {"enabled", rule.enabled},
          {"priority", rule.priority}};
}

json::object rule_type_json(std::uint64_t number, const engine::RuleType& type) {
  return {{"id", number},
          {"class_name", type.class_name},
          {"name", type.name},
          {"element_type", kind_name(type.element)},
          {"required_info", array_text(type.required)},
          {"optional_info", array_text(type.optional)}};
}

json::object rule_log_json(const RuleLog& log) {
  json::array actions;
  for (const engine::ActionLog& action : log.actions)
    actions.push_back({{"action", action.action},
                       {"element", action.element},
                       {"message", action.message},
                       {"succeeded", action.succeeded}});
  const auto affected = [&](Kind kind) {
    return numbers(log.affected[static_cast<std::size_t>(kind)]);
  };
  return {{"rule", {{"pk", log.rule}, {"name", log.name}}},
          {"matched_elements",
           {{"type", kind_name(log.element)},
            {"quantity", log.matched.size()},
            {"primary_keys", numbers(log.matched)}}},
          {"actions", std::move(actions)},
          {"affected",
           {{"institutions", affected(Kind::institution)},
            {"nodes", affected(Kind::node)},
            {"links", affected(Kind::link)}}}};
}

json::array rule_logs_json(const std::vector<RuleLog>& logs) {
  json::array array;
  for (const RuleLog& log : logs)
    if (log.problem.empty()) array.push_back(rule_log_json(log));
  return array;
}

}  // namespace netml::admin::functional
