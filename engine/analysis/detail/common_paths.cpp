#include "engine/analysis/detail/common_paths.hpp"

#include <algorithm>
#include <tuple>

#include "engine/base/result.hpp"

namespace netml::engine::detail {

namespace {

constexpr auto kIsLater = [](const auto& a, const auto& b) {
  return std::tie(a.cost, a.distance, a.vertex) > std::tie(b.cost, b.distance, b.vertex);
};

}  // namespace

CommonRoutes CommonPaths::find(std::span<const Vertex> own, std::size_t most, Metres limit,
                               std::uint64_t& steps_left) {
  flow_.clear();
  potentials_.clear();
  ends_.clear();
  CommonRoutes found;
  while (ends_.size() < most) {
    const Added added = search(own, steps_left);
    found.stopped = added == Added::stopped;
    if (added != Added::yes) break;
    const Metres common = found.common + path_cost(own);
    if (common > limit) {
      found.next = common;
      break;
    }
    found.common = common;
    lay(own);
  }
  found.routes = routes(own);
  return found;
}

int CommonPaths::flow(const Arc& arc) const {
  const auto found = flow_.find(arc.link());
  if (found == flow_.end()) return 0;
  return arc.reversed() ? -found->second : found->second;
}

// Of one route more along the arc; nothing where there is no way.
std::optional<Metres> CommonPaths::cost(const Arc& arc) const {
  const int used = flow(arc);
  if (used == 0 || used == -1) return 0;
  const std::optional<Metres> length = length_of_(arc.link());
  if (!length) return std::nullopt;
  return used < 0 ? -*length : *length;
}

// Potentials make all costs of the residual network positive again, so that Dijkstra's method holds
// for the next search, too.
Added CommonPaths::search(std::span<const Vertex> own, std::uint64_t& steps_left) {
  reached_.clear();
  waiting_.clear();
  for (const Vertex vertex : own)
    if (map_.distance(vertex) != RouteMap::kUnreachable) reach(vertex, {});
  while (!waiting_.empty()) {
    std::ranges::pop_heap(waiting_, kIsLater);
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    Reached& reached = reached_[next.vertex];
    if (reached.done) continue;
    reached.done = true;
    const bool target = map_.is_target(next.vertex);
    if (target && !(distinct_ends_ && std::ranges::find(ends_, next.vertex) != ends_.end())) {
      end_ = next.vertex;
      for (const auto& [vertex, how] : reached_)
        if (how.done) potentials_[vertex] += how.cost - next.cost;
      return Added::yes;
    }
    const std::uint64_t steps = 1 + map_.arcs(next.vertex).size();
    if (steps > steps_left) {
      steps_left = 0;
      return Added::stopped;
    }
    steps_left -= steps;
    expand(next.vertex, own);
  }
  return Added::no;
}

void CommonPaths::expand(Vertex vertex, std::span<const Vertex> own) {
  const Metres so_far = reached_[vertex].cost;
  const bool target = map_.is_target(vertex);
  const auto potential = [&](Vertex of) {
    const auto found = potentials_.find(of);
    return found == potentials_.end() ? Metres{0} : found->second;
  };
  for (const Arc& arc : map_.arcs(vertex)) {
    if (std::ranges::binary_search(own, arc.to)) continue;
    if (target && flow(arc) >= 0) continue;  // a route ends there; it can be laid anew
    const std::optional<Metres> more = cost(arc);
    if (!more) continue;
    const Metres reduced = *more + potential(vertex) - potential(arc.to);
    NETML_ASSERT(reduced >= 0);
    reach(arc.to, {so_far + reduced, vertex, arc, false});
  }
}

void CommonPaths::reach(Vertex vertex, const Reached& how) {
  const auto [at, added] = reached_.try_emplace(vertex, how);
  if (!added) {
    if (at->second.done || at->second.cost <= how.cost) return;
    at->second = how;
  }
  waiting_.push_back({how.cost, map_.distance(vertex), vertex});
  std::ranges::push_heap(waiting_, kIsLater);
}

Metres CommonPaths::path_cost(std::span<const Vertex> own) const {
  Metres sum = 0;
  for (Vertex vertex = end_; !std::ranges::binary_search(own, vertex);) {
    const Reached& how = reached_.at(vertex);
    sum += *cost(how.arc);
    vertex = how.from;
  }
  return sum;
}

void CommonPaths::lay(std::span<const Vertex> own) {
  ends_.push_back(end_);
  for (Vertex vertex = end_; !std::ranges::binary_search(own, vertex);) {
    const Reached& how = reached_.at(vertex);
    flow_[how.arc.link()] += how.arc.reversed() ? -1 : 1;
    vertex = how.from;
  }
}

// Follows what is used and takes it away. A loop, which costs nothing, is left out.
std::vector<FoundRoute> CommonPaths::routes(std::span<const Vertex> own) const {
  auto rest = flow_;
  const auto take = [&](const Arc& arc) {
    const auto found = rest.find(arc.link());
    if (found == rest.end() || (arc.reversed() ? found->second >= 0 : found->second <= 0))
      return false;
    found->second += arc.reversed() ? 1 : -1;
    return true;
  };
  std::vector<FoundRoute> found;
  for (const Vertex from : own)
    for (const Arc& first : map_.arcs(from))
      while (take(first)) {
        FoundRoute route{from, {first}};
        while (!map_.is_target(route.arcs.back().to)) {
          const auto arcs = map_.arcs(route.arcs.back().to);
          const auto next = std::ranges::find_if(arcs, take);
          NETML_ASSERT(next != arcs.end());
          const auto before = std::ranges::find(route.arcs, next->to, &Arc::to);
          if (before != route.arcs.end())
            route.arcs.erase(before + 1, route.arcs.end());
          else
            route.arcs.push_back(*next);
        }
        found.push_back(std::move(route));
      }
  return found;
}

}  // namespace netml::engine::detail
