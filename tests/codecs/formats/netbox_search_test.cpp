// Paths of random cabling against a search that knows no index, and laws that hold for all of it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/codecs/formats/netbox_cabling.hpp"

namespace netml::codecs::netbox {
namespace {

using test::circuit_end;
using test::front;
using test::interface;
using test::Network;
using test::rear;

// Follows paths by going through whole tables at each step.
class Search {
 public:
  explicit Search(const Tables& tables) : tables_(tables) {
    for (const CableTermination& termination : tables.cable_terminations) all_.insert(termination);
  }

  // Whether it is whole, and whether a whole path comes to each of these circuit ends on its way.
  struct Walk {
    bool whole = false;
    std::set<Port> last;                              // where it is whole
    std::vector<std::pair<std::set<Port>, Port>> in;  // from where to which end of a circuit
    std::set<Port> out;                               // of the last circuit, or the beginning
  };

  Walk walk(std::set<Port> at) const {
    Walk walk;
    walk.out = at;
    std::vector<std::set<std::uint32_t>> entered;
    for (std::size_t cables = 0; cables < Tracer::kCablesMax; ++cables) {
      const std::set<Port> there = across(at);
      if (there.empty()) return walk;
      const PortKind kind = there.begin()->kind;
      if (kind == PortKind::interface) {
        walk.whole = entered.empty();
        if (walk.whole) walk.last = there;
        return walk;
      }
      if (kind == PortKind::other) return walk;
      if (kind == PortKind::circuit) {
        if (there.size() != 1) return walk;
        walk.in.emplace_back(walk.out, *there.begin());
        at = other_end(there.begin()->id);
        walk.out = at;
      } else {
        at = kind == PortKind::front_port ? behind(there, entered) : before(there, entered);
      }
      if (at.empty()) return walk;
    }
    return walk;
  }

 private:
  // The whole other end of the cable whose one end is exactly these ports; else nothing.
  std::set<Port> across(const std::set<Port>& ports) const {
    std::set<std::pair<Id, Side>> ends;
    std::size_t found = 0;
    for (const CableTermination& termination : all_)
      if (ports.contains(termination.port)) {
        ends.emplace(termination.cable, termination.side);
        ++found;
      }
    if (ends.size() != 1 || found != ports.size()) return {};
    const auto [cable, side] = *ends.begin();
    std::set<Port> there;
    for (const CableTermination& termination : all_) {
      if (termination.cable != cable) continue;
      if (termination.side == side && !ports.contains(termination.port)) return {};
      if (termination.side != side) there.insert(termination.port);
    }
    for (const Port& port : there) {
      if (port.kind != there.begin()->kind) return {};
      if (std::ranges::count(all_, port, &CableTermination::port) != 1) return {};
    }
    return there;
  }

  const RearPort* rear_port(Id id) const {
    for (const RearPort& port : tables_.rear_ports.all())
      if (port.id == id) return &port;
    return nullptr;
  }

  std::vector<Id> fronts(Id rear, std::uint32_t position) const {
    std::vector<Id> found;
    for (const FrontPort& port : tables_.front_ports.all())
      if (port.rear_port == rear && port.position == position) found.push_back(port.id);
    return found;
  }

  std::set<Port> behind(const std::set<Port>& ports,
                        std::vector<std::set<std::uint32_t>>& entered) const {
    std::set<Port> rears;
    std::set<std::uint32_t> positions;
    bool single = false;
    for (const Port& port : ports) {
      const FrontPort* there = nullptr;
      for (const FrontPort& each : tables_.front_ports.all())
        if (each.id == port.id) there = &each;
      if (there == nullptr || rear_port(there->rear_port) == nullptr) return {};
      const RearPort& rear = *rear_port(there->rear_port);
      if (there->position > rear.positions || fronts(rear.id, there->position).size() != 1)
        return {};
      rears.insert({PortKind::rear_port, rear.id});
      if (rear.positions == 1)
        single = true;
      else
        positions.insert(there->position);
    }
    if (!positions.empty() && (single || rears.size() > 1)) return {};
    if (!positions.empty()) entered.push_back(positions);
    return rears;
  }

  std::set<Port> before(const std::set<Port>& ports,
                        std::vector<std::set<std::uint32_t>>& entered) const {
    std::set<Port> found;
    for (const Port& port : ports) {
      const RearPort* const rear = rear_port(port.id);
      if (rear == nullptr) return {};
      std::set<std::uint32_t> positions{1};
      if (rear->positions > 1) {
        if (ports.size() > 1 || entered.empty()) return {};
        positions = entered.back();
        entered.pop_back();
      }
      for (const std::uint32_t position : positions) {
        const auto there = fronts(rear->id, position);
        if (there.size() != 1) return {};
        found.insert({PortKind::front_port, there.front()});
      }
    }
    return found;
  }

  std::set<Port> other_end(Id id) const {
    const CircuitTermination* here = nullptr;
    for (const CircuitTermination& each : tables_.circuit_terminations.all())
      if (each.id == id) here = &each;
    if (here == nullptr) return {};
    std::set<Port> others;
    for (const CircuitTermination& each : tables_.circuit_terminations.all()) {
      if (each.circuit != here->circuit || each.id == here->id) continue;
      if (each.side == here->side || each.provider_network != kNoId) return {};
      others.insert({PortKind::circuit, each.id});
    }
    return others.size() == 1 ? others : std::set<Port>();
  }

  const Tables& tables_;
  std::set<CableTermination> all_;
};

// Some of what is cabled is wrong.
Network random_network(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t most) { return static_cast<Id>(random() % most); };
  const Id sites = 2 + below(3);
  Network network(sites);
  std::vector<Port> ports;
  for (Id id = 1; id <= sites; ++id) ports.push_back(interface(id));
  for (Id id = 20; id < 20 + below(8); ++id) {
    network.tables.interfaces.add({.id = id, .device = 1 + below(20) % sites});
    ports.push_back(interface(id));
  }
  for (Id panel = 1; panel <= below(7); ++panel) {
    const auto positions = static_cast<std::uint32_t>(1 + below(3));
    network.panel(panel, 10 * panel, positions);
    ports.push_back(rear(panel));
    for (Id i = 0; i < positions; ++i) ports.push_back(front(10 * panel + i));
  }
  for (Id circuit = 1; circuit <= below(4); ++circuit) {
    network.circuit(circuit, below(8) % (sites + 1), 1 + below(8) % sites);
    ports.push_back(circuit_end(10 * circuit + 1));
    ports.push_back(circuit_end(10 * circuit + 2));
  }
  if (below(9) == 0) network.tables.front_ports.add({.id = 99, .rear_port = 1, .position = 1});
  std::ranges::shuffle(ports, random);
  Id cable = 0;
  while (ports.size() > 1 && below(12) != 0) {
    ++cable;
    for (const Side side : {Side::a, Side::b}) {
      for (Id several = below(6) == 0 ? 2 : 1; several > 0 && !ports.empty(); --several) {
        network.tables.cable_terminations.push_back({cable, side, ports.back()});
        if (below(25) != 0) ports.pop_back();
      }
    }
  }
  return network;
}

Id site_of(const Tables& tables, Port port) {
  if (port.kind == PortKind::circuit) {
    const CircuitTermination& end = *tables.circuit_terminations.find(port.id);
    return end.provider_network != kNoId ? kNoId : end.site;
  }
  return tables.devices.find(tables.interfaces.find(port.id)->device)->site;
}

// Of paths only: between which ports, each end by its first one.
std::set<std::pair<Port, Port>> searched_paths(const Tables& tables) {
  const Search search(tables);
  std::set<std::pair<Port, Port>> found;
  const auto add = [&](const std::set<Port>& from, const std::set<Port>& to) {
    std::set<Id> first, second;
    for (const Port& port : from) first.insert(site_of(tables, port));
    for (const Port& port : to) second.insert(site_of(tables, port));
    const bool known = !first.contains(kNoId) && !second.contains(kNoId);
    if (known && first.size() == 1 && second.size() == 1 && first != second)
      found.insert(std::minmax(*from.begin(), *to.begin()));
  };
  std::set<std::pair<Id, Side>> ends;
  for (const CableTermination& each : tables.cable_terminations)
    ends.emplace(each.cable, each.side);
  for (const auto& [cable, side] : ends) {
    std::set<Port> ports;
    for (const CableTermination& each : tables.cable_terminations)
      if (each.cable == cable && each.side == side) ports.insert(each.port);
    const PortKind kind = ports.begin()->kind;
    const bool one_sort =
        std::ranges::all_of(ports, [&](const Port& port) { return port.kind == kind; });
    const bool begins =
        kind == PortKind::interface || (kind == PortKind::circuit && ports.size() == 1);
    if (!one_sort || !begins) continue;
    const Search::Walk walk = search.walk(ports);
    for (const auto& [from, to] : walk.in) add(from, {to});
    if (walk.whole) add(walk.out, walk.last);
  }
  return found;
}

RC_GTEST_PROP(NetboxJoins, FindTheSamePathsAsASearch, (std::uint32_t seed)) {
  Network network = random_network(seed);
  const Joins joins = network.joins();
  std::multiset<std::pair<Port, Port>> found;
  for (const Join& join : joins.joins)
    if (join.circuit == kNoId) found.insert(std::minmax(join.ports[0], join.ports[1]));
  const auto searched = searched_paths(network.tables);
  RC_ASSERT(found == std::multiset(searched.begin(), searched.end()));
}

RC_GTEST_PROP(NetboxJoins, DoNotDependOnOrderOrSides, (std::uint32_t seed)) {
  Network network = random_network(seed);
  Network turned = random_network(seed);
  for (CableTermination& each : turned.tables.cable_terminations) each.side = other(each.side);
  std::ranges::reverse(turned.tables.cable_terminations);
  const auto pairs_of = [](const Joins& joins) {
    std::multiset<std::pair<Place, Place>> pairs;
    for (const Join& join : joins.joins) pairs.insert(std::minmax(join.ends[0], join.ends[1]));
    return pairs;
  };
  for (const NodeKind nodes : {NodeKind::site, NodeKind::device})
    RC_ASSERT(pairs_of(network.joins(nodes)) == pairs_of(turned.joins(nodes)));
}

// Each circuit once.
RC_GTEST_PROP(NetboxJoins, HaveAReasonForAllThatIsNoLink, (std::uint32_t seed)) {
  Network network = random_network(seed);
  const Joins joins = network.joins();
  std::multiset<Id> circuits;
  for (const Join& join : joins.joins)
    if (join.circuit != kNoId) circuits.insert(join.circuit);
  for (const Unjoined& unjoined : joins.unjoined)
    if (unjoined.circuit != kNoId) circuits.insert(unjoined.circuit);
  std::multiset<Id> all;
  for (const Circuit& circuit : network.tables.circuits.all()) all.insert(circuit.id);
  RC_ASSERT(circuits == all);
}

}  // namespace
}  // namespace netml::codecs::netbox
