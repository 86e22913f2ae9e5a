// Makes Graph a model of Boost.Graph's VertexListGraph and BidirectionalGraph, so
// that its algorithms run on a version as it is. Vertices are RecordIds, edges the associations;
// association_of() tells their type. Vertex indices run up to num_vertex_indices(), with gaps where
// records were deleted.
//
// Include it in sources only: Boost.Graph is slow to compile.
// Thread: any (const access).
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::engine {

enum class Association : std::uint8_t { child_of, member_of, owned_by, ends_at };

struct Edge {
  RecordId source;
  RecordId target;
  auto operator<=>(const Edge&) const = default;
};

inline Association association_of(const Graph& graph, const Edge& edge) {
  switch (graph.kind(edge.target)) {
    case Kind::topology:
      return graph.kind(edge.source) == Kind::topology ? Association::child_of
                                                       : Association::member_of;
    case Kind::institution:
      return Association::owned_by;
    case Kind::node:
    case Kind::link:
      break;
  }
  return Association::ends_at;
}

// Walks the identities from a start on, skipping those without a record.
class VertexIterator : public boost::iterator_facade<VertexIterator, RecordId,
                                                     boost::forward_traversal_tag, RecordId> {
 public:
  VertexIterator() = default;
  VertexIterator(const Graph& graph, RecordId start) : graph_(&graph), at_(start) { skip_gaps(); }

 private:
  friend class boost::iterator_core_access;
  void increment() {
    ++at_.value;
    skip_gaps();
  }
  void skip_gaps() {
    while (at_ < graph_->next_id() && !graph_->contains(at_)) ++at_.value;
  }
  bool equal(const VertexIterator& other) const { return at_ == other.at_; }
  RecordId dereference() const { return at_; }

  const Graph* graph_ = nullptr;
  RecordId at_;
};

// The edges at one vertex. They share a list made when the range was asked for.
class EdgeIterator
    : public boost::iterator_facade<EdgeIterator, Edge, boost::random_access_traversal_tag, Edge> {
 public:
  EdgeIterator() = default;
  EdgeIterator(std::shared_ptr<const std::vector<Edge>> edges, std::size_t position)
      : edges_(std::move(edges)), position_(position) {}

 private:
  friend class boost::iterator_core_access;
  void increment() { ++position_; }
  void decrement() { --position_; }
  void advance(std::ptrdiff_t distance) {
    position_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(position_) + distance);
  }
  std::ptrdiff_t distance_to(const EdgeIterator& other) const {
    return static_cast<std::ptrdiff_t>(other.position_) - static_cast<std::ptrdiff_t>(position_);
  }
  bool equal(const EdgeIterator& other) const { return position_ == other.position_; }
  Edge dereference() const { return (*edges_)[position_]; }

  std::shared_ptr<const std::vector<Edge>> edges_;
  std::size_t position_ = 0;
};

struct GraphTraversalTag : virtual boost::bidirectional_graph_tag,
                           virtual boost::vertex_list_graph_tag {};

// The index of a vertex for algorithms that keep one entry for each.
struct VertexIndexMap {
  using value_type = std::size_t;
  using reference = std::size_t;
  using key_type = RecordId;
  using category = boost::readable_property_map_tag;
};
inline std::size_t get(VertexIndexMap, RecordId vertex) {
  return vertex.value;
}
inline VertexIndexMap get(boost::vertex_index_t, const Graph&) {
  return {};
}
inline std::size_t get(boost::vertex_index_t, const Graph&, RecordId vertex) {
  return vertex.value;
}
inline std::size_t num_vertex_indices(const Graph& graph) {
  return graph.next_id().value;
}

inline std::pair<VertexIterator, VertexIterator> vertices(const Graph& graph) {
  return {VertexIterator(graph, RecordId{1}), VertexIterator(graph, graph.next_id())};
}
inline std::size_t num_vertices(const Graph& graph) {
  return graph.size();
}

inline RecordId source(const Edge& edge, const Graph&) {
  return edge.source;
}
inline RecordId target(const Edge& edge, const Graph&) {
  return edge.target;
}

namespace detail {
inline std::pair<EdgeIterator, EdgeIterator> edge_range(std::vector<Edge> edges) {
  const std::size_t count = edges.size();
  const auto shared = std::make_shared<const std::vector<Edge>>(std::move(edges));
  return {EdgeIterator(shared, 0), EdgeIterator(shared, count)};
}
}  // namespace detail

inline std::pair<EdgeIterator, EdgeIterator> out_edges(RecordId vertex, const Graph& graph) {
  const Relations& relations = graph.relations(vertex);
  std::vector<Edge> edges;
  for (const auto& list : {relations.topologies(), relations.owners(), relations.ends()})
    for (const RecordId target : list) edges.push_back({vertex, target});
  return detail::edge_range(std::move(edges));
}
inline std::pair<EdgeIterator, EdgeIterator> in_edges(RecordId vertex, const Graph& graph) {
  std::vector<Edge> edges;
  graph.for_each_referrer(vertex, [&](RecordId from) { edges.push_back({from, vertex}); });
  return detail::edge_range(std::move(edges));
}
inline std::size_t out_degree(RecordId vertex, const Graph& graph) {
  const Relations& relations = graph.relations(vertex);
  return relations.topologies().size() + relations.owners().size() + relations.ends().size();
}
inline std::size_t in_degree(RecordId vertex, const Graph& graph) {
  std::size_t count = 0;
  graph.for_each_referrer(vertex, [&](RecordId) { ++count; });
  return count;
}
inline std::size_t degree(RecordId vertex, const Graph& graph) {
  return in_degree(vertex, graph) + out_degree(vertex, graph);
}

}  // namespace netml::engine

template <>
struct boost::graph_traits<netml::engine::Graph> {
  using vertex_descriptor = netml::RecordId;
  using edge_descriptor = netml::engine::Edge;
  using directed_category = boost::bidirectional_tag;
  using edge_parallel_category = boost::disallow_parallel_edge_tag;
  using traversal_category = netml::engine::GraphTraversalTag;
  using vertex_iterator = netml::engine::VertexIterator;
  using vertices_size_type = std::size_t;
  using out_edge_iterator = netml::engine::EdgeIterator;
  using in_edge_iterator = netml::engine::EdgeIterator;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  using adjacency_iterator = void;
  using edge_iterator = void;
  static vertex_descriptor null_vertex() { return {}; }
};

template <>
struct boost::property_map<netml::engine::Graph, boost::vertex_index_t> {
  using type = netml::engine::VertexIndexMap;
  using const_type = type;
};
