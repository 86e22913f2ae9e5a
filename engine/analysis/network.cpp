#include "engine/analysis/network.hpp"

#include <algorithm>
#include <optional>

#include "engine/graph/topology_tree.hpp"

namespace netml::engine {

// A link may be older than the nodes that it leads to now, so all nodes come first.
Network::Network(const Graph& graph, RecordId topology) : Network(&graph, graph.next_id().value) {
  std::optional<TopologyTree> tree;
  if (topology) tree.emplace(graph, topology);
  const auto belongs = [&](RecordId id) { return !tree || tree->holds(id); };
  std::vector<RecordId> links;
  graph.for_each_record([&](RecordId id) {
    const Kind kind = graph.kind(id);
    if (kind == Kind::node && belongs(id)) add_node(id);
    if (kind == Kind::link && belongs(id)) links.push_back(id);
  });
  for (const RecordId id : links) add_link(id);
}

Network Network::without(std::span<const RecordId> records) const {
  std::vector<bool> unwanted(places_.size());
  for (const RecordId id : records)
    if (id.value < unwanted.size()) unwanted[id.value] = true;
  Network rest(graph_, places_.size());
  for (const RecordId id : nodes_)
    if (!unwanted[id.value]) rest.add_node(id);
  for (const RecordId id : links_)
    if (!unwanted[id.value]) rest.add_link(id);
  return rest;
}

void Network::add_node(RecordId id) {
  places_[id.value] = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(id);
}

void Network::add_link(RecordId id) {
  const auto ends = graph_->relations(id).ends();
  if (vertex(ends[0]) == kAbsent || vertex(ends[1]) == kAbsent || ends[0] == ends[1]) return;
  places_[id.value] = static_cast<std::uint32_t>(links_.size());
  links_.push_back(id);
}

}  // namespace netml::engine
