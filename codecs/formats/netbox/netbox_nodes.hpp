// What are the nodes of a map of a NetBox, where they are, and which topology they are in.
//
// Thread: any (pure functions). The tables are sealed and outlive this.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codecs/formats/netbox/netbox_joins.hpp"
#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "codecs/formats/netbox/netbox_tables.hpp"

namespace netml::codecs::netbox {

class Nodes {
 public:
  Nodes(const Tables& tables, const Mapping& mapping) : tables_(tables), mapping_(mapping) {}

  // All sites; or locations, and sites that have none or where a link ends at none of theirs; or
  // devices that have an interface, since others are panels and what is no part of a network. What
  // is at no site that is there is no node. In order.
  std::vector<Place> all(const Joins& joins) const;

  // ---- of a node ----
  const Site& site(Place node) const;
  const Named& named(Place node) const;
  Id tenant(Place node) const;
  // The region or tenant whose topology it is in; kNoId: that of the network.
  Id home(Place node) const;

  // Whose topologies there are: of nodes, and of the regions that theirs are in, each after the one
  // that it is in.
  std::vector<Id> homes(std::span<const Place> nodes) const;

 private:
  std::vector<Place> locations(const Joins& joins) const;
  std::vector<Place> devices() const;

  const Tables& tables_;
  const Mapping mapping_;
};

// Those that are wanted and there, and all that they are in: each once, after the one that it is
// in. Of regions that are in each other in a circle, one comes first all the same.
std::vector<Id> with_parents(const Table<Region>& regions, std::span<const Id> wanted);

}  // namespace netml::codecs::netbox
