// Writes a topology, with those below it, as GraphML (docs/formats/graphml.md): one graph of all
// nodes and links, then the institutions and the topologies as nodes of two graphs of their own,
// which programs that know only one graph pass over. read_graphml reads all of it back.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_graphml(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
