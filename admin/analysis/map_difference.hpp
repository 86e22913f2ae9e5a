// What differs on the map between two versions.
// Thread: any (pure function).
#pragma once

#include <boost/json/object.hpp>

#include "engine/graph/graph.hpp"

namespace netml::admin::web {

// Nodes and links by their numbers: what is new or changed by those of `after`, what is gone by
// those of `before`, with its place so that it can still be drawn. A changed date of the version
// alone is no change.
boost::json::object map_difference(const engine::Graph& before, const engine::Graph& after);

}  // namespace netml::admin::web
