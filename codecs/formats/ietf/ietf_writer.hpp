// Writes a topology, with those below it, as networks by RFC 8345 in JSON (docs/formats/ietf.md):
// each topology a network, each link two that go one way. read_ietf reads all of it back.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_ietf(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
