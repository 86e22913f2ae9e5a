#include "engine/analysis/what_if.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/graph_builder.hpp"

namespace netml::engine {
namespace {

using Ids = std::vector<RecordId>;

// A ring of three with a tail of two: 1 - 2 - 3 - 1, 3 - 4 - 5.
class WhatIf : public testing::Test {
 protected:
  WhatIf() {
    root_ = builder_.topology("urn:root");
    sub_ = builder_.topology("urn:sub", root_);
    for (int i = 0; i < 5; ++i) {
      owners_.push_back(builder_.institution("urn:institution", {root_}));
      nodes_.push_back(builder_.node("urn:node", {i < 3 ? sub_ : root_}, {owners_.back()}));
    }
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}})
      links_.push_back(connect(a, b, a < 3 && b < 3 ? sub_ : root_));
  }
  RecordId connect(int a, int b, RecordId topology) {
    const auto end = [&](int i) { return nodes_[static_cast<std::size_t>(i)]; };
    return builder_.link("urn:link", {topology}, {owners_[0]}, end(a), end(b));
  }

  netml::engine::test::GraphBuilder builder_;
  RecordId root_, sub_;
  Ids owners_, nodes_, links_;
};

TEST_F(WhatIf, TellsWhereThereIsASinglePathAlready) {
  const OutageEffects effects = simulate(builder_.build(), {});
  EXPECT_EQ(effects.components_before, 1U);
  EXPECT_EQ(effects.components_after, 1U);
  EXPECT_EQ(effects.single_path.links, (Ids{links_[3], links_[4]}));
  EXPECT_EQ(effects.single_path.nodes, (Ids{nodes_[2], nodes_[3]}));
  EXPECT_TRUE(effects.newly_single_path.links.empty() && effects.newly_single_path.nodes.empty());
  EXPECT_TRUE(effects.nodes_cut_off.empty() && effects.institutions_cut_off.empty());
}

TEST_F(WhatIf, ALinkThatFailsCutsOffTheTail) {
  const OutageEffects effects = simulate(builder_.build(), {.nodes = {}, .links = {links_[3]}});
  EXPECT_EQ(effects.components_after, 2U);
  EXPECT_EQ(effects.nodes_cut_off, (Ids{nodes_[3], nodes_[4]}));
  EXPECT_EQ(effects.institutions_cut_off, (Ids{owners_[3], owners_[4]}));
}

TEST_F(WhatIf, ANodeThatFailsIsNotCutOffButItsOwnerIs) {
  const OutageEffects effects = simulate(builder_.build(), {.nodes = {nodes_[4]}, .links = {}});
  EXPECT_EQ(effects.components_after, 1U);
  EXPECT_TRUE(effects.nodes_cut_off.empty());
  EXPECT_EQ(effects.institutions_cut_off, (Ids{owners_[4]}));
}

TEST_F(WhatIf, ABrokenRingLeavesSinglePathsThatWereNone) {
  const OutageEffects effects = simulate(builder_.build(), {.nodes = {}, .links = {links_[0]}});
  EXPECT_EQ(effects.newly_single_path.links, (Ids{links_[1], links_[2]}));
  EXPECT_TRUE(effects.newly_single_path.nodes.empty()) << "it was an articulation point before";
}

TEST_F(WhatIf, ParallelLinksAreNoSinglePath) {
  connect(3, 4, root_);
  const OutageEffects effects = simulate(builder_.build(), {});
  EXPECT_EQ(effects.single_path.links, (Ids{links_[3]}));
  EXPECT_EQ(effects.single_path.nodes, (Ids{nodes_[2], nodes_[3]}));
}

TEST_F(WhatIf, LooksAtATopologyWithAllBelowItOnly) {
  const Graph graph = builder_.build();
  EXPECT_TRUE(
      simulate(graph, {.nodes = {}, .links = {}, .topology = sub_}).single_path.links.empty());
  EXPECT_EQ(simulate(graph, {.nodes = {}, .links = {}, .topology = root_}).single_path.links,
            (Ids{links_[3], links_[4]}));
}

TEST_F(WhatIf, EachComponentIsJudgedAgainstItsOwnLargestRest) {
  // Beside the network of five a smaller one: 6 - 7 - 8.
  for (int i = 0; i < 3; ++i) {
    owners_.push_back(builder_.institution("urn:institution", {root_}));
    nodes_.push_back(builder_.node("urn:node", {root_}, {owners_.back()}));
  }
  connect(5, 6, root_);
  const RecordId last = connect(6, 7, root_);
  const Graph graph = builder_.build();
  const OutageEffects one = simulate(graph, {.nodes = {}, .links = {last}});
  EXPECT_EQ(one.nodes_cut_off, (Ids{nodes_[7]}));
  EXPECT_EQ(one.institutions_cut_off, (Ids{owners_[7]}));
  const OutageEffects both = simulate(graph, {.nodes = {}, .links = {links_[3], last}});
  EXPECT_EQ(both.nodes_cut_off, (Ids{nodes_[3], nodes_[4], nodes_[7]}));
}

TEST_F(WhatIf, OfEqualRestsTheOneWithTheLowestRecordStays) {
  const RecordId last = builder_.node("urn:node", {root_}, {owners_[4]});
  nodes_.push_back(last);
  connect(4, 5, root_);
  // 1 - 2 | 4 - 5 - 6 without 3; and without 6 both rests are pairs.
  const OutageEffects effects =
      simulate(builder_.build(), {.nodes = {nodes_[2], last}, .links = {}});
  EXPECT_EQ(effects.nodes_cut_off, (Ids{nodes_[3], nodes_[4]}));
}

TEST_F(WhatIf, AnInstitutionWithANodeInAnotherNetworkIsNotCutOff) {
  builder_.node("urn:elsewhere", {root_}, {owners_[4]});
  const OutageEffects effects = simulate(builder_.build(), {.nodes = {}, .links = {links_[4]}});
  EXPECT_EQ(effects.nodes_cut_off, (Ids{nodes_[4]}));
  EXPECT_TRUE(effects.institutions_cut_off.empty());
}

TEST_F(WhatIf, AnEmptyNetworkAndUnknownRecordsAreNoTrouble) {
  const OutageEffects none = simulate(Graph{}, {.nodes = {RecordId{7}}, .links = {}});
  EXPECT_EQ(none.components_before + none.components_after, 0U);
  Ids all = nodes_;
  all.push_back(RecordId{4'000'000'000});
  const OutageEffects effects = simulate(builder_.build(), {.nodes = all, .links = {}});
  EXPECT_EQ(effects.components_after, 0U);
  EXPECT_EQ(effects.institutions_cut_off, owners_);
}

// By what the words mean: whatever is taken away alone and leaves more parts than there were.
TEST(WhatIfProperty, BridgesAndArticulationPointsAreWhatTheWordsSay) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    netml::engine::test::GraphBuilder builder;
    const RecordId topology = builder.topology("urn:t");
    const RecordId owner = builder.institution("urn:i", {topology});
    Ids nodes, links;
    const std::size_t count = 1 + random() % 9;
    for (std::size_t i = 0; i < count; ++i)
      nodes.push_back(builder.node("urn:n", {topology}, {owner}));
    for (std::size_t i = random() % 14; i > 0 && count > 1; --i)
      links.push_back(builder.link("urn:l", {topology}, {owner}, nodes[random() % count],
                                   nodes[random() % count]));
    const Graph graph = builder.build();
    const OutageEffects now = simulate(graph, {});
    for (const RecordId link : links) {
      const OutageEffects without = simulate(graph, {.nodes = {}, .links = {link}});
      EXPECT_EQ(std::ranges::binary_search(now.single_path.links, link),
                without.components_after > now.components_before);
    }
    for (const RecordId node : nodes) {
      const OutageEffects without = simulate(graph, {.nodes = {node}, .links = {}});
      EXPECT_EQ(std::ranges::binary_search(now.single_path.nodes, node),
                without.components_after > now.components_before);
    }
  }
}

}  // namespace
}  // namespace netml::engine
