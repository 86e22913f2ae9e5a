// A network that looks like one, for what is asked about its shape: most nodes hang on few that are
// well connected, a sixth of the links close rings, and there are chains at the edge.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/graph_builder.hpp"

namespace netml::bench {

struct DrawnNetwork {
  std::vector<RecordId> nodes;  // the oldest, which have most links, first
  std::vector<RecordId> links;
};

// Adds so many links and their nodes, the same each time; `owner_of(i)` owns the i-th node.
template <class OwnerOf>
DrawnNetwork draw_network(engine::test::GraphBuilder& builder, RecordId topology,
                          std::int64_t links, OwnerOf&& owner_of) {
  std::mt19937_64 random(1);
  DrawnNetwork drawn;
  std::vector<RecordId>& nodes = drawn.nodes;
  const auto add_node = [&] {
    nodes.push_back(builder.node("urn:n", {topology}, {owner_of(nodes.size())}));
    return nodes.back();
  };
  std::vector<RecordId> ends{
      add_node()};  // a node once for each link, so that hubs are drawn often
  for (std::int64_t i = 0; i < links; ++i) {
    const bool ring = i % 6 == 5;
    const bool chain = i % 6 == 4;
    const RecordId from = chain ? nodes.back() : ends[random() % ends.size()];
    const RecordId to = ring ? ends[random() % ends.size()] : add_node();
    drawn.links.push_back(builder.link("urn:l", {topology}, {owner_of(0)}, from, to));
    ends.push_back(from);
    ends.push_back(to);
  }
  return drawn;
}

}  // namespace netml::bench
