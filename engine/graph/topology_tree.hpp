// A topology and all below it.
//
// Cost: a look at each of them, and a bit for each identity that was ever given. Owner: whoever
// asks; the graph must outlive it. Thread: any (immutable once built).
#pragma once

#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::engine {

class TopologyTree {
 public:
  TopologyTree(const Graph& graph, RecordId root);

  // The root is the first.
  const std::vector<RecordId>& topologies() const { return topologies_; }
  bool contains(RecordId topology) const { return contained_[topology.value]; }
  // Whether it is one of them, or belongs to one.
  bool holds(RecordId record) const;

 private:
  const Graph& graph_;
  std::vector<RecordId> topologies_;
  std::vector<bool> contained_;  // by RecordId
};

}  // namespace netml::engine
