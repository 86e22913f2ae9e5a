// Planning an update: what a file that says values of elements changes in a topology and those
// below it. The elements are found by kind and identifier; all records that share both are set
// alike. The enabled rules run after it, as after any edit, and records keep their numbers.
//
// An update is made of edits and not of an import of the topology as it would be then, because an
// import says of all its elements where they belong and makes them newer.
//
// Thread: any (a pure function).
#pragma once

#include <cstddef>

#include "engine/edit/map_update.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::engine {

// Errc::conflict where it does not fit the topology: `errors` has all that is wrong, each with its
// place, the first `errors_max` of them kept.
Result<ImportPlan> plan_update(const State& state, RecordId topology, const MapUpdate& update,
                               std::size_t errors_max, InputErrors& errors);

}  // namespace netml::engine
