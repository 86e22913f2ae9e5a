// `netml apply` and `netml plan`: imports that were planned first (docs/import-plans.md).
#pragma once

#include "admin/cli/client/client.hpp"
#include "admin/cli/grammar/command_line.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const ApplyOptions& options, Client& client);
CommandOutcome run_command(const PlanList& options, Client& client);
CommandOutcome run_command(const PlanShow& options, Client& client);
CommandOutcome run_command(const PlanAgain& options, Client& client);
CommandOutcome run_command(const PlanDelete& options, Client& client);

}  // namespace netml::admin::cli
