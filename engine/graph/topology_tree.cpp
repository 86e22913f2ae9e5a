#include "engine/graph/topology_tree.hpp"

#include <algorithm>

namespace netml::engine {

TopologyTree::TopologyTree(const Graph& graph, RecordId root)
    : graph_(graph), topologies_{root}, contained_(graph.next_id().value) {
  for (std::size_t next = 0; next < topologies_.size(); ++next) {
    const RecordId topology = topologies_[next];
    contained_[topology.value] = true;
    for (const RecordId child : graph.children(topology)) topologies_.push_back(child);
  }
}

bool TopologyTree::holds(RecordId record) const {
  if (graph_.kind(record) == Kind::topology) return contains(record);
  return std::ranges::any_of(graph_.relations(record).topologies(),
                             [&](RecordId topology) { return contains(topology); });
}

}  // namespace netml::engine
