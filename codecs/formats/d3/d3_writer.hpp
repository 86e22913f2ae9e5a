// Writes a topology, with those below it, as node-link JSON: `nodes` and `links`, as D3's layouts
// and networkx take them, with `institutions` and `topologies` beside them. Nothing is lost.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_d3(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
