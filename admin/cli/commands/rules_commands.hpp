// What rules did, for commands that run them.
#pragma once

#include <string>

#include "admin/cli/client/json.hpp"

namespace netml::admin::cli {

// What the rule logs of an answer say.
std::string rule_log_lines(const JsonValue& answer);

}  // namespace netml::admin::cli
