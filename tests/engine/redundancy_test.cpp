#include "engine/analysis/redundancy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/engine/redundancy_drawing.hpp"

namespace netml::engine {
namespace {

using test::bit;
using test::check;
using test::draw;
using test::Drawing;
using test::Drawn;
using test::exactly;
using test::Ids;
using test::kMetresApart;
using test::policy;
using test::routes_of;
using test::Set;

TEST(Redundancy, ARouteGivesWayToTwo) {
  // The shortest one, 0 - 2 - 3 - 1, uses a link that neither of two disjoint ones does.
  Drawing drawing{.nodes = 8, .own = bit(0), .targets = bit(1)};
  drawing.lines = {{0, 2}, {2, 3}, {3, 1}, {2, 4}, {4, 5}, {5, 1}, {0, 6}, {6, 7}, {7, 3}};
  EXPECT_EQ(routes_of(drawing, policy(3)), 2U);
  EXPECT_EQ(routes_of(drawing, policy(3, Disjoint::nodes)), 2U);
}

TEST(Redundancy, AnElementInTheSetNeedsNoRoute) {
  const ElementRoutes found =
      check(draw({.nodes = 2, .own = bit(0) | bit(1), .targets = bit(1), .lines = {{0, 1}}}).graph,
            policy(3));
  EXPECT_EQ(found.basis, RouteBasis::at_target);
  EXPECT_EQ(state_of(found, 3), RedundancyState::met);
  EXPECT_TRUE(found.routes.empty());
}

TEST(Redundancy, WhoIsAloneHasNoRouteAndNothingThatCutsIt) {
  const ElementRoutes alone = check(
      draw({.nodes = 3, .own = bit(0), .targets = bit(1), .lines = {{1, 2}}}).graph, policy(2));
  EXPECT_EQ(exactly(alone), 0U);
  EXPECT_EQ(alone.cut.size(), 0U);
  const ElementRoutes empty =
      check(draw({.nodes = 1, .own = 0, .targets = bit(0)}).graph, policy(2));
  EXPECT_EQ(empty.basis, RouteBasis::no_nodes);
  EXPECT_EQ(exactly(empty), 0U);
}

TEST(Redundancy, WithoutAnyTargetNobodyHasARoute) {
  const Drawn drawn = draw({.nodes = 2, .own = bit(0), .lines = {{0, 1}}});
  EXPECT_EQ(exactly(check(drawn.graph, policy(2))), 0U);
  EXPECT_EQ(check_redundancy(drawn.graph, policy(2), [](const ElementRoutes&) {}).targets, 0U);
}

TEST(Redundancy, ParallelLinksAreTwoRoutesUnlessNodesCount) {
  Drawing drawing{.nodes = 3, .own = bit(0), .targets = bit(2)};
  drawing.lines = {{0, 1}, {1, 0}, {1, 2}, {1, 2}};
  EXPECT_EQ(routes_of(drawing, policy(2)), 2U);
  const Drawn drawn = draw(drawing);
  const ElementRoutes found = check(drawn.graph, policy(2, Disjoint::nodes));
  EXPECT_EQ(exactly(found), 1U);
  EXPECT_EQ(found.cut.nodes, Ids{drawn.nodes[1]});
}

TEST(Redundancy, RoutesBeginAtAnyNodeOfAnInstitutionAndOwnLinksAreNone) {
  Drawing drawing{.nodes = 3, .own = bit(0) | bit(1), .targets = bit(2)};
  drawing.lines = {{0, 1}, {0, 0}, {1, 0}, {0, 2}, {1, 2}};
  EXPECT_EQ(routes_of(drawing, policy(3)), 2U);
  EXPECT_EQ(routes_of(drawing, policy(3, Disjoint::nodes)), 2U);
}

TEST(Redundancy, DistinctEndsAllowOneRouteToEachTarget) {
  Drawing drawing{.nodes = 3, .own = bit(0), .targets = bit(1) | bit(2)};
  drawing.lines = {{0, 1}, {0, 1}, {1, 2}};
  RedundancyPolicy asked = policy(2);
  EXPECT_EQ(routes_of(drawing, asked), 2U);
  asked.distinct_ends = true;
  const Drawn drawn = draw(drawing);
  const ElementRoutes found = check(drawn.graph, asked);
  EXPECT_EQ(exactly(found), 1U) << "a route ends at the first target that it comes to";
  EXPECT_EQ(found.cut.nodes, Ids{drawn.nodes[1]});
}

TEST(Redundancy, LinksOfOneGroupAreOneRoute) {
  Drawing drawing{.nodes = 2, .own = bit(0), .targets = bit(1)};
  drawing.lines = {{0, 1, bit(7)}, {0, 1, bit(7)}};
  const ElementRoutes found = check(draw(drawing).graph, policy(2));
  EXPECT_EQ(exactly(found), 1U);
  EXPECT_EQ(found.basis, RouteBasis::group_cut);
  EXPECT_EQ(found.cut.groups, std::vector<std::string>{"g7"});
  EXPECT_EQ(found.common_groups, std::vector<std::string>{"g7"});
  drawing.lines.push_back({0, 1, 0});
  EXPECT_EQ(routes_of(drawing, policy(2)), 2U);
}

TEST(Redundancy, OneRouteMayUseAGroupTwice) {
  Drawing drawing{.nodes = 3, .own = bit(0), .targets = bit(2)};
  drawing.lines = {{0, 1, bit(0)}, {1, 2, bit(0)}, {0, 2, 0}};
  EXPECT_EQ(routes_of(drawing, policy(2)), 2U);
}

// No single group and no pair cuts three routes, and yet only one fits: each two of them share one.
TEST(Redundancy, WhereNoCutProvesItAllWaysAreTried) {
  Drawing drawing{.nodes = 2, .own = bit(0), .targets = bit(1)};
  drawing.lines = {{0, 1, bit(0) | bit(1)}, {0, 1, bit(1) | bit(2)}, {0, 1, bit(2) | bit(0)}};
  const ElementRoutes found = check(draw(drawing).graph, policy(2));
  EXPECT_EQ(exactly(found), 1U);
  EXPECT_EQ(found.basis, RouteBasis::group_search);
}

// A full mesh between three links at the element and three at the target, of which those at one end
// are in groups by pairs, so that no two of them fit.
Drawing mesh_between(bool groups_at_the_element) {
  const std::array<Set, 3> pairs{bit(0) | bit(1), bit(1) | bit(2), bit(2) | bit(0)};
  Drawing drawing{.nodes = 30, .own = bit(0), .targets = bit(29)};
  for (std::size_t i = 1; i < 29; ++i)
    for (std::size_t next = i + 1; next < 29; ++next) drawing.lines.push_back({i, next, 0});
  for (std::size_t i = 0; i < 3; ++i) {
    drawing.lines.push_back({0, 1 + i, groups_at_the_element ? pairs[i] : 0});
    drawing.lines.push_back({28 - i, 29, groups_at_the_element ? 0 : pairs[i]});
  }
  return drawing;
}

TEST(Redundancy, AGroupThatLeavesNoRoomForOthersEndsTheSearch) {
  const ElementRoutes found = check(draw(mesh_between(true)).graph, policy(2));
  EXPECT_EQ(exactly(found), 1U);
  EXPECT_EQ(found.basis, RouteBasis::group_search);
}

TEST(Redundancy, ASearchThatIsStoppedGivesBounds) {
  const ElementRoutes found = check(draw(mesh_between(false)).graph, policy(2));
  EXPECT_EQ(found.basis, RouteBasis::group_bounds);
  EXPECT_EQ(found.at_least, 1U);
  EXPECT_EQ(found.at_most, 2U);
  EXPECT_EQ(state_of(found, 2), RedundancyState::undecided);
}

TEST(Redundancy, NodesAndGroupsMakeACommonPathABound) {
  Drawing drawing{.nodes = 4, .own = bit(0), .targets = bit(2)};
  drawing.lines = {{0, 1, bit(0)}, {1, 2, 0}, {1, 2, 0}};
  RedundancyPolicy asked = policy(2, Disjoint::nodes);
  asked.common_km_max = 5;
  ElementRoutes found = check(draw(drawing).graph, asked);
  EXPECT_EQ(found.basis, RouteBasis::common_bounds);
  EXPECT_EQ(state_of(found, 2), RedundancyState::undecided);
  asked.disjoint = Disjoint::links;
  found = check(draw(drawing).graph, asked);
  EXPECT_EQ(exactly(found), 2U) << "a group of one link is none";
  drawing.lines[1].groups = bit(0);
  EXPECT_FALSE(check(draw(drawing).graph, asked).is_exact());
  asked.common_km_max = 0.5;
  found = check(draw(drawing).graph, asked);
  EXPECT_EQ(exactly(found), 1U);
  EXPECT_EQ(found.next_common_metres, std::llround(kMetresApart));
}

TEST(Redundancy, GroupsAreNamedOnceEachOrWithSemicolons) {
  test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  const RecordId who = builder.institution("urn:who", {topology});
  const RecordId a = builder.node("urn:a", {topology}, {who});
  const RecordId b = builder.node("urn:b", {topology}, {});
  builder.add_property(b, "tag", "core");
  const RecordId one = builder.link("urn:1", {topology}, {}, a, b);
  const RecordId two = builder.link("urn:2", {topology}, {}, a, b);
  builder.add_property(one, "srlg", "duct 1");
  builder.add_property(one, "srlg", " bridge ; duct 2");
  builder.add_property(two, "srlg", ";;duct 2;");
  RedundancyPolicy asked = policy(2);
  asked.who = {.kind = Kind::institution, .ids = {"urn:who"}};
  EXPECT_EQ(check(builder.build(), asked).cut.groups, std::vector<std::string>{"duct 2"});
}

TEST(Redundancy, NodesAreCheckedByTheirPropertiesAndNamesThatNobodyHasAreSaid) {
  const Drawn drawn = draw(
      {.nodes = 4, .own = bit(0), .targets = bit(3), .lines = {{0, 1}, {0, 2}, {1, 3}, {2, 3}}});
  RedundancyPolicy asked = policy(2);
  asked.who = {.kind = Kind::node, .ids = {"urn:n1", "urn:n0", "urn:nobody", "urn:n3"}};
  Ids seen;
  std::vector<std::size_t> counts;
  const RedundancySummary summary = check_redundancy(drawn.graph, asked, [&](const auto& found) {
    seen.push_back(found.element);
    counts.push_back(exactly(found));
  });
  EXPECT_EQ(seen, (Ids{drawn.nodes[0], drawn.nodes[1], drawn.nodes[3]}));
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 2, 2}));
  EXPECT_EQ(summary.checked, 3U);
  EXPECT_EQ(summary.met, 3U);
  EXPECT_EQ(summary.not_found, std::vector<std::string>{"urn:nobody"});
  asked.who = {.kind = Kind::node,
               .property = ElementSelection::NamedValue{.name = "tag", .value = "core"}};
  EXPECT_EQ(check(drawn.graph, asked).basis, RouteBasis::at_target);
}

// Many behind one cut that is far away: it is looked for once, and holds for all of them.
TEST(Redundancy, ALargeCutHoldsForAllBehindIt) {
  constexpr std::size_t kSide = 60;
  test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  const RecordId owner = builder.institution("urn:i", {topology});
  Ids nodes;
  for (std::size_t i = 0; i < kSide * kSide; ++i)
    nodes.push_back(builder.node("urn:n", {topology}, {owner}));
  const auto connect = [&](RecordId a, RecordId b) {
    return builder.link("urn:l", {topology}, {owner}, a, b);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i % kSide != 0) connect(nodes[i - 1], nodes[i]);
    if (i >= kSide) connect(nodes[i - kSide], nodes[i]);
  }
  const RecordId core = builder.node("urn:core", {topology}, {owner});
  builder.add_property(core, "tag", "core");
  const Ids cut{connect(nodes.front(), core), connect(nodes.back(), core)};
  RedundancyPolicy asked = policy(3);
  asked.who = {.kind = Kind::node};
  const RedundancySummary summary =
      check_redundancy(builder.build(), asked, [&](const ElementRoutes& found) {
        if (found.element == core) return;
        EXPECT_EQ(exactly(found), 2U);
        EXPECT_EQ(found.routes.size(), 2U);
        const bool corner = found.cut.links != cut;
        EXPECT_TRUE(!corner || found.element == nodes.front() || found.element == nodes.back());
      });
  EXPECT_EQ(summary.below, nodes.size());
  EXPECT_EQ(summary.met, 1U);
}

TEST(Redundancy, SaysWhatIsWrongWithAPolicy) {
  EXPECT_FALSE(problem_of(policy(16)));
  EXPECT_EQ(problem_of(policy(0))->field, "routes");
  EXPECT_EQ(problem_of(policy(17))->field, "routes");
  RedundancyPolicy asked = policy(2);
  asked.to.tag.clear();
  EXPECT_EQ(problem_of(asked)->field, "to");
  asked = policy(2);
  asked.who.kind = Kind::link;
  EXPECT_EQ(problem_of(asked)->field, "who.kind");
  asked = policy(2);
  asked.to.ids.resize(kPolicyIdsMax + 1);
  EXPECT_EQ(problem_of(asked)->field, "to.ids");
  asked = policy(2);
  asked.common_km_max = std::nan("");
  EXPECT_EQ(problem_of(asked)->field, "common_km_max");
}

// What one of them changes of a link, and of a node.
struct Says {
  Kind kind = Kind::link;
  std::string_view id = "x";
  std::string_view name = {};
  std::optional<Coordinates> place = {};
  std::span<const Property> properties = {};
  std::span<const RecordId> owners = {};
  std::span<const RecordId> ends = {};
};

Record record(const Says& says) {
  AttributeFields fields;
  fields.kind = says.kind;
  fields.id = says.id;
  fields.name = says.name;
  fields.coordinates = says.place;
  fields.properties = says.properties;
  return {Attributes::make(fields), Relations::make({.owners = says.owners, .ends = says.ends})};
}

TEST(Redundancy, MayChangeWithWhatRoutesAreMadeOf) {
  const std::array owners{RecordId{7}};
  const std::array ends{RecordId{1}, RecordId{2}};
  const std::array other_ends{RecordId{1}, RecordId{3}};
  const std::array group{Property{kRiskGroupProperty, "duct"}};
  const Record link = record({.ends = ends});
  EXPECT_TRUE(may_change_routes({}, link));
  EXPECT_TRUE(may_change_routes(link, {}));
  EXPECT_TRUE(may_change_routes(link, record({.ends = other_ends})));
  EXPECT_TRUE(may_change_routes(link, record({.id = "y", .ends = ends})));
  EXPECT_TRUE(may_change_routes(link, record({.properties = group, .ends = ends})));
  EXPECT_FALSE(may_change_routes(link, record({.name = "Sea cable", .ends = ends})));
  const Record node = record({.kind = Kind::node});
  EXPECT_TRUE(may_change_routes(node, record({.kind = Kind::node, .owners = owners})));
  EXPECT_TRUE(may_change_routes(node, record({.kind = Kind::node, .place = Coordinates{}})));
  EXPECT_FALSE(may_change_routes(record({.kind = Kind::topology}), {}));
}

}  // namespace
}  // namespace netml::engine
