// Which two places does a circuit or a path of cables join?
//
// A circuit joins the places of its two ends. A path of cables joins two places where it goes from
// one to the other without a circuit between: from interface to interface, or to an end of a
// circuit. Where devices are the nodes, a path joins the devices at its ends, whatever circuits it
// goes through. What joins no two places is listed with the reason; nothing is guessed.
//
// Order: that of the ids, whatever the order in which records came. Thread: any (a pure function).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codecs/formats/netbox/netbox_mapping.hpp"
#include "codecs/formats/netbox/netbox_trace.hpp"

namespace netml::codecs::netbox {

// Of the kind of the nodes; where locations are the nodes, also a site.
struct Place {
  NodeKind kind = NodeKind::site;
  Id id = kNoId;  // kNoId: unknown
  auto operator<=>(const Place&) const = default;
};

// A link: a circuit, or a path of cables between two ports.
struct Join {
  std::array<Place, 2> ends = {};
  Id circuit = kNoId;  // where it is one
  // Of a path: the first port at either end, and the circuits on its way.
  std::array<Port, 2> ports = {};
  std::vector<Id> circuits = {};
};

// What is no link, and why.
struct Unjoined {
  Id circuit = kNoId;  // else a path, from this end of a cable
  Id cable = kNoId;
  Side side = Side::a;
  std::string_view reason = {};
};

struct Joins {
  std::vector<Join> joins;
  std::vector<Unjoined> unjoined;  // circuits by their ids, then paths
};

Joins find_joins(const Cabling& cabling, NodeKind nodes);

// The site that it is at, where that is there; else kNoId.
Id site_of(const Tables& tables, const Location& location);
Id site_of(const Tables& tables, const Device& device);

}  // namespace netml::codecs::netbox
