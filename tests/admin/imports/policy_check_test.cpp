// Imports after which more elements are below a redundancy policy than before: reported, or held as
// the mass-deletion guard holds them (docs/redundancy.md, "Stored policies").
#include <gmock/gmock.h>

#include <array>

#include "admin/imports/import_job.hpp"
#include "admin/imports/import_plans.hpp"
#include "engine/edit/plan_entries.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using engine::PolicyAction;
using engine::StoredPolicy;
using ::testing::HasSubstr;
using testing::kCaller;
using ::testing::Not;
using testing::OpenNode;

// Campuses West and East, each with so many links to the core.
std::string map_of(int west, int east) {
  test::TopologyText map("urn:t", "urn:net");
  map.add(test::institution("urn:net"))
      .add(test::node("urn:core").owned_by("urn:net").with("tag", "core"));
  const auto add = [&](const std::string& name, int links) {
    const std::string id = "urn:" + name;
    map.add(test::institution(id).named(name).with("tag", "campus"))
        .add(test::node(id + ":a").owned_by(id));
    for (int i = 0; i < links; ++i)
      map.add(test::link(id + std::to_string(i), id + ":a", "urn:core").owned_by("urn:net"));
  };
  add("West", west);
  add("East", east);
  return map;
}

class PolicyCheck : public ::testing::Test {
 protected:
  std::unique_ptr<ImportJob> job(int west, int east) {
    ImportRequest request;
    request.place = ImportPlace::top_level;
    return testing::import_job(*node, map_of(west, east), request);
  }
  ImportOutcome import(int west, int east) { return job(west, east)->commit(); }
  std::string log(int west, int east) {
    const ImportOutcome outcome = import(west, east);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().error.text();
    return outcome ? outcome->log : "";
  }
  void store(PolicyAction on_import, bool enabled = true) {
    const StoredPolicy policy{
        "Two ways",
        R"({"who":{"kind":"institution","tag":"campus"},"to":{"kind":"node","tag":"core"},"routes":2})",
        on_import, enabled};
    commit([&](const engine::State& state) { return engine::plan_entry_create(state, policy); });
  }
  template <class Plan>
  void commit(const Plan& plan) {
    Change change{.caller = kCaller, .cause = engine::Cause::setting};
    change.plan = [&](const engine::State& state, WallTime) { return plan(state); };
    EXPECT_TRUE(node->commit(std::move(change)).has_value());
  }
  std::size_t links() {
    std::size_t count = 0;
    node->version().state->graph.for_each_of(Kind::link, [&](RecordId) { ++count; });
    return count;
  }

  OpenNode node;
};

TEST_F(PolicyCheck, WarnsOfElementsThatAreBelowIt) {
  store(PolicyAction::report);
  EXPECT_THAT(log(2, 2), Not(HasSubstr("redundancy")));
  EXPECT_THAT(log(2, 1), HasSubstr("WARNING: below the redundancy policy \"Two ways\" is 1 "
                                   "institution, 0 before; first of all East (urn:East)"));
  EXPECT_THAT(log(1, 1), HasSubstr("are 2 institutions, 1 before; first of all West (urn:West)"));
  EXPECT_EQ(links(), 2U);
}

TEST_F(PolicyCheck, SaysNothingWhereNoOtherIsBelow) {
  store(PolicyAction::hold);
  EXPECT_FALSE(import(1, 1).has_value());  // new ones count, too
  commit(
      [](const engine::State& state) { return engine::plan_entry_delete<StoredPolicy>(state, 1); });
  log(1, 1);
  store(PolicyAction::hold);
  EXPECT_THAT(log(1, 1), Not(HasSubstr("redundancy")));  // the same once more
  EXPECT_THAT(log(2, 1), Not(HasSubstr("redundancy")));  // better
  EXPECT_FALSE(import(1, 2).has_value()) << "as many are below, but another one";
}

TEST_F(PolicyCheck, IsNotMadeForWhatIsSwitchedOff) {
  store(PolicyAction::hold, false);
  EXPECT_THAT(log(1, 1), Not(HasSubstr("redundancy")));
}

TEST_F(PolicyCheck, HoldsAnImportUntilAnAdministratorHasDecided) {
  log(2, 2);
  store(PolicyAction::hold);
  const ImportOutcome dry = job(2, 1)->dry_run();
  ASSERT_TRUE(dry.has_value());
  EXPECT_THAT(dry->held_because, HasSubstr("it would leave below the redundancy policy"));
  EXPECT_THAT(dry->log, HasSubstr("East (urn:East)"));
  const ImportOutcome held = import(2, 1);
  ASSERT_FALSE(held.has_value());
  EXPECT_EQ(held.error().error.code, Errc::conflict);
  EXPECT_EQ(held.error().plan, 1U);
  EXPECT_EQ(links(), 4U);
  const auto plan = node->version().state->catalog.plans.find(1);
  ASSERT_NE(plan, nullptr);
  EXPECT_THAT(plan->held_because, HasSubstr("\"Two ways\""));
  const auto applied = ImportPlans(*node).apply(kCaller, 1);
  ASSERT_TRUE(applied.has_value()) << applied.error().error.text();
  EXPECT_EQ(links(), 3U);
  EXPECT_THAT(applied->log, HasSubstr("below the redundancy policy"));
}

// As a later version of the program may have stored it: that nobody reads it must not look as if it
// were met.
TEST_F(PolicyCheck, RefusesAnImportWhereAPolicyCannotBeRead) {
  const StoredPolicy policy{"Odd", R"({"ways":2})", PolicyAction::report, true};
  commit([&](const engine::State& state) { return engine::plan_entry_create(state, policy); });
  const ImportOutcome outcome = import(1, 1);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_THAT(outcome.error().error.text(), HasSubstr("\"Odd\" cannot be read by this version"));
}

}  // namespace
}  // namespace netml::admin
