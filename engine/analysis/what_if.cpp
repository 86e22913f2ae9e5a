#include "engine/analysis/what_if.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/connected_components.hpp>
#include <iterator>

namespace netml::engine {

namespace {

// A set of records by their identities.
class Marks {
 public:
  explicit Marks(const Graph& graph) : marked_(graph.next_id().value) {}
  void add(RecordId id) {
    if (id.value < marked_.size()) marked_[id.value] = true;
  }
  bool has(RecordId id) const { return id.value < marked_.size() && marked_[id.value]; }

 private:
  std::vector<bool> marked_;
};

using Vertex = std::size_t;
constexpr Vertex kNone = ~Vertex{0};

// Parallel links are one edge: the algorithms are about paths between nodes.
struct Connection {
  Vertex a = 0;
  Vertex b = 0;
  std::vector<RecordId> links;
};

// The nodes that work, and what connects them.
class Network {
 public:
  using Edge = boost::property<boost::edge_index_t, std::size_t>;
  using Adjacency =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Edge>;

  template <class Works>
  Network(const Graph& graph, const std::vector<RecordId>& members, Works&& works)
      : vertex_of_(graph.next_id().value, kNone) {
    for (const RecordId id : members)
      if (graph.kind(id) == Kind::node && works(id)) {
        vertex_of_[id.value] = nodes_.size();
        nodes_.push_back(id);
      }
    for (const RecordId id : members)
      if (graph.kind(id) == Kind::link && works(id)) add_link(graph, id);
    merge_parallel();
    adjacency_ = Adjacency(nodes_.size());
    for (std::size_t i = 0; i < connections_.size(); ++i)
      boost::add_edge(connections_[i].a, connections_[i].b, Edge(i), adjacency_);
  }

  const std::vector<RecordId>& nodes() const { return nodes_; }
  Vertex vertex(RecordId node) const { return vertex_of_[node.value]; }

  struct Components {
    std::size_t count = 0;
    std::vector<std::size_t> of;  // by vertex
  };
  Components components() const {
    Components found;
    found.of.resize(nodes_.size());
    found.count = boost::connected_components(
        adjacency_, boost::make_iterator_property_map(found.of.begin(),
                                                      boost::get(boost::vertex_index, adjacency_)));
    return found;
  }

  // A bridge is a biconnected component of one edge that is one link. Boost walks with a stack of
  // its own, not by recursion.
  SinglePath single_path() const {
    std::vector<std::size_t> part_of(connections_.size());
    std::vector<Vertex> cuts;
    const auto [parts, end] = boost::biconnected_components(
        adjacency_,
        boost::make_iterator_property_map(part_of.begin(),
                                          boost::get(boost::edge_index, adjacency_)),
        std::back_inserter(cuts));
    std::vector<std::size_t> edges(parts);
    for (const std::size_t part : part_of) ++edges[part];
    SinglePath result;
    for (std::size_t i = 0; i < connections_.size(); ++i)
      if (edges[part_of[i]] == 1 && connections_[i].links.size() == 1)
        result.links.push_back(connections_[i].links.front());
    for (const Vertex cut : cuts) result.nodes.push_back(nodes_[cut]);
    std::ranges::sort(result.links);
    std::ranges::sort(result.nodes);
    return result;
  }

 private:
  void add_link(const Graph& graph, RecordId link) {
    const auto ends = graph.relations(link).ends();
    const Vertex a = vertex_of_[ends[0].value];
    const Vertex b = vertex_of_[ends[1].value];
    if (a == kNone || b == kNone || a == b) return;
    connections_.push_back({std::min(a, b), std::max(a, b), {link}});
  }
  void merge_parallel() {
    std::ranges::stable_sort(connections_, [](const Connection& x, const Connection& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    std::vector<Connection> merged;
    for (Connection& next : connections_) {
      if (!merged.empty() && merged.back().a == next.a && merged.back().b == next.b)
        merged.back().links.push_back(next.links.front());
      else
        merged.push_back(std::move(next));
    }
    connections_ = std::move(merged);
  }

  std::vector<RecordId> nodes_;    // by vertex, ascending
  std::vector<Vertex> vertex_of_;  // by RecordId
  std::vector<Connection> connections_;
  Adjacency adjacency_;
};

void mark_with_all_below(const Graph& graph, RecordId topology, Marks& marks) {
  std::vector<RecordId> waiting{topology};
  while (!waiting.empty()) {
    const RecordId next = waiting.back();
    waiting.pop_back();
    marks.add(next);
    for (const RecordId child : graph.children(next)) waiting.push_back(child);
  }
}

// The nodes and links of the scope, ascending.
std::vector<RecordId> members_of(const Graph& graph, RecordId topology) {
  Marks wanted(graph);
  if (topology) mark_with_all_below(graph, topology, wanted);
  std::vector<RecordId> members;
  graph.for_each_record([&](RecordId id) {
    const Kind kind = graph.kind(id);
    if (kind != Kind::node && kind != Kind::link) return;
    const auto belongs = [&](RecordId to) { return wanted.has(to); };
    if (!topology || std::ranges::any_of(graph.relations(id).topologies(), belongs))
      members.push_back(id);
  });
  return members;
}

constexpr std::size_t kNoPart = ~std::size_t{0};

// Of each part before, by its number, the largest of what is left of it; the first of several.
std::vector<std::size_t> largest_rests(const Network& before,
                                       const Network::Components& parts_before,
                                       const Network& after,
                                       const Network::Components& parts_after) {
  std::vector<std::size_t> sizes(parts_after.count);
  for (const std::size_t part : parts_after.of) ++sizes[part];
  std::vector<std::size_t> largest(parts_before.count, kNoPart);
  for (Vertex vertex = 0; vertex < after.nodes().size(); ++vertex) {  // a tie: the lowest RecordId
    std::size_t& best = largest[parts_before.of[before.vertex(after.nodes()[vertex])]];
    const std::size_t part = parts_after.of[vertex];
    if (best == kNoPart || sizes[part] > sizes[best]) best = part;
  }
  return largest;
}

std::vector<RecordId> owners_of(const Graph& graph, const std::vector<RecordId>& nodes) {
  std::vector<RecordId> owners;
  for (const RecordId node : nodes)
    for (const RecordId owner : graph.relations(node).owners()) owners.push_back(owner);
  std::ranges::sort(owners);
  const auto repeated = std::ranges::unique(owners);
  owners.erase(repeated.begin(), repeated.end());
  return owners;
}

std::vector<RecordId> without(const std::vector<RecordId>& all, const std::vector<RecordId>& some) {
  std::vector<RecordId> rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  return rest;
}

void find_who_is_cut_off(const Graph& graph, const Network& before,
                         const Network::Components& parts_before, const Network& after,
                         const Network::Components& parts_after, OutageEffects& effects) {
  const std::vector<std::size_t> kept = largest_rests(before, parts_before, after, parts_after);
  std::vector<RecordId> rest;
  for (Vertex vertex = 0; vertex < after.nodes().size(); ++vertex) {
    const RecordId node = after.nodes()[vertex];
    const bool stays = kept[parts_before.of[before.vertex(node)]] == parts_after.of[vertex];
    (stays ? rest : effects.nodes_cut_off).push_back(node);
  }
  effects.institutions_cut_off = without(owners_of(graph, before.nodes()), owners_of(graph, rest));
}

}  // namespace

OutageEffects simulate(const Graph& graph, const Outage& outage) {
  Marks failed(graph);
  for (const RecordId id : outage.nodes) failed.add(id);
  for (const RecordId id : outage.links) failed.add(id);
  const std::vector<RecordId> members = members_of(graph, outage.topology);
  const Network before(graph, members, [](RecordId) { return true; });
  const Network after(graph, members, [&](RecordId id) { return !failed.has(id); });
  const Network::Components parts_before = before.components();
  const Network::Components parts_after = after.components();
  OutageEffects effects;
  effects.components_before = parts_before.count;
  effects.components_after = parts_after.count;
  find_who_is_cut_off(graph, before, parts_before, after, parts_after, effects);
  const SinglePath former = before.single_path();
  effects.single_path = after.single_path();
  effects.newly_single_path.links = without(effects.single_path.links, former.links);
  effects.newly_single_path.nodes = without(effects.single_path.nodes, former.nodes);
  return effects;
}

}  // namespace netml::engine
