// From a backup to a data directory that a node can open.
#pragma once

#include "admin/cli/client/environment.hpp"

namespace netml::admin {

// Makes the directory, or fills it when it is there and empty; verifies everything. When it fails,
// there is nothing more than before. Errc::invalid_input when the backup is not whole, or not the
// one expected, or the key is no key; Errc::conflict when the directory holds something.
Result<cli::Restored> restore_backup(const cli::RestoreOptions& options, cli::Progress& progress);

}  // namespace netml::admin
