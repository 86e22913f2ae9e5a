// Writes a topology, with those below it, as GEXF 1.3, the format of Gephi: all nodes and links,
// with what else the map says of them as attributes. Institutions and topologies are lost, what is
// said of the topology itself but for its name, and all but one of several values.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_gexf(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
