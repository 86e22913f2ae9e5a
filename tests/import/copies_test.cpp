// docs/requirements/importing.md, sections 7 and 9.4: copies of elements that belong to other
// topologies. Without rules (keep_separate) unless a test says otherwise.
#include <gmock/gmock.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Copies : public testing::Test {
 protected:
  ImportHarness store_{CollisionPolicy::keep_separate};
};

TEST_F(Copies, OfANodeOfTheRootGivesTheLinkInTheGrandchildTheOriginal) {
  store_.import(owned("R")
                    .add(node("NodeA"))
                    .add(owned("C").add(owned("G")
                                            .add(node("NodeA").copy_of("R"))
                                            .add(node("NodeB"))
                                            .add(link("l", "NodeA", "NodeB")))));
  EXPECT_THAT(store_.node("NodeA").properties, IsEmpty());
  EXPECT_THAT(store_.node("NodeA").topologies, ElementsAre("R"));
  EXPECT_THAT(store_.node("NodeB").topologies, ElementsAre("G"));
  EXPECT_THAT(store_.graph().relations(store_.link("l").record).ends(),
              ElementsAre(store_.node("NodeA").record, store_.node("NodeB").record));
}

TEST_F(Copies, OfANodeOfTheGrandchildGivesTheLinkInTheRootTheOriginal) {
  store_.import(owned("R")
                    .add(node("NodeA"))
                    .add(node("NodeB").copy_of("G"))
                    .add(link("l", "NodeA", "NodeB"))
                    .add(owned("C").add(owned("G").add(node("NodeB")))));
  EXPECT_THAT(store_.node("NodeB").properties, IsEmpty());
  EXPECT_THAT(store_.node("NodeB").topologies, ElementsAre("G"));
  EXPECT_THAT(store_.link("l").ends, ElementsAre("NodeA", "NodeB"));
}

TEST_F(Copies, OfAnInstitutionOfTheRootOwnsTheGrandchild) {
  store_.import(topology(
      "R", "r", institution("r"),
      topology("C", "c", institution("c"), topology("G", "r", institution("r").copy_of("R")))));
  EXPECT_THAT(store_.topology("G").owners, ElementsAre("r"));
  EXPECT_THAT(store_.institution("r").topologies, ElementsAre("R"));
}

TEST_F(Copies, OfAnInstitutionOfTheGrandchildOwnsTheRoot) {
  store_.import(
      topology("R", "g", institution("g").copy_of("G"),
               topology("C", "c", institution("c"), topology("G", "g", institution("g")))));
  EXPECT_THAT(store_.topology("R").owners, ElementsAre("g"));
  EXPECT_THAT(store_.institution("g").topologies, ElementsAre("G"));
}

TEST_F(Copies, OwnALinkInTheGrandchildBesideItsPrimaryOwner) {
  store_.import(
      topology("R", "r", institution("r"),
               topology("C", "c", institution("c"),
                        topology("G", "g", institution("g"), institution("r").copy_of("R"),
                                 node("a"), node("b"), link("l", "a", "b").owned_by("r")))));
  EXPECT_THAT(store_.link("l").owners, ElementsAre("g", "r"));
  EXPECT_THAT(store_.institution("r").topologies, ElementsAre("R"));
}

TEST_F(Copies, OwnANodeInTheRootBesideItsPrimaryOwner) {
  store_.import(
      topology("R", "r", institution("r"), institution("g").copy_of("G"), node("n").owned_by("g"),
               topology("C", "c", institution("c"), topology("G", "g", institution("g")))));
  EXPECT_THAT(store_.node("n").owners, ElementsAre("g", "r"));
}

TEST_F(Copies, AreResolvedAtOnceWhenTheOriginalIsThere) {
  store_.import_at_top(topology("U", "i", institution("i").named("original")));
  store_.import_at_top(topology("T", "i", institution("i").named("copy").copy_of("U")));
  EXPECT_EQ(store_.institution("i").name(), "original");
  EXPECT_THAT(store_.institution("i").topologies, ElementsAre("U"));
  EXPECT_THAT(store_.topology("T").owners, ElementsAre("i"));
}

TEST_F(Copies, StayMarkedUntilTheOriginalArrives) {
  store_.import_at_top(topology("T", "i", institution("i").named("copy").copy_of("U")));
  EXPECT_THAT(store_.institution("i").properties, ElementsAre("!-from_topology=U"));
  store_.import_at_top(topology("U", "i", institution("i").named("original")));
  EXPECT_EQ(store_.institution("i").name(), "original");
  EXPECT_THAT(store_.institution("i").topologies, ElementsAre("U"));
  EXPECT_THAT(store_.topology("T").owners, ElementsAre("i"));
}

TEST_F(Copies, OfTwoSeparateRecordsAreAmbiguousAndStay) {
  store_.import_at_top(owned("A").add(node("n").named("of A")));
  store_.import_at_top(owned("B").add(node("n").named("of B")));
  store_.import_at_top(owned("T").add(node("n").named("copy").copy_of("A,B")));
  EXPECT_EQ(store_.count(Kind::node, "n"), 3U);
  EXPECT_THAT(store_.log().text(), HasSubstr("could stand for 2 records"));
}

TEST_F(Copies, AmbiguousOnceAreResolvedWhenOneOfTheOriginalsGoes) {
  store_.import_at_top(owned("A").add(node("n").named("of A")));
  store_.import_at_top(owned("B").add(node("n").named("of B")));
  store_.import_at_top(owned("T").add(node("n").named("copy").copy_of("A,B")));
  store_.import_at_top(owned("A"));
  EXPECT_EQ(store_.node("n").name(), "of B");
  EXPECT_THAT(store_.node("n").topologies, ElementsAre("B"));
}

TEST_F(Copies, OfOneRecordInTwoListedTopologiesAreNotAmbiguous) {
  store_.keep(CollisionPolicy::keep_newest);
  store_.import_at_top(owned("A").add(node("n")));
  store_.import_at_top(owned("B").add(node("n")));
  ASSERT_THAT(store_.node("n").topologies, ElementsAre("A", "B"));
  store_.keep(CollisionPolicy::keep_separate);
  store_.import_at_top(owned("T").add(node("n").named("copy").copy_of("A,B")));
  EXPECT_EQ(store_.node("n").name(), "n");
  EXPECT_THAT(store_.node("n").topologies, ElementsAre("A", "B"));
}

TEST_F(Copies, OfATopologyThatDoesNotExistAreLeftAlone) {
  store_.import_at_top(owned("A").add(node("n")));
  store_.import_at_top(owned("T").add(node("n").copy_of("nowhere")));
  EXPECT_EQ(store_.count(Kind::node, "n"), 2U);
}

TEST_F(Copies, OfOtherCopiesFindTheOriginalInTheEnd) {
  store_.import_at_top(owned("P")
                           .add(node("n").named("copy of copy").copy_of("C,U"))
                           .add(node("m"))
                           .add(link("l", "m", "n"))
                           .add(owned("C").add(node("n").named("copy").copy_of("U"))));
  store_.import_at_top(owned("U").add(node("n").named("original")));
  EXPECT_EQ(store_.node("n").name(), "original");
  EXPECT_THAT(store_.node("n").topologies, ElementsAre("U"));
}

TEST_F(Copies, ThatChainInsideOneFileAreAllResolved) {
  store_.import_at_top(owned("U").add(node("n").named("original")));
  store_.import_at_top(owned("P")
                           .add(node("n").named("copy of copy").copy_of("C,U"))
                           .add(owned("C").add(node("n").named("copy").copy_of("U"))));
  EXPECT_EQ(store_.node("n").name(), "original");
  EXPECT_THAT(store_.node("n").topologies, ElementsAre("U"));
}

TEST_F(Copies, AreNeverLinks) {
  store_.import_at_top(owned("A").add(node("a")).add(node("b")).add(link("l", "a", "b")));
  store_.import_at_top(owned("T").add(node("a")).add(node("b")).add(
      link("l", "a", "b").with("!-from_topology", "A")));
  EXPECT_EQ(store_.count(Kind::link, "l"), 2U);
}

TEST_F(Copies, CountByTheFirstOfTheirMarks) {
  store_.import_at_top(owned("A").add(node("n")));
  store_.import_at_top(owned("T").add(node("n").copy_of("nowhere").copy_of("A")));
  EXPECT_EQ(store_.count(Kind::node, "n"), 2U);
}

TEST_F(Copies, NameTopologiesWithACommaAsPercent2C) {
  store_.import_at_top(owned("A,B").add(node("n").named("original")));
  store_.import_at_top(owned("T").add(node("n").named("copy").copy_of("A%2CB")));
  EXPECT_EQ(store_.node("n").name(), "original");
}

TEST_F(Copies, ThatTheFileDroppedAreSwept) {
  store_.import_at_top(owned("T").add(node("n").copy_of("U")));
  store_.import_at_top(owned("T"));
  EXPECT_EQ(store_.count(Kind::node, "n"), 0U);
}

TEST_F(Copies, BecomeOrdinaryWhenTheFileNoLongerMarksThem) {
  store_.import_at_top(owned("T").add(node("n").copy_of("U")));
  const RecordId record = store_.node("n").record;
  store_.import_at_top(owned("T").add(node("n")));
  EXPECT_EQ(store_.node("n").record, record);
  EXPECT_THAT(store_.node("n").properties, IsEmpty());
}

// ---- with the default rules ----

TEST(CopiesUnderDefaultRules, OfTwoSeparateRecordsEndAsOneThatIsNoCopy) {
  ImportHarness store(CollisionPolicy::keep_separate);
  store.import_at_top(owned("A").add(node("n").named("of A")));
  store.import_at_top(owned("B").add(node("n").named("of B")));
  store.keep(CollisionPolicy::keep_newest);
  store.import_at_top(owned("T").add(node("n").named("copy").copy_of("A,B")));
  EXPECT_EQ(store.node("n").name(), "of B");
  EXPECT_THAT(store.node("n").topologies, ElementsAre("A", "B"));
  EXPECT_THAT(store.node("n").properties, IsEmpty());
}

TEST(CopiesUnderDefaultRules, DoNotSurviveBesideAnOriginalInTwoTopologiesOfTheFile) {
  ImportHarness store;
  store.import(owned("P")
                   .add(node("n").named("copy").copy_of("A,B"))
                   .add(owned("A").add(node("n").named("original")))
                   .add(owned("B").add(node("n").named("original"))));
  EXPECT_EQ(store.node("n").name(), "original");
  EXPECT_THAT(store.node("n").topologies, ElementsAre("A", "B"));
}

TEST(CopiesUnderDefaultRules, AloneStayCopies) {
  ImportHarness store;
  store.import(owned("P")
                   .add(node("n").named("copy in P").copy_of("U"))
                   .add(owned("C").add(node("n").named("copy in C").copy_of("U"))));
  EXPECT_EQ(store.node("n").name(), "copy in P");
  EXPECT_THAT(store.node("n").topologies, ElementsAre("C", "P"));
  EXPECT_THAT(store.node("n").properties, Contains("!-from_topology=U"));
}

// As an export lists it: P shares the node with A, so that the owner, which waits in A and B for
// the topology it belongs to, is a copy of those two in P.
TEST(CopiesUnderDefaultRules, OfCopiesThatWaitGiveWayToThem) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), institution("i").copy_of("A,B,U"),
                        node("n").owned_by("i"),
                        topology("A", "i", institution("i").copy_of("U"), node("n")),
                        topology("B", "i", institution("i").copy_of("U"))));
  EXPECT_THAT(store.institution("i").topologies, ElementsAre("A", "B"));
  EXPECT_THAT(store.institution("i").properties, ElementsAre("!-from_topology=U"));
  ImportHarness fresh;
  fresh.import(store.exported());
  EXPECT_EQ(fresh.exported(), store.exported());
}

// ---- export, empty store, import ----

// The topology that the end or owner of something in M belongs to.
class ElementElsewhere : public testing::TestWithParam<const char*> {
 protected:
  // P > M > C, and U beside them. M refers to node x and institution y of the topology of the
  // parameter.
  static std::string main_tree() {
    const auto part = [](const char* id) {
      TopologyText text = owned(id);
      if (std::string_view(id) == GetParam())
        text.add(node("x").with("k", "v")).add(institution("y"));
      return text;
    };
    TopologyText m = part("M").add(node("a"));
    if (std::string_view(GetParam()) != "M")
      m.add(node("x").copy_of(GetParam())).add(institution("y").copy_of(GetParam()));
    m.add(link("l", "a", "x").owned_by("y"));
    return part("P").add(m.add(part("C")));
  }
  static std::string unrelated() {
    TopologyText text = owned("U");
    if (std::string_view(GetParam()) == "U")
      text.add(node("x").with("k", "v")).add(institution("y"));
    return text;
  }
};

TEST_P(ElementElsewhere, ComesBackAsItWas) {
  ImportHarness store;
  store.import_at_top(main_tree());
  store.import_at_top(unrelated());
  ImportHarness fresh;
  fresh.import_at_top(store.exported("P"));
  fresh.import_at_top(store.exported("U"));
  for (const auto& [kind, id] : {std::pair(Kind::node, "x"), std::pair(Kind::institution, "y"),
                                 std::pair(Kind::link, "l"), std::pair(Kind::node, "a")}) {
    ASSERT_EQ(store.count(kind, id), 1U);
    ASSERT_EQ(fresh.count(kind, id), 1U) << id;
    const RecordView before = store.all(kind, id).front();
    const RecordView after = fresh.all(kind, id).front();
    EXPECT_EQ(*before.attributes, *after.attributes);
    EXPECT_EQ(before.topologies, after.topologies);
    EXPECT_EQ(before.owners, after.owners);
    EXPECT_EQ(before.ends, after.ends);
  }
  EXPECT_THAT(store.node("x").topologies, ElementsAre(GetParam()));
  EXPECT_EQ(store.exported("P"), fresh.exported("P"));
}

INSTANTIATE_TEST_SUITE_P(Copies, ElementElsewhere, testing::Values("M", "P", "C", "U"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace netml::test
