// Which topologies a planned transaction takes from one place to another. Whoever imports a network
// that is known already must see that it would leave its place, and with it perhaps the export.
//
// Thread: any (pure functions).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

struct TopologyName {
  std::string id;
  std::string name;
  bool operator==(const TopologyName&) const = default;
};

struct TopologyMove {
  TopologyName topology;
  std::optional<TopologyName> from;  // none: the top level
  std::optional<TopologyName> to;
  bool leaves_export = false;  // it was below the main topology, and is no longer
};

// Topologies that stay and get another parent, in the order of their identities; not those that
// move along with one above them. `before` is the graph that it was planned on.
std::vector<TopologyMove> topology_moves(const Graph& before, const Transaction& transaction);

// "GARR <urn:garr> moves from Research <urn:research> to the top level, and leaves the export"
std::string move_text(const TopologyMove& move);

}  // namespace netml::engine
