// The network of a version: its nodes, and the links between them, as an undirected graph that
// Boost.Graph's algorithms run on (a model of VertexListGraph, EdgeListGraph and IncidenceGraph).
// A view: links are followed in the version itself, and nothing of it is copied.
//
// Vertices are numbers from 0 on, in the order of the nodes' RecordIds; so are the indexes of
// edges, in the order of the links'. What an algorithm notes of them is a vector. Parallel links
// are edges of their own; a link that begins and ends at the same node connects nothing and is
// none.
//
// Memory: 4 bytes for each identity that was ever given, node and link. Asking for the edges at a
// vertex costs the logarithm of the size of the version, and going through them one read each.
//
// Include it in sources only: Boost.Graph is slow to compile.
// Owner: whoever asks; the version must outlive it. Thread: any (const access).
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/graph/graph.hpp"

namespace netml::engine {

class Network {
  struct EdgeAt;  // makes the edge of an index

 public:
  using Vertex = std::uint32_t;
  struct Edge {
    Vertex from = 0;
    Vertex to = 0;
    std::uint32_t index = 0;
    // An edge is the same from both sides.
    bool operator==(const Edge& other) const { return index == other.index; }
  };

  // All nodes and links, or those that belong to `topology` or to one below it.
  explicit Network(const Graph& graph, RecordId topology = {});
  // What is left of it without some nodes and links; links go with the nodes at their ends. Records
  // that are not there do not count.
  Network without(std::span<const RecordId> records) const;

  const std::vector<RecordId>& nodes() const { return nodes_; }  // by vertex, ascending
  const std::vector<RecordId>& links() const { return links_; }  // by index of edge, ascending
  // The node must be one of nodes().
  Vertex vertex(RecordId node) const { return places_[node.value]; }
  Edge edge(std::uint32_t index) const;

  // ---- for Boost.Graph ----
  class OutEdges;  // an iterator; defined below
  struct Traversal : virtual boost::vertex_list_graph_tag,
                     virtual boost::edge_list_graph_tag,
                     virtual boost::incidence_graph_tag {};
  using vertex_descriptor = Vertex;
  using edge_descriptor = Edge;
  using directed_category = boost::undirected_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  using traversal_category = Traversal;
  using vertices_size_type = std::uint32_t;
  using edges_size_type = std::uint32_t;
  using degree_size_type = std::uint32_t;
  using vertex_iterator = boost::counting_iterator<Vertex>;
  using edge_iterator =
      boost::transform_iterator<EdgeAt, boost::counting_iterator<std::uint32_t>, Edge, Edge>;
  using out_edge_iterator = OutEdges;
  static Vertex null_vertex() { return kAbsent; }

  edge_iterator edge_at(std::uint32_t index) const;

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  Network(const Graph* graph, std::size_t identities)
      : graph_(graph), places_(identities, kAbsent) {}
  void add_node(RecordId id);
  void add_link(RecordId id);  // after the nodes; unless one of its ends is not there

  const Graph* graph_;
  std::vector<std::uint32_t> places_;  // by RecordId: of a node or a link, kAbsent of all others
  std::vector<RecordId> nodes_;
  std::vector<RecordId> links_;
};

struct Network::EdgeAt {
  const Network* network = nullptr;
  Edge operator()(std::uint32_t index) const { return network->edge(index); }
};

// The edges at a vertex, each leading away from it. All that refers to a node are links, which lie
// together in runs (OrderedSet): at the end of one the next is looked up. Small, because a search
// into the depth holds two of each vertex on its way.
class Network::OutEdges
    : public boost::iterator_facade<OutEdges, const Edge, boost::forward_traversal_tag, Edge> {
 public:
  OutEdges() = default;  // the end
  OutEdges(const Network& network, Vertex vertex) : network_(&network), vertex_(vertex) {
    look_up({});
    skip_absent();
  }

 private:
  friend class boost::iterator_core_access;
  RecordId link() const { return RecordId{static_cast<std::uint32_t>(*at_)}; }
  void look_up(RecordId after) {
    const auto run = network_->graph_->referrers_after(network_->nodes_[vertex_], after);
    more_ = run.more;
    at_ = run.keys.empty() ? nullptr : run.keys.data();
    end_ = run.keys.data() + run.keys.size();
  }
  void advance() {
    const RecordId last = link();
    if (++at_ != end_) return;
    at_ = nullptr;
    if (more_) look_up(last);
  }
  void skip_absent() {
    while (at_ != nullptr && network_->places_[link().value] == kAbsent) advance();
  }
  void increment() {
    advance();
    skip_absent();
  }
  bool equal(const OutEdges& other) const { return at_ == other.at_; }
  Edge dereference() const {
    const RecordId node{static_cast<std::uint32_t>(*at_ >> 32)};
    const auto ends = network_->graph_->relations(link()).ends();
    const RecordId other = ends[0] == node ? ends[1] : ends[0];
    return {vertex_, network_->vertex(other), network_->places_[link().value]};
  }

  const Network* network_ = nullptr;
  const std::uint64_t* at_ = nullptr;  // null: at the end
  const std::uint64_t* end_ = nullptr;
  Vertex vertex_ = 0;
  bool more_ = false;
};

inline Network::Edge Network::edge(std::uint32_t index) const {
  const auto ends = graph_->relations(links_[index]).ends();
  return {vertex(ends[0]), vertex(ends[1]), index};
}
inline Network::edge_iterator Network::edge_at(std::uint32_t index) const {
  return {boost::counting_iterator<std::uint32_t>(index), EdgeAt{this}};
}

// Found by Boost.Graph as the functions of its concepts.
inline std::uint32_t num_vertices(const Network& network) {
  return static_cast<std::uint32_t>(network.nodes().size());
}
inline std::uint32_t num_edges(const Network& network) {
  return static_cast<std::uint32_t>(network.links().size());
}
inline std::pair<Network::vertex_iterator, Network::vertex_iterator> vertices(
    const Network& network) {
  return {Network::vertex_iterator(0), Network::vertex_iterator(num_vertices(network))};
}
inline std::pair<Network::edge_iterator, Network::edge_iterator> edges(const Network& network) {
  return {network.edge_at(0), network.edge_at(num_edges(network))};
}
inline Network::Vertex source(const Network::Edge& edge, const Network&) {
  return edge.from;
}
inline Network::Vertex target(const Network::Edge& edge, const Network&) {
  return edge.to;
}
inline std::pair<Network::OutEdges, Network::OutEdges> out_edges(Network::Vertex vertex,
                                                                 const Network& network) {
  return {Network::OutEdges(network, vertex), Network::OutEdges()};
}
inline std::uint32_t out_degree(Network::Vertex vertex, const Network& network) {
  const auto [begin, end] = out_edges(vertex, network);
  return static_cast<std::uint32_t>(std::distance(begin, end));
}

// The number of a vertex is its index.
inline boost::typed_identity_property_map<Network::Vertex> get(boost::vertex_index_t,
                                                               const Network&) {
  return {};
}
inline Network::Vertex get(boost::vertex_index_t, const Network&, Network::Vertex vertex) {
  return vertex;
}

}  // namespace netml::engine

template <>
struct boost::property_map<netml::engine::Network, boost::vertex_index_t> {
  using type = boost::typed_identity_property_map<netml::engine::Network::Vertex>;
  using const_type = type;
};
