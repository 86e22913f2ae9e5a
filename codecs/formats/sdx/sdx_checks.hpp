// What looks wrong in an AtlanticWave-SDX topology although it may be so: findings, which change
// nothing.
//
// Thread: any (pure functions).
#pragma once

#include "codecs/document/json_tree.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

// Latitudes and longitudes that look swapped: of nodes that are in the country of their region, or
// among the other nodes, only when the two change places.
void note_doubtful_places(JsonValue topology, engine::DocumentNotes& notes);

// Regions that are no codes of ISO 3166-2; for the countries that the exchange points are in mostly
// (BR, CL, US, ZA), none of their subdivisions.
void note_unknown_regions(JsonValue topology, engine::DocumentNotes& notes);

}  // namespace netml::codecs
