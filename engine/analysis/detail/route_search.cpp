#include "engine/analysis/detail/route_search.hpp"

#include <algorithm>

namespace netml::engine::detail {

Added RouteSearch::run(std::span<const Vertex> own, std::size_t wanted, std::uint64_t stop_at) {
  own_ = own;
  passed_.resize(map_.vertices());
  used_.resize(map_.links());
  group_uses_.resize(groups_.size());
  group_route_.resize(groups_.size());
  gather_firsts();
  const Added found = lay_all(wanted, stop_at);
  if (found == Added::yes) gather_routes();
  while (!laid_.empty()) undo_last();
  return found;
}

// Each choice but the first came about by what was laid last before it.
Added RouteSearch::lay_all(std::size_t wanted, std::uint64_t stop_at) {
  choices_.assign(1, Choice{.begins = true});
  while (finder_.steps_left() > stop_at) {
    finder_.spend(1);
    Laid next;
    if (!next_of(choices_.back(), next)) {
      choices_.pop_back();
      if (choices_.empty()) return Added::no;
      undo_last();
      continue;
    }
    if (!may_lay(next)) continue;
    lay(next, false);
    laid_.push_back(next);
    if (!leaves_room(next, wanted))
      undo_last();
    else if (!map_.is_target(next.arc.to))
      choices_.push_back({next.arc.to, 0, next.route, false});
    else if (next.route + 1 < wanted)
      begin_next(next.route + 1);
    else
      return Added::yes;
  }
  return Added::stopped;
}

void RouteSearch::undo_last() {
  lay(laid_.back(), true);
  laid_.pop_back();
}

// Whether there are enough other routes without what those laid so far use, if groups did not
// count: asked when the last link takes a group.
bool RouteSearch::leaves_room(const Laid& last, std::size_t wanted) {
  const std::size_t others = wanted - last.route - 1;
  const auto of_link = groups_.of(last.arc.link());
  if (others == 0 ||
      std::ranges::none_of(of_link, [&](Group group) { return group_uses_[group] == 1; }))
    return true;
  for (const Laid& each : laid_) block_for_others(each.arc, groups_, finder_);
  finder_.begin(own_);
  const Added added = finder_.add_up_to(others);
  finder_.unblock();
  return added != Added::no;
}

// Routes are numbered in the order of their first links, so that no set of them is tried twice.
void RouteSearch::begin_next(std::uint32_t route) {
  const auto last = std::ranges::find(laid_, route - 1, &Laid::route);
  const auto first = std::ranges::find_if(
      firsts_, [&](const First& each) { return each.arc.link() == last->arc.link(); });
  const auto next = static_cast<std::uint32_t>(first - firsts_.begin() + 1);
  choices_.push_back({.next = next, .route = route, .begins = true});
}

void RouteSearch::gather_firsts() {
  firsts_.clear();
  for (const Vertex vertex : own_)
    for (const Arc& arc : map_.arcs(vertex))
      if (!is_own(arc.to)) firsts_.push_back({vertex, arc});
}

bool RouteSearch::next_of(Choice& choice, Laid& next) const {
  if (choice.begins) {
    if (choice.next >= firsts_.size()) return false;
    const First& first = firsts_[choice.next++];
    next = {first.from, first.arc, choice.route};
    return true;
  }
  const auto arcs = map_.arcs(choice.vertex);
  if (choice.next >= arcs.size()) return false;
  next = {choice.vertex, arcs[choice.next++], choice.route};
  return true;
}

bool RouteSearch::may_lay(const Laid& next) const {
  const Vertex to = next.arc.to;
  if (used_[next.arc.link()] != 0 || is_own(to)) return false;
  if (map_.distance(to) == RouteMap::kUnreachable) return false;
  const std::uint32_t others = passed_[to];
  const bool alone = map_.is_target(to) ? rules_.distinct_ends : rules_.split_vertices;
  if (alone ? others != 0 : (others >> next.route & 1) != 0) return false;
  return std::ranges::all_of(groups_.of(next.arc.link()), [&](Group group) {
    return group_uses_[group] == 0 || group_route_[group] == next.route;
  });
}

void RouteSearch::lay(const Laid& next, bool undo) {
  used_[next.arc.link()] = undo ? 0 : 1;
  passed_[next.arc.to] ^= 1U << next.route;
  for (const Group group : groups_.of(next.arc.link())) {
    group_uses_[group] += undo ? -1U : 1U;
    group_route_[group] = next.route;
  }
}

bool RouteSearch::is_own(Vertex vertex) const {
  return std::ranges::binary_search(own_, vertex);
}

void RouteSearch::gather_routes() {
  routes_.clear();
  for (const Laid& each : laid_) {
    if (each.route == routes_.size()) routes_.push_back({each.from, {}});
    routes_.back().arcs.push_back(each.arc);
  }
}

}  // namespace netml::engine::detail
