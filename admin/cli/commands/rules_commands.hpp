// Collation rules: `netml rules`.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const RulesImportFile& options, Client& client);
CommandOutcome run_command(const RulesExport& options, Client& client);
CommandOutcome run_command(const RulesList& options, Client& client);
CommandOutcome run_command(const RulesApply& options, Client& client);
CommandOutcome run_command(const RulesTest& options, Client& client);
CommandOutcome run_command(const RulesRestoreDefaults& options, Client& client);

// What the rule logs of an answer say.
std::string rule_log_lines(const JsonValue& answer);

}  // namespace netml::admin::cli
