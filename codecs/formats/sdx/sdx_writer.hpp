// Writes a topology, with those below it, as a topology of AtlanticWave-SDX, model 2.0.0
// (docs/formats/sdx.md). What the format has no member for stands in members `netml`; read_sdx
// reads all of it back.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_sdx(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
