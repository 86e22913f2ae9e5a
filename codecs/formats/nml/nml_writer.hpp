// Writes a topology, with those below it, as NML of 2013-05 (docs/formats/nml.md): nodes with their
// ports, links of both directions through them, places. What NML has no word for stands in elements
// of a namespace of its own. read_nml reads all of it back.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_nml(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
