// Writes a topology, with those below it, as GML (docs/formats/gml.md): a list `graph` of all nodes
// and links, then the institutions and the topologies as lists of their own, which programs that
// know only graphs pass over. read_gml reads all of it back.
//
// The bytes are ASCII, and what networkx demands is so: labels of nodes are distinct, each line has
// one key. Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_gml(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
