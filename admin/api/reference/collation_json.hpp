// Rules and what they did as the collation endpoints show them (docs/requirements/http-api.md,
// section 13).
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "engine/catalog/rules.hpp"
#include "engine/rules/run_rules.hpp"

namespace netml::admin::functional {

// The types that the reference node has: the first ones. Later ones are this node's own, and a
// client of today's nodes is shown no difference.
inline std::span<const engine::MatchType> reference_match_types() {
  return engine::match_types().first(9);
}
inline std::span<const engine::ActionType> reference_action_types() {
  return engine::action_types().first(18);
}

boost::json::object ruleset_json(std::uint64_t number, const engine::Ruleset& ruleset);
boost::json::object rule_json(std::uint64_t number, const engine::Rule& rule);
boost::json::object rule_type_json(std::uint64_t number, const engine::RuleType& type);

boost::json::object rule_log_json(const engine::RuleLog& log);
// Those of rules that ran.
boost::json::array rule_logs_json(const std::vector<engine::RuleLog>& logs);

}  // namespace netml::admin::functional
