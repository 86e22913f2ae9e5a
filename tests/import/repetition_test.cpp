// docs/requirements/importing.md, section 8, and decisions 8 and 15: the same file again, stable
// identities, and trees as deep as they come.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::CollisionPolicy;
using testing::ElementsAre;
using testing::IsEmpty;

// Three levels, elements shared by two of them, a copy.
std::string tree() {
  return topology("P", "p", institution("p"), institution("g").copy_of("G"), node("a"), node("s"),
                  node("x").owned_by("g").copy_of("G"), link("l", "a", "x"),
                  topology("C", "c", institution("c"), node("b"), node("s"), link("m", "b", "s"),
                           topology("G", "g", institution("g"), node("x"), node("s"))));
}

class SameFileAgain : public testing::TestWithParam<CollisionPolicy> {};

TEST_P(SameFileAgain, ChangesNoRecordAndRaisesEveryNumber) {
  ImportHarness store(GetParam());
  store.import_at_top(tree());
  const engine::Graph before = store.graph();
  store.import_at_top(tree());
  EXPECT_THAT(store.transaction().records, IsEmpty());
  EXPECT_THAT(store.transaction().numberings, IsEmpty());
  EXPECT_EQ(store.transaction().renumberings.size(), 3U);
  EXPECT_FALSE(store.transaction().empty());
  EXPECT_EQ(store.graph().content_digest(), before.content_digest());
  EXPECT_NE(store.graph().digest(), before.digest());
  store.graph().for_each_record([&](RecordId id) {
    if (store.graph().kind(id) == Kind::topology)
      EXPECT_EQ(store.graph().number(id), before.number(id));
    else
      EXPECT_GT(store.graph().number(id), before.number(id));
  });
}

INSTANTIATE_TEST_SUITE_P(Repetition, SameFileAgain,
                         testing::Values(CollisionPolicy::keep_newest,
                                         CollisionPolicy::keep_separate),
                         [](const auto& tested) {
                           return tested.param == CollisionPolicy::keep_newest ? "KeepNewest"
                                                                               : "KeepSeparate";
                         });

// Without rules an element of two topologies is two records. What refers to one of them from
// outside the file goes on doing so.
TEST(SeparateRecords, KeepTheirReferencesInTheirTopologies) {
  const std::string file = topology("P", "p", institution("p"), node("n").named("of P"),
                                    topology("C", "p", institution("p"), node("n").named("of C")));
  ImportHarness store(CollisionPolicy::keep_separate);
  store.import_at_top(file);
  store.import_at_top(
      topology("U", "u", institution("u"), node("m"), node("n").copy_of("C"), link("l", "m", "n")));
  const auto end_name = [&] {
    return std::string(
        store.graph().attributes(store.graph().relations(store.link("l").record).ends()[1]).name());
  };
  ASSERT_EQ(end_name(), "of C");
  store.import_at_top(file);
  EXPECT_EQ(end_name(), "of C");
}

TEST(Numbers, AreNeverGivenTwice) {
  ImportHarness store;
  store.import_at_top(tree());
  store.import_at_top(topology("Q", "q", institution("q"), node("s")));
  store.import_at_top(tree());
  std::vector<RecordNumber> numbers;
  store.graph().for_each_record([&](RecordId id) { numbers.push_back(store.graph().number(id)); });
  std::ranges::sort(numbers);
  EXPECT_EQ(std::ranges::adjacent_find(numbers), numbers.end());
  EXPECT_LT(numbers.back(), store.graph().next_number());
}

TEST(Numbers, RunFromChildToParentAndFromInstitutionToLink) {
  ImportHarness store;
  store.import_at_top(tree());
  EXPECT_LT(store.node("x").number, store.node("b").number);
  EXPECT_LT(store.node("b").number, store.node("a").number);
  EXPECT_LT(store.node("b").number, store.node("s").number);
  EXPECT_LT(store.institution("c").number, store.node("b").number);
  EXPECT_LT(store.node("b").number, store.link("m").number);
}

TEST(Identity, OutlastsAChangeOfEverythingElse) {
  const auto file = [](const char* name, const char* end) {
    return topology("P", "p", institution("p").named(name), node("a").named(name), node("b"),
                    node("c"), link("l", "a", end).named(name))
        .named(name);
  };
  ImportHarness store;
  store.import_at_top(file("first", "b"));
  const RecordView topology = store.topology("P");
  const RecordView institution = store.institution("p");
  const RecordView node = store.node("a");
  const RecordView link = store.link("l");
  store.import_at_top(file("second", "c"));
  EXPECT_EQ(store.topology("P").record, topology.record);
  EXPECT_EQ(store.institution("p").record, institution.record);
  EXPECT_EQ(store.node("a").record, node.record);
  EXPECT_EQ(store.link("l").record, link.record);
  EXPECT_EQ(store.link("l").name(), "second");
}

TEST(Identity, IsNotGivenToAnotherElementAfterDeletion) {
  ImportHarness store;
  store.import_at_top(topology("P", "p", institution("p"), node("a")));
  const RecordId deleted = store.node("a").record;
  store.import_at_top(topology("P", "p", institution("p")));
  store.import_at_top(topology("P", "p", institution("p"), node("a")));
  EXPECT_GT(store.node("a").record, deleted);
}

TEST(OneChange, CostsOneRecord) {
  TopologyText file = topology("P", "p", institution("p"));
  for (int n = 0; n < 100; ++n) file.add(node("n" + std::to_string(n)));
  ImportHarness store;
  store.import_at_top(file);
  store.import_at_top(file.add(node("new")));
  EXPECT_EQ(engine::count_changes(store.transaction()), (engine::ChangeCounts{1, 0, 0}));
}

// The example that docs/import.md follows through the steps.
TEST(OneChange, OfEachKindIsWhatTheTransactionHolds) {
  const auto file = [](const char* name, const char* in_child) {
    return topology("P", "o", institution("o"), node("n").named(name),
                    topology("C", "o", institution("o"), node("n").named(name), node(in_child)));
  };
  ImportHarness store;
  store.import_at_top(file("first", "old"));
  const RecordId record = store.node("n").record;
  store.import_at_top(file("second", "new"));
  EXPECT_EQ(engine::count_changes(store.transaction()), (engine::ChangeCounts{1, 1, 1}));
  EXPECT_EQ(store.transaction().renumberings.size(), 2U);
  EXPECT_EQ(store.node("n").record, record);
  EXPECT_EQ(store.node("n").name(), "second");
  EXPECT_THAT(store.node("n").topologies, ElementsAre("C", "P"));
  EXPECT_EQ(store.count(Kind::node, "old"), 0U);
}

// Unchanged parts of the graph share their values with the version before.
TEST(UnchangedElements, KeepTheVeryObjectOfTheirAttributes) {
  ImportHarness store;
  store.import_at_top(tree());
  const engine::Attributes* before = store.node("s").attributes.get();
  store.import_at_top(tree());
  EXPECT_EQ(store.node("s").attributes.get(), before);
}

TEST(FailedPlan, LeavesTheStateAlone) {
  ImportHarness store;
  store.import_at_top(topology("P", "p", institution("p"),
                               topology("S1", "p", institution("p")).named("Twin"),
                               topology("S2", "p", institution("p")).named("Twin")));
  const engine::Digest before = store.state().digest();
  EXPECT_FALSE(
      store.plan(topology("S3", "p", institution("p")).named("Twin"), store.topology("P").record)
          .has_value());
  EXPECT_EQ(store.state().digest(), before);
}

// ---- 10,000 topologies inside one another ----

TEST(DeepTree, IsImportedReimportedExportedAndDeleted) {
  constexpr std::size_t kDepth = 10'000;
  const std::string file = chain_of_topologies(kDepth);
  ImportHarness store;
  store.allow_depth(2 * kDepth);
  store.import_at_top(file);
  EXPECT_EQ(store.graph().count(Kind::topology), kDepth);
  EXPECT_EQ(store.graph().count(Kind::node), kDepth);
  EXPECT_EQ(store.institution("o").topologies.size(), kDepth);

  store.import_at_top(file);
  EXPECT_THAT(store.transaction().records, IsEmpty());

  ImportHarness fresh;
  fresh.allow_depth(2 * kDepth);
  fresh.import_at_top(store.exported());
  EXPECT_EQ(fresh.exported(), store.exported());

  store.import_at_top(chain_of_topologies(1));
  EXPECT_EQ(store.graph().count(Kind::topology), 1U);
  EXPECT_EQ(store.graph().count(Kind::node), 1U);
}

TEST(DeepTree, MovesAsAWhole) {
  constexpr std::size_t kDepth = 10'000;
  ImportHarness store;
  store.allow_depth(2 * kDepth);
  store.import_at_top(topology("M", "m", institution("m")));
  store.import_at_top(chain_of_topologies(kDepth));
  store.import_below("M", chain_of_topologies(kDepth));
  EXPECT_THAT(store.topology("t0").topologies, ElementsAre("M"));
  EXPECT_EQ(engine::count_changes(store.transaction()), (engine::ChangeCounts{0, 1, 0}));
}

}  // namespace
}  // namespace netml::test
