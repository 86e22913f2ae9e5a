// docs/requirements/collation-rules.md, section 8.2: every row of the worked examples about
// replacing and merging.
#include <gmock/gmock.h>

#include "tests/support/netml_text.hpp"
#include "tests/support/rules_harness.hpp"

namespace netml::test {
namespace {

using engine::Rule;
using engine::RuleLog;
using engine::RulePart;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

RulePart match(const std::string& kinds, const std::string& id) {
  return part("Match " + kinds + " by ID", {{"ID", id}});
}

Rule substitute(const std::string& action, const std::string& kinds, const std::string& from,
                const std::string& to) {
  return rule(action + ' ' + from + ' ' + to, {match(kinds, from)}, {part(action, {{"ID", to}})});
}
Rule replace_institution(const std::string& from, const std::string& to) {
  return substitute("Replace with Institution", "Institutions", from, to);
}
Rule merge_institution(const std::string& from, const std::string& to) {
  return substitute("Merge into Institution", "Institutions", from, to);
}
Rule replace_node(const std::string& from, const std::string& to) {
  return substitute("Replace with Node", "Nodes", from, to);
}
Rule merge_node(const std::string& from, const std::string& to) {
  return substitute("Merge into Node", "Nodes", from, to);
}
Rule replace_link(const std::string& from, const std::string& to) {
  return substitute("Replace with Link", "Links", from, to);
}
Rule merge_link(const std::string& from, const std::string& to) {
  return substitute("Merge into Link", "Links", from, to);
}

class SubstitutionRules : public testing::Test {
 protected:
  RulesHarness store_;
};

TEST_F(SubstitutionRules, ReplaceTheOwnerOfANodeAndLoseItsProperties) {
  store_.import(topology("T", "o", institution("o"), institution("X").with("k", "1"),
                         institution("Y").with("z", "2"), node("n").owned_by("X")));
  const RuleLog log = store_.run(replace_institution("X", "Y"));
  EXPECT_EQ(store_.count(Kind::institution, "X"), 0U);
  EXPECT_THAT(store_.node("n").owners, ElementsAre("Y", "o"));
  EXPECT_THAT(store_.institution("Y").properties, ElementsAre("z=2"));
  EXPECT_EQ(affected(log, Kind::institution), 2U);
  EXPECT_EQ(cascaded(log, Kind::node), 1U);
}

TEST_F(SubstitutionRules, ReplaceTheOwnerOfTwoNodesAndALink) {
  store_.import(topology("T", "X", institution("X"), institution("Y"), node("a"), node("b"),
                         link("l", "a", "b")));
  store_.run(replace_institution("X", "Y"));
  EXPECT_THAT(store_.node("a").owners, ElementsAre("Y"));
  EXPECT_THAT(store_.node("b").owners, ElementsAre("Y"));
  EXPECT_THAT(store_.link("l").owners, ElementsAre("Y"));
  EXPECT_THAT(store_.topology("T").owners, ElementsAre("Y"));
}

TEST_F(SubstitutionRules, ReplaceAnEndOfLinksAndLoseItsOwnersAndProperties) {
  store_.import(topology("T", "o", institution("o"), institution("p"),
                         node("a").owned_by("p").with("k", "1"), node("b"), node("c"), node("d"),
                         link("1", "a", "b"), link("2", "a", "c")));
  store_.run(replace_node("a", "d"));
  EXPECT_THAT(store_.members("T", Kind::node), ElementsAre("b", "c", "d"));
  EXPECT_THAT(store_.link("1").ends, ElementsAre("d", "b"));
  EXPECT_THAT(store_.link("2").ends, ElementsAre("d", "c"));
  EXPECT_THAT(store_.node("d").owners, ElementsAre("o"));
  EXPECT_THAT(store_.node("d").properties, IsEmpty());
}

TEST_F(SubstitutionRules, MergeAnEndAndDeleteTheLinkThatWouldEndTwiceAtOneNode) {
  store_.import(topology("T", "o", institution("o"), institution("p"), node("a").owned_by("p"),
                         node("b"), node("c"), link("a-b", "a", "b"), link("a-c", "a", "c"),
                         link("b-c", "b", "c")));
  const RuleLog log = store_.run(merge_node("a", "b"));
  EXPECT_THAT(store_.members("T", Kind::link), ElementsAre("a-c", "b-c"));
  EXPECT_THAT(store_.link("a-c").ends, ElementsAre("b", "c"));
  EXPECT_THAT(store_.link("b-c").ends, ElementsAre("b", "c"));
  EXPECT_THAT(store_.node("b").owners, ElementsAre("o", "p"));
  EXPECT_EQ(cascaded(log, Kind::link), 2U);
  EXPECT_THAT(message(log), HasSubstr("both ends became one node"));
  EXPECT_THAT(log.warnings,
              ElementsAre(HasSubstr("1 of the links that end there now run beside others")));
}

class LinkRules : public testing::Test {
 protected:
  void SetUp() override {
    store_.import(topology("T", "o", institution("o"), node("a"), node("b"), node("c"), node("d"),
                           link("L1", "a", "b"), link("L2", "b", "a"), link("L3", "c", "d")));
  }
  RulesHarness store_;
};

TEST_F(LinkRules, ReplaceALinkByOneOfTheSameEndsWhateverTheirDirection) {
  store_.run(replace_link("L1", "L2"));
  EXPECT_THAT(store_.members("T", Kind::link), ElementsAre("L2", "L3"));
}

TEST_F(LinkRules, AbortWhereTheEndsDifferAndKeepBoth) {
  const std::string before = store_.content();
  for (const Rule& rule : {replace_link("L1", "L3"), merge_link("L1", "L3")}) {
    const RuleLog log = store_.run(rule);
    EXPECT_TRUE(aborted(log));
    EXPECT_THAT(message(log), HasSubstr("have different endpoints"));
    EXPECT_EQ(affected(log, Kind::link), 0U);
  }
  EXPECT_EQ(store_.content(), before);
}

TEST_F(LinkRules, ReplaceOrMergeLinksThatNodeRulesMadeParallel) {
  store_.run(replace_node("c", "a"));
  store_.run(replace_node("d", "b"));
  store_.run(replace_link("L1", "L3"));
  store_.run(merge_link("L2", "L3"));
  EXPECT_THAT(store_.members("T", Kind::link), ElementsAre("L3"));
}

class MergeRules : public testing::Test {
 protected:
  // Merges X into Y; gives the properties of Y afterwards.
  Texts merge(const ElementText& x, const ElementText& y) {
    store_.import(topology("T", "o", institution("o"), x, y));
    store_.run(merge_institution("X", "Y"));
    EXPECT_EQ(store_.count(Kind::institution, "X"), 0U);
    return store_.institution("Y").properties;
  }
  RulesHarness store_;
};

TEST_F(MergeRules, UniteTagsAndKeepEqualProperties) {
  EXPECT_THAT(merge(institution("X").with("url", "u1").with("tag", "v").with("tag", "t2"),
                    institution("Y").with("url", "u1").with("tag", "v").with("tag", "t1")),
              ElementsAre("url=u1", "tag=v", "tag=t1", "tag=t2"));
}

TEST_F(MergeRules, AddPropertiesOfOtherNamesAndLetTheTargetsValuesWin) {
  EXPECT_THAT(merge(institution("X").with("url", "a").with("description", "d"),
                    institution("Y").with("url", "b")),
              ElementsAre("url=b", "description=d"));
}

TEST_F(MergeRules, AddTheTagsThatTheTargetLacks) {
  EXPECT_THAT(merge(institution("X").with("tag", "NREN").with("tag", "MyISP"),
                    institution("Y").with("tag", "NREN")),
              ElementsAre("tag=NREN", "tag=MyISP"));
}

TEST_F(MergeRules, MoveAllValuesOfANameThatTheTargetLacks) {
  EXPECT_THAT(
      merge(institution("X").with("k", "1").with("k", "1").with("k", "2"), institution("Y")),
      ElementsAre("k=1", "k=1", "k=2"));
}

constexpr std::string_view kElsewhere =
    "<grenml:long>2</grenml:long><grenml:lat>1</grenml:lat><grenml:alt>77</grenml:alt>"
    "<grenml:address>Street</grenml:address>";
constexpr std::string_view kHere = "<grenml:long>4</grenml:long><grenml:lat>3</grenml:lat>";

TEST_F(MergeRules, FillAMissingShortNameAndKeepTheTargetsPlace) {
  merge(institution("X").short_named("xs").location(kElsewhere), institution("Y").location(kHere));
  const engine::AttributesPtr y = store_.institution("Y").attributes;
  EXPECT_EQ(y->short_name(), "xs");
  EXPECT_EQ(y->coordinates()->latitude.value, 3000000);
}

TEST_F(MergeRules, FillAMissingStartAndLeaveALocationThatIsKnownAsItIs) {
  store_.import(topology(
      "T", "o", institution("o"),
      node("X").location(kElsewhere).lifetime("<nml:start>2020-01-01T00:00:00Z</nml:start>"),
      node("Y").location(kHere)));
  store_.run(merge_node("X", "Y"));
  const engine::AttributesPtr y = store_.node("Y").attributes;
  EXPECT_EQ(y->start(), parse_instant("2020-01-01T00:00:00Z"));
  EXPECT_FALSE(y->altitude().has_value());
  EXPECT_EQ(y->address(), "");
}

TEST_F(MergeRules, FillALocationThatIsUnknownAsAWhole) {
  store_.import(topology("T", "o", institution("o"), institution("X").location(kElsewhere),
                         institution("Y")));
  store_.run(merge_institution("X", "Y"));
  const engine::AttributesPtr y = store_.institution("Y").attributes;
  ASSERT_TRUE(y->coordinates().has_value());
  EXPECT_EQ(y->coordinates()->latitude.value, 1000000);
  EXPECT_EQ(y->address(), "Street");
}

TEST_F(MergeRules, UniteTheOwnersOfNodes) {
  store_.import(
      topology("T", "o", institution("o"), institution("p"), node("X").owned_by("p"), node("Y")));
  store_.run(merge_node("X", "Y"));
  EXPECT_THAT(store_.node("Y").owners, ElementsAre("o", "p"));
}

// A mark says of one record that it is a copy; the target of a merge is none.
TEST_F(MergeRules, LeaveTheMarkOfACopyBehind) {
  EXPECT_THAT(merge(institution("X").copy_of("elsewhere").with("k", "1"), institution("Y")),
              ElementsAre("k=1"));
}

TEST_F(MergeRules, MoveOtherReservedNamesLikeAnyName) {
  EXPECT_THAT(merge(institution("X").with("!-origin", "x").with("!-note", "n"),
                    institution("Y").with("!-note", "y")),
              ElementsAre("!-note=y", "!-origin=x"));
}

class FindingTheTarget : public testing::Test {
 protected:
  // Y stands in A and, another record, in B.
  void SetUp() override {
    store_.import(topology("A", "o", institution("o"), node("X"), node("Y"), node("Z")));
    store_.import_at_top(topology("B", "q", institution("q"), node("Y")));
  }
  void expect_abort(Rule rule, const std::string& text) {
    const std::string before = store_.content();
    const RuleLog log = store_.run(std::move(rule));
    EXPECT_TRUE(aborted(log));
    EXPECT_THAT(message(log), HasSubstr(text));
    EXPECT_EQ(store_.content(), before);
  }
  static Rule into_y_of(const std::string& topology) {
    return rule("into Y of " + topology, {match("Nodes", "X")},
                {part("Merge into Node", {{"ID", "Y"}, {"Topology ID", topology}})});
  }

  RulesHarness store_;
};

TEST_F(FindingTheTarget, AbortsWhenItsIdIsUnknown) {
  expect_abort(replace_node("X", "none"), "Could not find the substitute Node.");
  expect_abort(replace_institution("q", "none"), "Could not find the substitute Institution.");
}

TEST_F(FindingTheTarget, AbortsWhenItBelongsToAnotherTopologyOrThatDoesNotExist) {
  expect_abort(rule("wrong topology", {match("Nodes", "X")},
                    {part("Merge into Node", {{"ID", "Z"}, {"Topology ID", "B"}})}),
               "Could not find the substitute Node.");
  expect_abort(into_y_of("no such topology"), "Could not find the substitute Node.");
}

TEST_F(FindingTheTarget, AbortsWhenItIsTheRecordItself) {
  expect_abort(replace_node("X", "X"), "both source and target");
}

TEST_F(FindingTheTarget, AbortsWhenThereAreTwo) {
  expect_abort(merge_node("X", "Y"), "Found too many substitute Node");
}

TEST_F(FindingTheTarget, TakesTheOneOfTheTopologyNamed) {
  EXPECT_FALSE(aborted(store_.run(into_y_of("B"))));
  EXPECT_EQ(store_.count(Kind::node, "X"), 0U);
  EXPECT_THAT(store_.members("A", Kind::node), ElementsAre("Y", "Y", "Z"));
}

TEST_F(FindingTheTarget, IsNoErrorOfTheRulesetWhenItAborts) {
  const std::uint64_t ruleset = store_.ruleset("r");
  store_.store(ruleset, replace_node("X", "none"));
  store_.store(ruleset, replace_node("X", "Z"));
  const std::vector<RuleLog> logs = store_.run_all();
  ASSERT_THAT(logs, SizeIs(2));
  EXPECT_TRUE(aborted(logs[0]));
  EXPECT_THAT(logs[0].problem, IsEmpty());
  EXPECT_FALSE(aborted(logs[1]));
  EXPECT_EQ(store_.count(Kind::node, "X"), 0U);
}

TEST_F(FindingTheTarget, EndsTheActionsForThatRecordAlone) {
  const RuleLog log =
      store_.run(rule("both", {part("Match Nodes by Topology", {{"Topology ID", "A"}})},
                      {part("Replace with Node", {{"ID", "Z"}}), part("Delete Node")}));
  // X and Y are replaced with Z, which is then deleted once; Z itself aborts or is gone already.
  EXPECT_EQ(store_.count(Kind::node, "Z"), 0U);
  EXPECT_THAT(log.matched, SizeIs(3));
}

TEST_F(SubstitutionRules, MergeTheChildsRecordIntoTheParentsOfTheSameId) {
  store_.import(topology("P", "p1", institution("p1").named("parent's"),
                         topology("C", "p1", institution("p1").named("child's"), node("n"))));
  ASSERT_EQ(store_.count(Kind::institution, "p1"), 2U);
  store_.run(rule(
      "m",
      {match("Institutions", "p1"), part("Match Institutions by Topology", {{"Topology ID", "C"}})},
      {part("Merge into Institution", {{"ID", "p1"}, {"Topology ID", "P"}})}));
  EXPECT_EQ(store_.institution("p1").name(), "parent's");
  EXPECT_THAT(store_.institution("p1").topologies, ElementsAre("C", "P"));
  EXPECT_THAT(store_.node("n").owners, ElementsAre("p1"));
  EXPECT_THAT(store_.topology("C").owners, ElementsAre("p1"));
}

TEST_F(SubstitutionRules, PickTheRightOneOfThreeByItsTopology) {
  store_.import(topology("P", "p1", institution("p1").named("parent's"),
                         topology("C", "p1", institution("p1").named("child's"))));
  store_.import_at_top(topology("U", "p1", institution("p1").named("other's")));
  store_.run(rule("m", {part("Match Institutions by Topology", {{"Topology ID", "C"}})},
                  {part("Merge into Institution", {{"ID", "p1"}, {"Topology ID", "P"}})}));
  ASSERT_EQ(store_.count(Kind::institution, "p1"), 2U);
  EXPECT_THAT(store_.topology("U").owners, ElementsAre("p1"));
  EXPECT_EQ(store_.all(Kind::institution, "p1").back().name(), "other's");
}

TEST_F(SubstitutionRules, SucceedSilentlyWhenNothingMatches) {
  store_.import(topology("T", "o", institution("o")));
  const RuleLog log = store_.run(replace_institution("nobody", "nobody else"));
  EXPECT_THAT(log.actions, IsEmpty());
  EXPECT_THAT(log.matched, IsEmpty());
}

}  // namespace
}  // namespace netml::test
