#include "engine/analysis/what_if.hpp"

#include <algorithm>
#include <iterator>

#include "engine/analysis/network.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine {

namespace {

using Vertex = Network::Vertex;

constexpr std::uint32_t kNoPart = ~std::uint32_t{0};

// A network and its parts.
struct Split {
  explicit Split(Network whole) : network(std::move(whole)), parts(components(network)) {}

  std::uint32_t part_of(RecordId node) const { return parts.of[network.vertex(node)]; }

  const Network network;
  const Components parts;
};

// Of each part before, by its number, the largest of what is left of it; the first of several.
std::vector<std::uint32_t> largest_rests(const Split& before, const Split& after) {
  std::vector<std::size_t> sizes(after.parts.count);
  for (const std::uint32_t part : after.parts.of) ++sizes[part];
  std::vector<std::uint32_t> largest(before.parts.count, kNoPart);
  for (const RecordId node : after.network.nodes()) {  // a tie: the lowest RecordId
    std::uint32_t& best = largest[before.part_of(node)];
    const std::uint32_t part = after.part_of(node);
    if (best == kNoPart || sizes[part] > sizes[best]) best = part;
  }
  return largest;
}

std::vector<RecordId> owners_of(const Graph& graph, const std::vector<RecordId>& nodes) {
  std::vector<RecordId> owners;
  for (const RecordId node : nodes)
    for (const RecordId owner : graph.relations(node).owners()) owners.push_back(owner);
  sort_each_once(owners);
  return owners;
}

std::vector<RecordId> without(const std::vector<RecordId>& all, const std::vector<RecordId>& some) {
  std::vector<RecordId> rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  return rest;
}

void find_who_is_cut_off(const Graph& graph, const Split& before, const Split& after,
                         OutageEffects& effects) {
  const std::vector<std::uint32_t> largest = largest_rests(before, after);
  std::vector<RecordId> rest;
  for (const RecordId node : after.network.nodes()) {
    const bool stays = largest[before.part_of(node)] == after.part_of(node);
    (stays ? rest : effects.nodes_cut_off).push_back(node);
  }
  effects.institutions_cut_off =
      without(owners_of(graph, before.network.nodes()), owners_of(graph, rest));
}

}  // namespace

OutageEffects simulate(const Graph& graph, const Outage& outage) {
  std::vector<RecordId> failed = outage.nodes;
  failed.insert(failed.end(), outage.links.begin(), outage.links.end());
  const Split before(Network(graph, outage.topology));
  const Split after(before.network.without(failed));
  OutageEffects effects;
  effects.components_before = before.parts.count;
  effects.components_after = after.parts.count;
  find_who_is_cut_off(graph, before, after, effects);
  const SinglePath former = single_path(before.network);
  effects.single_path = single_path(after.network);
  effects.newly_single_path.links = without(effects.single_path.links, former.links);
  effects.newly_single_path.nodes = without(effects.single_path.nodes, former.nodes);
  return effects;
}

}  // namespace netml::engine
