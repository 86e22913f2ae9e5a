// What is seen in an order of its own. A pseudonym would be of little use where elements stand in
// the order of the real identifiers, as those of most files do: lists, columns and numbers follow
// the identities of records.
//
// Thread: any (pure function).
#pragma once

#include "engine/base/parallel.hpp"
#include "engine/graph/graph.hpp"
#include "engine/views/detail/disguise.hpp"

namespace netml::engine::detail {

// The same records with identities and numbers from 1 by kind, identifier and what else they say,
// whatever they had before. Those that say the same stay in the order that they had. `seen`: what
// they say instead; empty: nothing else.
Graph in_seen_order(const Graph& graph, SeenAttributes seen, Parallel& parallel);

}  // namespace netml::engine::detail
