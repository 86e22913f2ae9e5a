// `netml export --parquet`: the history as tables for analysis (docs/analysis.md).
#pragma once

#include <optional>
#include <string>

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

// Adds a part to the directory: what came after the place, or after the newest part that is there,
// or everything.
CommandOutcome export_parquet(const std::string& directory, const std::optional<std::string>& since,
                              Client& client);

}  // namespace netml::admin::cli
