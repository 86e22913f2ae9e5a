// Deletion of topologies with what must fall with them (docs/requirements/importing.md,
// section 1.4).
#pragma once

#include <vector>

#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// The topologies below them go, too, and every element that then belongs to none, with what goes
// with that. All must exist in the workspace.
void remove_topologies(Workspace& workspace, std::vector<RecordId> topologies);

}  // namespace netml::engine
