// A policy followed from version to version against a check of each version from nothing.
#include "engine/analysis/redundancy_monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "engine/graph/graph_changes.hpp"
#include "tests/engine/redundancy_drawing.hpp"

namespace netml::engine {
namespace {

using test::Ids;
using test::policy;

std::vector<RouteStanding> checked(const Graph& graph, const RedundancyPolicy& asked) {
  std::vector<RouteStanding> found;
  check_redundancy(graph, asked, [&](const ElementRoutes& each) {
    found.push_back({each.element, each.at_least, each.at_most, state_of(each, asked.routes)});
  });
  return found;
}

// A small map, and one random change after another.
class RandomHistory {
 public:
  explicit RandomHistory(std::uint32_t seed, bool with_groups)
      : random_(seed), with_groups_(with_groups) {
    change([&](GraphChanges& changes) {
      topology_ = put(changes, {}, Kind::topology, {}, {});
      for (std::size_t i = 0; i < 4; ++i)
        institutions_.push_back(put(changes, {}, Kind::institution, {}, {}, i < 3 ? "campus" : ""));
    });
    for (std::size_t i = 0; i < 8; ++i) change([&](GraphChanges& changes) { add_node(changes); });
    for (std::size_t i = 0; i < 10; ++i) change([&](GraphChanges& changes) { lay(changes, {}); });
  }

  const Graph& graph() const { return graph_; }

  void step() {
    for (std::size_t i = 0; i <= random_() % 3; ++i)
      change([&](GraphChanges& changes) { change_something(changes); });
  }

 private:
  template <class Do>
  void change(Do&& apply) {
    GraphChanges changes(std::move(graph_));
    apply(changes);
    changes.set_next(next_, RecordNumber{next_.value});
    graph_ = std::move(changes).finish();
  }

  RecordId put(GraphChanges& changes, RecordId id, Kind kind, Ids owners, Ids ends,
               std::string_view tag = {}, std::string_view group = {}) {
    if (!id) id = RecordId{next_.value++};
    std::vector<Property> properties;
    if (!tag.empty()) properties.push_back({"tag", tag});
    if (!group.empty()) properties.push_back({kRiskGroupProperty, group});
    AttributeFields fields;
    fields.kind = kind;
    const std::string name = fmt::format("urn:x{}", id.value);
    fields.id = name;
    fields.properties = properties;
    Ids topologies;
    if (topology_) topologies.push_back(topology_);
    changes.put(id, {Attributes::make(fields),
                     Relations::make({.topologies = topologies, .owners = owners, .ends = ends})});
    return id;
  }

  RecordId any_of(const Ids& ids) { return ids[random_() % ids.size()]; }

  void add_node(GraphChanges& changes, RecordId again = {}) {
    const std::string_view tag = random_() % 4 == 0 ? "core" : "";
    const RecordId id = put(changes, again, Kind::node, {any_of(institutions_)}, {}, tag);
    if (std::ranges::find(nodes_, id) == nodes_.end()) nodes_.push_back(id);
  }

  // A new link, one that was there before, or one that is there with other ends.
  void lay(GraphChanges& changes, RecordId link) {
    const RecordId a = any_of(nodes_);
    const RecordId b = any_of(nodes_);
    if (a == b) return;
    const bool grouped = with_groups_ && random_() % 4 == 0;
    const RecordId id = put(changes, link, Kind::link, {}, {a, b}, {},
                            grouped ? (random_() % 2 == 0 ? "a" : "b") : "");
    if (!link) links_.push_back(id);
  }

  void remove_node(GraphChanges& changes) {
    if (nodes_.size() < 3) return;
    const RecordId node = any_of(nodes_);
    for (const RecordId link : graph_before_.referrers(node)) changes.put(link, {});
    changes.put(node, {});
    std::erase(nodes_, node);
    gone_nodes_.push_back(node);
  }

  void change_something(GraphChanges& changes) {
    graph_before_ = changes.graph();
    switch (random_() % 10) {
      case 0:
        return add_node(changes);
      case 1:
        return remove_node(changes);
      case 2:
        return add_node(changes, any_of(nodes_));  // with another owner or tag
      case 3:
        if (!gone_nodes_.empty()) add_node(changes, any_of(gone_nodes_));
        return;
      case 4:
        put(changes, any_of(institutions_), Kind::institution, {}, {},
            random_() % 3 == 0 ? "" : "campus");
        return;
      case 5:
      case 6:
        return changes.put(any_of(links_), {});
      case 7:
        return lay(changes, any_of(links_));
      default:
        return lay(changes, {});
    }
  }

  std::mt19937 random_;
  bool with_groups_;
  Graph graph_;
  Graph graph_before_;
  RecordId next_{1};
  RecordId topology_;
  Ids institutions_;
  Ids nodes_;
  Ids gone_nodes_;
  Ids links_;  // those that are gone, too
};

std::size_t histories() {
  const char* const given = std::getenv("NETML_REDUNDANCY_ROUNDS");
  return given == nullptr ? 200 : static_cast<std::size_t>(std::atoll(given)) / 10;
}

TEST(RedundancyMonitor, SaysOfEachVersionWhatACheckOfItSays) {
  std::size_t whole = 0;
  std::size_t versions = 0;
  for (std::size_t round = 0; round < histories(); ++round) {
    RedundancyPolicy asked =
        policy(1 + round % 4, round % 2 == 0 ? Disjoint::links : Disjoint::nodes);
    asked.distinct_ends = round % 3 == 0;
    if (round % 5 == 0) asked.who.kind = Kind::node;
    if (round % 5 == 0) asked.who.tag.clear();
    if (round % 20 == 1) asked.common_km_max = 1;
    RandomHistory history(static_cast<std::uint32_t>(round), round % 3 == 1);
    RedundancyMonitor monitor(asked);
    for (std::size_t step = 0; step < 40; ++step, ++versions) {
      whole += monitor.take(history.graph()) ? 1 : 0;
      ASSERT_EQ(monitor.standings(), checked(history.graph(), asked))
          << "history " << round << ", version " << step;
      history.step();
    }
  }
  EXPECT_LT(whole, versions * 9 / 10) << "some changes are of links alone";
}

// 0 - 1 - 2, whose last node is the target.
class AChain : public ::testing::Test {
 protected:
  AChain() { monitor_.take(drawn_.graph); }

  // A link more, or the one with this identity laid elsewhere.
  void lay(RecordId link, std::size_t a, std::size_t b) {
    GraphChanges changes(drawn_.graph);
    const std::array ends{drawn_.nodes[a], drawn_.nodes[b]};
    AttributeFields fields;
    fields.kind = Kind::link;
    fields.id = "urn:l";
    changes.put(link, {Attributes::make(fields), Relations::make({.ends = ends})});
    drawn_.graph = std::move(changes).finish();
  }
  void remove(RecordId record) {
    GraphChanges changes(drawn_.graph);
    changes.put(record, {});
    drawn_.graph = std::move(changes).finish();
  }
  std::size_t routes() const { return monitor_.standings().front().at_least; }

  test::Drawn drawn_ = test::draw(
      {.nodes = 4, .own = test::bit(0), .targets = test::bit(2), .lines = {{0, 1}, {1, 2}}});
  RedundancyMonitor monitor_{policy(2)};
};

TEST_F(AChain, GainsARouteByLinksThatComeOneAfterAnother) {
  EXPECT_EQ(routes(), 1U);
  lay(RecordId{100}, 3, 2);  // nobody's way
  EXPECT_FALSE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 1U);
  lay(RecordId{101}, 0, 3);
  EXPECT_FALSE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 2U);
}

TEST_F(AChain, LosesItsRouteWithALinkAndHasItAgainWhenThatComesBack) {
  remove(drawn_.links[0]);
  EXPECT_FALSE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 0U);
  lay(drawn_.links[0], 1, 0);
  EXPECT_FALSE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 1U);
  lay(drawn_.links[0], 3, 0);
  EXPECT_FALSE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 0U);
}

TEST_F(AChain, IsCheckedAllAnewWhenATargetGoes) {
  remove(drawn_.links[1]);
  remove(drawn_.nodes[2]);
  EXPECT_TRUE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 0U);
}

TEST_F(AChain, IsCheckedAllAnewWhenManyLinksCome) {
  GraphChanges changes(drawn_.graph);
  const std::array ends{drawn_.nodes[0], drawn_.nodes[2]};
  AttributeFields fields;
  fields.kind = Kind::link;
  fields.id = "urn:l";
  for (std::uint32_t link = 100; link < 2'100; ++link)
    changes.put(RecordId{link}, {Attributes::make(fields), Relations::make({.ends = ends})});
  drawn_.graph = std::move(changes).finish();
  EXPECT_TRUE(monitor_.take(drawn_.graph));
  EXPECT_EQ(routes(), 2U);
}

// So large a cut is remembered for all that are behind it, as long as it is one.
TEST(RedundancyMonitor, ForgetsALargeCutThatALinkPassesBy) {
  constexpr std::size_t kNodes = 3'000;
  test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  Ids nodes;
  for (std::size_t i = 0; i < kNodes; ++i)
    nodes.push_back(builder.node(fmt::format("urn:{}", i), {topology}, {}));
  for (std::size_t i = 0; i < kNodes; ++i)
    builder.link("urn:l", {topology}, {}, nodes[i], nodes[(i + 1) % kNodes]);
  const RecordId core = builder.node("urn:core", {topology}, {});
  builder.add_property(core, "tag", "core");
  builder.link("urn:l", {topology}, {}, nodes[0], core);
  Graph graph = builder.build();
  RedundancyPolicy asked = policy(2);
  asked.who = {.kind = Kind::node, .ids = {"urn:1000", "urn:2000"}};
  RedundancyMonitor monitor(asked);
  monitor.take(graph);
  EXPECT_EQ(monitor.standings(), checked(graph, asked));
  GraphChanges changes(std::move(graph));
  const std::array ends{nodes[1'500], core};
  AttributeFields fields;
  fields.kind = Kind::link;
  fields.id = "urn:l";
  changes.put(RecordId{10'000}, {Attributes::make(fields), Relations::make({.ends = ends})});
  graph = std::move(changes).finish();
  EXPECT_FALSE(monitor.take(graph));
  for (const RouteStanding& standing : monitor.standings()) EXPECT_EQ(standing.at_least, 2U);
}

}  // namespace
}  // namespace netml::engine
