// JSON shapes of rules and of what they did (docs/requirements/collation-rules.md, sections 4.2 and
// 6; docs/api.md).
#pragma once

#include <boost/json/value.hpp>

#include "admin/settings/rules.hpp"

namespace netml::admin {

boost::json::object rule_log_json(const engine::RuleLog& log);
boost::json::array rule_logs_json(const std::vector<engine::RuleLog>& logs);

boost::json::object rules_outcome_json(const RulesOutcome& outcome);
// What became of the rulesets of a file; and that with what ran.
boost::json::object imported_file_json(const ImportedRules& imported);
boost::json::object imported_rules_json(const ImportedRules& imported);

}  // namespace netml::admin
