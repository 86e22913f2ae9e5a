// Commands that ask the journal: log, show, diff, history, and replay into a directory
// (docs/audit.md).
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const LogOptions& options, Client& client);
CommandOutcome run_command(const ShowOptions& options, Client& client);
CommandOutcome run_command(const DiffOptions& options, Client& client);
CommandOutcome run_command(const HistoryOptions& options, Client& client);
CommandOutcome run_command(const ReplayOptions& options, Client& client);

}  // namespace netml::admin::cli
