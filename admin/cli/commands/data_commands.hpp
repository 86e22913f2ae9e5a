// Commands that move maps in and out: import, export, validate, generate.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome import_file(const ImportOptions& options, Client& client);
// Topologies that get another parent, a line each.
std::string move_lines(const JsonValue& answer);
// An import result for people.
CommandOutcome print_import(const JsonValue& answer, const Client& client);

CommandOutcome export_file(const ExportOptions& options, Client& client);

// These two need no data directory.
CommandOutcome validate_file(const ValidateOptions& options, Client& client);
CommandOutcome generate_file(const GenerateOptions& options, Client& client);

}  // namespace netml::admin::cli
