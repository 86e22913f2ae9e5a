#include "engine/analysis/detail/route_map.hpp"

#include <algorithm>

#include "engine/analysis/network.hpp"
#include "engine/base/result.hpp"

namespace netml::engine::detail {

namespace {

constexpr std::size_t kLinksMax = std::size_t{1} << 31;  // an identity is a number below 2^32

}  // namespace

RouteMap::RouteMap(const Network& network, const std::vector<bool>& targets)
    : begins_(network.nodes().size() + 1),
      arcs_(2 * network.links().size()),
      distances_(network.nodes().size(), kUnreachable) {
  NETML_ASSERT(network.links().size() <= kLinksMax);
  ends_.reserve(network.links().size());
  for (Link link = 0; link < network.links().size(); ++link) {
    const Network::Edge edge = network.edge(link);
    ends_.push_back({edge.from, edge.to});
    ++begins_[edge.from];
    ++begins_[edge.to];
  }
  std::uint32_t end = 0;  // each begins where it ends, and moves down as it is filled
  for (std::uint32_t& begin : begins_) begin = end += begin;
  for (Link link = static_cast<Link>(links()); link-- > 0;) {
    const auto [from, to] = ends_[link];
    arcs_[--begins_[from]] = {to, 2 * link};
    arcs_[--begins_[to]] = {from, 2 * link + 1};
  }
  sort_arcs(order_by_distance(targets));
}

// All vertices, the nearest first, those without a way last.
std::vector<Vertex> RouteMap::order_by_distance(const std::vector<bool>& targets) {
  std::vector<Vertex> order;
  order.reserve(vertices());
  for (Vertex vertex = 0; vertex < vertices(); ++vertex) {
    if (!targets[vertex]) continue;
    distances_[vertex] = 0;
    order.push_back(vertex);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto next = std::min<std::uint16_t>(distances_[order[i]], kDistanceMax - 1) + 1;
    for (const Arc& arc : arcs(order[i])) {
      if (distances_[arc.to] != kUnreachable) continue;
      distances_[arc.to] = static_cast<std::uint16_t>(next);
      order.push_back(arc.to);
    }
  }
  for (Vertex vertex = 0; vertex < vertices(); ++vertex)
    if (distances_[vertex] == kUnreachable) order.push_back(vertex);
  return order;
}

// Whoever is nearer enters itself with its neighbours first.
void RouteMap::sort_arcs(const std::vector<Vertex>& order) {
  std::vector<Arc> sorted(arcs_.size());
  std::vector<std::uint32_t> filled(begins_.begin(), begins_.end() - 1);
  for (const Vertex vertex : order)
    for (const Arc& arc : arcs(vertex)) sorted[filled[arc.to]++] = {vertex, arc.key ^ 1};
  arcs_ = std::move(sorted);
}

}  // namespace netml::engine::detail
