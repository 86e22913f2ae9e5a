// What commands that run rules share: a file of rulesets, and what rules did.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "admin/cli/client/client.hpp"
#include "admin/cli/client/files.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

// What the rule logs of an answer say.
std::string rule_log_lines(const JsonValue& answer);

// Errors of reading are about the file; everything else the node tells.
CommandOutcome tell_errors_of(const Failure& failure, const InputFile& file, Client& client);
// What became of each ruleset of a file; `created` says that it was taken.
std::string file_lines(const JsonValue& answer, std::string_view created);
// A ruleset that was left out must not pass unnoticed in a script.
CommandOutcome refuse_invalid(const JsonValue& answer);

// A command of the group.
void define_rules_rehearsal(Grammar& grammar, CLI::App& group);

}  // namespace netml::admin::cli
