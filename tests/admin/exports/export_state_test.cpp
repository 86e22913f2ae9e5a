// Goal: whatever makes the export fail, the node says so at once: with a reason, with what to do,
// and in the log.
// Method: a node on a real directory, whose export is broken and mended by transactions.
#include "admin/exports/export_state.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <optional>

#include "admin/imports/import_job.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_records.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using test::institution;
using test::topology;
using testing::OpenNode;

class ExportStateTest : public ::testing::Test {
 protected:
  void import(const std::string& file) {
    ImportRequest request;
    request.place = ImportPlace::top_level;
    const ImportOutcome outcome = testing::import_job(*node, file, request)->commit();
    ASSERT_TRUE(outcome.has_value()) << outcome.error().error.message;
  }
  void import_map() {
    import(topology("root", "owner", institution("owner"), institution("other"),
                    topology("garr", "other", institution("other")).named("GARR")));
  }
  using Plan = std::function<Result<engine::Transaction>(const engine::State&)>;
  void commit(const Plan& plan) {
    Change change;
    change.plan = [&](const engine::State& state, WallTime) { return plan(state); };
    const Result<Lsn> done = node->commit(std::move(change));
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  void remove(Kind kind, const char* id) {
    commit([&](const engine::State& state) {
      return plan_record_delete(state, state.graph.find_newest(kind, id));
    });
  }
  std::string reason() { return watch->now()->reason(); }

  OpenNode node;
  std::optional<ExportWatch> watch{std::in_place, *node};
};

TEST_F(ExportStateTest, NamesTheTopologyThatLostItsOwnerAndHowToMendIt) {
  import_map();
  EXPECT_TRUE(watch->now()->ok());
  EXPECT_TRUE(node.events().warnings.empty());
  remove(Kind::institution, "other");
  EXPECT_EQ(reason(), "GARR has no owner");
  const json::object shown = export_state_json(*watch->now());
  EXPECT_EQ(shown.at("ok"), false);
  EXPECT_EQ(shown.at("detail"), "Export fails: GARR has no owner");
  EXPECT_EQ(shown.at("problems").at(0).at("error_type"), "NoTopologyOwnerError");
  EXPECT_EQ(shown.at("problems").at(0).at("topology").at("id"), "garr");
  const std::string page = "/admin/topologies/" +
                           json::serialize(shown.at("problems").at(0).at("topology").at("number"));
  EXPECT_NE(shown.at("remedy").as_string().find(page), std::string::npos) << shown.at("remedy");
}

TEST_F(ExportStateTest, IsLoggedOnceAndAgainWhenItFailsOtherwise) {
  import_map();
  remove(Kind::institution, "other");
  ASSERT_EQ(node.events().warnings.size(), 1U);
  EXPECT_TRUE(node.events().warnings[0].starts_with("export: export fails: GARR has no owner; "))
      << node.events().warnings[0];
  commit([](const engine::State& state) {
    return Result<engine::Transaction>(plan_setting_set(state, "ANY", "value"));
  });
  EXPECT_EQ(node.events().warnings.size(), 1U);
  remove(Kind::institution, "owner");
  ASSERT_EQ(node.events().warnings.size(), 2U);
  EXPECT_EQ(reason(), "root and GARR have no owner");
}

TEST_F(ExportStateTest, IsWellAgainOnceTheTopologyHasAnOwner) {
  import_map();
  remove(Kind::institution, "other");
  commit([](const engine::State& state) {
    engine::RecordEdit edit;
    edit.owner = state.graph.find_newest(Kind::institution, "owner");
    return plan_record_update(state, state.graph.find_newest(Kind::topology, "garr"), edit);
  });
  EXPECT_TRUE(watch->now()->ok());
  EXPECT_EQ(json::serialize(export_state_json(*watch->now())), R"({"ok":true})");
}

TEST_F(ExportStateTest, MissesTheMainTopology) {
  import_map();
  import(topology("beside", "owner", institution("owner")));
  remove(Kind::topology, "root");
  EXPECT_EQ(reason(), "there is not exactly one main topology");
  EXPECT_EQ(export_state_json(*watch->now()).at("problems").at(0).at("topology"), nullptr);
}

TEST_F(ExportStateTest, IsKnownAfterAStartAndToReadersWithoutASecondWarning) {
  import_map();
  remove(Kind::institution, "other");
  for (const bool read_only : {false, true}) {
    watch.reset();
    node.close();
    node.open(read_only);
    watch.emplace(*node);
    EXPECT_EQ(reason(), "GARR has no owner");
  }
  EXPECT_EQ(node.events().warnings.size(), 1U);
}

TEST_F(ExportStateTest, AsksForAPublicationWherePublishedDataAreExported) {
  import_map();
  remove(Kind::institution, "other");
  commit([](const engine::State& state) {
    return Result<engine::Transaction>(
        plan_setting_set(state, std::string(kSupplyType), "Published"));
  });
  EXPECT_EQ(reason(), "nothing has been published");
}

TEST_F(ExportStateTest, TellsOfProblemsThatWereNotThereBefore) {
  import_map();
  remove(Kind::institution, "other");
  const ExportState before = *watch->now();
  remove(Kind::institution, "owner");
  const ExportState added = new_problems(before, *watch->now());
  EXPECT_EQ(added.reason(), "root has no owner");
  EXPECT_TRUE(new_problems(before, before).ok());
}

}  // namespace
}  // namespace netml::admin
