// How much an import would delete, and when the guard holds it (rule N7, decision 36).
#include "engine/import/deletions.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::Deletions;
using engine::MassDeletionGuard;
using testing::HasSubstr;
using testing::Optional;

TopologyText with_nodes(std::string_view id, int first, int last) {
  TopologyText text = topology(id, "i", institution("i"));
  for (int i = first; i <= last; ++i) text.add(node(fmt::format("n{}", i)));
  return text;
}

Deletions deletions(const ImportHarness& store, const std::string& xml) {
  return engine::count_deletions(store.graph(), *store.plan(xml, RecordId{}));
}

TEST(Deletions_N7, AreThoseOfTheTopologiesThatTheFileTells) {
  ImportHarness store;
  store.import(with_nodes("P", 1, 30).add(topology("C", "i", institution("i"), node("c"))));
  store.import_at_top(with_nodes("Q", 101, 150));
  // 30 nodes, 1 below, its institution and the global one, 2 topologies
  EXPECT_EQ(deletions(store, with_nodes("P", 1, 5)), (Deletions{27, 35}));
  EXPECT_EQ(deletions(store, with_nodes("Q", 101, 150)), (Deletions{0, 53}));
  EXPECT_EQ(deletions(store, with_nodes("R", 1, 5)), (Deletions{0, 0}));
}

TEST(Deletions_N7, AreNotElementsThatOthersHaveStill) {
  ImportHarness store;
  store.import(with_nodes("P", 1, 4));
  store.import_at_top(with_nodes("Q", 3, 6));
  EXPECT_EQ(deletions(store, with_nodes("P", 1, 1)), (Deletions{1, 7}));
}

TEST(Deletions_N7, AreNotRecordsThatBecomeOne) {
  ImportHarness store(engine::CollisionPolicy::keep_separate);
  store.import(with_nodes("P", 1, 4));
  store.import_at_top(with_nodes("Q", 1, 4));
  ASSERT_EQ(store.count(Kind::node, "n1"), 2U);
  store.keep(engine::CollisionPolicy::keep_newest);
  const engine::ImportPlan plan = *store.plan(with_nodes("P", 1, 4), RecordId{});
  EXPECT_GT(count_changes(plan.transaction).deleted, 0U);
  EXPECT_EQ(engine::count_deletions(store.graph(), plan).deleted, 0U);
}

TEST(MassDeletionGuard_N7, HoldsWhatIsBeyondItsNumbers) {
  EXPECT_TRUE(MassDeletionGuard{}.off());
  EXPECT_EQ(engine::held_because({1000, 1000}, {}), std::nullopt);
  EXPECT_EQ(engine::held_because({10, 1000}, {.count_max = 10}), std::nullopt);
  EXPECT_THAT(engine::held_because({11, 1000}, {.count_max = 10}),
              Optional(HasSubstr("11 of 1000 elements, more than 10")));
  EXPECT_EQ(engine::held_because({500, 1000}, {.percent_max = 50}), std::nullopt);
  EXPECT_THAT(engine::held_because({501, 1000}, {.percent_max = 50}), Optional(HasSubstr("50 %")));
  EXPECT_EQ(engine::held_because({19, 19}, {.percent_max = 50}), std::nullopt);  // a few of a few
  EXPECT_TRUE(engine::held_because({20, 20}, {.percent_max = 50}));
  EXPECT_TRUE(engine::held_because({11, 1000}, {.count_max = 10, .percent_max = 50}));
}

}  // namespace
}  // namespace netml::test
