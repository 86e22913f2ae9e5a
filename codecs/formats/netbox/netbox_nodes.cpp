#include "codecs/formats/netbox/netbox_nodes.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>

namespace netml::codecs::netbox {

std::vector<Place> Nodes::all(const Joins& joins) const {
  if (mapping_.nodes == NodeKind::location) return locations(joins);
  if (mapping_.nodes == NodeKind::device) return devices();
  std::vector<Place> nodes;
  for (const netbox::Site& site : tables_.sites.all()) nodes.push_back({NodeKind::site, site.id});
  return nodes;
}

std::vector<Place> Nodes::locations(const Joins& joins) const {
  boost::unordered_flat_set<Id> stood_for;  // sites whose locations are enough
  for (const Location& location : tables_.locations.all()) stood_for.insert(location.site);
  for (const Join& join : joins.joins)
    for (const Place& end : join.ends)
      if (end.kind == NodeKind::site) stood_for.erase(end.id);
  std::vector<Place> nodes;
  for (const netbox::Site& site : tables_.sites.all())
    if (!stood_for.contains(site.id)) nodes.push_back({NodeKind::site, site.id});
  for (const Location& location : tables_.locations.all())
    if (site_of(tables_, location) != kNoId) nodes.push_back({NodeKind::location, location.id});
  return nodes;
}

std::vector<Place> Nodes::devices() const {
  boost::unordered_flat_set<Id> with_interface;
  for (const Interface& interface : tables_.interfaces.all())
    with_interface.insert(interface.device);
  std::vector<Place> nodes;
  for (const Device& device : tables_.devices.all())
    if (with_interface.contains(device.id) && site_of(tables_, device) != kNoId)
      nodes.push_back({NodeKind::device, device.id});
  return nodes;
}

const Site& Nodes::site(Place node) const {
  Id id = node.id;
  if (node.kind == NodeKind::location) id = site_of(tables_, *tables_.locations.find(id));
  if (node.kind == NodeKind::device) id = site_of(tables_, *tables_.devices.find(id));
  return *tables_.sites.find(id);
}

const Named& Nodes::named(Place node) const {
  if (node.kind == NodeKind::location) return tables_.locations.find(node.id)->named;
  if (node.kind == NodeKind::device) return tables_.devices.find(node.id)->named;
  return tables_.sites.find(node.id)->named;
}

Id Nodes::tenant(Place node) const {
  if (node.kind == NodeKind::location) return tables_.locations.find(node.id)->tenant;
  if (node.kind == NodeKind::device) return tables_.devices.find(node.id)->tenant;
  return tables_.sites.find(node.id)->tenant;
}

Id Nodes::home(Place node) const {
  const auto known = [](const auto& table, Id id) {
    return table.find(id) != nullptr ? id : kNoId;
  };
  if (mapping_.topologies == TopologyKind::region) return known(tables_.regions, site(node).region);
  if (mapping_.topologies == TopologyKind::tenant) return known(tables_.tenants, tenant(node));
  return kNoId;
}

std::vector<Id> Nodes::homes(std::span<const Place> nodes) const {
  std::vector<Id> homes;
  for (const Place& node : nodes)
    if (const Id home = this->home(node); home != kNoId) homes.push_back(home);
  std::ranges::sort(homes);
  const auto [first, last] = std::ranges::unique(homes);
  homes.erase(first, last);
  const bool are_regions = mapping_.topologies == TopologyKind::region;
  return are_regions ? with_parents(tables_.regions, homes) : homes;
}

std::vector<Id> with_parents(const Table<Region>& regions, std::span<const Id> wanted) {
  std::vector<Id> all;
  boost::unordered_flat_set<Id> known;
  for (const Id each : wanted) {
    const auto begin = static_cast<std::ptrdiff_t>(all.size());
    for (const Region* region = regions.find(each);
         region != nullptr && known.insert(region->id).second;
         region = regions.find(region->parent))
      all.push_back(region->id);
    std::reverse(all.begin() + begin, all.end());
  }
  return all;
}

}  // namespace netml::codecs::netbox
