// What a planned import does, in terms that stay the same while unrelated things happen
// (engine/transaction/planned_effects.hpp).
#include <gmock/gmock.h>

#include "engine/edit/plan_records.hpp"
#include "engine/transaction/planned_effects.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::ElementName;
using testing::ElementsAre;
using testing::IsEmpty;

class PlannedEffects : public testing::Test {
 protected:
  void SetUp() override {
    store_.import(
        topology("P", "i", institution("i"), node("a"), node("b"), node("c"), link("l", "a", "b")));
    before_ = store_.state();
    plan_ = plan();
  }
  // Renames a, deletes b with its link, adds d.
  engine::ImportPlan plan() const {
    return *store_.plan(topology("P", "i", institution("i"), node("a").named("new"), node("c"),
                                 node("d"), link("m", "a", "d")),
                        RecordId{});
  }
  std::vector<ElementName> differing(const engine::ImportPlan& now) const {
    return engine::differing_effects({before_.graph, plan_.transaction},
                                     {store_.graph(), now.transaction});
  }

  void mark_main(std::string_view id) {
    engine::RecordEdit edit;
    edit.main = true;
    const auto marked =
        engine::plan_record_update(store_.state(), store_.topology(id).record, edit);
    ASSERT_TRUE(marked.has_value());
    store_.start_from(*engine::apply(store_.state(), *marked, store_.state().lsn.next()));
  }

  ImportHarness store_;
  engine::State before_;
  engine::ImportPlan plan_;
};

TEST_F(PlannedEffects, AreTheSameAfterChangesElsewhere) {
  store_.import_at_top(topology("Q", "q", institution("q"), node("e"), node("f")));
  const engine::ImportPlan now = plan();
  EXPECT_NE(now.transaction.next_id, plan_.transaction.next_id);
  EXPECT_TRUE(engine::planned_effects(store_.graph(), now.transaction) ==
              engine::planned_effects(before_.graph, plan_.transaction));
  EXPECT_THAT(differing(now), IsEmpty());
}

TEST_F(PlannedEffects, AreTheSameAfterOthersNamedWhatTheyShare) {
  store_.import_at_top(topology("Q", "i", institution("i"), node("e")));
  EXPECT_THAT(differing(plan()), IsEmpty());
}

TEST(PlannedEffectsOfNewTopologies, AreTheSameAfterAnotherTopologyCame) {
  ImportHarness store;
  store.import(topology("M", "m", institution("m"), node("a")));
  const auto plan = [&] {
    return *store.plan(topology("N", "n", institution("n"), node("b")), store.topology("M").record);
  };
  const engine::State before = store.state();
  const engine::ImportPlan planned = plan();
  store.import(topology("O", "o", institution("o"), node("c")));
  const engine::ImportPlan now = plan();
  EXPECT_THAT(engine::differing_effects({before.graph, planned.transaction},
                                        {store.graph(), now.transaction}),
              IsEmpty());
  EXPECT_TRUE(engine::planned_effects(before.graph, planned.transaction) ==
              engine::planned_effects(store.graph(), now.transaction));
}

TEST_F(PlannedEffects, AreTheSameAfterAnotherTopologyBecameTheMainOne) {
  const auto renamed = [&] {
    return *store_.plan(
        topology("P", "i", institution("i"), node("a"), node("b"), node("c"), link("l", "a", "b"))
            .named("new"),
        RecordId{});
  };
  const engine::ImportPlan planned = renamed();
  ASSERT_FALSE(planned.transaction.records.empty());
  store_.import_at_top(topology("Q", "q", institution("q")));
  mark_main("Q");
  EXPECT_THAT(engine::differing_effects({before_.graph, planned.transaction},
                                        {store_.graph(), renamed().transaction}),
              IsEmpty());
}

TEST_F(PlannedEffects, DifferWhereAnElementChangedMeanwhile) {
  store_.import_at_top(topology("P", "i", institution("i"), node("a").named("between"), node("b"),
                                node("c"), link("l", "a", "b").with("speed", "10")));
  const engine::ImportPlan now = plan();
  EXPECT_FALSE(engine::planned_effects(store_.graph(), now.transaction) ==
               engine::planned_effects(before_.graph, plan_.transaction));
  EXPECT_THAT(differing(now),
              ElementsAre(ElementName{Kind::node, "a"}, ElementName{Kind::link, "l"}));
}

TEST_F(PlannedEffects, DifferWhereAnElementCameOrWent) {
  store_.import_at_top(topology("P", "i", institution("i"), node("a"), node("c"), node("x")));
  EXPECT_THAT(differing(plan()),
              ElementsAre(ElementName{Kind::node, "b"}, ElementName{Kind::node, "x"},
                          ElementName{Kind::link, "l"}));
}

TEST_F(PlannedEffects, CountEachOfSeveralOfOneIdentifier) {
  store_.keep(engine::CollisionPolicy::keep_separate);
  store_.import_at_top(topology("Q", "i", institution("i"), node("d")));
  store_.import_at_top(topology("R", "i", institution("i"), node("d")));
  const engine::State two = store_.state();
  const auto clear = [&](std::string_view id) {
    return store_.plan(topology(id, "i", institution("i"), node("e")), RecordId{})->transaction;
  };
  const engine::Transaction one_d = clear("Q");
  engine::Transaction both_d = clear("R");
  std::ranges::copy_if(one_d.records, std::back_inserter(both_d.records),
                       [](const engine::RecordChange& change) { return !change.after; });
  EXPECT_THAT(engine::differing_effects({two.graph, clear("R")}, {two.graph, both_d}),
              ElementsAre(ElementName{Kind::node, "d"}));
}

}  // namespace
}  // namespace netml::test
