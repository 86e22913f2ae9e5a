// The states of elements while their topology is imported, and what follows from them
// (docs/requirements/importing.md, section 4.1).
#include <gmock/gmock.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(States, AnElementOfTheFileIsUpdatedFromIt) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("n").named("old").with("k", "old")));
  store.import_at_top(
      topology("P", "p", institution("p"), node("n").named("new").with("j", "new")));
  EXPECT_EQ(store.node("n").name(), "new");
  EXPECT_THAT(store.node("n").properties, ElementsAre("j=new"));
}

TEST(States, AnElementNotInTheFileLosesItsTopologyAndStaysInOthers) {
  ImportHarness store;
  store.import(topology("A", "a", institution("a"), node("n").named("of A")));
  store.import_at_top(topology("B", "b", institution("b"), node("n").named("of B")));
  const RecordView before = store.node("n");
  store.import_at_top(topology("A", "a", institution("a")));
  const RecordView n = store.node("n");
  EXPECT_THAT(n.topologies, ElementsAre("B"));
  EXPECT_EQ(n.name(), "of B");
  EXPECT_EQ(n.number, before.number);
}

TEST(States, AnElementOfNoTopologyIsDeleted) {
  ImportHarness store;
  store.import(topology("A", "a", institution("a"), node("n")));
  store.import_at_top(topology("A", "a", institution("a")));
  EXPECT_EQ(store.count(Kind::node, "n"), 0U);
}

// Associations are broken before anything is deleted.
TEST(States, AnElementMovedUpTheTreeKeepsItsIdentityAndReferences) {
  ImportHarness store;
  store.import(
      topology("P", "p", institution("p"), topology("C", "c", institution("c"), node("n"))));
  store.import_at_top(
      topology("U", "u", institution("u"), node("m"), node("n").copy_of("C"), link("l", "m", "n")));
  const RecordId record = store.node("n").record;
  store.import_at_top(
      topology("P", "p", institution("p"), node("n"), topology("C", "c", institution("c"))));
  EXPECT_EQ(store.node("n").record, record);
  EXPECT_THAT(store.node("n").topologies, ElementsAre("P"));
  EXPECT_THAT(store.link("l").ends, ElementsAre("m", "n"));
}

TEST(States, AnElementMovedDownTheTreeKeepsItsIdentityAndReferences) {
  ImportHarness store;
  store.import(
      topology("P", "p", institution("p"), node("n"), topology("C", "c", institution("c"))));
  store.import_at_top(
      topology("U", "u", institution("u"), node("m"), node("n").copy_of("P"), link("l", "m", "n")));
  const RecordId record = store.node("n").record;
  store.import_at_top(
      topology("P", "p", institution("p"), topology("C", "c", institution("c"), node("n"))));
  EXPECT_EQ(store.node("n").record, record);
  EXPECT_THAT(store.node("n").topologies, ElementsAre("C"));
  EXPECT_THAT(store.link("l").ends, ElementsAre("m", "n"));
}

// ---- properties of an element in several topologies of one file (decisions 3 and 18) ----

TEST(PropertiesOfOneFile, AreGatheredFromAllInstancesAndNearestToTheRootWins) {
  ImportHarness store;
  store.import(topology(
      "A", "Br", institution("Br").named("A version").with("k", "A").with("tag", "t1"),
      topology(
          "B", "Br",
          institution("Br").named("B version").with("k", "B").with("z", "1").with("tag", "t2"))));
  EXPECT_EQ(store.institution("Br").name(), "A version");
  EXPECT_THAT(store.institution("Br").properties,
              UnorderedElementsAre("k=A", "z=1", "tag=t1", "tag=t2"));
  EXPECT_THAT(store.log().text(), HasSubstr("property \"k\" differs"));
}

TEST(PropertiesOfOneFile, LoseOnlyWhatNoInstanceHasAnyMore) {
  const auto part = [](const char* id, const char* property) {
    return topology(id, "o", institution("o"), node("X").with(property, id));
  };
  ImportHarness store;
  store.import(
      topology("P", "o", institution("o"), part("C1", "p1"), part("C2", "p2"), part("C3", "p3")));
  EXPECT_THAT(store.node("X").properties, UnorderedElementsAre("p1=C1", "p2=C2", "p3=C3"));
  store.import_at_top(topology("P", "o", institution("o"), part("C1", "p1"),
                               topology("C2", "o", institution("o")), part("C3", "p3")));
  EXPECT_THAT(store.node("X").properties, UnorderedElementsAre("p1=C1", "p3=C3"));
}

TEST(PropertiesOfOneFile, AreSharedByInstancesThatStayApart) {
  ImportHarness store(CollisionPolicy::keep_separate);
  store.import(topology("P", "o", institution("o"), node("n").with("k", "P").with("!-own", "P"),
                        topology("C", "o", institution("o"), node("n").with("z", "C"))));
  const std::vector<RecordView> nodes = store.all(Kind::node, "n");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_THAT(nodes[0].topologies, ElementsAre("C"));
  EXPECT_THAT(nodes[0].properties, UnorderedElementsAre("k=P", "z=C"));
  EXPECT_THAT(nodes[1].topologies, ElementsAre("P"));
  EXPECT_THAT(nodes[1].properties, UnorderedElementsAre("k=P", "z=C", "!-own=P"));
}

TEST(PropertiesOfOneFile, AreNotGatheredFromOrForCopies) {
  ImportHarness store(CollisionPolicy::keep_separate);
  store.import(topology("P", "o", institution("o"), node("n").with("k", "P").copy_of("elsewhere"),
                        topology("C", "o", institution("o"), node("n").with("z", "C"))));
  const std::vector<RecordView> nodes = store.all(Kind::node, "n");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_THAT(nodes[0].properties, ElementsAre("z=C"));
  EXPECT_THAT(nodes[1].properties, ElementsAre("k=P", "!-from_topology=elsewhere"));
}

TEST(PropertiesOfTwoFiles, AreThoseOfTheNewest) {
  ImportHarness store;
  store.import(topology("A", "i", institution("i").with("k", "A").with("z", "1")));
  store.import_at_top(topology("B", "i", institution("i").with("k", "B")));
  EXPECT_THAT(store.institution("i").properties, ElementsAre("k=B"));
}

// ---- consequences ----

// The local edit stands in for any other source of data about the element.
TEST(Consequences, WhatAnotherFileSaidOfAnElementIsOverwritten) {
  ImportHarness store;
  const std::string file = topology("P", "p", institution("p"), node("n").with("k", "1"));
  store.import(file);
  store.import_at_top(topology("P", "p", institution("p"), institution("q"),
                               node("n").named("edited").with("extra", "x").owned_by("q")));
  store.import_at_top(file);
  EXPECT_EQ(store.node("n").name(), "n");
  EXPECT_THAT(store.node("n").properties, ElementsAre("k=1"));
  EXPECT_THAT(store.node("n").owners, ElementsAre("p"));
}

TEST(Consequences, AnElementAlsoInAnotherTopologyTakesNewDataAndKeepsOldOwners) {
  ImportHarness store;
  store.import(topology("A", "a", institution("a"), institution("x"),
                        node("n").named("first").owned_by("x")));
  store.import_at_top(topology("B", "b", institution("b"), node("n").named("second")));
  store.import_at_top(
      topology("A", "a", institution("a"), institution("x"), node("n").named("third")));
  const RecordView n = store.node("n");
  EXPECT_EQ(n.name(), "third");
  EXPECT_THAT(n.topologies, ElementsAre("A", "B"));
  EXPECT_THAT(n.owners, ElementsAre("a", "b", "x"));
}

TEST(Consequences, WithoutRulesTheOldDataStayInTheOtherTopology) {
  ImportHarness store(CollisionPolicy::keep_separate);
  store.import(topology("A", "a", institution("a"), node("n").named("of A")));
  store.import_at_top(topology("B", "b", institution("b"), node("n").named("of B")));
  store.import_at_top(topology("A", "a", institution("a"), node("n").named("of A, again")));
  const std::vector<RecordView> nodes = store.all(Kind::node, "n");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].name(), "of B");
  EXPECT_THAT(nodes[0].topologies, ElementsAre("B"));
  EXPECT_EQ(nodes[1].name(), "of A, again");
  EXPECT_THAT(nodes[1].topologies, ElementsAre("A"));
}

TEST(Consequences, DeletingANodeTakesLinksOfOtherTopologiesThatEndAtIt) {
  ImportHarness store;
  store.import(topology("A", "a", institution("a"), node("n")));
  store.import_at_top(
      topology("U", "u", institution("u"), node("m"), node("n").copy_of("A"), link("l", "m", "n")));
  ASSERT_EQ(store.count(Kind::link, "l"), 1U);
  store.import_at_top(topology("A", "a", institution("a")));
  EXPECT_EQ(store.count(Kind::link, "l"), 0U);
  EXPECT_EQ(store.count(Kind::node, "m"), 1U);
  EXPECT_THAT(store.log().text(), HasSubstr("deleted: its end n <n>"));
}

TEST(Consequences, ALinkWithNewEndsDoesNotFallWithTheNodeItLeft) {
  const auto file = [](const char* id, const char* other_end) {
    return topology(id, "o", institution("o"), node("a"), node(other_end),
                    link("l", "a", other_end));
  };
  ImportHarness store;
  store.import(file("A", "gone"));
  store.import_at_top(topology("B", "o", institution("o"), node("a"), node("gone").copy_of("A"),
                               link("l", "a", "gone")));
  ASSERT_THAT(store.link("l").topologies, ElementsAre("A", "B"));
  store.import_at_top(file("A", "new"));
  EXPECT_EQ(store.count(Kind::node, "gone"), 0U);
  EXPECT_THAT(store.link("l").ends, ElementsAre("a", "new"));
  EXPECT_THAT(store.link("l").topologies, ElementsAre("A", "B"));
}

TEST(Consequences, DeletingAnInstitutionEndsItsOwnerships) {
  ImportHarness store;
  store.import(topology("A", "a", institution("a"), institution("x")));
  store.import_at_top(
      topology("U", "x", institution("x").copy_of("A"), institution("u"), node("n").owned_by("u")));
  EXPECT_THAT(store.topology("U").owners, ElementsAre("x"));
  store.import_at_top(topology("A", "a", institution("a")));
  EXPECT_THAT(store.topology("U").owners, ElementsAre());
  EXPECT_THAT(store.node("n").owners, ElementsAre("u"));
}

TEST(Consequences, TheInstanceNearestTheRootWinsAlongOnePath) {
  ImportHarness store;
  store.import(topology("P", "o", institution("o"), node("n").named("P"),
                        topology("C", "o", institution("o"), node("n").named("C"),
                                 topology("G", "o", institution("o"), node("n").named("G")))));
  EXPECT_EQ(store.node("n").name(), "P");
}

TEST(Consequences, TheLastOfSeveralFilesWins) {
  ImportHarness store;
  store.import(topology("A", "o", institution("o"), node("n").named("first")));
  store.import_at_top(topology("B", "o", institution("o"), node("n").named("second")));
  EXPECT_EQ(store.node("n").name(), "second");
  store.import_at_top(topology("A", "o", institution("o"), node("n").named("third")));
  EXPECT_EQ(store.node("n").name(), "third");
}

}  // namespace
}  // namespace netml::test
