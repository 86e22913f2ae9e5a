// `netml api`: any call of the API, for what has no command of its own.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const ApiOptions& options, Client& client);

}  // namespace netml::admin::cli
