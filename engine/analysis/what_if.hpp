// What a failure of nodes and links would do to the network: who is cut off, and who hangs on a
// single path. A simulation over one version of the graph; nothing is changed.
//
// Failure: none; failed records that are not there do not count. Time: one pass over the records,
// and next to the number of nodes and links of the scope. Memory: two Networks, and what
// connections.hpp notes of one. Thread: any (pure functions).
#pragma once

#include <vector>

#include "engine/analysis/connections.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine {

struct Outage {
  std::vector<RecordId> nodes = {};
  std::vector<RecordId> links = {};
  RecordId topology = {};  // only what belongs to it or to one below it; none = all there is
};

// All lists ascend.
struct OutageEffects {
  std::size_t components_before = 0;  // nodes without links are components, too
  std::size_t components_after = 0;   // of what did not fail
  // Each component before is judged by itself: its nodes that do not hang together with the largest
  // part that is left of it. A tie goes to the part with the lowest RecordId.
  std::vector<RecordId> nodes_cut_off;
  // Those that owned a node, and have none left in any of these largest parts.
  std::vector<RecordId> institutions_cut_off;
  SinglePath single_path;        // after the failure
  SinglePath newly_single_path;  // those that were none before
};

OutageEffects simulate(const Graph& graph, const Outage& outage);

}  // namespace netml::engine
