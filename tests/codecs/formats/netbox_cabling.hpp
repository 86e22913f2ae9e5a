// Small NetBoxes as tables, for tests of traces.
#pragma once

#include <initializer_list>
#include <vector>

#include "codecs/formats/netbox/netbox_joins.hpp"

namespace netml::codecs::netbox::test {

constexpr Port interface(Id id) {
  return {PortKind::interface, id};
}
constexpr Port front(Id id) {
  return {PortKind::front_port, id};
}
constexpr Port rear(Id id) {
  return {PortKind::rear_port, id};
}
constexpr Port circuit_end(Id id) {
  return {PortKind::circuit, id};
}

// Device n is at site n, and has the interface n; more on demand.
class Network {
 public:
  explicit Network(Id sites) {
    for (Id id = 1; id <= sites; ++id) {
      tables.sites.add({.id = id});
      tables.devices.add({.id = id, .site = id});
      tables.interfaces.add({.id = id, .device = id});
    }
  }

  // A rear port with a front port for each position, of which the first one is `front`.
  void panel(Id rear, Id front, std::uint32_t positions = 1) {
    tables.rear_ports.add({.id = rear, .positions = positions});
    for (std::uint32_t i = 0; i < positions; ++i)
      tables.front_ports.add({.id = front + i, .rear_port = rear, .position = i + 1});
  }

  // The number of the cable.
  Id cable(std::initializer_list<Port> a, std::initializer_list<Port> b) {
    ++cables_;
    for (const Port port : a) tables.cable_terminations.push_back({cables_, Side::a, port});
    for (const Port port : b) tables.cable_terminations.push_back({cables_, Side::b, port});
    return cables_;
  }
  Id cable(Port a, Port b) { return cable({a}, {b}); }

  // Its ends have the numbers 10 * id + 1 and + 2. Site 0: in the network of a provider.
  void circuit(Id id, Id site_a, Id site_z) {
    tables.circuits.add({.id = id});
    circuit_termination(10 * id + 1, id, 'A', site_a);
    circuit_termination(10 * id + 2, id, 'Z', site_z);
  }
  void circuit_termination(Id id, Id circuit, char side, Id site) {
    tables.circuit_terminations.add({.id = id,
                                     .circuit = circuit,
                                     .side = side,
                                     .site = site,
                                     .provider_network = site == kNoId ? Id{1} : kNoId});
  }

  Joins joins(NodeKind nodes = NodeKind::site) {
    tables.seal();
    return find_joins(Cabling(tables), nodes);
  }

  Tables tables;

 private:
  Id cables_ = 0;
};

}  // namespace netml::codecs::netbox::test
