// Runs Boost.Graph's own algorithms on a version of the graph, so that the concepts stay modelled.
#include "engine/analysis/boost_graph.hpp"

#include <gtest/gtest.h>

#include <boost/concept/assert.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <vector>

#include "tests/support/graph_builder.hpp"

namespace netml::engine {
namespace {

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<Graph>));

struct Reached : boost::default_bfs_visitor {
  std::vector<RecordId>* found;
  template <class AnyGraph>
  void discover_vertex(RecordId vertex, const AnyGraph&) const {
    found->push_back(vertex);
  }
};

template <class AnyGraph>
std::vector<RecordId> reachable(const AnyGraph& graph, RecordId from, std::size_t indices) {
  std::vector<RecordId> found;
  std::vector<boost::default_color_type> colors(indices);
  Reached visitor;
  visitor.found = &found;
  boost::breadth_first_search(graph, from,
                              boost::visitor(visitor).color_map(boost::make_iterator_property_map(
                                  colors.begin(), VertexIndexMap{})));
  std::ranges::sort(found);
  return found;
}

TEST(BoostGraph, BreadthFirstSearchFollowsAssociations) {
  test::GraphBuilder builder;
  const RecordId root = builder.topology("root");
  const RecordId child = builder.topology("child", root);
  const RecordId owner = builder.institution("owner", {child});
  const RecordId a = builder.node("a", {child}, {owner});
  const RecordId b = builder.node("b", {root}, {});
  const RecordId link = builder.link("ab", {child}, {owner}, a, b);
  const Graph graph = builder.build();

  EXPECT_EQ(num_vertices(graph), 6U);
  EXPECT_EQ(reachable(graph, link, num_vertex_indices(graph)),
            (std::vector<RecordId>{root, child, owner, a, b, link}));
  EXPECT_EQ(reachable(graph, b, num_vertex_indices(graph)), (std::vector<RecordId>{root, b}));
  // Backwards, a node reaches the links that end at it.
  EXPECT_EQ(reachable(boost::make_reverse_graph(graph), a, num_vertex_indices(graph)),
            (std::vector<RecordId>{a, link}));
  EXPECT_EQ(association_of(graph, {link, a}), Association::ends_at);
  EXPECT_EQ(association_of(graph, {child, root}), Association::child_of);
  EXPECT_EQ(association_of(graph, {a, child}), Association::member_of);
  EXPECT_EQ(association_of(graph, {a, owner}), Association::owned_by);
}

}  // namespace
}  // namespace netml::engine
