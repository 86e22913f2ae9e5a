// Which parts of an export two versions of a graph write differently, so that the others can be
// kept and sent again.
//
// Thread: any (pure).
#pragma once

#include <optional>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::engine {

// Topologies whose own part of an export (topology_contents and what is written of it) may differ
// between the two, ascending; also those that only one of them has. Nothing when so much has
// changed that looking closer would cost more than writing all of it again. Costs what the two do
// not share and what refers to that.
std::optional<std::vector<RecordId>> topologies_written_differently(const Graph& before,
                                                                    const Graph& after);

}  // namespace netml::engine
