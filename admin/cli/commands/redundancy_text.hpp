// What the API answers about redundancy policies, as text for people. Thread: any (pure functions).
#pragma once

#include <string>

#include "admin/cli/client/json.hpp"
#include "admin/cli/client/output.hpp"

namespace netml::admin::cli {

// The elements of a check, with what holds each of them back.
Table redundancy_table(const JsonValue& answer);
// How many were checked, and what came of it.
std::string redundancy_summary(const JsonValue& answer);

// How many routes elements had before and after a version.
Table redundancy_history_table(const JsonValue& answer);
std::string redundancy_history_summary(const JsonValue& answer);

}  // namespace netml::admin::cli
