#include "engine/analysis/connections.hpp"

#include <algorithm>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/incremental_components.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <iterator>

#include "engine/analysis/network.hpp"
#include "engine/base/result.hpp"

#ifdef BOOST_RECURSIVE_DFS
#error "Boost.Graph would walk by recursion, which a long chain of nodes lets run out of stack"
#endif

namespace netml::engine {

namespace {

using Vertex = Network::Vertex;
using Edge = Network::Edge;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

}  // namespace

// Links are merged one after another as they lie in memory, which is several times faster than a
// walk from node to node.
Components components(const Network& network) {
  const std::size_t count = network.nodes().size();
  std::vector<std::uint8_t> ranks(count);
  std::vector<Vertex> parents(count);
  boost::disjoint_sets<std::uint8_t*, Vertex*> sets(ranks.data(), parents.data());
  boost::initialize_incremental_components(network, sets);
  boost::incremental_components(network, sets);
  Components found;
  found.of.resize(count);
  std::vector<std::uint32_t> numbers(count, kNone);  // by the vertex that stands for a part
  for (Vertex vertex = 0; vertex < count; ++vertex) {
    std::uint32_t& number = numbers[sets.find_set(vertex)];
    if (number == kNone) number = static_cast<std::uint32_t>(found.count++);
    found.of[vertex] = number;
  }
  return found;
}

// A bridge is a biconnected component of one link. Boost takes parallel links for one: of those
// that connect a node with the one that it was reached from, the one that was gone counts, and the
// others stay without a component. So where there is another one, the one that counts is no bridge.
SinglePath single_path(const Network& network) {
  std::vector<std::uint32_t> part_of(network.links().size(), kNone);
  std::vector<Vertex> reached_from(network.nodes().size());
  std::vector<Vertex> cuts;
  const auto part_map = boost::make_function_property_map<Edge, std::uint32_t&>(
      [&](const Edge& edge) -> std::uint32_t& { return part_of[edge.index]; });
  const std::size_t parts =
      boost::biconnected_components(network, part_map, std::back_inserter(cuts),
                                    boost::predecessor_map(reached_from.data()))
          .first;
  // The farther end of a link that leads to where its other end was reached from.
  const auto reached_by = [&](std::uint32_t index) {
    const Edge edge = network.edge(index);
    return reached_from[edge.from] == edge.to ? edge.from : edge.to;
  };
  std::vector<std::uint32_t> links_in(parts);
  std::vector<bool> doubled(network.nodes().size());
  for (std::uint32_t index = 0; index < part_of.size(); ++index) {
    if (part_of[index] != kNone)
      ++links_in[part_of[index]];
    else
      doubled[reached_by(index)] = true;
  }
  SinglePath found;
  for (std::uint32_t index = 0; index < part_of.size(); ++index)
    if (part_of[index] != kNone && links_in[part_of[index]] == 1 && !doubled[reached_by(index)])
      found.links.push_back(network.links()[index]);
  std::ranges::sort(cuts);
  for (const Vertex cut : cuts) found.nodes.push_back(network.nodes()[cut]);
  return found;
}

std::vector<bool> reachable(const Network& network, Vertex from) {
  std::vector<bool> found(network.nodes().size());
  std::vector<Vertex> waiting{from};
  found[from] = true;
  while (!waiting.empty()) {
    const Vertex vertex = waiting.back();
    waiting.pop_back();
    for (auto [edge, end] = out_edges(vertex, network); edge != end; ++edge) {
      const Vertex next = (*edge).to;
      if (found[next]) continue;
      found[next] = true;
      waiting.push_back(next);
    }
  }
  return found;
}

namespace {

// In which direction the paths found so far use a link: 1 as it is noted, -1 against that, 0 if
// none does. A further path that goes against another one cancels it there, and both exchange their
// rests.
using Uses = std::vector<std::int8_t>;

// Finds one more path, a shortest one, and adds it to `uses`.
bool add_path(const Network& network, Vertex from, Vertex to, Uses& uses) {
  std::vector<std::uint32_t> reached_by(network.nodes().size(), kNone);  // the index of a link
  std::vector<Vertex> found{from};
  for (std::size_t i = 0; i < found.size() && reached_by[to] == kNone; ++i)
    for (auto [next, end] = out_edges(found[i], network); next != end; ++next) {
      const Edge edge = *next;
      const int direction = network.edge(edge.index).from == edge.from ? 1 : -1;
      if (uses[edge.index] == direction || edge.to == from || reached_by[edge.to] != kNone)
        continue;
      reached_by[edge.to] = edge.index;
      found.push_back(edge.to);
    }
  if (reached_by[to] == kNone) return false;
  for (Vertex vertex = to; vertex != from;) {
    const Edge edge = network.edge(reached_by[vertex]);
    const bool along = edge.to == vertex;
    uses[edge.index] = static_cast<std::int8_t>(uses[edge.index] + (along ? 1 : -1));
    vertex = along ? edge.from : edge.to;
  }
  return true;
}

}  // namespace

std::size_t disjoint_paths(const Network& network, Vertex from, Vertex to, std::size_t at_most) {
  NETML_ASSERT(from != to);
  Uses uses(network.links().size());
  std::size_t count = 0;
  while (count < at_most && add_path(network, from, to, uses)) ++count;
  return count;
}

}  // namespace netml::engine
