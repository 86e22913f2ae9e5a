// Backups and the way back: `netml backup` asks whoever holds the data directory, `netml restore`
// works on files alone. Where old parts of the journal lie, and what may still open the directory.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const BackupOptions& options, Client& client);
CommandOutcome run_command(const RestoreOptions& options, Client& client);
CommandOutcome run_command(const ArchiveOptions& options, Client& client);
CommandOutcome run_command(const DowngradeCheckOptions& options, Client& client);

}  // namespace netml::admin::cli
