#include "engine/analysis/redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/analysis/detail/common_paths.hpp"
#include "engine/analysis/detail/group_routes.hpp"
#include "engine/analysis/network.hpp"
#include "engine/graph/document.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_sets.hpp"
#include "engine/graph/sphere_point.hpp"

namespace netml::engine {

namespace {

using detail::Added;
using detail::FoundCut;
using detail::FoundRoute;
using detail::RouteFinder;
using detail::RouteMap;

// What a cut holds back is remembered when a search had to look at so many places for it: for the
// next element behind the same cut that search is known to fail.
constexpr std::size_t kLargeSearch = 1'000;
constexpr std::size_t kKnownCutsMax = 16;

// ---- who and to whom ----

bool has_property(const Attributes& attributes, std::string_view name, std::string_view value) {
  return any_property(attributes, [&](const Property& property) {
    return property.name == name && property.value == value;
  });
}

bool fits(const Attributes& attributes, const ElementSelection& selection) {
  if (!selection.tag.empty() && !has_property(attributes, kTag, selection.tag)) return false;
  const auto& property = selection.property;
  return !property || has_property(attributes, property->name, property->value);
}

// Ascending; what is named by an identifier that nobody has goes to `not_found`.
std::vector<RecordId> selected(const Graph& graph, const ElementSelection& selection,
                               std::vector<std::string>& not_found) {
  std::vector<RecordId> found;
  const auto take = [&](RecordId id) {
    if (fits(graph.attributes(id), selection)) found.push_back(id);
  };
  if (selection.ids.empty())
    graph.for_each_of(selection.kind, [&](RecordId id) {
      if (graph.attributes(id).id() != kGlobalInstitutionId) take(id);  // it stands for nobody
    });
  for (const std::string& id : selection.ids) {
    const std::vector<RecordId> named = graph.find(selection.kind, id);
    if (named.empty()) not_found.push_back(id);
    std::ranges::for_each(named, take);
  }
  sort_each_once(found);
  return found;
}

// The vertices that an institution or a node stands for, ascending.
std::vector<detail::Vertex> vertices_of(const Graph& graph, const Network& network,
                                        RecordId element) {
  std::vector<detail::Vertex> found;
  if (graph.kind(element) == Kind::node) {
    found.push_back(network.vertex(element));
  } else {
    graph.for_each_referrer(element, [&](RecordId id) {
      if (graph.kind(id) == Kind::node) found.push_back(network.vertex(id));
    });
  }
  return found;
}

std::vector<bool> targets_of(const Graph& graph, const Network& network,
                             const std::vector<RecordId>& elements) {
  std::vector<bool> targets(network.nodes().size());
  for (const RecordId element : elements)
    for (const detail::Vertex vertex : vertices_of(graph, network, element)) targets[vertex] = true;
  return targets;
}

// ---- one element after another ----

class Checker {
 public:
  Checker(const Graph& graph, const RedundancyPolicy& policy, const Network& network,
          const std::vector<bool>& targets)
      : graph_(graph),
        policy_(policy),
        network_(network),
        map_(network, targets),
        groups_(policy.shared_risk_groups ? detail::RiskGroups(graph, network)
                                          : detail::RiskGroups()),
        finder_(map_,
                {.split_vertices = policy.disjoint == Disjoint::nodes,
                 .distinct_ends = policy.distinct_ends},
                kCheckStepsMax),
        group_finder_(finder_, groups_, kGroupStepsMax),
        common_paths_(
            map_, [this](detail::Link link) { return length_of(link); }, policy.distinct_ends) {}

  ElementRoutes check(RecordId element) {
    ElementRoutes found{.element = element};
    const std::vector<detail::Vertex> own = vertices_of(graph_, network_, element);
    if (own.empty()) {
      found.basis = RouteBasis::no_nodes;
    } else if (std::ranges::any_of(own, [&](auto vertex) { return map_.is_target(vertex); })) {
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

 private:
  struct KnownCut {
    std::vector<bool> before;  // by vertex
    FoundCut cut;
  };

  // The smallest of the known ones that all of these are behind; null: none is.
  const FoundCut* known_cut(const std::vector<detail::Vertex>& own) const {
    const FoundCut* smallest = nullptr;
    for (const KnownCut& known : known_cuts_) {
      if (!std::ranges::all_of(own, [&](auto vertex) { return known.before[vertex]; })) continue;
      if (smallest == nullptr || known.cut.size() < smallest->size()) smallest = &known.cut;
    }
    return smallest;
  }

  void remember(const FoundCut& cut) {
    if (finder_.reached() < kLargeSearch || known_cuts_.size() == kKnownCutsMax) return;
    std::vector<bool> before(map_.vertices());
    for (detail::Vertex vertex = 0; vertex < before.size(); ++vertex)
      before[vertex] = finder_.is_before_cut(vertex);
    known_cuts_.push_back({std::move(before), cut});
  }

  void find_routes(const std::vector<detail::Vertex>& own, ElementRoutes& found) {
    const FoundCut* const known = known_cut(own);
    const std::size_t bound = known == nullptr ? policy_.routes : known->size();
    const std::size_t most = std::min(bound, policy_.routes);
    finder_.begin(own);
    const Added added = finder_.add_up_to(most);
    std::optional<FoundCut> cut;
    if (added == Added::no) {
      cut = finder_.cut();
      remember(*cut);
    } else if (added == Added::yes && most < policy_.routes) {
      cut = *known;
    }
    std::vector<FoundRoute> routes = finder_.routes();
    found.at_least = routes.size();
    found.at_most = added == Added::stopped ? most : routes.size();
    found.basis = added == Added::stopped ? RouteBasis::work_exhausted : RouteBasis::flow;
    const std::vector<detail::Group> common = common_groups(groups_, routes);
    for (const detail::Group group : common) found.common_groups.push_back(groups_.name(group));
    if (!common.empty() && added != Added::stopped)
      return find_without_common_groups(own, cut, found);
    if (!common.empty()) routes.resize(found.at_least = 1);  // alone it has nothing in common
    set_routes(routes, found);
    if (cut) set_cut({.rest = *cut, .groups = {}}, found);
  }

  void find_without_common_groups(const std::vector<detail::Vertex>& own,
                                  const std::optional<FoundCut>& cut, ElementRoutes& found) {
    const detail::GroupRoutes routes = group_finder_.find(own, policy_.routes, found.at_most, cut);
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
  void allow_common_path(const std::vector<detail::Vertex>& own, ElementRoutes& found) {
    const std::uint64_t steps = std::min(kCommonStepsMax, finder_.steps_left());
    std::uint64_t steps_left = steps;
    const auto limit = static_cast<detail::Metres>(std::llround(*policy_.common_km_max * 1'000));
    const detail::CommonRoutes common = common_paths_.find(own, policy_.routes, limit, steps_left);
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

  std::optional<detail::Metres> length_of(detail::Link link) const {
    const auto place = [&](detail::Vertex vertex) {
      return graph_.attributes(network_.nodes()[vertex]).coordinates();
    };
    const auto [from, to] = map_.ends(link);
    const std::optional<Coordinates> a = place(from);
    const std::optional<Coordinates> b = place(to);
    if (!a || !b) return std::nullopt;
    return std::llround(great_circle(sphere_point(*a), sphere_point(*b)));
  }

  void set_routes(const std::vector<FoundRoute>& routes, ElementRoutes& found) const {
    for (const FoundRoute& route : routes) {
      Route& named = found.routes.emplace_back();
      named.nodes.push_back(network_.nodes()[route.from]);
      for (const detail::Arc& arc : route.arcs) {
        named.links.push_back(network_.links()[arc.link()]);
        named.nodes.push_back(network_.nodes()[arc.to]);
      }
    }
  }

  void set_cut(const detail::GroupCut& cut, ElementRoutes& found) const {
    for (const detail::Vertex vertex : cut.rest.vertices)
      found.cut.nodes.push_back(network_.nodes()[vertex]);
    for (const detail::Link link : cut.rest.links)
      found.cut.links.push_back(network_.links()[link]);
    std::ranges::sort(found.cut.links);
    for (const detail::Group group : cut.groups) found.cut.groups.push_back(groups_.name(group));
  }

  const Graph& graph_;
  const RedundancyPolicy& policy_;
  const Network& network_;
  const RouteMap map_;
  const detail::RiskGroups groups_;
  RouteFinder finder_;
  detail::GroupRouteFinder group_finder_;
  detail::CommonPaths common_paths_;
  std::vector<KnownCut> known_cuts_;
};

std::optional<Error> problem_of(const ElementSelection& selection, std::string_view field) {
  const auto wrong = [&](std::string_view member, std::string message) {
    return Error{Errc::invalid_input, std::move(message), fmt::format("{}.{}", field, member)};
  };
  if (selection.kind != Kind::institution && selection.kind != Kind::node)
    return wrong("kind", "must be \"institution\" or \"node\"");
  if (selection.ids.size() > kPolicyIdsMax)
    return wrong("ids", fmt::format("at most {}", kPolicyIdsMax));
  return std::nullopt;
}

}  // namespace

std::optional<Error> problem_of(const RedundancyPolicy& policy) {
  if (auto problem = problem_of(policy.who, "who")) return problem;
  if (auto problem = problem_of(policy.to, "to")) return problem;
  if (!policy.to.names_something())
    return Error{Errc::invalid_input, "needs a tag, a property or ids: routes to all are no demand",
                 "to"};
  if (policy.routes < 1 || policy.routes > kRoutesMax)
    return Error{Errc::invalid_input, fmt::format("must be a number from 1 to {}", kRoutesMax),
                 "routes"};
  const double kilometres = policy.common_km_max.value_or(0);
  if (!(kilometres >= 0 && kilometres <= kCommonKilometresMax))
    return Error{Errc::invalid_input,
                 fmt::format("must be a number from 0 to {}", kCommonKilometresMax),
                 "common_km_max"};
  return std::nullopt;
}

RedundancyState state_of(const ElementRoutes& found, std::size_t wanted) {
  if (found.at_least >= wanted) return RedundancyState::met;
  return found.at_most < wanted ? RedundancyState::below : RedundancyState::undecided;
}

RedundancySummary check_redundancy(const Graph& graph, const RedundancyPolicy& policy,
                                   const std::function<void(const ElementRoutes&)>& take) {
  RedundancySummary summary;
  const std::vector<RecordId> who = selected(graph, policy.who, summary.not_found);
  const Network network(graph);
  const std::vector<bool> targets =
      targets_of(graph, network, selected(graph, policy.to, summary.not_found));
  summary.targets = static_cast<std::size_t>(std::ranges::count(targets, true));
  const auto checker = std::make_unique<Checker>(graph, policy, network, targets);  // large
  for (const RecordId element : who) {
    const ElementRoutes found = checker->check(element);
    ++summary.checked;
    switch (state_of(found, policy.routes)) {
      case RedundancyState::met:
        ++summary.met;
        break;
      case RedundancyState::below:
        ++summary.below;
        break;
      case RedundancyState::undecided:
        ++summary.undecided;
        break;
    }
    take(found);
  }
  return summary;
}

bool may_change_routes(const Record& before, const Record& after) {
  const Record& either = before ? before : after;
  if (!either || either.kind() == Kind::topology) return false;
  if (!before || !after) return true;
  const Attributes& old = *before.attributes;
  const Attributes& now = *after.attributes;
  return old.id() != now.id() || old.coordinates() != now.coordinates() ||
         old.properties() != now.properties() ||
         !std::ranges::equal(before.relations->owners(), after.relations->owners()) ||
         !std::ranges::equal(before.relations->ends(), after.relations->ends());
}

}  // namespace netml::engine
