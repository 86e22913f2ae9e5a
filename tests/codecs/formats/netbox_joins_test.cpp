// Which two places circuits and paths of cables join, each shape of cabling by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
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
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Pair = std::pair<Id, Id>;

std::vector<Pair> pairs_of(const Joins& joins) {
  std::vector<Pair> pairs;
  for (const Join& join : joins.joins)
    pairs.emplace_back(std::minmax(join.ends[0].id, join.ends[1].id));
  return pairs;
}

std::vector<std::string> reasons_of(const Joins& joins) {
  std::vector<std::string> reasons;
  for (const Unjoined& unjoined : joins.unjoined) reasons.emplace_back(unjoined.reason);
  return reasons;
}

void expect_only(const Joins& joins, Stop stop, std::size_t times) {
  EXPECT_THAT(pairs_of(joins), IsEmpty());
  EXPECT_THAT(reasons_of(joins),
              testing::ElementsAreArray(std::vector(times, std::string(stop_text(stop)))));
}

// ---- cables ----

TEST(NetboxJoins, JoinsTheSitesOfACable) {
  Network network(2);
  network.cable(interface(1), interface(2));
  const Joins joins = network.joins();
  EXPECT_THAT(pairs_of(joins), ElementsAre(Pair(1, 2)));
  EXPECT_THAT(joins.unjoined, IsEmpty());
}

TEST(NetboxJoins, KeepsParallelCablesApart) {
  Network network(2);
  network.tables.interfaces.add({.id = 3, .device = 1});
  network.tables.interfaces.add({.id = 4, .device = 2});
  network.cable(interface(1), interface(2));
  network.cable(interface(4), interface(3));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2), Pair(1, 2)));
}

TEST(NetboxJoins, LeavesOutWhatStaysAtASite) {
  Network network(1);
  network.tables.interfaces.add({.id = 2, .device = 1});
  network.cable(interface(1), interface(2));
  const Joins joins = network.joins();
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(joins.unjoined, IsEmpty());
}

TEST(NetboxJoins, GoesThroughPanels) {
  Network network(2);
  network.panel(10, 100);
  network.panel(20, 200);
  network.cable(interface(1), front(100));
  network.cable(rear(10), rear(20));
  network.cable(front(200), interface(2));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

TEST(NetboxJoins, GoesThroughPanelsFromBehind) {
  Network network(2);
  network.panel(10, 100);
  network.panel(20, 200);
  network.cable(interface(1), rear(10));
  network.cable(front(100), front(200));
  network.cable(rear(20), interface(2));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

// Interfaces 1 and 3 to the first and third position of a trunk to sites 2 and 4.
TEST(NetboxJoins, KnowsThePositionsOfATrunk) {
  Network network(4);
  network.panel(10, 100, 3);
  network.panel(20, 200, 3);
  network.cable(interface(1), front(100));
  network.cable(interface(3), front(102));
  network.cable(rear(10), rear(20));
  network.cable(front(200), interface(2));
  network.cable(front(202), interface(4));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2), Pair(3, 4)));
}

TEST(NetboxJoins, KnowsThePositionsOfATrunkWithinATrunk) {
  Network network(2);
  network.panel(10, 100, 2);
  network.panel(11, 110, 3);
  network.panel(20, 200, 3);
  network.panel(21, 210, 2);
  network.cable(interface(1), front(101));
  network.cable(rear(10), front(112));
  network.cable(rear(11), rear(20));
  network.cable(front(202), rear(21));
  network.cable(front(211), interface(2));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

TEST(NetboxJoins, TakesSeveralPortsAtAnEndAsOne) {
  Network network(2);
  network.tables.interfaces.add({.id = 3, .device = 2});
  network.cable({interface(1)}, {interface(2), interface(3)});
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

TEST(NetboxJoins, TakesSeveralPortsThroughATrunk) {
  Network network(2);
  network.panel(10, 100, 4);
  network.panel(20, 200, 4);
  network.tables.interfaces.add({.id = 3, .device = 2});
  network.cable({interface(1)}, {front(101), front(102)});
  network.cable(rear(10), rear(20));
  network.cable({front(202), front(201)}, {interface(2), interface(3)});
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

TEST(NetboxJoins, DoesNotGuessWhereAnEndIsAtSeveralSites) {
  Network network(3);
  network.cable({interface(1)}, {interface(2), interface(3)});
  const Joins joins = network.joins();
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(reasons_of(joins), ElementsAre("an end of it is at several places"));
}

TEST(NetboxJoins, ListsACableWithOneEnd) {
  Network network(1);
  network.cable({interface(1)}, {});
  expect_only(network.joins(), Stop::no_other_end, 1);
}

TEST(NetboxJoins, ListsAPanelThatLeadsNowhere) {
  Network network(1);
  network.panel(10, 100);
  network.cable(interface(1), front(100));
  expect_only(network.joins(), Stop::not_patched, 1);
}

TEST(NetboxJoins, ListsARearPortThatSplits) {
  Network network(3);
  network.panel(10, 100, 2);
  network.cable(interface(1), rear(10));
  network.cable(front(100), interface(2));
  network.cable(front(101), interface(3));
  const Joins joins = network.joins();
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(reasons_of(joins),
              UnorderedElementsAre(stop_text(Stop::split), stop_text(Stop::within_trunk),
                                   stop_text(Stop::within_trunk)));
}

TEST(NetboxJoins, ListsPortsThatLeadToDifferentCables) {
  Network network(3);
  network.panel(10, 100);
  network.panel(11, 101);
  network.cable({interface(1)}, {front(100), front(101)});
  network.cable(rear(10), interface(2));
  network.cable(rear(11), interface(3));
  expect_only(network.joins(), Stop::split, 3);
}

TEST(NetboxJoins, EndsInALoop) {
  Network network(1);
  network.panel(10, 100, 2);
  network.cable(interface(1), front(100));
  network.cable(rear(10), front(101));
  expect_only(network.joins(), Stop::endless, 1);
}

TEST(NetboxJoins, TurnsBackWhereAPanelIsPatchedToItself) {
  Network network(2);
  network.panel(10, 100, 2);
  network.panel(20, 200, 2);
  network.tables.interfaces.add({.id = 3, .device = 1});
  network.cable(interface(1), front(100));
  network.cable(rear(10), rear(20));
  network.cable(front(200), front(201));
  network.cable(front(101), interface(3));
  const Joins joins = network.joins();
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(joins.unjoined, IsEmpty());
}

TEST(NetboxJoins, ListsAPortWithSeveralCables) {
  Network network(3);
  network.cable(interface(1), interface(2));
  network.cable(interface(1), interface(3));
  expect_only(network.joins(), Stop::several_cables, 4);
}

TEST(NetboxJoins, ListsEndsOfSeveralSorts) {
  Network network(2);
  network.panel(20, 200);
  network.cable({interface(1)}, {interface(2), front(200)});
  expect_only(network.joins(), Stop::several_sorts, 2);
}

TEST(NetboxJoins, ListsWhatIsNotThere) {
  Network network(1);
  network.cable(interface(1), front(100));
  expect_only(network.joins(), Stop::no_port, 1);
}

TEST(NetboxJoins, ListsADeviceThatIsNotThere) {
  Network network(1);
  network.cable(interface(1), interface(7));
  EXPECT_THAT(reasons_of(network.joins()),
              ElementsAre("an end of it is at no place that is known"));
}

TEST(NetboxJoins, LeavesOutPowerAndConsoles) {
  Network network(1);
  network.cable(Port{PortKind::other, 1}, Port{PortKind::other, 2});
  network.cable(interface(1), Port{PortKind::other, 3});
  const Joins joins = network.joins();
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(joins.unjoined, IsEmpty());
}

// ---- circuits ----

TEST(NetboxJoins, JoinsTheSitesOfACircuit) {
  Network network(2);
  network.circuit(5, 2, 1);
  const Joins joins = network.joins();
  EXPECT_THAT(pairs_of(joins), ElementsAre(Pair(1, 2)));
  EXPECT_EQ(joins.joins.front().circuit, 5U);
}

TEST(NetboxJoins, DoesNotCountTheCablesOfACircuitAgain) {
  Network network(2);
  network.circuit(5, 1, 2);
  network.cable(interface(1), circuit_end(51));
  network.cable(circuit_end(52), interface(2));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

TEST(NetboxJoins, JoinsAlsoByTheCableToACircuitElsewhere) {
  Network network(3);
  network.circuit(5, 2, 3);
  network.cable(interface(1), circuit_end(51));
  EXPECT_THAT(pairs_of(network.joins()), UnorderedElementsAre(Pair(2, 3), Pair(1, 2)));
}

TEST(NetboxJoins, JoinsTwoCircuitsThatArePatchedToEachOther) {
  Network network(4);
  network.circuit(5, 1, 2);
  network.circuit(6, 3, 4);
  network.cable(circuit_end(52), circuit_end(61));
  EXPECT_THAT(pairs_of(network.joins()), UnorderedElementsAre(Pair(1, 2), Pair(2, 3), Pair(3, 4)));
}

TEST(NetboxJoins, CarriesATrunkThroughACircuit) {
  Network network(2);
  network.panel(10, 100, 2);
  network.panel(20, 200, 2);
  network.circuit(5, 1, 2);
  network.tables.interfaces.add({.id = 3, .device = 1});
  network.tables.interfaces.add({.id = 4, .device = 2});
  network.cable(interface(1), front(100));
  network.cable(interface(3), front(101));
  network.cable(rear(10), circuit_end(51));
  network.cable(circuit_end(52), rear(20));
  network.cable(front(200), interface(2));
  network.cable(front(201), interface(4));
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
  const Joins of_devices = network.joins(NodeKind::device);
  EXPECT_THAT(pairs_of(of_devices), ElementsAre(Pair(1, 2), Pair(1, 2)));
  for (const Join& join : of_devices.joins) EXPECT_THAT(join.circuits, ElementsAre(5U));
}

TEST(NetboxJoins, SaysWhyACircuitIsNoLink) {
  Network network(2);
  network.circuit(1, 1, kNoId);  // the network of a provider
  network.circuit(2, 1, 1);
  network.circuit(3, 1, 9);
  network.tables.circuits.add({.id = 4});
  network.tables.circuits.add({.id = 5});
  network.circuit_termination(51, 5, 'Z', 1);
  network.circuit(6, 1, 2);
  network.circuit_termination(63, 6, 'A', 2);
  const Joins joins = network.joins();
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(
      reasons_of(joins),
      ElementsAre("an end of it is in the network of a provider",
                  "both of its ends are at one place", "an end of it is at no site that is known",
                  "it has no ends", "it has one end only", "it has several ends of one side"));
}

TEST(NetboxJoins, TakesTheSiteOfALocation) {
  Network network(2);
  network.tables.locations.add({.id = 7, .site = 2});
  network.tables.circuits.add({.id = 1});
  network.circuit_termination(11, 1, 'A', 1);
  network.tables.circuit_terminations.add({.id = 12, .circuit = 1, .side = 'Z', .location = 7});
  EXPECT_THAT(pairs_of(network.joins()), ElementsAre(Pair(1, 2)));
}

TEST(NetboxJoins, JoinsLocationsWhereTheyAreNodes) {
  Network network(1);
  network.tables.locations.add({.id = 7, .site = 1});
  network.tables.devices.add({.id = 2, .site = 1, .location = 7});
  network.tables.interfaces.add({.id = 2, .device = 2});
  network.cable(interface(1), interface(2));
  EXPECT_THAT(network.joins().joins, IsEmpty());
  const Joins joins = network.joins(NodeKind::location);
  ASSERT_EQ(joins.joins.size(), 1U);
  EXPECT_EQ(joins.joins[0].ends[0], (Place{NodeKind::site, 1}));
  EXPECT_EQ(joins.joins[0].ends[1], (Place{NodeKind::location, 7}));
}

TEST(NetboxJoins, SaysWhichCircuitsHaveNoPathWhereDevicesAreNodes) {
  Network network(2);
  network.circuit(5, 1, 2);
  network.cable(interface(1), circuit_end(51));
  const Joins joins = network.joins(NodeKind::device);
  EXPECT_THAT(joins.joins, IsEmpty());
  EXPECT_THAT(reasons_of(joins), ElementsAre(stop_text(Stop::circuit_unpatched),
                                             "no whole path of cables goes through it"));
}

}  // namespace
}  // namespace netml::codecs::netbox
