// Where old parts of the journal lie, and what may still open the directory then.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const ArchiveOptions& options, Client& client);
CommandOutcome run_command(const DowngradeCheckOptions& options, Client& client);

}  // namespace netml::admin::cli
