#include "engine/fixes/owner_search.hpp"

#include <span>

#include "engine/graph/document.hpp"

namespace netml::engine {

std::vector<RecordId> true_owners(const Graph& graph, RecordId record) {
  std::vector<RecordId> owners;
  for (const RecordId owner : graph.relations(record).owners())
    if (graph.attributes(owner).id() != kGlobalInstitutionId) owners.push_back(owner);
  return owners;
}

std::optional<OwnerSearch::Found> OwnerSearch::owner_for(RecordId record) {
  if (graph_.kind(record) == Kind::topology) return owner_of_topology(record);
  if (graph_.kind(record) == Kind::link)
    if (const auto found = owner_of_ends(record)) return found;
  return owner_of_topologies(record);
}

std::optional<OwnerSearch::Found> OwnerSearch::owner_of_ends(RecordId link) const {
  const std::span<const RecordId> ends = graph_.relations(link).ends();
  const std::vector<RecordId> owners = true_owners(graph_, ends[0]);
  if (owners.size() != 1 || owners != true_owners(graph_, ends[1])) return std::nullopt;
  return Found{.owner = owners.front(), .reason = Reason::ends};
}

// An element of several topologies belongs to nobody while these do not agree.
std::optional<OwnerSearch::Found> OwnerSearch::owner_of_topologies(RecordId element) {
  std::optional<Found> found;
  for (const RecordId topology : graph_.relations(element).topologies()) {
    const std::optional<Found>& each = owner_of_topology(topology);
    if (!each) continue;
    if (found && found->owner != each->owner) return std::nullopt;
    if (!found) found = each;
  }
  return found;
}

const std::optional<OwnerSearch::Found>& OwnerSearch::owner_of_topology(RecordId topology) {
  const auto [known, is_new] = of_topologies_.try_emplace(topology);
  if (!is_new) return known->second;
  std::optional<Found> found;
  for (RecordId above = topology; above && !found; above = graph_.relations(above).parent())
    if (const auto owners = true_owners(graph_, above); !owners.empty())
      found = Found{.owner = owners.front(), .reason = Reason::topology, .topology = above};
  if (!found) found = owner_of_rest(topology);
  return known->second = found;
}

std::optional<OwnerSearch::Found> OwnerSearch::owner_of_rest(RecordId topology) const {
  Found found{.owner = {}, .reason = Reason::rest, .topology = topology};
  bool agree = true;
  graph_.for_each_referrer(topology, [&](RecordId member) {
    const Kind kind = graph_.kind(member);
    if (!agree || (kind != Kind::node && kind != Kind::link)) return;
    const std::vector<RecordId> owners = true_owners(graph_, member);
    if (owners.empty()) return;
    agree = owners.size() == 1 && (!found.owner || found.owner == owners.front());
    found.owner = owners.front();
    ++found.owned;
  });
  if (!agree || !found.owner) return std::nullopt;
  return found;
}

}  // namespace netml::engine
