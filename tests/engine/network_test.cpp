// The network of a version as Boost.Graph sees it, and how it hangs together, against what the
// words mean: take something away, and count again.
#include "engine/analysis/network.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <boost/concept/assert.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <random>

#include "engine/analysis/connections.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::engine {
namespace {

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Network>));
BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<Network>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Network>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyGraphConcept<Network, Network::Vertex, boost::vertex_index_t>));

using Ids = std::vector<RecordId>;

// Nodes, and pairs of them as links, in one topology.
struct Drawn {
  Graph graph;
  Ids nodes, links;
};
Drawn draw(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& links) {
  Drawn drawn;
  netml::engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  const RecordId owner = builder.institution("urn:i", {topology});
  for (std::size_t i = 0; i < nodes; ++i)
    drawn.nodes.push_back(builder.node("urn:n", {topology}, {owner}));
  for (const auto& [a, b] : links)
    drawn.links.push_back(
        builder.link("urn:l", {topology}, {owner}, drawn.nodes[a], drawn.nodes[b]));
  drawn.graph = builder.build();
  return drawn;
}
Drawn draw_any(std::mt19937& random) {
  const std::size_t nodes = 2 + random() % 7;
  std::vector<std::pair<std::size_t, std::size_t>> links(random() % 12);
  for (auto& [a, b] : links) {
    a = random() % nodes;
    b = random() % nodes;
  }
  return draw(nodes, links);
}

// By vertex, the lowest vertex that it hangs together with: spread until nothing changes.
std::vector<std::uint32_t> spread(const Network& network, const std::vector<bool>& gone = {}) {
  std::vector<std::uint32_t> lowest(network.nodes().size());
  for (std::uint32_t i = 0; i < lowest.size(); ++i) lowest[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < network.links().size(); ++i) {
      if (!gone.empty() && gone[i]) continue;
      const auto edge = network.edge(i);
      const std::uint32_t low = std::min(lowest[edge.from], lowest[edge.to]);
      changed |= lowest[edge.from] != low || lowest[edge.to] != low;
      lowest[edge.from] = lowest[edge.to] = low;
    }
  }
  return lowest;
}
std::size_t parts(const Network& network) {
  const auto lowest = spread(network);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < lowest.size(); ++i) count += lowest[i] == i ? 1U : 0U;
  return count;
}

TEST(Network, ShowsTheLinksAtANodeFromItsSide) {
  const Drawn drawn = draw(3, {{0, 1}, {1, 0}, {1, 2}, {2, 2}});
  const Network network(drawn.graph);
  EXPECT_EQ(num_vertices(network), 3U);
  EXPECT_EQ(network.links(), (Ids{drawn.links[0], drawn.links[1], drawn.links[2]}))
      << "one that ends where it begins is none";
  EXPECT_EQ(num_edges(network), 3U);
  std::vector<std::uint32_t> next;
  for (auto [edge, end] = out_edges(1, network); edge != end; ++edge) {
    EXPECT_EQ(source(*edge, network), 1U);
    next.push_back(target(*edge, network));
  }
  EXPECT_EQ(next, (std::vector<std::uint32_t>{0, 0, 2}));
  EXPECT_EQ(out_degree(2, network), 1U);
}

TEST(Network, WithoutRecordsHasNeitherThemNorTheirLinks) {
  const Drawn drawn = draw(4, {{0, 1}, {1, 2}, {2, 3}});
  const Network network(drawn.graph);
  const Network rest = network.without(Ids{drawn.nodes[1], RecordId{4'000'000'000}});
  EXPECT_EQ(rest.nodes(), (Ids{drawn.nodes[0], drawn.nodes[2], drawn.nodes[3]}));
  EXPECT_EQ(rest.links(), (Ids{drawn.links[2]}));
  EXPECT_EQ(out_degree(rest.vertex(drawn.nodes[2]), rest), 1U);
  EXPECT_EQ(network.without(Ids{drawn.links[0]}).links(), (Ids{drawn.links[1], drawn.links[2]}));
}

// More links than a leaf of the set of edges holds, so that their runs break in between.
TEST(Network, ShowsAllLinksOfAHub) {
  constexpr std::uint32_t kLeaves = 2'000;
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t i = 1; i <= kLeaves; ++i)
    links.emplace_back(i % 2 == 0 ? 0 : i, i % 2 == 0 ? i : 0);
  const Drawn drawn = draw(kLeaves + 1, links);
  const Network network(drawn.graph);
  EXPECT_EQ(out_degree(0, network), kLeaves);
  std::uint32_t expected = 0;
  for (auto [edge, end] = out_edges(0, network); edge != end; ++edge)
    EXPECT_EQ((*edge).to, ++expected);
  EXPECT_EQ(out_degree(kLeaves, network), 1U);
  EXPECT_EQ(single_path(network).links.size(), kLeaves);
  EXPECT_EQ(single_path(network).nodes, Ids{drawn.nodes[0]});
}

TEST(Network, LetsAlgorithmsOfBoostRun) {
  const Drawn drawn = draw(5, {{0, 1}, {1, 2}, {3, 4}});
  const Network network(drawn.graph);
  std::vector<std::uint32_t> part(5);
  EXPECT_EQ(boost::connected_components(network, part.data()), 2);
  EXPECT_EQ(part, components(network).of);
  std::vector<std::uint32_t> distance(5);
  boost::breadth_first_search(network, 0,
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                  distance.data(), boost::on_tree_edge()))));
  EXPECT_EQ(distance, (std::vector<std::uint32_t>{0, 1, 2, 0, 0}));
}

TEST(Connections, AChainIsWalkedWithoutRecursion) {
  constexpr std::size_t kNodes = 200'000;
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t i = 1; i < kNodes; ++i) links.emplace_back(i - 1, i);
  const Drawn drawn = draw(kNodes, links);
  const Network network(drawn.graph);
  EXPECT_EQ(components(network).count, 1U);
  const SinglePath path = single_path(network);
  EXPECT_EQ(path.links, drawn.links);
  EXPECT_EQ(path.nodes.size(), kNodes - 2) << "all but both ends";
  EXPECT_EQ(disjoint_paths(network, 0, kNodes - 1, 2), 1U);
}

TEST(ConnectionsProperty, AreWhatIsFoundByTakingThingsAway) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Drawn drawn = draw_any(random);
    const Network network(drawn.graph);
    const Components found = components(network);
    EXPECT_EQ(found.count, parts(network));
    const SinglePath path = single_path(network);
    for (const RecordId link : network.links())
      EXPECT_EQ(std::ranges::binary_search(path.links, link),
                parts(network.without(Ids{link})) > found.count);
    for (const RecordId node : network.nodes())
      EXPECT_EQ(std::ranges::binary_search(path.nodes, node),
                parts(network.without(Ids{node})) > found.count);
    const auto lowest = spread(network);
    for (std::uint32_t a = 0; a < lowest.size(); ++a) {
      const std::vector<bool> near = reachable(network, a);
      for (std::uint32_t b = 0; b < lowest.size(); ++b) {
        EXPECT_EQ(near[b], lowest[a] == lowest[b]);
        EXPECT_EQ(found.of[a] == found.of[b], lowest[a] == lowest[b]);
      }
    }
  }
}

// The shortest path, 0 - 2 - 3 - 1, uses a link that neither of two disjoint ones does.
TEST(Connections, APathGivesWayToTwo) {
  const Drawn drawn =
      draw(8, {{0, 2}, {2, 3}, {3, 1}, {2, 4}, {4, 5}, {5, 1}, {0, 6}, {6, 7}, {7, 3}});
  const Network network(drawn.graph);
  EXPECT_EQ(disjoint_paths(network, 0, 1, 9), 2U);
  EXPECT_EQ(disjoint_paths(network, 1, 0, 9), 2U);
}

// As many paths as links must fail, at least, to part the two (Menger).
TEST(ConnectionsProperty, ThereAreAsManyDisjointPathsAsLinksMustFail) {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const Drawn drawn = draw_any(random);
    const Network network(drawn.graph);
    const std::size_t count = network.links().size();
    std::size_t fewest = count;  // all of them do, always
    for (std::uint32_t set = 0; set < 1U << count; ++set) {
      std::vector<bool> gone(count);
      for (std::size_t i = 0; i < count; ++i) gone[i] = (set >> i & 1) != 0;
      const auto lowest = spread(network, gone);
      if (lowest[0] != lowest[1])
        fewest = std::min(fewest, static_cast<std::size_t>(std::popcount(set)));
    }
    EXPECT_EQ(disjoint_paths(network, 0, 1, 100), fewest);
    EXPECT_EQ(disjoint_paths(network, 1, 0, 100), fewest);
    EXPECT_EQ(disjoint_paths(network, 0, 1, 1), std::min<std::size_t>(fewest, 1));
  }
}

}  // namespace
}  // namespace netml::engine
