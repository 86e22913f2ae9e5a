// How many fields a map has that is written (docs/formats/README.md, "What is counted"): each
// identifier, text, number, time, value of a property, owner, end and topology of an element.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>

#include "codecs/formats/draft/map_outline.hpp"
#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"
#include "engine/graph/loss_list.hpp"

namespace netml::codecs {

struct FieldCount {
  std::uint64_t own = 0;    // of the topology and of what it lists itself
  std::uint64_t below = 0;  // of topologies below it, of what they alone list, and who lists what
};

FieldCount count_fields(const engine::Graph& graph, const MapOutline& outline);

// Of a map in the exchange format, which has a field for everything, and no way to leave a place
// out: one that is not known is a field that is lost. Errc::conflict as outline_of().
Result<engine::LossList> exchange_losses(const engine::Graph& graph, RecordId topology);

}  // namespace netml::codecs
