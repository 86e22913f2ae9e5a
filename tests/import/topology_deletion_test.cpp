// Decision 2: what becomes of a sub-topology that the file no longer has.
#include <gmock/gmock.h>

#include "engine/edit/plan_records.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string with_child() {
  return owned("P").add(node("s")).add(
      topology("C", "c", institution("c"), node("s"), node("n"), link("l", "n", "s")));
}
std::string without_child() {
  return owned("P").add(node("s"));
}

TEST(PropagationOff, TheChildAndItsContentsStay) {
  ImportHarness store(CollisionPolicy::keep_newest, false);
  store.import(with_child());
  store.import_at_top(without_child());
  EXPECT_THAT(store.topology("C").topologies, ElementsAre("P"));
  EXPECT_THAT(store.members("C", Kind::node), ElementsAre("n", "s"));
  EXPECT_THAT(store.members("C", Kind::link), ElementsAre("l"));
  EXPECT_THAT(store.members("C", Kind::institution), ElementsAre("c"));
}

TEST(PropagationOn, TheChildGoesWithWhatBelongsToNothingElse) {
  ImportHarness store;
  store.import(with_child());
  store.import_at_top(without_child());
  EXPECT_EQ(store.count(Kind::topology, "C"), 0U);
  EXPECT_EQ(store.count(Kind::institution, "c"), 0U);
  EXPECT_EQ(store.count(Kind::node, "n"), 0U);
  EXPECT_EQ(store.count(Kind::link, "l"), 0U);
  EXPECT_THAT(store.node("s").topologies, ElementsAre("P"));
  EXPECT_THAT(store.log().text(), HasSubstr("deleted: it is no longer in the file"));
}

TEST(PropagationOn, ReachesAllLevelsThatTheSameRootDelivered) {
  ImportHarness store;
  store.import(owned("P").add(owned("C").add(owned("G").add(owned("H").add(node("n"))))));
  store.import_at_top(owned("P"));
  EXPECT_EQ(store.graph().count(Kind::topology), 1U);
  EXPECT_EQ(store.count(Kind::node, "n"), 0U);
}

TEST(PropagationOn, ReachesTheChildOfAChildThatStays) {
  ImportHarness store;
  store.import(owned("P").add(owned("C").add(owned("G"))));
  store.import_at_top(owned("P").add(owned("C")));
  EXPECT_EQ(store.count(Kind::topology, "G"), 0U);
  EXPECT_EQ(store.count(Kind::topology, "C"), 1U);
}

TEST(PropagationOn, LeavesTheSubTopologyOfAnotherRootAlone) {
  ImportHarness store;
  store.import(owned("P"));
  store.import_below("P", owned("Q").add(owned("Q1").add(node("n"))));
  store.import_at_top(owned("P"));
  EXPECT_THAT(store.topology("Q").topologies, ElementsAre("P"));
  EXPECT_THAT(store.topology("Q1").topologies, ElementsAre("Q"));
  EXPECT_THAT(store.node("n").topologies, ElementsAre("Q1"));
}

TEST(PropagationOn, LeavesASubTopologyAloneThatAnotherRootDeliveredSince) {
  ImportHarness store;
  store.import(owned("P").add(owned("C")));
  store.import_below("P", owned("C"));
  store.import_at_top(owned("P"));
  EXPECT_EQ(store.count(Kind::topology, "C"), 1U);
}

TEST(PropagationOn, FollowsASubTopologyThatMovedInsideTheFile) {
  ImportHarness store;
  store.import(owned("P").add(owned("C").add(owned("G").add(node("n")))));
  const RecordId record = store.topology("G").record;
  store.import_at_top(owned("P").add(owned("G").add(node("n"))));
  EXPECT_EQ(store.count(Kind::topology, "C"), 0U);
  EXPECT_EQ(store.topology("G").record, record);
  EXPECT_THAT(store.topology("G").topologies, ElementsAre("P"));
}

// A topology made manually has no origin: no import delivered it.
class HandMadeTopology : public testing::Test {
 protected:
  // P > C > hand, C > other root's Q; everything but `hand` came by import.
  void build() {
    store_.import(owned("P").add(owned("C")));
    store_.import_below("C", owned("Q"));
    engine::Transaction transaction;
    const engine::Graph& graph = store_.graph();
    const RecordId hand = graph.next_id();
    const RecordId parent = store_.topology("C").record;
    engine::AttributeFields fields;
    fields.id = fields.name = "hand";
    transaction.records.push_back(
        {hand,
         {},
         {engine::Attributes::make(fields),
          engine::Relations::make({.topologies = std::span(&parent, 1)})}});
    transaction.numberings.push_back({hand, graph.next_number()});
    transaction.next_id = RecordId{hand.value + 1};
    transaction.next_number = RecordNumber{graph.next_number().value + 1};
    auto state = engine::apply(store_.state(), transaction, store_.state().lsn.next());
    ASSERT_TRUE(state.has_value());
    store_.start_from(std::move(*state));
  }
  ImportHarness store_;
};

TEST_F(HandMadeTopology, StaysUnderItsParent) {
  build();
  store_.import_at_top(owned("P").add(owned("C")));
  EXPECT_THAT(store_.topology("hand").topologies, ElementsAre("C"));
}

TEST_F(HandMadeTopology, MovesUpWhenItsParentIsDeleted) {
  build();
  const RecordNumber number = store_.topology("hand").number;
  store_.import_at_top(owned("P"));
  EXPECT_EQ(store_.count(Kind::topology, "C"), 0U);
  EXPECT_THAT(store_.topology("hand").topologies, ElementsAre("P"));
  EXPECT_EQ(store_.topology("hand").number, number);
  EXPECT_THAT(store_.topology("Q").topologies, ElementsAre("P"));
  EXPECT_THAT(store_.log().text(), HasSubstr("because the former one is deleted"));
}

void move(ImportHarness& store, std::string_view topology, RecordId parent) {
  engine::RecordEdit edit;
  edit.parent = parent;
  auto moved =
      engine::plan_record_update(store.state(), store.topology(topology).record, std::move(edit));
  ASSERT_TRUE(moved.has_value()) << moved.error().message;
  auto state = engine::apply(store.state(), *moved, store.state().lsn.next());
  ASSERT_TRUE(state.has_value()) << state.error().message;
  store.start_from(std::move(*state));
}

// The file wants B below its root, which lies below B; so B keeps its place, but D above it goes.
TEST(DeletedTopology, LeavesWhatKeepsItsPlaceBelowItToTheNextAbove) {
  ImportHarness store;
  store.import_at_top(owned("T").add(owned("A").add(owned("D").add(owned("B").add(owned("C"))))));
  move(store, "A", RecordId{});
  move(store, "T", store.topology("C").record);
  store.import_below("C", owned("T").add(owned("B")).add(owned("A").add(owned("C"))));
  EXPECT_EQ(store.count(Kind::topology, "D"), 0U);
  EXPECT_THAT(store.topology("B").topologies, ElementsAre("A"));
  EXPECT_THAT(store.log().text(), HasSubstr("keeps its place"));
}

TEST(DeletedTopology, TakesLinksElsewhereThatEndAtItsNodes) {
  ImportHarness store;
  store.import(owned("P").add(owned("C").add(node("n"))));
  store.import_at_top(
      owned("U").add(node("m")).add(node("n").copy_of("C")).add(link("l", "m", "n")));
  store.import_at_top(owned("P"));
  EXPECT_EQ(store.count(Kind::node, "n"), 0U);
  EXPECT_EQ(store.count(Kind::link, "l"), 0U);
  EXPECT_THAT(store.node("m").topologies, ElementsAre("U"));
}

TEST(DeletedTopology, LosesItsOwnershipsElsewhere) {
  ImportHarness store;
  store.import(owned("P").add(topology("C", "c", institution("c"))));
  store.import_at_top(topology("U", "c", institution("c").copy_of("C")));
  ASSERT_THAT(store.topology("U").owners, ElementsAre("c"));
  store.import_at_top(owned("P"));
  EXPECT_THAT(store.topology("U").owners, IsEmpty());
}

}  // namespace
}  // namespace netml::test
