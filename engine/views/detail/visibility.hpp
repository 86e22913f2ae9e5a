// The steps of a view that say what stays.
//
// Thread: any (pure functions).
#pragma once

#include "engine/base/parallel.hpp"
#include "engine/graph/graph.hpp"
#include "engine/views/view.hpp"

namespace netml::engine::detail {

Graph kept_by(const Graph& graph, const KeepStep& step, Parallel& parallel);
Graph left_by(const Graph& graph, const DropStep& step, Parallel& parallel);

}  // namespace netml::engine::detail
