// The documents of the audit API as text for people. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "admin/cli/client/json.hpp"

namespace netml::admin::cli {

// "+1 ~2 -3": how many were created, updated and deleted.
std::string counts_text(const JsonValue& counts);
// The line above those of log_line().
std::string log_heading();
// A transaction; a second line where something is special about it.
std::string log_line(const JsonValue& transaction);
// A transaction with all that is known about it, in a table of that width.
std::string transaction_text(const JsonValue& transaction, std::optional<std::size_t> width);
// What it does to one record or entry, or to numbers.
std::string effect_text(const JsonValue& effect);
// A transaction and what it did to the element, in short.
std::string history_text(const JsonValue& change);
// What is compared, and how much differs.
std::string diff_heading(const JsonValue& head);

}  // namespace netml::admin::cli
