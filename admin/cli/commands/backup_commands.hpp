// Backups and the way back: `netml backup` asks whoever holds the data directory, `netml restore`
// works on files alone.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const BackupOptions& options, Client& client);
CommandOutcome run_command(const RestoreOptions& options, Client& client);

}  // namespace netml::admin::cli
