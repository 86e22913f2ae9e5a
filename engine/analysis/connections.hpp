// How the nodes of a network hang together. n is the number of its nodes, m that of its links.
//
// Nothing here is recursive: what is on the way is held in vectors, so that a chain of a million
// nodes takes memory and no stack. Failure: none. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/ids.hpp"

namespace netml::engine {

class Network;  // engine/analysis/network.hpp

// The parts that hang together, numbered by the first vertex of each. Nodes without links are
// parts, too.
struct Components {
  std::vector<std::uint32_t> of;  // by vertex
  std::size_t count = 0;
};
// Time: next to n + m. Memory: 13 bytes for each node.
Components components(const Network& network);

// The only connection between parts of the network: if one of these fails, something is cut off.
// Both lists ascend.
struct SinglePath {
  std::vector<RecordId> links;  // bridges; of parallel links none is one
  std::vector<RecordId> nodes;  // articulation points
};
// Time: n + m. Memory: 20 bytes for each node and for each link, and about 100 for each node on the
// longest path that is searched into the depth.
SinglePath single_path(const Network& network);

// By vertex: what can be reached from the vertex `from`, itself included. Time: n + m. Memory: up
// to 12 bytes for each node.
std::vector<bool> reachable(const Network& network, std::uint32_t from);

// How many paths lead from one vertex to another one that have no link in common, counted up to
// `at_most`. Time: n + m for each of them. Memory: up to 16 bytes for each node, 1 for each link.
std::size_t disjoint_paths(const Network& network, std::uint32_t from, std::uint32_t to,
                           std::size_t at_most);

}  // namespace netml::engine
