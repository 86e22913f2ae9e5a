// Writes a topology, with those below it, as a map of ESnet's panel for Grafana, in its newer form
// (docs/formats/esnet.md). Nothing is lost: what the panel has no member for stands in `meta`.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_esnet(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
