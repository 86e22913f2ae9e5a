// Polling sources: `netml source` and `netml poll`. A token comes from standard input, never from
// an argument or a variable, which other processes can see.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const SourceAdd& options, Client& client);
CommandOutcome run_command(const SourceSet& options, Client& client);
CommandOutcome run_command(const SourceList& options, Client& client);
CommandOutcome run_command(const SourceShow& options, Client& client);
CommandOutcome run_command(const SourceEnable& options, Client& client);
CommandOutcome run_command(const SourceDisable& options, Client& client);
CommandOutcome run_command(const SourceDelete& options, Client& client);
CommandOutcome run_command(const SourceTest& options, Client& client);
CommandOutcome run_command(const SourceCollect& options, Client& client);
CommandOutcome run_command(const SourceLog& options, Client& client);
CommandOutcome run_command(const PollOptions& options, Client& client);

}  // namespace netml::admin::cli
