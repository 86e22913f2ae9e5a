#include <gtest/gtest.h>

#include <iterator>
#include <vector>

#include "engine/edit/plan_edit.hpp"
#include "engine/transaction/transaction.hpp"
#include "engine/transaction/workspace.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/inverse.hpp"

namespace netml::engine {
namespace {

RootTopology example_root() {
  return {"urn:t", "Example", "urn:i", "Example owner", Instant{1000}};
}

TEST(Apply, MakesTheFirstTopologyMain) {
  const State empty;
  const auto transaction = plan_root_topology(empty, example_root());
  ASSERT_TRUE(transaction.has_value());
  const auto state = apply(empty, *transaction, Lsn{1});
  ASSERT_TRUE(state.has_value()) << state.error().message;
  EXPECT_EQ(state->lsn, Lsn{1});
  ASSERT_EQ(state->graph.mains().size(), 1U);
  const RecordId root = state->graph.mains().front();
  EXPECT_EQ(state->graph.attributes(root).name(), "Example");
  EXPECT_EQ(state->graph.attributes(state->graph.relations(root).owner()).id(), "urn:i");
  EXPECT_EQ(state->graph.number(root), RecordNumber{1});
  EXPECT_FALSE(plan_root_topology(*state, example_root()).has_value());
}

TEST(Apply, RefusesATransactionPlannedOnAnotherState) {
  const State empty;
  const auto transaction = plan_root_topology(empty, example_root());
  const auto state = apply(empty, *transaction, Lsn{1});
  const auto twice = apply(*state, *transaction, Lsn{2});
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().code, Errc::corruption);
}

TEST(Apply, RefusesAReferenceToNothing) {
  const State empty;
  Transaction transaction = empty_transaction(empty);
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "n";
  const RecordId nowhere{77};
  transaction.records.push_back(
      {RecordId{1},
       Record{},
       {Attributes::make(fields), Relations::make({.topologies = std::span(&nowhere, 1)})}});
  const auto state = apply(empty, transaction, Lsn{1});
  ASSERT_FALSE(state.has_value());
  EXPECT_EQ(state.error().code, Errc::corruption);
}

TEST(Apply, RefusesAnEntryWhoseNumberNoTableHas) {
  const State empty;
  Transaction transaction = empty_transaction(empty);
  transaction.settings.push_back(
      {Table<Setting>::kNumberMax + 1, nullptr, std::make_shared<const Setting>()});
  const auto state = apply(empty, transaction, Lsn{1});
  ASSERT_FALSE(state.has_value());
  EXPECT_EQ(state.error().code, Errc::corruption);
}

TEST(Apply, RefusesToDeleteWhatIsStillReferredTo) {
  test::GraphBuilder builder;
  const RecordId topology = builder.topology("t");
  builder.node("n", {topology}, {});
  const State state = builder.state();
  Transaction transaction = empty_transaction(state);
  transaction.records.push_back({topology, state.graph.record(topology), Record{}});
  EXPECT_FALSE(apply(state, transaction, Lsn{1}).has_value());
}

// Records that are changed come before those that are created, whichever are more; one that was
// created and removed again is none.
TEST(Workspace, GivesItsChangesAscendingByRecord) {
  test::GraphBuilder builder;
  const RecordId topology = builder.topology("t");
  const RecordId before[] = {builder.node("a", {topology}, {}), builder.node("b", {topology}, {}),
                             builder.node("c", {topology}, {})};
  const State state = builder.state();
  const Record sample = state.graph.record(before[0]);
  AttributeFields fields = sample.attributes->fields();
  fields.name = "another name";
  const AttributesPtr renamed = Attributes::make(fields);
  for (const std::size_t created : {0U, 2U, 9U}) {
    Workspace workspace(state);
    workspace.expect(created / 2);
    for (const RecordId id : {before[2], before[0], before[1]})
      workspace.put(id, {renamed, sample.relations});
    std::vector<RecordId> expected(std::begin(before), std::end(before));
    for (std::size_t i = 0; i < created; ++i) expected.push_back(workspace.create(sample));
    if (created > 0) {
      workspace.put(expected[3], Record{});
      expected.erase(expected.begin() + 3);
    }
    const Transaction transaction = workspace.finish();
    std::vector<RecordId> changed;
    for (const RecordChange& change : transaction.records) {
      changed.push_back(change.id);
      EXPECT_EQ(static_cast<bool>(change.before), change.id < state.graph.next_id());
      EXPECT_TRUE(static_cast<bool>(change.after));
    }
    EXPECT_EQ(changed, expected);
    EXPECT_EQ(transaction.next_id.value, state.graph.next_id().value + created);
  }
}

TEST(Apply, UndoRestoresEverythingButNumbers) {
  const State empty;
  const auto transaction = plan_root_topology(empty, example_root());
  const auto created = apply(empty, *transaction, Lsn{1});
  const auto undone = apply(*created, invert(*transaction, *created), Lsn{2});
  ASSERT_TRUE(undone.has_value()) << undone.error().message;
  EXPECT_EQ(undone->graph.size(), 0U);
  EXPECT_EQ(undone->digest(), empty.digest());
  const auto redone = apply(*undone, invert(invert(*transaction, *created), *undone), Lsn{3});
  ASSERT_TRUE(redone.has_value()) << redone.error().message;
  EXPECT_EQ(redone->graph.size(), 2U);
  for (const RecordId id : {RecordId{1}, RecordId{2}}) {
    EXPECT_EQ(redone->graph.record(id), created->graph.record(id));
    EXPECT_GT(redone->graph.number(id), created->graph.number(id));
  }
}

TEST(Apply, KeepsTablesAndTheirDigest) {
  const State empty;
  const auto first = apply(empty, plan_setting_set(empty, "A", "1"), Lsn{1});
  const auto second = apply(*first, plan_setting_set(*first, "A", "2"), Lsn{2});
  EXPECT_EQ(setting(second->catalog, "A"), "2");
  EXPECT_EQ(setting(first->catalog, "A"), "1");
  const auto reset = apply(*second, plan_setting_reset(*second, "A"), Lsn{3});
  EXPECT_EQ(setting(reset->catalog, "A"), std::nullopt);
  EXPECT_EQ(reset->digest(), empty.digest());
  EXPECT_FALSE(first->digest() == second->digest());
  EXPECT_TRUE(plan_setting_set(*second, "A", "2").empty());
}

TEST(Apply, EffectiveTimeNeverGoesBack) {
  const State empty;
  Transaction transaction = plan_setting_set(empty, "A", "1");
  transaction.provenance.effective_time = WallTime{500};
  const auto first = apply(empty, transaction, Lsn{1});
  Transaction earlier = plan_setting_set(*first, "A", "2");
  earlier.provenance.effective_time = WallTime{100};
  EXPECT_EQ(apply(*first, earlier, Lsn{2})->effective_time, WallTime{500});
}

}  // namespace
}  // namespace netml::engine
