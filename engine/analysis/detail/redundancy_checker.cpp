#include "engine/analysis/detail/redundancy_checker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/analysis/detail/element_selection.hpp"
#include "engine/analysis/network.hpp"
#include "engine/graph/sphere_point.hpp"

namespace netml::engine::detail {

namespace {

// What a cut holds back is remembered when a search had to look at so many places for it: for the
// next element behind the same cut that search is known to fail.
constexpr std::size_t kLargeSearch = 1'000;
constexpr std::size_t kKnownCutsMax = 16;

std::vector<bool> targets_of(const Graph& graph, const Network& network,
                             const std::vector<RecordId>& elements) {
  std::vector<bool> targets(network.nodes().size());
  for (const RecordId element : elements)
    for (const RecordId node : nodes_of(graph, element)) targets[network.vertex(node)] = true;
  return targets;
}

}  // namespace

RedundancyChecker::RedundancyChecker(const Graph& graph, const RedundancyPolicy& policy,
                                     const std::vector<RecordId>& to)
    : RedundancyChecker(graph, policy, to, Network(graph)) {}

RedundancyChecker::RedundancyChecker(const Graph& graph, const RedundancyPolicy& policy,
                                     const std::vector<RecordId>& to, const Network& network)
    : RedundancyChecker(graph, policy, network, targets_of(graph, network, to)) {}

RedundancyChecker::RedundancyChecker(const Graph& graph, const RedundancyPolicy& policy,
                                     const Network& network, const std::vector<bool>& targets)
    : graph_(graph),
      policy_(policy),
      nodes_(network.nodes()),
      links_(network.links()),
      targets_(static_cast<std::size_t>(std::ranges::count(targets, true))),
      map_(network, targets),
      groups_(policy.shared_risk_groups ? RiskGroups(graph, network) : RiskGroups()),
      finder_(map_,
              {.split_vertices = policy.disjoint == Disjoint::nodes,
               .distinct_ends = policy.distinct_ends},
              kCheckStepsMax),
      group_finder_(finder_, groups_, kGroupStepsMax),
      common_paths_(map_, [this](Link link) { return length_of(link); }, policy.distinct_ends) {}

ElementRoutes RedundancyChecker::check(RecordId element) {
  in_vain_ = false;
  ElementRoutes found{.element = element};
  std::vector<Vertex> own;
  for (const RecordId node : nodes_of(graph_, element)) own.push_back(vertex(node));
  if (own.empty()) {
    found.basis = RouteBasis::no_nodes;
  } else if (std::ranges::any_of(own, [&](Vertex vertex) { return map_.is_target(vertex); })) {
    found.basis = RouteBasis::at_target;
    found.at_least = found.at_most = policy_.routes;
  } else {
    find_routes(own, found);
    if (policy_.common_km_max && found.at_least > 0 && found.at_least < policy_.routes &&
        found.basis != RouteBasis::work_exhausted)
      allow_common_path(own, found);
  }
  return found;
}

std::optional<std::vector<RecordId>> RedundancyChecker::searched_in_vain(std::size_t most) const {
  if (!in_vain_) return std::nullopt;
  const auto reached = finder_.before_cut(most);
  if (!reached) return std::nullopt;
  std::vector<RecordId> nodes;
  nodes.reserve(reached->size());
  for (const Vertex vertex : *reached) nodes.push_back(nodes_[vertex]);
  return nodes;
}

// ---- the map of a later version ----

void RedundancyChecker::remove_link(RecordId link) {
  const std::optional<Link> known = links_.find(link);
  if (!known) return;
  map_.remove_link(*known);
  links_.remove(link);
}

void RedundancyChecker::add_link(RecordId link, RecordId a, RecordId b) {
  map_.add_link(vertex(a), vertex(b));
  links_.add(link);
}

Vertex RedundancyChecker::vertex(RecordId node) {
  if (const std::optional<Vertex> known = nodes_.find(node)) return *known;
  nodes_.add(node);
  return map_.add_vertex();
}

void RedundancyChecker::follow_map() {
  known_cuts_.clear();
  finder_.follow_map(kCheckStepsMax);
}

// ---- routes of one element ----

// The smallest of the known ones that all of these are behind; null: none is.
const FoundCut* RedundancyChecker::known_cut(const std::vector<Vertex>& own) const {
  const FoundCut* smallest = nullptr;
  for (const KnownCut& known : known_cuts_) {
    if (!std::ranges::all_of(own, [&](Vertex vertex) { return known.before[vertex]; })) continue;
    if (smallest == nullptr || known.cut.size() < smallest->size()) smallest = &known.cut;
  }
  return smallest;
}

void RedundancyChecker::remember(const FoundCut& cut) {
  if (finder_.reached() < kLargeSearch || known_cuts_.size() == kKnownCutsMax) return;
  std::vector<bool> before(map_.vertices());
  for (Vertex vertex = 0; vertex < before.size(); ++vertex)
    before[vertex] = finder_.is_before_cut(vertex);
  known_cuts_.push_back({std::move(before), cut});
}

void RedundancyChecker::find_routes(const std::vector<Vertex>& own, ElementRoutes& found) {
  const FoundCut* const known = known_cut(own);
  const std::size_t bound = known == nullptr ? policy_.routes : known->size();
  const std::size_t most = std::min(bound, policy_.routes);
  finder_.begin(own);
  const Added added = finder_.add_up_to(most);
  std::optional<FoundCut> cut;
  if (added == Added::no) {
    cut = finder_.cut();
    remember(*cut);
    in_vain_ = true;
  } else if (added == Added::yes && most < policy_.routes) {
    cut = *known;
  }
  std::vector<FoundRoute> routes = finder_.routes();
  found.at_least = routes.size();
  found.at_most = added == Added::stopped ? most : routes.size();
  found.basis = added == Added::stopped ? RouteBasis::work_exhausted : RouteBasis::flow;
  const std::vector<Group> common = common_groups(groups_, routes);
  for (const Group group : common) found.common_groups.push_back(groups_.name(group));
  if (!common.empty() && added != Added::stopped)
    return find_without_common_groups(own, cut, found);
  if (!common.empty()) routes.resize(found.at_least = 1);  // alone it has nothing in common
  set_routes(routes, found);
  if (cut) set_cut({.rest = *cut, .groups = {}}, found);
}

void RedundancyChecker::find_without_common_groups(const std::vector<Vertex>& own,
                                                   const std::optional<FoundCut>& cut,
                                                   ElementRoutes& found) {
  const GroupRoutes routes = group_finder_.find(own, policy_.routes, found.at_most, cut);
  set_routes(routes.routes, found);
  found.at_least = routes.routes.size();
  found.at_most = routes.at_most;
  if (!found.is_exact())
    found.basis = RouteBasis::group_bounds;
  else
    found.basis = routes.cut ? RouteBasis::group_cut : RouteBasis::group_search;
  if (routes.cut && found.at_most < policy_.routes) set_cut(*routes.cut, found);
}

// Without regard for nodes and groups; so where they count, it is an upper bound.
void RedundancyChecker::allow_common_path(const std::vector<Vertex>& own, ElementRoutes& found) {
  const std::uint64_t steps = std::min(kCommonStepsMax, finder_.steps_left());
  std::uint64_t steps_left = steps;
  const auto limit = static_cast<Metres>(std::llround(*policy_.common_km_max * 1'000));
  const CommonRoutes common = common_paths_.find(own, policy_.routes, limit, steps_left);
  finder_.spend(steps - steps_left);
  const std::size_t count = common.routes.size();
  const bool counts =
      policy_.disjoint == Disjoint::links && common_groups(groups_, common.routes).empty();
  if (counts && count >= found.at_least) {
    found.routes.clear();
    set_routes(common.routes, found);
    found.at_least = count;
    found.common_metres = common.common;
  }
  found.at_most = std::max(common.stopped ? policy_.routes : count, found.at_least);
  found.next_common_metres = common.next;
  found.basis = found.is_exact() ? RouteBasis::common_path : RouteBasis::common_bounds;
  if (found.at_most == policy_.routes) found.cut = {};
}

std::optional<Metres> RedundancyChecker::length_of(Link link) const {
  const auto place = [&](Vertex vertex) { return graph_.attributes(nodes_[vertex]).coordinates(); };
  const auto [from, to] = map_.ends(link);
  const std::optional<Coordinates> a = place(from);
  const std::optional<Coordinates> b = place(to);
  if (!a || !b) return std::nullopt;
  return std::llround(great_circle(sphere_point(*a), sphere_point(*b)));
}

void RedundancyChecker::set_routes(const std::vector<FoundRoute>& routes,
                                   ElementRoutes& found) const {
  for (const FoundRoute& route : routes) {
    Route& named = found.routes.emplace_back();
    named.nodes.push_back(nodes_[route.from]);
    for (const Arc& arc : route.arcs) {
      named.links.push_back(links_[arc.link()]);
      named.nodes.push_back(nodes_[arc.to]);
    }
  }
}

void RedundancyChecker::set_cut(const GroupCut& cut, ElementRoutes& found) const {
  for (const Vertex vertex : cut.rest.vertices) found.cut.nodes.push_back(nodes_[vertex]);
  for (const Link link : cut.rest.links) found.cut.links.push_back(links_[link]);
  std::ranges::sort(found.cut.links);
  for (const Group group : cut.groups) found.cut.groups.push_back(groups_.name(group));
}

}  // namespace netml::engine::detail
