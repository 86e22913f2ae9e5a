// How the errors of a refused file are shown. Thread: any (pure functions), but for invalid_file().
#pragma once

#include <string>

#include "admin/cli/client/client.hpp"
#include "admin/cli/client/exit_code.hpp"
#include "admin/cli/client/json.hpp"
#include "engine/graph/document.hpp"

namespace netml::admin::cli {

// One line each: "FILE:LINE:COLUMN: message (id)".
std::string error_lines(const std::string& file, const engine::InputErrors& errors);

// [{"code", "message", "sheet", "line", "column", "id"}, ...], as in answers of the node.
std::string errors_json(const engine::InputErrors& errors);
// Of an answer with "errors" and "error_count".
engine::InputErrors parse_errors(const JsonValue& answer);

// The end of a command whose file was refused: prints the errors. `answer`: what --json reports.
tl::unexpected<Failure> invalid_file(const std::string& file, const engine::InputErrors& errors,
                                     const Client& client, std::string answer);

}  // namespace netml::admin::cli
