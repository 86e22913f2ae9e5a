#include "engine/analysis/detail/route_finder.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/base/result.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine::detail {

RouteFinder::RouteFinder(const RouteMap& map, Rules rules, std::uint64_t steps_max)
    : map_(map), rules_(rules), steps_left_(steps_max) {
  follow_map(steps_max);
}

// What is noted by place means nothing beyond one search, so places may be numbered anew.
void RouteFinder::follow_map(std::uint64_t steps_max) {
  begin({});
  steps_left_ = steps_max;
  flow_.resize(map_.links());
  blocked_.resize(map_.links());
  states_.resize(map_.vertices());
  reached_in_.resize(map_.vertices() * (rules_.split_vertices ? 2 : 1));
  steps_.resize(reached_in_.size());
}

void RouteFinder::begin(std::span<const Vertex> own) {
  for (const Link link : used_links_) flow_[link] = 0;
  for (const Vertex vertex : used_vertices_) states_[vertex].passed = states_[vertex].ended = false;
  for (const Vertex vertex : own_) states_[vertex].own = false;
  used_links_.clear();
  used_vertices_.clear();
  own_.assign(own.begin(), own.end());
  for (const Vertex vertex : own_) states_[vertex].own = true;
  count_ = 0;
}

Added RouteFinder::add_up_to(std::size_t most) {
  while (count_ < most)
    if (const Added added = add(); added != Added::yes) return added;
  return Added::yes;
}

Added RouteFinder::add() {
  begin_search();
  for (const Vertex vertex : own_)
    if (map_.distance(vertex) != RouteMap::kUnreachable) reach(out_of(vertex), {});
  Place place = 0;
  while (take_nearest(place)) {
    const std::uint64_t steps = 1 + map_.arcs(vertex_of(place)).size();
    if (steps > steps_left_) {
      steps_left_ = 0;
      return Added::stopped;
    }
    steps_left_ -= steps;
    if (expand(place)) {
      lay_route();
      return Added::yes;
    }
  }
  return Added::no;
}

void RouteFinder::begin_search() {
  if (++search_ == 0) {
    std::ranges::fill(reached_in_, 0);
    search_ = 1;
  }
  for (std::size_t i = nearest_; i <= farthest_ && i < waiting_.size(); ++i) waiting_[i].clear();
  nearest_ = waiting_.size();
  farthest_ = 0;
  reached_count_ = 0;
}

void RouteFinder::reach(Place place, const Step& step) {
  if (is_reached(place)) return;
  reached_in_[place] = search_;
  steps_[place] = step;
  ++reached_count_;
  const std::size_t distance = map_.distance(vertex_of(place));
  if (distance >= waiting_.size()) waiting_.resize(distance + 1);
  waiting_[distance].push_back(place);
  nearest_ = std::min(nearest_, distance);
  farthest_ = std::max(farthest_, distance);
}

bool RouteFinder::take_nearest(Place& place) {
  const std::size_t end = std::min(farthest_ + 1, waiting_.size());
  while (nearest_ < end && waiting_[nearest_].empty()) ++nearest_;
  if (nearest_ >= end) return false;
  place = waiting_[nearest_].back();
  waiting_[nearest_].pop_back();
  return true;
}

// Whoever enters a vertex may undo a route that entered it; whoever leaves one may take any arc
// without a route. A vertex that is not split is both at once.
bool RouteFinder::expand(Place place) {
  const Vertex vertex = vertex_of(place);
  const bool target = map_.is_target(vertex);
  const bool enters = !rules_.split_vertices || !is_out(place);
  const bool leaves = !target && (!rules_.split_vertices || is_out(place));
  if (rules_.split_vertices && !target) cross_vertex(place, vertex);
  for (const Arc& arc : map_.arcs(vertex)) {
    const int used = flow(arc);
    if (used > 0 || blocked_[arc.link()] != 0) continue;
    if (used < 0) {
      if (enters) reach(out_of(arc.to), {place, arc, true});
      continue;
    }
    const VertexState& next = states_[arc.to];
    if (!leaves || next.own || next.blocked) continue;
    reach(in_of(arc.to), {place, arc, true});
    if (map_.is_target(arc.to) && (!rules_.distinct_ends || !next.ended)) {
      end_ = in_of(arc.to);
      return true;
    }
  }
  return false;
}

// There is room for one route between the two; where it is, a further one may undo that part.
void RouteFinder::cross_vertex(Place place, Vertex vertex) {
  const VertexState& state = states_[vertex];
  if (is_out(place)) {
    if (state.passed) reach(in_of(vertex), {place, {}, false});
  } else if (!state.passed) {
    reach(out_of(vertex), {place, {}, false});
  }
}

void RouteFinder::lay_route() {
  states_[vertex_of(end_)].ended = true;
  used_vertices_.push_back(vertex_of(end_));
  for (Place place = end_; !states_[vertex_of(place)].own;) {
    const Step& step = steps_[place];
    if (step.along) {
      flow_[step.arc.link()] =
          static_cast<std::int8_t>(flow_[step.arc.link()] + (step.arc.reversed() ? -1 : 1));
      used_links_.push_back(step.arc.link());
    } else {
      states_[vertex_of(place)].passed = is_out(place);
      used_vertices_.push_back(vertex_of(place));
    }
    place = step.from;
  }
  ++count_;
}

std::vector<FoundRoute> RouteFinder::routes() {
  sort_each_once(used_links_);
  std::vector<std::int8_t> flows;
  flows.reserve(used_links_.size());
  for (const Link link : used_links_) flows.push_back(flow_[link]);
  std::vector<FoundRoute> found;
  for (const Vertex vertex : own_)
    for (const Arc& arc : map_.arcs(vertex))
      if (flow(arc) > 0) found.push_back(trace(vertex, arc));
  for (std::size_t i = 0; i < flows.size(); ++i) flow_[used_links_[i]] = flows[i];
  return found;
}

// Follows what is used and takes it away, so that no other route is found there. Routes that share
// a vertex may be followed in a loop, which is left out.
FoundRoute RouteFinder::trace(Vertex from, const Arc& first) {
  FoundRoute route{from, {first}};
  flow_[first.link()] = 0;
  while (!map_.is_target(route.arcs.back().to)) {
    const Vertex vertex = route.arcs.back().to;
    const auto arcs = map_.arcs(vertex);
    const auto next = std::ranges::find_if(arcs, [&](const Arc& arc) { return flow(arc) > 0; });
    NETML_ASSERT(next != arcs.end());
    flow_[next->link()] = 0;
    const auto before = std::ranges::find(route.arcs, next->to, &Arc::to);
    if (before != route.arcs.end())
      route.arcs.erase(before + 1, route.arcs.end());
    else
      route.arcs.push_back(*next);
  }
  return route;
}

FoundCut RouteFinder::cut() const {
  FoundCut found;
  for (const Link link : used_links_) {
    if (flow_[link] == 0) continue;
    const auto [a, b] = map_.ends(link);
    const Vertex from = flow_[link] > 0 ? a : b;
    const Vertex to = flow_[link] > 0 ? b : a;
    if (is_reached(out_of(from)) && !is_reached(in_of(to))) found.links.push_back(link);
  }
  for (const Vertex vertex : used_vertices_) {
    const VertexState& state = states_[vertex];
    if (!is_reached(in_of(vertex))) continue;
    const bool full = rules_.split_vertices && state.passed && !is_reached(out_of(vertex));
    if (full || (rules_.distinct_ends && state.ended)) found.vertices.push_back(vertex);
  }
  sort_each_once(found.links);
  sort_each_once(found.vertices);
  return found;
}

// What was reached was reached from the own vertices, so it hangs together with them.
std::optional<std::vector<Vertex>> RouteFinder::before_cut(std::size_t most) const {
  if (std::ranges::any_of(
          own_, [&](Vertex vertex) { return map_.distance(vertex) == RouteMap::kUnreachable; }))
    return std::nullopt;
  std::vector<Vertex> found = own_;
  boost::unordered_flat_set<Vertex> seen(own_.begin(), own_.end());
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Arc& arc : map_.arcs(found[i])) {
      if (!is_reached(in_of(arc.to)) && !is_reached(out_of(arc.to))) continue;
      if (!seen.insert(arc.to).second) continue;
      if (found.size() == most) return std::nullopt;
      found.push_back(arc.to);
    }
  return found;
}

void RouteFinder::block_link(Link link) {
  if (blocked_[link] != 0) return;
  blocked_[link] = 1;
  blocked_links_.push_back(link);
}

void RouteFinder::block_vertex(Vertex vertex) {
  if (states_[vertex].blocked) return;
  states_[vertex].blocked = true;
  blocked_vertices_.push_back(vertex);
}

void RouteFinder::unblock() {
  for (const Link link : blocked_links_) blocked_[link] = 0;
  for (const Vertex vertex : blocked_vertices_) states_[vertex].blocked = false;
  blocked_links_.clear();
  blocked_vertices_.clear();
}

}  // namespace netml::engine::detail
