// Writes a topology, with those below it, as a network of GNPy in JSON (docs/formats/gnpy.md). What
// that does not know is listed as lost.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_gnpy(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
