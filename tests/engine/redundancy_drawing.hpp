// Small maps that are drawn for tests of redundancy, and what a policy makes of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "engine/analysis/redundancy.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::engine::test {

using Ids = std::vector<RecordId>;
using Set = std::uint32_t;  // a bit for each node, link or group

constexpr Set bit(std::size_t i) {
  return Set{1} << i;
}

// Each node lies on the equator, a hundredth of a degree from the next; the last has no place.
constexpr double kMetresApart = 6'371'000 * std::numbers::pi / 180 / 100;

// A small map: nodes by number, those of the institution "who", those that are targets, and links.
struct Drawing {
  struct Line {
    std::size_t a = 0;
    std::size_t b = 0;
    Set groups = 0;
  };
  std::size_t nodes = 0;
  Set own = 0;
  Set targets = 0;
  std::vector<Line> lines = {};
};

struct Drawn {
  Graph graph;
  RecordId who;
  Ids nodes, links;
};
inline Drawn draw(const Drawing& drawing) {
  Drawn drawn;
  GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  drawn.who = builder.institution("urn:who", {topology});
  const RecordId other = builder.institution("urn:other", {topology});
  builder.add_property(drawn.who, "tag", "campus");
  for (std::size_t i = 0; i < drawing.nodes; ++i) {
    const RecordId owner = (drawing.own & bit(i)) != 0 ? drawn.who : other;
    drawn.nodes.push_back(builder.node(fmt::format("urn:n{}", i), {topology}, {owner}));
    if (i + 1 < drawing.nodes)
      builder.set_place(drawn.nodes[i],
                        {.latitude = {0}, .longitude = {static_cast<std::int64_t>(10'000 * i)}});
    if ((drawing.targets & bit(i)) != 0) builder.add_property(drawn.nodes[i], "tag", "core");
  }
  for (const auto& [a, b, groups] : drawing.lines) {
    drawn.links.push_back(
        builder.link("urn:l", {topology}, {other}, drawn.nodes[a], drawn.nodes[b]));
    for (std::size_t group = 0; group < 32; ++group)
      if ((groups & bit(group)) != 0)
        builder.add_property(drawn.links.back(), "srlg", fmt::format("g{}", group));
  }
  drawn.graph = builder.build();
  return drawn;
}

inline RedundancyPolicy policy(std::size_t routes, Disjoint disjoint = Disjoint::links) {
  return {.who = {.kind = Kind::institution, .tag = "campus"},
          .to = {.kind = Kind::node, .tag = "core"},
          .routes = routes,
          .disjoint = disjoint};
}

inline ElementRoutes check(const Graph& graph, const RedundancyPolicy& asked) {
  std::vector<ElementRoutes> found;
  check_redundancy(graph, asked, [&](const ElementRoutes& each) { found.push_back(each); });
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? ElementRoutes() : found.front();
}
inline std::size_t exactly(const ElementRoutes& found) {
  EXPECT_TRUE(found.is_exact());
  return found.at_least;
}
inline std::size_t routes_of(const Drawing& drawing, const RedundancyPolicy& asked) {
  return exactly(check(draw(drawing).graph, asked));
}

}  // namespace netml::engine::test
