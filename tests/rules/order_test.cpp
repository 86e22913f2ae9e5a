// docs/requirements/collation-rules.md, section 8.3: every row of the worked examples about
// duplicates and order, and what sections 2 and 4 say about matching and evaluation.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/netml_text.hpp"
#include "tests/support/rules_harness.hpp"

namespace netml::test {
namespace {

using engine::Rule;
using engine::RuleLog;
using engine::RulePart;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

RulePart in_topology(const std::string& kinds, const std::string& id) {
  return part("Match " + kinds + " by Topology", {{"Topology ID", id}});
}
Rule keep_newest(const std::string& kind) {
  return rule("keep newest " + kind, {part("Match Duplicate " + kind + 's')},
              {part("Keep Newest " + kind)});
}
// Matches without changing anything.
Rule look(std::vector<RulePart> criteria, const std::string& kind) {
  return rule("look", std::move(criteria), {part("Delete " + kind + " Property", {{"name", "-"}})});
}

class Duplicates : public testing::Test {
 protected:
  std::size_t duplicates(const std::string& kind) {
    Rule rule = look({part("Match Duplicate " + kind + 's')}, kind);
    rule.name += std::to_string(looks_++);
    return store_.run(std::move(rule)).matched.size();
  }
  RulesHarness store_;
  int looks_ = 0;
};

TEST_F(Duplicates, OfInstitutionsLeaveTheNewestWithAllThatTheOthersOwned) {
  store_.import(topology("A", "i", institution("i").with("k", "1"), node("n"), node("m"),
                         link("l", "n", "m")));
  store_.import_at_top(topology("B", "b", institution("b"), institution("i")));
  store_.import_at_top(topology("C", "c", institution("c"), institution("i").named("newest")));
  const RecordNumber newest = store_.all(Kind::institution, "i").back().number;
  const RuleLog log = store_.run(keep_newest("Institution"));
  EXPECT_EQ(log.matched.size(), 6U) << "and the global institution of each topology";
  EXPECT_EQ(affected(log, Kind::institution), 6U);
  const RecordView left = store_.institution("i");
  EXPECT_EQ(left.number, newest);
  EXPECT_EQ(left.name(), "newest");
  EXPECT_THAT(left.properties, IsEmpty());
  EXPECT_THAT(left.topologies, ElementsAre("A", "B", "C"));
  EXPECT_THAT(store_.topology("A").owners, ElementsAre("i"));
  EXPECT_THAT(store_.node("n").owners, ElementsAre("i"));
  EXPECT_THAT(store_.link("l").owners, ElementsAre("i"));
}

TEST_F(Duplicates, OfLinksLeaveTheNewestWithItsOwnEnds) {
  store_.import(topology("A", "o", institution("o"), node("a"), node("b"), link("l", "a", "b")));
  store_.import_at_top(
      topology("B", "p", institution("p"), node("c"), node("d"), link("l", "c", "d")));
  store_.run(keep_newest("Link"));
  EXPECT_THAT(store_.link("l").ends, ElementsAre("c", "d"));
  EXPECT_THAT(store_.link("l").topologies, ElementsAre("A", "B"));
}

TEST_F(Duplicates, OfNodesLeaveTheNewestAndDeleteTheLinkBetweenThem) {
  store_.import(topology("A", "o", institution("o"), node("n"), node("m"), link("n-m", "n", "m")));
  store_.import_at_top(topology("B", "p", institution("p"), node("n")));
  // The link joins both records of n once m is replaced with that of B.
  store_.run(rule("join", {part("Match Nodes by ID", {{"ID", "m"}})},
                  {part("Replace with Node", {{"ID", "n"}, {"Topology ID", "B"}})}));
  ASSERT_THAT(store_.link("n-m").ends, ElementsAre("n", "n"));
  const RuleLog log = store_.run(keep_newest("Node"));
  EXPECT_THAT(store_.node("n").topologies, ElementsAre("A", "B"));
  EXPECT_THAT(store_.node("n").owners, ElementsAre("o", "p"));
  EXPECT_EQ(store_.count(Kind::link, "n-m"), 0U);
  EXPECT_EQ(cascaded(log, Kind::link), 1U);
}

// Two files may tell of one link by two identifiers.
TEST_F(Duplicates, OfNodesWarnOfLinksThatRunBesideOthersAfterwards) {
  for (const char* id : {"A", "B"})
    store_.import_at_top(topology(id, std::string("o") + id, institution(std::string("o") + id),
                                  node("n"), node("m"), link(std::string("l") + id, "n", "m")));
  const RuleLog log = store_.run(keep_newest("Node"));
  EXPECT_THAT(store_.link("lA").ends, ElementsAreArray(store_.link("lB").ends));
  EXPECT_THAT(log.warnings, ElementsAre(AllOf(HasSubstr("n <n>"), HasSubstr("beside others")),
                                        AllOf(HasSubstr("m <m>"), HasSubstr("beside others"))));
}

TEST_F(Duplicates, OfManyNodesWarnOfTheFirstTwentyAndCountTheOthers) {
  for (const char* id : {"A", "B"}) {
    TopologyText text(id, "o");
    text.add(institution("o"));
    for (int n = 0; n < 24; ++n) text.add(node("n" + std::to_string(n)));
    for (int n = 1; n < 24; ++n)
      text.add(link(id + std::to_string(n), "n0", "n" + std::to_string(n)));
    store_.import_at_top(text);
  }
  const RuleLog log = store_.run(keep_newest("Node"));
  ASSERT_THAT(log.warnings, SizeIs(21));
  EXPECT_THAT(log.warnings.back(), HasSubstr("4 more warnings"));
}

TEST_F(Duplicates, AreCountedRecordByRecord) {
  store_.import(topology("A", "o", institution("o"), node("n"), node("m")));
  EXPECT_EQ(duplicates("Node"), 0U);
  store_.import_at_top(topology("B", "o2", institution("o2"), node("n")));
  EXPECT_EQ(duplicates("Node"), 2U);
}

// Records of one identifier come into one topology where a rule unites the topologies of others.
TEST_F(Duplicates, InOneTopologyCountAlike) {
  store_.import(topology("A", "o", institution("o"), node("n"), node("gone")));
  store_.import_at_top(topology("B", "p", institution("p"), node("n")));
  store_.run(rule("join", {part("Match Nodes by ID", {{"ID", "gone"}})},
                  {part("Replace with Node", {{"ID", "n"}, {"Topology ID", "B"}})}));
  EXPECT_THAT(store_.members("A", Kind::node), ElementsAre("n", "n"));
  EXPECT_EQ(duplicates("Node"), 2U);
}

TEST_F(Duplicates, OfThreeAreThree) {
  for (const char* id : {"A", "B", "C"})
    store_.import_at_top(
        topology(id, std::string("o") + id, institution(std::string("o") + id), node("n")));
  EXPECT_EQ(duplicates("Node"), 3U);
}

TEST_F(Duplicates, OfTwoPairsAreFour) {
  for (const char* id : {"A", "B"})
    store_.import_at_top(topology(id, std::string("o") + id, institution(std::string("o") + id),
                                  node("n"), node("m"), node(std::string("only in ") + id)));
  EXPECT_EQ(duplicates("Node"), 4U);
}

TEST_F(Duplicates, InParentAndChildMatchLikeThoseOfUnrelatedTopologies) {
  store_.import(topology("P", "o", institution("o"), node("n"),
                         topology("C", "c", institution("c"), node("n"))));
  EXPECT_EQ(duplicates("Node"), 2U);
}

TEST_F(Duplicates, AreCountedForEachKind) {
  store_.import(topology("A", "x", institution("x"), node("x"), node("b"), link("x", "x", "b")));
  EXPECT_EQ(duplicates("Node"), 0U);
  EXPECT_EQ(duplicates("Link"), 0U);
  EXPECT_EQ(duplicates("Institution"), 0U);
  store_.import_at_top(topology("B", "o", institution("o"), node("x")));
  EXPECT_EQ(duplicates("Node"), 2U);
  EXPECT_EQ(duplicates("Link"), 0U);
}

// Section 2: the order of criteria matters for duplicates.
TEST_F(Duplicates, AreThoseAmongWhatIsLeft) {
  store_.import(topology("A", "o", institution("o"), node("n")));
  store_.import_at_top(topology("B", "p", institution("p"), node("n"), node("m")));
  const RecordNumber of_b = store_.all(Kind::node, "n").back().number;
  const RuleLog first =
      store_.run(look({part("Match Duplicate Nodes"), in_topology("Nodes", "B")}, "Node"));
  ASSERT_THAT(first.matched, SizeIs(1));
  EXPECT_EQ(first.matched.front().number, of_b);
  Rule later = look({in_topology("Nodes", "B"), part("Match Duplicate Nodes")}, "Node");
  later.name = "the other way round";
  EXPECT_THAT(store_.run(later).matched, IsEmpty());
}

TEST_F(Duplicates, WithAnIdentifierBeforeOrAfterAreTheSame) {
  for (const char* id : {"A", "B"})
    store_.import_at_top(topology(id, std::string("o") + id, institution(std::string("o") + id),
                                  node("n"), node("m")));
  const RulePart by_id = part("Match Nodes by ID", {{"ID", "n"}});
  Rule after = look({part("Match Duplicate Nodes"), by_id}, "Node");
  Rule before = look({by_id, part("Match Duplicate Nodes")}, "Node");
  before.name = "before";
  EXPECT_EQ(store_.run(after).matched.size(), 2U);
  EXPECT_EQ(store_.run(before).matched.size(), 2U);
}

// docs/requirements/importing.md, section 7: copies never win, and bring no topologies.
TEST_F(Duplicates, LetOriginalsWinOverNewerCopies) {
  store_.import(topology("A", "o", institution("o"), node("n").named("original")));
  store_.import_at_top(topology("B", "p", institution("p"), node("n").copy_of("elsewhere")));
  ASSERT_EQ(store_.count(Kind::node, "n"), 2U);
  store_.run(keep_newest("Node"));
  EXPECT_EQ(store_.node("n").name(), "original");
  EXPECT_THAT(store_.node("n").topologies, ElementsAre("A"));
}

class Order : public testing::Test {
 protected:
  void add_collision_decision() {
    const auto rulesets = engine::rulesets_in_order(store_.state().catalog);
    store_.store(
        rulesets.front(),
        rule("Br of B into Br of A",
             {part("Match Duplicate Institutions"),
              part("Match Institutions by ID", {{"ID", "Br"}}), in_topology("Institutions", "B")},
             {part("Merge into Institution", {{"ID", "Br"}, {"Topology ID", "A"}})}));
  }
  void expect_one_branch() {
    EXPECT_EQ(store_.institution("Br").name(), "A version");
    EXPECT_THAT(store_.institution("Br").topologies, ElementsAre("A", "B"));
    EXPECT_THAT(store_.topology("A").owners, ElementsAre("Br"));
    EXPECT_THAT(store_.topology("B").owners, ElementsAre("Br"));
    EXPECT_THAT(store_.institution("Br").properties, ElementsAre("k=A", "z=1"));
  }
  static std::string branches() {
    return topology(
        "A", "Br", institution("Br").named("A version").with("k", "A"),
        topology("B", "Br", institution("Br").named("B version").with("k", "B").with("z", "1")));
  }
  RulesHarness store_;
};

TEST_F(Order, LetsACustomRuleDecideBeforeTheDefaultRulesAtEachImport) {
  store_.store_defaults();
  add_collision_decision();
  for (int imports = 0; imports < 2; ++imports) {
    store_.import(branches());
    expect_one_branch();
  }
}

// Decision 18: the properties of one file are gathered, so nothing is left for the rule to add.
TEST_F(Order, LeavesTheCopyNearestTheRootToTheDefaultRulesAlone) {
  store_.store_defaults();
  for (int imports = 0; imports < 2; ++imports) {
    store_.import(branches());
    expect_one_branch();
  }
}

// The same from separate files, where nothing is gathered: what the custom rule adds is z.
TEST_F(Order, LetsACustomRuleMergeWhatSeparateFilesSay) {
  store_.store_defaults();
  add_collision_decision();
  store_.import(topology("A", "Br", institution("Br").named("A version").with("k", "A")));
  store_.import(
      topology("B", "Br", institution("Br").named("B version").with("k", "B").with("z", "1")));
  expect_one_branch();
}

TEST_F(Order, RunsRulesetsByPriorityThenNameAndRulesByPriorityThenNumber) {
  const std::uint64_t other = store_.ruleset("other", 1000);
  const std::uint64_t standard = store_.ruleset("default", 0);
  const std::uint64_t custom = store_.ruleset("custom", -1);
  const std::uint64_t off = store_.ruleset("off", -5, false);
  const std::uint64_t tie = store_.ruleset("a tie", 1000);
  const auto add = [&](std::uint64_t ruleset, std::string name, std::int16_t priority,
                       bool enabled = true) {
    Rule made = look({part("Match Duplicate Nodes")}, "Node");
    made.name = std::move(name);
    made.priority = priority;
    made.enabled = enabled;
    store_.store(ruleset, std::move(made));
  };
  add(other, "30", 30);
  add(other, "-2", -2, false);
  add(other, "10", 10);
  add(other, "20", 20);
  add(standard, "0 first", 0);
  add(standard, "0 second", 0);
  add(standard, "0 third", 0);
  add(custom, "5000", 5000);
  add(custom, "-1", -1);
  add(off, "never", 0);
  add(tie, "before other", 9999);
  Texts order;
  for (const RuleLog& log : store_.run_all()) order.push_back(log.name);
  EXPECT_THAT(order, ElementsAre("-1", "5000", "0 first", "0 second", "0 third", "before other",
                                 "10", "20", "30"));
}

TEST_F(Order, IgnoresEnabledAtTheLevelThatIsRunByHand) {
  const std::uint64_t off = store_.ruleset("off", 0, false);
  Rule disabled = look({part("Match Duplicate Nodes")}, "Node");
  disabled.enabled = false;
  const std::uint64_t number = store_.store(off, disabled);
  Rule enabled = look({part("Match Duplicate Nodes")}, "Node");
  enabled.name = "enabled";
  store_.store(off, enabled);
  EXPECT_THAT(store_.run_all(), IsEmpty());
  const auto by_hand = engine::plan_ruleset_run(store_.state(), off);
  ASSERT_TRUE(by_hand);
  ASSERT_THAT(by_hand->logs, SizeIs(1));
  EXPECT_EQ(by_hand->logs.front().name, "enabled");
  EXPECT_TRUE(engine::plan_rule_run(store_.state(), number));
  EXPECT_EQ(engine::plan_rule_run(store_.state(), 99).error().code, Errc::not_found);
  EXPECT_EQ(engine::plan_ruleset_run(store_.state(), 99).error().code, Errc::not_found);
}

TEST_F(Order, MergesTheParentsInstitutionIntoTheChildsInTheImport) {
  store_.store(
      store_.ruleset("r"),
      rule("m", {part("Match Institutions by ID", {{"ID", "i"}}), in_topology("Institutions", "P")},
           {part("Merge into Institution", {{"ID", "i"}, {"Topology ID", "C"}})}));
  store_.import(topology("P", "i", institution("i").named("parent's"),
                         topology("C", "i", institution("i").named("child's"))));
  EXPECT_EQ(store_.institution("i").name(), "child's");
  EXPECT_THAT(store_.institution("i").topologies, ElementsAre("C", "P"));
}

TEST_F(Order, LetsLinksOfTheParentEndAtTheChildsNodeAfterAReplacement) {
  store_.store(
      store_.ruleset("r"),
      rule("replace", {part("Match Nodes by ID", {{"ID", "n"}}), in_topology("Nodes", "P")},
           {part("Replace with Node", {{"ID", "m"}, {"Topology ID", "C"}})}));
  store_.import(topology("P", "o", institution("o"), node("n"), node("k"), link("l", "n", "k"),
                         topology("C", "c", institution("c"), node("m"))));
  EXPECT_EQ(store_.count(Kind::node, "n"), 0U);
  EXPECT_THAT(store_.link("l").ends, Contains("m"));
  EXPECT_THAT(store_.node("m").topologies, ElementsAre("C", "P"));
}

TEST_F(Order, ChangesNothingForATopologyThatDoesNotHaveTheElementOrDoesNotExist) {
  store_.import(
      topology("A", "o", institution("o"), node("n"), topology("C", "c", institution("c"))));
  const std::string before = store_.content();
  for (const char* id : {"C", "no such topology"}) {
    const RuleLog log =
        store_.run(rule(std::string("delete in ") + id,
                        {part("Match Nodes by ID", {{"ID", "n"}}), in_topology("Nodes", id)},
                        {part("Delete Node")}));
    EXPECT_THAT(log.matched, IsEmpty());
  }
  EXPECT_EQ(store_.content(), before);
}

TEST_F(Order, MatchesDirectMembersOfATopologyOnly) {
  store_.import(topology("A", "o", institution("o"), node("n"),
                         topology("C", "c", institution("c"), node("m"))));
  const RuleLog log = store_.run(look({in_topology("Nodes", "A")}, "Node"));
  EXPECT_THAT(log.matched, SizeIs(1));
}

TEST_F(Order, FixesTheMatchedSetBeforeTheFirstActionAndTakesItByNumber) {
  store_.import(topology("A", "o", institution("o"), node("b"), node("a"), node("c")));
  const RuleLog log = store_.run(look({in_topology("Nodes", "A")}, "Node"));
  EXPECT_TRUE(std::ranges::is_sorted(log.matched, {}, &engine::RecordReference::number));
}

TEST_F(Order, SkipsAnUnhealthyRuleOfARulesetAndWarnsInTheImportLog) {
  const std::uint64_t ruleset = store_.ruleset("r");
  store_.store(ruleset, rule("empty", {}, {}));
  store_.store(ruleset,
               rule("delete n", {part("Match Nodes by ID", {{"ID", "n"}})}, {part("Delete Node")}));
  store_.import(topology("A", "o", institution("o"), node("n"), node("m")));
  EXPECT_THAT(store_.members("A", Kind::node), ElementsAre("m"));
  EXPECT_THAT(store_.log().text(), HasSubstr("WARNING: rule \"empty\" skipped"));
  EXPECT_THAT(store_.log().text(), HasSubstr("rule \"delete n\": 1 matched"));
}

// The import unites on its way, and tells it as if the rules had run.
TEST_F(Order, GivesALogOfEachDefaultRuleOfAnImport) {
  store_.store_defaults();
  store_.import(topology("P", "o", institution("o"), node("n"), node("m"), link("l", "n", "m"),
                         topology("C", "c", institution("c"), node("n"), node("k"))));
  ASSERT_THAT(store_.rule_logs(), SizeIs(3));
  const RuleLog& nodes = store_.rule_logs()[1];
  EXPECT_EQ(nodes.name, "Default Node ID Collision Resolution");
  EXPECT_EQ(nodes.element, Kind::node);
  EXPECT_THAT(nodes.matched, SizeIs(2));
  EXPECT_EQ(affected(nodes, Kind::node), 2U);
  EXPECT_THAT(store_.rule_logs()[2].matched, IsEmpty());
  EXPECT_THAT(store_.log().text(),
              HasSubstr("....rule \"Default Node ID Collision Resolution\": 2 matched, 2 changed"));
}

TEST_F(Order, NamesTheFirstTwentySkippedRulesOfAKindInTheImportLogAndCountsTheOthers) {
  const std::uint64_t ruleset = store_.ruleset("r");
  const auto without_action = [&](const std::string& kinds, int n) {
    store_.store(ruleset, rule(kinds + std::to_string(n), {part("Match Duplicate " + kinds)}, {}));
  };
  for (int n = 0; n < 23; ++n) without_action("Nodes", n);
  for (int n = 0; n < 20; ++n) without_action("Links", n);
  store_.import(topology("A", "o", institution("o"), node("n")));
  const std::string text = store_.log().text();
  EXPECT_THAT(text, HasSubstr("rule \"Nodes19\" skipped"));
  EXPECT_THAT(text, Not(HasSubstr("rule \"Nodes20\" skipped")));
  EXPECT_THAT(text, HasSubstr("WARNING: 3 more rules skipped"));
  EXPECT_THAT(text, HasSubstr("rule \"Links19\" skipped"));
  EXPECT_THAT(text, Not(HasSubstr(" 0 more")));
}

}  // namespace
}  // namespace netml::test
