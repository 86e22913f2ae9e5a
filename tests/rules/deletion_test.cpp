// docs/requirements/collation-rules.md, section 8.1: every row of the worked examples about
// deletion.
#include <gmock/gmock.h>

#include "tests/support/netml_text.hpp"
#include "tests/support/rules_harness.hpp"

namespace netml::test {
namespace {

using engine::Rule;
using engine::RuleLog;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Rule on_node(std::string id, std::vector<engine::RulePart> actions) {
  return rule("on node " + id, {part("Match Nodes by ID", {{"ID", id}})}, std::move(actions));
}
Rule delete_link(const std::string& id) {
  return rule("delete link " + id, {part("Match Links by ID", {{"ID", id}})},
              {part("Delete Link")});
}

class DeletionRules : public testing::Test {
 protected:
  // Links 1 and 2 and their nodes; institution "i" owns two nodes and a link besides.
  void SetUp() override {
    store_.import(topology("T", "o", institution("o"), institution("i"), node("a").owned_by("i"),
                           node("b"), node("c").owned_by("i"), link("1", "a", "b"),
                           link("2", "b", "c").owned_by("i")));
  }

  RulesHarness store_;
};

TEST_F(DeletionRules, DeleteALinkByIdAndLeaveAllNodes) {
  const RuleLog log = store_.run(delete_link("1"));
  EXPECT_THAT(store_.members("T", Kind::link), ElementsAre("2"));
  EXPECT_THAT(store_.members("T", Kind::node), ElementsAre("a", "b", "c"));
  EXPECT_EQ(affected(log, Kind::link), 1U);
  EXPECT_EQ(affected(log, Kind::node), 0U);
}

TEST_F(DeletionRules, MatchNothingByAnUnknownIdAndSucceed) {
  const std::string before = store_.content();
  const RuleLog log = store_.run(delete_link("nope"));
  EXPECT_THAT(log.matched, IsEmpty());
  EXPECT_EQ(store_.content(), before);
}

TEST_F(DeletionRules, DeleteANodeWithItsLinkAndLeaveTheOtherEnd) {
  const RecordNumber number = store_.node("a").number;
  const RuleLog log = store_.run(on_node("a", {part("Delete Node")}));
  EXPECT_THAT(store_.members("T", Kind::node), ElementsAre("b", "c"));
  EXPECT_THAT(store_.members("T", Kind::link), ElementsAre("2"));
  EXPECT_EQ(affected(log, Kind::node), 1U);
  EXPECT_EQ(affected(log, Kind::link), 0U);
  EXPECT_EQ(cascaded(log, Kind::link), 1U);
  EXPECT_EQ(log.affected[static_cast<std::size_t>(Kind::node)].front().number, number);
  EXPECT_EQ(log.actions.front().element, "a <a> [" + std::to_string(number.value) + "]");
}

TEST_F(DeletionRules, DeleteBothEndsOfALinkOneAfterTheOther) {
  store_.run(on_node("a", {part("Delete Node")}));
  store_.run(on_node("b", {part("Delete Node")}));
  EXPECT_THAT(store_.members("T", Kind::node), ElementsAre("c"));
  EXPECT_THAT(store_.members("T", Kind::link), IsEmpty());
}

TEST_F(DeletionRules, DeleteAnInstitutionAndLeaveTheNodesAndLinksItOwned) {
  const RuleLog log = store_.run(rule("delete i", {part("Match Institutions by ID", {{"ID", "i"}})},
                                      {part("Delete Institution")}));
  EXPECT_THAT(store_.members("T", Kind::institution), ElementsAre("o"));
  EXPECT_THAT(store_.members("T", Kind::node), ElementsAre("a", "b", "c"));
  EXPECT_THAT(store_.node("a").owners, ElementsAre("o"));
  EXPECT_THAT(store_.link("2").owners, ElementsAre("o"));
  EXPECT_EQ(affected(log, Kind::institution), 1U);
  EXPECT_EQ(affected(log, Kind::node), 0U);
  EXPECT_EQ(affected(log, Kind::link), 0U);
  EXPECT_EQ(cascaded(log, Kind::node), 2U);
  EXPECT_EQ(cascaded(log, Kind::link), 1U);
  EXPECT_THAT(log.warnings, IsEmpty());
}

TEST_F(DeletionRules, WarnThatATopologyHasLostItsOwner) {
  const RuleLog log = store_.run(rule("delete o", {part("Match Institutions by ID", {{"ID", "o"}})},
                                      {part("Delete Institution")}));
  EXPECT_THAT(store_.topology("T").owners, IsEmpty());
  EXPECT_THAT(log.warnings, ElementsAre(HasSubstr("has no owner any more")));
}

TEST_F(DeletionRules, KeepAnElementOutOfTheExportAfterAnImportThatHasIt) {
  store_.store(store_.ruleset("decisions"), on_node("b", {part("Delete Node")}));
  store_.import(topology("T", "o", institution("o"), node("b"), node("n")));
  EXPECT_THAT(store_.exported(), Not(HasSubstr("id=\"b\"")));
  EXPECT_THAT(store_.exported(), HasSubstr("id=\"n\""));
}

TEST_F(DeletionRules, FailAndChangeNothingWhenCriterionAndActionConcernDifferentKinds) {
  const std::string before = store_.content();
  const std::uint64_t ruleset = store_.ruleset("mixed");
  const std::uint64_t number = store_.store(
      ruleset, rule("mixed", {part("Match Nodes by ID", {{"ID", "a"}})}, {part("Delete Link")}));
  const auto alone = engine::plan_rule_run(store_.state(), number);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, Errc::conflict) << "the rule is to blame, not the request";
  const auto in_ruleset = engine::plan_ruleset_run(store_.state(), ruleset);
  ASSERT_TRUE(in_ruleset);
  EXPECT_THAT(in_ruleset->logs.front().problem, HasSubstr("different kinds"));
  EXPECT_TRUE(in_ruleset->transaction.empty());
  EXPECT_EQ(store_.content(), before);
}

class PropertyRules : public testing::Test {
 protected:
  void import(const ElementText& element) {
    store_.import(topology("T", "o", institution("o"), element));
  }
  RuleLog run(engine::RulePart action) { return store_.run(on_node("n", {std::move(action)})); }

  RulesHarness store_;
};

TEST_F(PropertyRules, DeleteAllOfANameWhateverItsCase) {
  import(node("n").with("k", "1").with("k", "2").with("z", "3"));
  const RuleLog log = run(part("Delete Node Property", {{"name", "K"}}));
  EXPECT_THAT(store_.node("n").properties, ElementsAre("z=3"));
  EXPECT_EQ(affected(log, Kind::node), 1U);
}

TEST_F(PropertyRules, DeleteOneOfANameByItsValue) {
  import(node("n").with("k", "1").with("k", "2").with("z", "3"));
  run(part("Delete Node Property", {{"name", "k"}, {"value", "1"}}));
  EXPECT_THAT(store_.node("n").properties, ElementsAre("k=2", "z=3"));
}

// Stored names are folded by Unicode, and so is the name in a rule.
TEST_F(PropertyRules, DeleteANameBeyondAsciiWhateverItsCase) {
  import(node("n").with("GRÖßE", "1").with("größe", "2").with("Ωmega", "3"));
  ASSERT_THAT(store_.node("n").properties, ElementsAre("größe=1", "größe=2", "ωmega=3"));
  store_.run(on_node("n", {part("Delete Node Property", {{"name", "GRÖßE"}}),
                           part("Delete Node Property", {{"name", "ΩMEGA"}})}));
  EXPECT_THAT(store_.node("n").properties, IsEmpty());
}

ElementText with_ten_properties() {
  ElementText text = node("n");
  for (const char* value : {"1", "2", "3", "4", "5"}) text.with("p", value);
  for (const char* name : {"a", "b", "c", "d", "e"}) text.with(name, "x");
  return text;
}

TEST_F(PropertyRules, OfTenDeleteTheFiveOfOneName) {
  import(with_ten_properties());
  run(part("Delete Node Property", {{"name", "p"}}));
  EXPECT_THAT(store_.node("n").properties, ElementsAre("a=x", "b=x", "c=x", "d=x", "e=x"));
}

TEST_F(PropertyRules, OfTenDeleteTheOneOfANameAndValue) {
  import(with_ten_properties());
  run(part("Delete Node Property", {{"name", "p"}, {"value", "3"}}));
  EXPECT_THAT(store_.node("n").properties, SizeIs(9));
}

TEST_F(PropertyRules, ChangeNothingAndSucceedWhenTheValueDiffersInCase) {
  import(node("n").with("k", "V"));
  const RuleLog log = run(part("Delete Node Property", {{"name", "k"}, {"value", "v"}}));
  EXPECT_THAT(store_.node("n").properties, ElementsAre("k=V"));
  EXPECT_FALSE(aborted(log));
}

TEST_F(PropertyRules, AffectNothingAndSucceedWhereThePropertyIsAbsent) {
  import(node("n").with("k", "1"));
  const RuleLog log = run(part("Delete Node Property", {{"name", "other"}}));
  EXPECT_THAT(store_.node("n").properties, ElementsAre("k=1"));
  EXPECT_EQ(affected(log, Kind::node), 0U);
  EXPECT_FALSE(aborted(log));
}

TEST_F(PropertyRules, DeleteATagByItsValue) {
  import(node("n").with("tag", "t1").with("tag", "t2").with("k", "t1"));
  run(part("Delete Node Tag Property", {{"value", "t1"}}));
  EXPECT_THAT(store_.node("n").properties, ElementsAre("tag=t2", "k=t1"));
}

TEST_F(PropertyRules, ConcernInstitutionsAndLinksAlike) {
  store_.import(topology("T", "o", institution("o").with("k", "1").with("tag", "t"), node("a"),
                         node("b"), link("l", "a", "b").with("k", "1").with("tag", "t")));
  store_.run(rule("1", {part("Match Institutions by ID", {{"ID", "o"}})},
                  {part("Delete Institution Property", {{"name", "k"}}),
                   part("Delete Institution Tag Property", {{"value", "t"}})}));
  store_.run(rule("2", {part("Match Links by ID", {{"ID", "l"}})},
                  {part("Delete Link Property", {{"name", "k"}}),
                   part("Delete Link Tag Property", {{"value", "t"}})}));
  EXPECT_THAT(store_.institution("o").properties, IsEmpty());
  EXPECT_THAT(store_.link("l").properties, IsEmpty());
}

// Decision 9.
TEST_F(PropertyRules, GoOnWithTheSameRecord) {
  import(node("n").with("k", "1"));
  const RuleLog log = store_.run(
      on_node("n", {part("Delete Node Property", {{"name", "k"}}), part("Delete Node")}));
  EXPECT_EQ(store_.count(Kind::node, "n"), 0U);
  EXPECT_THAT(log.actions, SizeIs(2));
  EXPECT_EQ(affected(log, Kind::node), 1U) << "each record once";
}

}  // namespace
}  // namespace netml::test
