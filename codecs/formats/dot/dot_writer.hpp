// Writes a topology, with those below it, as a graph in Graphviz's language: all nodes and links,
// with what else the map says of them as attributes that Graphviz passes over. Institutions and
// topologies are lost, and all but one of several values.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_dot(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
