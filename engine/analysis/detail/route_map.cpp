#include "engine/analysis/detail/route_map.hpp"

#include <algorithm>

#include "engine/analysis/network.hpp"
#include "engine/base/result.hpp"

namespace netml::engine::detail {

namespace {

constexpr std::size_t kLinksMax = std::size_t{1} << 31;  // an identity is a number below 2^32

}  // namespace

RouteMap::RouteMap(const Network& network, const std::vector<bool>& targets)
    : ranges_(network.nodes().size()),
      arcs_(2 * network.links().size()),
      distances_(network.nodes().size(), kUnreachable) {
  NETML_ASSERT(network.links().size() <= kLinksMax);
  ends_.reserve(network.links().size());
  for (Link link = 0; link < network.links().size(); ++link) {
    const Network::Edge edge = network.edge(link);
    ends_.push_back({edge.from, edge.to});
    ++ranges_[edge.from].end;
    ++ranges_[edge.to].end;
  }
  std::uint32_t end = 0;  // each begins where it ends, and moves down as it is filled
  for (Range& range : ranges_) range.begin = range.end = end += range.end;
  for (Link link = static_cast<Link>(links()); link-- > 0;) {
    const auto [from, to] = ends_[link];
    arcs_[--ranges_[from].begin] = {to, 2 * link};
    arcs_[--ranges_[to].begin] = {from, 2 * link + 1};
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
  std::vector<std::uint32_t> filled;
  filled.reserve(ranges_.size());
  for (const Range& range : ranges_) filled.push_back(range.begin);
  for (const Vertex vertex : order)
    for (const Arc& arc : arcs(vertex)) sorted[filled[arc.to]++] = {vertex, arc.key ^ 1};
  arcs_ = std::move(sorted);
}

// ---- what comes and goes ----

Vertex RouteMap::add_vertex() {
  ranges_.emplace_back();
  distances_.push_back(kUnreachable);
  return static_cast<Vertex>(distances_.size() - 1);
}

void RouteMap::add_link(Vertex a, Vertex b) {
  const auto link = static_cast<Link>(ends_.size());
  NETML_ASSERT(link < kLinksMax);
  ends_.push_back({a, b});
  if (a == b) return;
  add_arc(a, {b, 2 * link});
  add_arc(b, {a, 2 * link + 1});
  shorten_distances(a, b);
}

void RouteMap::remove_link(Link link) {
  const auto [a, b] = ends_[link];
  remove_arc(a, link);
  remove_arc(b, link);
}

// The vertex's arcs move to the end of the list, where there is room behind them.
void RouteMap::add_arc(Vertex from, Arc arc) {
  Range& range = ranges_[from];
  const auto begin = static_cast<std::uint32_t>(arcs_.size());
  if (range.end != begin) {
    for (std::uint32_t at = range.begin; at < range.end; ++at) arcs_.push_back(arcs_[at]);
    range.begin = begin;
  }
  arcs_.push_back(arc);
  range.end = static_cast<std::uint32_t>(arcs_.size());
}

void RouteMap::remove_arc(Vertex from, Link link) {
  Range& range = ranges_[from];
  const auto begin = arcs_.begin() + range.begin;
  const auto end = arcs_.begin() + range.end;
  const auto found = std::find_if(begin, end, [&](const Arc& arc) { return arc.link() == link; });
  if (found == end) return;
  std::move(found + 1, end, found);
  --range.end;
}

// From the nearer of the two ends on, as far as the new link is a shorter way.
void RouteMap::shorten_distances(Vertex a, Vertex b) {
  std::vector<Vertex> waiting{a, b};
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::uint16_t here = distances_[waiting[i]];
    if (here == kUnreachable) continue;
    const auto next = static_cast<std::uint16_t>(std::min<int>(here, kDistanceMax - 1) + 1);
    for (const Arc& arc : arcs(waiting[i])) {
      if (distances_[arc.to] <= next) continue;
      distances_[arc.to] = next;
      waiting.push_back(arc.to);
    }
  }
}

}  // namespace netml::engine::detail
