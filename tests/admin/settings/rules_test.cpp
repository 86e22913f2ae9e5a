// Rules on an open node: when they run, what survives a restart, what the service answers.
#include "admin/settings/rules.hpp"

#include <gmock/gmock.h>

#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/transaction_builder.hpp"

namespace netml::admin {
namespace {

using netml::testing::TransactionBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OpenNode;
using ::testing::SizeIs;

using testing::kCaller;

constexpr std::string_view kDeleteNode = R"([{"name": "Decisions", "rules": [{"name": "no n",
    "match_criteria": [{"match_type": "Match Nodes by ID",
                        "matchinfo_set": [{"key": "ID", "value": "urn:a:node:0"}]}],
    "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]}]}])";

// A topology with three nodes "urn:a:node:0" to 2 and two links between them, made manually.
Result<Lsn> add_topology(OpenNode& node, const char* name, RulesAfter rules = RulesAfter::run) {
  Change change{.caller = kCaller, .cause = engine::Cause::edit, .rules = rules};
  change.plan = [name](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    return netml::testing::import_topology(state, name, 3);
  };
  return node->commit(std::move(change));
}

// Another node "urn:a:node:0", in the same topology.
Result<Lsn> add_duplicate(OpenNode& node, RulesAfter rules) {
  Change change{.caller = kCaller, .cause = engine::Cause::edit, .rules = rules};
  change.plan = [](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    TransactionBuilder builder(state);
    builder.node("urn:a:node:0", state.graph.find_newest(Kind::topology, "urn:a"),
                 state.graph.find_newest(Kind::institution, "urn:a:institution"));
    return builder.finish();
  };
  return node->commit(std::move(change));
}

// Stores the rulesets of a file and runs all enabled rules, in one transaction.
tl::expected<ImportedRules, codecs::RulesRefused> import_rules(Rules rules, std::string_view json) {
  ImportedRules result;
  NETML_TRY(Change change, Rules::change_of_import(kCaller, json, result));
  NETML_TRY(RulesOutcome outcome, rules.commit(std::move(change)));
  result.outcome = std::move(outcome);
  return result;
}

std::size_t count(OpenNode& node, std::string_view id) {
  return node->version().state->graph.find(Kind::node, id).size();
}

TEST(RulesOfANode, AreThoseShippedFromTheFirstStartAndAcrossRestarts) {
  OpenNode node;
  EXPECT_EQ(node->version().state->lsn, Lsn{1});
  EXPECT_EQ(node->version().state->catalog.rulesets.count(), 2U);
  EXPECT_EQ(node->version().state->catalog.rules.count(), 3U);
  const engine::Digest before = node->version().state->digest();
  node.close();
  node.open();
  EXPECT_EQ(node->version().state->lsn, Lsn{1});
  EXPECT_EQ(node->version().state->digest(), before);
}

TEST(RulesOfANode, RunOnAnEditInTheSameTransaction) {
  OpenNode node;
  const auto made = add_topology(node, "a");
  ASSERT_TRUE(made);
  const auto lsn = add_duplicate(node, RulesAfter::run);
  ASSERT_TRUE(lsn);
  EXPECT_EQ(*lsn, made->next());
  EXPECT_EQ(node->version().state->lsn, *lsn);
  EXPECT_EQ(count(node, "urn:a:node:0"), 1U);
  EXPECT_EQ(node->version().state->graph.count(Kind::link), 2U) << "they end at the newest now";
}

TEST(RulesOfANode, DoNotRunWhereTheChangeSaysSo) {
  OpenNode node;
  ASSERT_TRUE(add_topology(node, "a"));
  ASSERT_TRUE(add_duplicate(node, RulesAfter::skip));
  EXPECT_EQ(count(node, "urn:a:node:0"), 2U);
  Rules rules(*node);
  const auto outcome = rules.apply(kCaller, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(count(node, "urn:a:node:0"), 1U);
  EXPECT_EQ(outcome->changes.deleted, 1U);
  EXPECT_THAT(outcome->logs, SizeIs(3));
}

TEST(RulesOfANode, RunWhenTheyAreImported) {
  OpenNode node;
  ASSERT_TRUE(add_topology(node, "a"));
  Rules rules(*node);
  const auto imported = import_rules(rules, kDeleteNode);
  ASSERT_TRUE(imported);
  EXPECT_THAT(imported->created, ElementsAre("Decisions"));
  EXPECT_EQ(imported->outcome.changes.deleted, 2U) << "the node and its link";
  EXPECT_EQ(count(node, "urn:a:node:0"), 0U);
}

TEST(RulesOfANode, AreTriedOutWithoutAnyEffect) {
  OpenNode node;
  ASSERT_TRUE(add_topology(node, "a"));
  const std::string head = node->version().head;
  const auto tested = Rules(*node).test(kDeleteNode);
  ASSERT_TRUE(tested);
  EXPECT_EQ(tested->outcome.changes.deleted, 2U);
  ASSERT_THAT(tested->outcome.logs, SizeIs(1)) << "those of the file alone";
  EXPECT_THAT(tested->outcome.logs.front().matched, SizeIs(1));
  EXPECT_EQ(node->version().head, head);
}

TEST(RulesOfANode, ArePreviewedAsTheyWouldBeImported) {
  OpenNode node;
  ASSERT_TRUE(add_topology(node, "a"));
  const std::string head = node->version().head;
  ImportedRules imported;
  const auto change = Rules::change_of_import(kCaller, kDeleteNode, imported);
  ASSERT_TRUE(change);
  const auto planned = node->plan(*change);
  ASSERT_TRUE(planned);
  EXPECT_THAT(imported.created, ElementsAre("Decisions"));
  EXPECT_EQ(count_changes(planned->transaction).deleted, 2U);
  EXPECT_THAT(planned->rules, SizeIs(4)) << "the three shipped, too";
  EXPECT_EQ(node->version().head, head);
}

TEST(RulesOfANode, RefuseAFileThatIsMalformed) {
  OpenNode node;
  Rules rules(*node);
  EXPECT_EQ(import_rules(rules, "{}").error().code, Errc::invalid_input);
  EXPECT_EQ(rules.test("nonsense").error().code, Errc::invalid_input);
}

TEST(RulesOfANode, ComeBackFromTheirOwnExport) {
  OpenNode node;
  Rules rules(*node);
  ASSERT_TRUE(import_rules(rules, kDeleteNode));
  const std::string text = rules.exported();
  const auto again = import_rules(rules, text);
  ASSERT_TRUE(again);
  EXPECT_THAT(again->created, SizeIs(3));
  EXPECT_THAT(again->invalid, IsEmpty());
  EXPECT_EQ(rules.exported(), text);
}

TEST(RulesOfANode, AreRestoredToThoseShipped) {
  OpenNode node;
  Rules rules(*node);
  const auto restored = rules.restore_defaults(kCaller);
  ASSERT_TRUE(restored);
  const engine::StatePtr state = node->version().state;
  EXPECT_EQ(state->catalog.rulesets.count(), 2U);
  EXPECT_EQ(state->catalog.rulesets.find(restored->default_ruleset)->name,
            engine::kDefaultRulesetName);
}

TEST(RulesOfANode, CommitNothingWhenThereIsNothingToDo) {
  OpenNode node;
  Rules rules(*node);
  const Lsn before = node->version().state->lsn;
  const auto outcome = rules.apply(kCaller, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->lsn, before);
  EXPECT_EQ(node->version().state->lsn, before);
}

TEST(RulesOfANode, AreRefusedByHandWhenTheyAreNotReadyOrUnknown) {
  OpenNode node;
  Rules rules(*node);
  ASSERT_TRUE(import_rules(
      rules, R"([{"name": "r", "rules": [{"name": "x", "actions": [], "match_criteria": []}]}])"));
  const std::uint64_t number = node->version().state->catalog.rules.next_number() - 1;
  EXPECT_EQ(rules.apply(kCaller, {.rule = number, .ruleset = {}}).error().code, Errc::conflict);
  EXPECT_EQ(rules.apply(kCaller, {.rule = 99, .ruleset = {}}).error().code, Errc::not_found);
  EXPECT_EQ(rules.apply(kCaller, {.rule = {}, .ruleset = 99}).error().code, Errc::not_found);
}

TEST(RulesOfANode, AreReportedWhenTheyAreSkippedAfterAChange) {
  OpenNode node;
  ASSERT_TRUE(import_rules(
      Rules(*node),
      R"([{"name": "r", "rules": [{"name": "x", "actions": [], "match_criteria": []}]}])"));
  ASSERT_TRUE(add_topology(node, "a"));
  const auto skipped = HasSubstr("rule \"x\" skipped");
  EXPECT_THAT(node.events().warnings, ElementsAre(skipped, skipped)) << "the import, and the edit";
}

TEST(RulesOfANode, AreReportedByTheFirstTwentyWhenManyAreSkipped) {
  OpenNode node;
  std::string rules;
  for (int n = 0; n < 23; ++n)
    rules += (n > 0 ? "," : "") + std::string(R"({"name": "x)") + std::to_string(n) +
             R"(", "actions": [], "match_criteria": []})";
  ASSERT_TRUE(import_rules(Rules(*node), R"([{"name": "r", "rules": [)" + rules + "]}]"));
  ASSERT_THAT(node.events().warnings, SizeIs(21));
  EXPECT_THAT(node.events().warnings.back(), HasSubstr("3 more"));
}

}  // namespace
}  // namespace netml::admin
