// Records in the order of a list: what a page shows of a million is found in one walk, which keeps
// no more than that page and what stands before it.
//
// Thread: any (pure functions).
#pragma once

#include <vector>

#include "admin/api/site/calls/lists.hpp"
#include "engine/graph/graph.hpp"

namespace netml::admin::web {

// The first list.first + list.limit of `records` are those that stand there by list.sort; equal
// ones keep the order in which they came to be. What stands behind them is not defined.
// Errc::invalid_input for a field that records are not sorted by.
Status sort_page(const engine::Graph& graph, const ListRequest& list,
                 std::vector<RecordId>& records);

}  // namespace netml::admin::web
