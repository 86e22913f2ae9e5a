// `netml repair`: works on the data directory itself, which no process may hold.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const RepairOptions& options, Client& client);

}  // namespace netml::admin::cli
