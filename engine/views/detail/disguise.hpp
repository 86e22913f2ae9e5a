// The steps of a view that change what elements say of themselves, each by itself.
//
// Thread: any (pure functions).
#pragma once

#include <span>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/views/apply_view.hpp"

namespace netml::engine::detail {

// Whether the step is one of them.
bool is_disguise(const ViewStep& step);

// What records say of themselves, by RecordId; null: as it is in the graph.
using SeenAttributes = std::vector<AttributesPtr>;

// All of `steps`, which are such steps, in one pass.
SeenAttributes disguises(const Graph& graph, std::span<const ViewStep> steps,
                         const PseudonymKeys& keys, Parallel& parallel);
Graph disguised(const Graph& graph, SeenAttributes seen, Parallel& parallel);

// Copies name the topologies that they come from; those that are not in the graph are taken out.
Graph without_hidden_origins(const Graph& graph);

}  // namespace netml::engine::detail
