// docs/requirements/importing.md, section 9.3: identifiers that several kinds or several topologies
// use.
#include <gmock/gmock.h>

#include "tests/support/graph_builder.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(IdOfSeveralKinds, MayBeALinkAndANode) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("x"), node("b"), link("x", "x", "b")));
  EXPECT_EQ(store.count(Kind::node, "x"), 1U);
  EXPECT_EQ(store.count(Kind::link, "x"), 1U);
}

TEST(IdOfSeveralKinds, MayBeATopologyAndItsOwner) {
  ImportHarness store;
  store.import(topology("X", "X", institution("X")));
  EXPECT_THAT(store.topology("X").owners, ElementsAre("X"));
  EXPECT_THAT(store.exported(), HasSubstr("<grenml:owner>X</grenml:owner>"));
}

class NodeThatBecame : public testing::TestWithParam<Kind> {
 protected:
  static ElementText other_kind() {
    return GetParam() == Kind::link ? link("A", "b", "c") : institution("A");
  }
};

TEST_P(NodeThatBecame, AnotherKindIsSwept) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("A"), node("b"), node("c")));
  store.import_at_top(topology("P", "p", institution("p"), node("b"), node("c"), other_kind()));
  EXPECT_EQ(store.count(Kind::node, "A"), 0U);
  EXPECT_EQ(store.count(GetParam(), "A"), 1U);
}

TEST_P(NodeThatBecame, AnotherKindBesidesStays) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("A"), node("b"), node("c")));
  store.import_at_top(
      topology("P", "p", institution("p"), node("A"), node("b"), node("c"), other_kind()));
  EXPECT_EQ(store.count(Kind::node, "A"), 1U);
  EXPECT_EQ(store.count(GetParam(), "A"), 1U);
}

INSTANTIATE_TEST_SUITE_P(IdenticalIds, NodeThatBecame,
                         testing::Values(Kind::link, Kind::institution),
                         [](const auto& tested) { return std::string(kind_name(tested.param)); });

TEST(IdOfSeveralKinds, MayComeFromTheChild) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("b"), node("c"), link("A", "b", "c")));
  store.import_below("P", topology("C", "p", institution("p"), institution("A"), node("A")));
  for (const Kind kind : {Kind::link, Kind::institution, Kind::node})
    EXPECT_EQ(store.count(kind, "A"), 1U) << kind_name(kind);
}

TEST(IdInTwoTopologies, IsOneNodeWithTheNewestNameAndTheLinksStayOnIt) {
  ImportHarness store;
  store.import(
      topology("P", "p", institution("p"), node("A").named("n1"), node("B"), link("l", "A", "B")));
  const RecordId record = store.node("A").record;
  store.import_below("P", topology("C", "c", institution("c"), node("A").named("n1 updated")));
  const RecordView a = store.node("A");
  EXPECT_EQ(a.name(), "n1 updated");
  EXPECT_THAT(a.topologies, ElementsAre("C", "P"));
  EXPECT_THAT(a.owners, ElementsAre("c", "p"));
  EXPECT_THAT(store.link("l").ends, ElementsAre("A", "B"));
  EXPECT_EQ(a.record, record);
}

TEST(IdOfALink, TakesNewEndsAndNameFromTheFile) {
  const auto file = [](const char* a, const char* b, const char* name) {
    return topology("P", "p", institution("p"), node("C"), node("D"), node("E"), node("F"),
                    link("A", a, b).named(name));
  };
  ImportHarness store;
  store.import(file("C", "D", "first"));
  store.import_at_top(file("E", "F", "second"));
  EXPECT_EQ(store.link("A").name(), "second");
  EXPECT_THAT(store.link("A").ends, ElementsAre("E", "F"));
}

TEST(IdOfALink, KeepsItsEndsWhenOnlyTheNameChanges) {
  const auto file = [](const char* name) {
    return topology("P", "p", institution("p"), node("C"), node("D"),
                    link("A", "D", "C").named(name));
  };
  ImportHarness store;
  store.import(file("first"));
  store.import_at_top(file("second"));
  EXPECT_EQ(store.link("A").name(), "second");
  EXPECT_THAT(store.link("A").ends, ElementsAre("C", "D"));
}

TEST(IdOfALink, JoinsItsEndsInTheOrderOfTheirIdsWhateverTheFileSays) {
  ImportHarness store;
  store.import(topology("P", "p", institution("p"), node("b"), node("B"), link("l", "b", "B")));
  EXPECT_THAT(store.link("l").ends, ElementsAre("B", "b"));
}

TEST(IdInTwoTopologies, IsOneInstitutionWithTheNewestData) {
  ImportHarness store;
  store.import(topology("P", "A", institution("A").named("old").with("k", "old")));
  store.import_below("P", topology("C", "A", institution("A").named("new").with("k", "new")));
  const RecordView a = store.institution("A");
  EXPECT_EQ(a.name(), "new");
  EXPECT_THAT(a.properties, ElementsAre("k=new"));
  EXPECT_THAT(a.topologies, ElementsAre("C", "P"));
  EXPECT_THAT(store.topology("P").owners, ElementsAre("A"));
}

// ---- duplicates in the store (docs/requirements/collation-rules.md, section 8.3) ----

TEST(StoredDuplicates, BecomeTheOneThatTheFileBringsAndTheLinkBetweenThemGoes) {
  engine::test::GraphBuilder builder;
  const RecordId a = builder.topology("A", {}, {}, true);
  const RecordId b = builder.topology("B", a);
  const RecordId i = builder.institution("i", {a, b});
  const RecordId j = builder.institution("j", {b});
  const RecordId in_a = builder.node("n", {a}, {i});
  const RecordId in_b = builder.node("n", {b}, {j});
  builder.link("l", {a}, {i}, in_a, in_b);
  ImportHarness store;
  store.start_from(builder.state());
  store.import_at_top(topology("T", "t", institution("t"), node("n").named("newest")));
  const RecordView n = store.node("n");
  EXPECT_EQ(n.name(), "newest");
  EXPECT_THAT(n.topologies, ElementsAre("A", "B", "T"));
  EXPECT_THAT(n.owners, ElementsAre("i", "j", "t"));
  EXPECT_EQ(store.count(Kind::link, "l"), 0U);
  EXPECT_THAT(store.log().text(), HasSubstr("both ends became one node"));
}

// The link carries the mark of a copy, too, and is gone before its turn comes.
TEST(StoredDuplicates, ThatBecomeOneTakeAMarkedLinkWithThem) {
  engine::test::GraphBuilder builder;
  const RecordId a = builder.topology("A", {}, {}, true);
  const RecordId b = builder.topology("B", a);
  const RecordId c = builder.topology("C", a);
  const RecordId i = builder.institution("i", {a, b, c});
  const RecordId in_a = builder.node("n", {a}, {i});
  const RecordId in_b = builder.node("n", {b}, {i});
  builder.mark_as_copy(builder.link("l", {c}, {i}, in_a, in_b), "A");
  ImportHarness store(engine::CollisionPolicy::keep_separate, false);
  store.start_from(builder.state());
  const auto moved = topology("B", "i", institution("i"), node("n"));
  store.import_at_top(topology("A", "i", institution("i"), moved));
  EXPECT_EQ(store.count(Kind::node, "n"), 1U);
  EXPECT_EQ(store.count(Kind::link, "l"), 0U);
  EXPECT_THAT(store.log().text(), HasSubstr("both ends became one node"));
}

TEST(StoredDuplicates, OfAnInstitutionPassOnWhatTheyOwn) {
  engine::test::GraphBuilder builder;
  const RecordId a = builder.topology("A", {}, {}, true);
  const RecordId i1 = builder.institution("i", {a});
  const RecordId i2 = builder.institution("i", {a});
  builder.node("l", {a}, {i1});
  builder.node("m", {a}, {i2});
  builder.node("n", {a}, {i1, i2});
  ImportHarness store;
  store.start_from(builder.state());
  store.import_at_top(topology("T", "i", institution("i").named("newest")));
  EXPECT_EQ(store.institution("i").name(), "newest");
  for (const char* owned : {"l", "m", "n"})
    EXPECT_THAT(store.node(owned).owners, ElementsAre("i")) << owned;
  EXPECT_THAT(store.institution("i").topologies, ElementsAre("A", "T"));
}

}  // namespace
}  // namespace netml::test
