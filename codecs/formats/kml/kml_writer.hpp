// Writes KML and KMZ (docs/formats/kml.md): a folder for each topology below the one asked for, and
// in it one for each owner. Nothing is lost but links that no format has.
//
// What is written is valid by the schema of KML 2.2, ordered and the same for equal states.
// Thread: any, as the graph is immutable. Failure: Errc::conflict, a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_kml(const engine::Graph& graph, RecordId topology);
Result<WrittenMap> write_kmz(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
