#include "codecs/formats/netbox/netbox_joins.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace netml::codecs::netbox {

namespace {

Id known_site(const Tables& tables, Id site, const Location* location) {
  if (site == kNoId && location != nullptr) site = location->site;
  return tables.sites.find(site) != nullptr ? site : kNoId;
}

class Finder {
 public:
  Finder(const Cabling& cabling, NodeKind nodes)
      : cabling_(cabling), tables_(cabling.tables()), nodes_(nodes), tracer_(cabling) {}

  Joins find() && {
    if (nodes_ != NodeKind::device)
      for (const Circuit& circuit : tables_.circuits.all()) join_circuit(circuit.id);
    follow_cables();
    return std::move(found_);
  }

 private:
  // ---- places ----

  // What is at a site that is not there is nowhere.
  Place place_at(Id site, Id location) const {
    const Location* const at = tables_.locations.find(location);
    const Id found = known_site(tables_, site, at);
    if (at == nullptr || nodes_ != NodeKind::location || found == kNoId)
      return {NodeKind::site, found};
    return {NodeKind::location, location};
  }

  Place place_of(const CircuitTermination& termination) const {
    return termination.provider_network != kNoId ? Place()
                                                 : place_at(termination.site, termination.location);
  }

  Place place_of(Port port) const {
    if (port.kind == PortKind::circuit) {
      const auto* const termination = tables_.circuit_terminations.find(port.id);
      return termination == nullptr ? Place() : place_of(*termination);
    }
    const Interface* const interface = tables_.interfaces.find(port.id);
    const Device* const device =
        interface == nullptr ? nullptr : tables_.devices.find(interface->device);
    if (device == nullptr) return {};
    if (nodes_ == NodeKind::device)
      return {NodeKind::device, site_of(tables_, *device) != kNoId ? device->id : kNoId};
    return place_at(device->site, device->location);
  }

  // Nothing where its ports are at several places.
  std::optional<Place> place_of(EndIndex end) const {
    const auto ports = cabling_.ports(end);
    const Place place = place_of(ports.front());
    const bool one = std::ranges::all_of(ports, [&](Port port) { return place_of(port) == place; });
    return one ? std::optional(place) : std::nullopt;
  }

  // ---- circuits ----

  void join_circuit(Id circuit) {
    const CircuitEnds ends = cabling_.circuit_ends(circuit);
    const auto& [a, z] = ends.sides;
    const auto no_link = [&](std::string_view reason) {
      found_.unjoined.push_back({.circuit = circuit, .reason = reason});
    };
    if (ends.several) return no_link("it has several ends of one side");
    if (a == nullptr && z == nullptr) return no_link("it has no ends");
    if (a == nullptr || z == nullptr) return no_link("it has one end only");
    if (a->provider_network != kNoId || z->provider_network != kNoId)
      return no_link("an end of it is in the network of a provider");
    const Place from = place_of(*a);
    const Place to = place_of(*z);
    if (from.id == kNoId || to.id == kNoId)
      return no_link("an end of it is at no site that is known");
    if (from == to) return no_link("both of its ends are at one place");
    found_.joins.push_back(Join{.ends = {from, to}, .circuit = circuit});
  }

  // ---- cables ----

  // From interfaces first: what leads to an end of a circuit need not be followed from there.
  void follow_cables() {
    reached_.resize(cabling_.ends().size());
    for (const PortKind kind : {PortKind::interface, PortKind::circuit}) {
      for (EndIndex end = 0; end < reached_.size(); ++end)
        if (cabling_.ports(end).front().kind == kind && !reached_[end]) follow(end);
    }
    if (nodes_ == NodeKind::device) return refuse_circuits_without_path();
    std::ranges::sort(legs_, {}, by_ends);
    const auto [first, last] = std::ranges::unique(legs_, {}, by_ends);
    legs_.erase(first, last);
    for (const Leg& leg : legs_) {
      const auto [from, to] = by_ends(leg);
      join(from, to, {});
    }
  }

  static std::pair<EndIndex, EndIndex> by_ends(const Leg& leg) {
    return std::minmax(leg.from, leg.to);
  }

  // An end at interfaces was reached where a whole path from its other end leads to it.
  void follow(EndIndex from) {
    const Path& path = tracer_.trace(from);
    const bool from_circuit = cabling_.ports(from).front().kind == PortKind::circuit;
    if (nodes_ == NodeKind::device) {
      if (from_circuit) return;
      if (path.stop != Stop::whole) return refuse(from, stop_text(path.stop));
      reached_[path.last] = true;
      circuits_.insert(circuits_.end(), path.circuits.begin(), path.circuits.end());
      if (path.legs.size() > path.circuits.size()) join(from, path.last, path.circuits);
      return;
    }
    legs_.insert(legs_.end(), path.legs.begin(), path.legs.end());
    for (const Leg& leg : path.legs) reached_[leg.to] = reached_[leg.from] = true;
    if (path.stop == Stop::whole) return;
    const bool at_circuit = path.stop == Stop::circuit_end ||
                            path.stop == Stop::circuit_unpatched ||
                            path.stop == Stop::provider_network;
    if (!at_circuit) refuse(from, stop_text(path.stop));  // else the circuit has the reason
  }

  void join(EndIndex from, EndIndex to, const std::vector<Id>& circuits) {
    const std::optional<Place> first = place_of(from);
    const std::optional<Place> second = place_of(to);
    if (!first || !second) return refuse(from, "an end of it is at several places");
    if (first->id == kNoId || second->id == kNoId)
      return refuse(from, "an end of it is at no place that is known");
    if (first == second) return;
    found_.joins.push_back(Join{.ends = {*first, *second},
                                .ports = {cabling_.ports(from).front(), cabling_.ports(to).front()},
                                .circuits = circuits});
  }

  void refuse(EndIndex from, std::string_view reason) {
    const CableEnd& end = cabling_.ends()[from];
    found_.unjoined.push_back({.cable = end.cable, .side = end.side, .reason = reason});
  }

  void refuse_circuits_without_path() {
    std::ranges::sort(circuits_);
    for (const Circuit& circuit : tables_.circuits.all())
      if (!std::ranges::binary_search(circuits_, circuit.id))
        found_.unjoined.push_back(
            {.circuit = circuit.id, .reason = "no whole path of cables goes through it"});
  }

  const Cabling& cabling_;
  const Tables& tables_;
  const NodeKind nodes_;
  Tracer tracer_;
  std::vector<char> reached_;  // by end
  std::vector<Leg> legs_;
  std::vector<Id> circuits_;  // on whole paths
  Joins found_;
};

}  // namespace

Joins find_joins(const Cabling& cabling, NodeKind nodes) {
  return Finder(cabling, nodes).find();
}

Id site_of(const Tables& tables, const Location& location) {
  return known_site(tables, location.site, nullptr);
}

Id site_of(const Tables& tables, const Device& device) {
  return known_site(tables, device.site, tables.locations.find(device.location));
}

}  // namespace netml::codecs::netbox
