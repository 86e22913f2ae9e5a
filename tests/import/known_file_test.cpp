// Which files are known when they come again. That their plans are right is the property test's.
#include "engine/import/known_file.hpp"

#include <gtest/gtest.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;

std::string two_topologies() {
  return topology("P", "p", institution("p"), node("a"), node("s"), link("l", "a", "s"),
                  topology("C", "c", institution("c"), node("b"), node("s")));
}

// Whether the file, sent once more to the top level of `store`, is planned without being read.
bool is_known(ImportHarness& store, const std::string& xml) {
  const auto first = store.plan(xml, RecordId{});
  EXPECT_TRUE(first.has_value());
  store.import_at_top(xml);
  return first && first->known != nullptr &&
         engine::plan_known_file(store.state(), *first->known, {}).has_value();
}

TEST(KnownFile, IsOneThatCameForTheFirstTime) {
  ImportHarness store;
  EXPECT_TRUE(is_known(store, two_topologies()));
}

TEST(KnownFile, IsOneThatChangedWhatItBroughtItself) {
  ImportHarness store;
  store.import_at_top(two_topologies());
  EXPECT_TRUE(is_known(store, topology("P", "p", institution("p"), node("a").named("other"))));
}

// The global institution, at least, is in every topology.
TEST(KnownFile, IsOneBesideAnotherFileOnceItChangedNothing) {
  ImportHarness store;
  store.import_at_top(topology("Q", "q", institution("q"), node("s")));
  EXPECT_FALSE(is_known(store, two_topologies()));
  EXPECT_TRUE(is_known(store, two_topologies()));
}

TEST(KnownFile, IsNoneWhereRecordsOfOneIdentifierStay) {
  ImportHarness store(CollisionPolicy::keep_separate);
  EXPECT_FALSE(is_known(store, two_topologies()));
  EXPECT_FALSE(is_known(store, two_topologies()));
}

TEST(KnownFile, MustBeReadWhereATopologyWouldMove) {
  ImportHarness store;
  store.import_at_top(topology("Q", "q", institution("q")));
  store.import_at_top(two_topologies());
  const auto again = store.plan(two_topologies(), RecordId{});
  ASSERT_TRUE(again.has_value());
  ASSERT_NE(again->known, nullptr);
  store.import_at_top(two_topologies());
  engine::ImportOptions below;
  below.parent = store.topology("Q").record;
  EXPECT_FALSE(engine::plan_known_file(store.state(), *again->known, below).has_value());
  EXPECT_TRUE(engine::plan_known_file(store.state(), *again->known, {}).has_value());
}

TEST(KnownFile, TellsHowManyRecordsItHas) {
  ImportHarness store;
  const auto plan = store.plan(two_topologies(), RecordId{});
  ASSERT_TRUE(plan.has_value());
  ASSERT_NE(plan->known, nullptr);
  // Two topologies; two institutions beside the global one, which is in both; four nodes; a link.
  EXPECT_EQ(plan->known->records(), 2U + 4U + 4U + 1U);
  EXPECT_TRUE(plan->known->outline.elements.empty());
  EXPECT_LT(plan->known->bytes(), engine::kKnownFileBytesMax);
}

}  // namespace
}  // namespace netml::test
