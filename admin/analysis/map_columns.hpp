// All that the map draws, as columns of JSON (docs/api.md): a hundred thousand nodes are parsed by
// a browser several times faster than as many objects. Records are named by their place in the
// columns.
//
// Thread: any (pure function).
#pragma once

#include <string>

#include "engine/transaction/state.hpp"

namespace netml::admin::web {

std::string map_columns(const engine::State& state);

}  // namespace netml::admin::web
