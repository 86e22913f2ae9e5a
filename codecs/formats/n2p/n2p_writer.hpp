// Writes a topology, with those below it, as a design of Net2Plan (version 6 of its XML): nodes,
// and each link as two, one a way, which name each other. What else the map says of them are
// attributes. Institutions and topologies are lost, and all but one of several values.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_n2p(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
