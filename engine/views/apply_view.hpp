// A map as somebody sees it through a view: another graph, which has no more than that.
//
// It begins as a copy of the one given and shares all that the view leaves as it is. References to
// what is not shown are closed: a link without one of its ends is not shown, an owner that is not
// shown is none, a topology whose owner is not shown belongs to the global institution, as exports
// need an owner. Numbers are given anew, without gaps, in the order that they had, so nothing tells
// how many there are of what is hidden. A view that calls elements otherwise than the map does
// gives them other identities, too, by what is seen of them: their order would tell who they are.
//
// The main topology and the global institution are always shown: an export begins with them.
//
// Deterministic: equal maps, views and keys give equal graphs. Cost: a look at each record for each
// step that selects, one for all of the others in a row, and what they change, each on two cores;
// sorting all where elements get other identities. Thread: any (pure).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/graph/graph.hpp"
#include "engine/views/view.hpp"

namespace netml::engine {

using PseudonymKey = std::array<std::byte, 32>;
// The key of that name; it never leaves the node. Called from two threads at once.
using PseudonymKeys = std::function<PseudonymKey(std::string_view name)>;

Graph seen_through(const Graph& graph, const View& view, const PseudonymKeys& keys,
                   Parallel& parallel);

// Whether elements have identities of their own there, so that nothing but identifiers joins them
// with those of the map, and no record is shared with it.
bool is_in_seen_order(const View& view);

// Identifiers that the view names and nothing in the graph has: a step that names one by mistake
// hides nothing.
std::vector<std::string> unknown_identifiers(const Graph& graph, const View& view);

}  // namespace netml::engine
