// The step of a view that makes one node of many.
//
// Thread: any (pure function).
#pragma once

#include "engine/graph/graph.hpp"
#include "engine/views/view.hpp"

namespace netml::engine::detail {

Graph collapsed(const Graph& graph, CollapseTo to);

}  // namespace netml::engine::detail
