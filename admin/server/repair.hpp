// Cutting a damaged journal for an administrator who accepts the loss.
#pragma once

#include "admin/cli/client/environment.hpp"
#include "engine/base/random.hpp"
#include "engine/base/time.hpp"

namespace netml::admin {

// Says what would be lost; does it only when `options` accept losing just that many transactions.
// Errc::conflict when a process holds the directory; Errc::invalid_input when there is nothing to
// repair, or the LSN cannot be kept.
Result<cli::RepairOutcome> repair_data(const cli::GlobalOptions& global,
                                       const cli::RepairOptions& options, const Clock& clock,
                                       Random& random);

}  // namespace netml::admin
