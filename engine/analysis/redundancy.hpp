// Whether elements of the map have as many independent routes as a policy demands: institutions or
// nodes to a set of nodes, with no link or no node in common, and no two routes in one shared-risk
// group (docs/redundancy.md).
//
// A route begins at a node of the element and ends at the first node of the set that it comes to.
// The element's own nodes are free: all routes may begin at the same one, and none comes back to
// them. Links that name the same group in their properties `srlg` fail together: each group may be
// used by one route only, which may use several of its links.
//
// Routes may have some kilometres in common where the policy allows it: links, whose lengths are
// those of the great circles between their ends, counted for each route beyond the first. A link
// with an end whose place is not known is never in common.
//
// Without groups the number of routes is a largest flow with unit capacities, and the cut a
// smallest one: both are exact (Menger); with a common path it is a flow of least cost. With groups
// the problem is NP-hard: where it is not resolved within bounded work, the answer is a lower and
// an upper bound, and says so. So it is with a common path where nodes or groups count, too.
//
// Failure: none; a policy is checked with problem_of() before. Time: next to n + m for the map,
// and for each element what lies between it and its targets; at most kCheckStepsMax looks at links
// in all. Memory: about 70 bytes for each node and 50 for each link. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine {

inline constexpr std::size_t kRoutesMax = 16;
inline constexpr std::size_t kPolicyIdsMax = 10'000;  // of each selection
inline constexpr std::uint64_t kCheckStepsMax = 2'000'000'000;
// For each element whose routes may have links in common.
inline constexpr std::uint64_t kCommonStepsMax = 10'000'000;
inline constexpr double kCommonKilometresMax = 100'000;
// For each element whose routes meet in groups.
inline constexpr std::uint64_t kGroupStepsMax = 200'000;

inline constexpr std::string_view kRiskGroupProperty = "srlg";

// Institutions or nodes that have all that is named. An institution stands for the nodes it owns.
struct ElementSelection {
  Kind kind = Kind::institution;
  std::string tag = {};  // empty: any
  struct NamedValue {
    std::string name;
    std::string value;
  };
  std::optional<NamedValue> property = {};
  std::vector<std::string> ids = {};  // one of these; none: any

  bool names_something() const { return !tag.empty() || property.has_value() || !ids.empty(); }
};

enum class Disjoint : std::uint8_t { links, nodes };

struct RedundancyPolicy {
  std::string name = {};
  ElementSelection who;
  ElementSelection to;
  std::size_t routes = 2;
  Disjoint disjoint = Disjoint::links;
  bool distinct_ends = false;      // no two routes end at the same node
  bool shared_risk_groups = true;  // groups count
  // How much of their way routes may have in common; none: nothing.
  std::optional<double> common_km_max = {};
};

// What is wrong with it, with the field as its JSON names it.
std::optional<Error> problem_of(const RedundancyPolicy& policy);

struct Route {
  std::vector<RecordId> nodes;  // from the element's to the target; one more than links
  std::vector<RecordId> links;
};

// What must fail to leave no route: as few as there are routes without a common path. Nodes and
// links ascend.
struct RouteCut {
  std::vector<RecordId> nodes;
  std::vector<RecordId> links;
  std::vector<std::string> groups;  // shared-risk groups

  std::size_t size() const { return nodes.size() + links.size() + groups.size(); }
};

// How an answer is known.
enum class RouteBasis : std::uint8_t {
  at_target,       // one of its nodes is in the set: no route is needed
  no_nodes,        // an institution that owns none
  flow,            // exact: as many routes, and a cut as small
  group_cut,       // exact: as many routes without common groups, and a cut by groups as small
  group_search,    // exact: all ways were tried, or as many routes as there are without groups
  group_bounds,    // bounds: the search for routes without common groups was stopped
  common_path,     // exact: with a common path, or what counts besides allows no more and no less
  common_bounds,   // bounds: with a common path, and nodes or groups that count, or no work left
  work_exhausted,  // bounds: the work of the whole check ran out
};

struct ElementRoutes {
  RecordId element = {};
  // Both counted up to the policy's routes. Different: the answer is a bound.
  std::size_t at_least = 0;
  std::size_t at_most = 0;
  RouteBasis basis = RouteBasis::flow;
  std::vector<Route> routes = {};  // at_least; none at the target
  RouteCut cut = {};               // where it is known, and at_most less than the policy's routes
  std::int64_t common_metres = 0;  // that the routes have in common
  // That they would have with one more, which is beyond what is allowed.
  std::optional<std::int64_t> next_common_metres = {};
  // Those that routes would have in common if groups did not count, by name.
  std::vector<std::string> common_groups = {};

  bool is_exact() const { return at_least == at_most; }
};

enum class RedundancyState : std::uint8_t { met, below, undecided };
RedundancyState state_of(const ElementRoutes& found, std::size_t wanted);

struct RedundancySummary {
  std::size_t checked = 0;
  std::size_t met = 0;
  std::size_t below = 0;
  std::size_t undecided = 0;
  std::size_t targets = 0;             // nodes
  std::vector<std::string> not_found;  // identifiers of the policy that no such record has
};

// Gives each element to `take`, ascending by RecordId.
RedundancySummary check_redundancy(const Graph& graph, const RedundancyPolicy& policy,
                                   const std::function<void(const ElementRoutes&)>& take);

// Whether a check may say something else of a map on which the record `before` has become `after`;
// either may be empty.
bool may_change_routes(const Record& before, const Record& after);

}  // namespace netml::engine
