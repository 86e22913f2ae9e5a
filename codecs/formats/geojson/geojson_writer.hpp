// Writes a topology, with those below it, as a FeatureCollection (docs/formats/geojson.md): nodes
// as points, links as lines between them or along their course, then the institutions, and the
// other topologies without geometry. read_geojson reads all of it back.
//
// Equal states give equal bytes. Memory: the text. Thread: any, as the graph is immutable.
// Failure: Errc::conflict where a topology has no owner.
#pragma once

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::codecs {

Result<WrittenMap> write_geojson(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
