// `netml undo`: undoes one transaction, and lists what was left alone.
#pragma once

#include "admin/cli/client/client.hpp"
#include "admin/cli/grammar/command_line.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const UndoOptions& options, Client& client);

}  // namespace netml::admin::cli
