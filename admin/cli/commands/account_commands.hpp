// Accounts: `netml user`. A password comes from the terminal or from standard input, never from an
// argument or a variable, which other processes can see.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const UserCreate& options, Client& client);
CommandOutcome run_command(const UserList& options, Client& client);
CommandOutcome run_command(const UserPassword& options, Client& client);
CommandOutcome run_command(const UserDelete& options, Client& client);

}  // namespace netml::admin::cli
