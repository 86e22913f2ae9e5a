// Who a redundancy policy is about, and where routes lead (docs/redundancy.md, "What is asked").
//
// Failure: none. Thread: any (pure functions).
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/redundancy.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine::detail {

// Ascending; what is named by an identifier that nobody has goes to `not_found`.
std::vector<RecordId> selected(const Graph& graph, const ElementSelection& selection,
                               std::vector<std::string>& not_found);

// Whether the record, which may be empty, is one of those.
bool is_selected(const Record& record, const ElementSelection& selection);

// The nodes that an institution or a node stands for, ascending.
std::vector<RecordId> nodes_of(const Graph& graph, RecordId element);

}  // namespace netml::engine::detail
