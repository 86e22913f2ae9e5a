// Goal: the worked cases of docs/requirements/collation-rules.md, section 8, hold through the
// endpoints that functional tests use. The same rows stand at engine level in tests/rules. Method:
// one case for each row: files imported without rulesets, a rule stored and run, then every record
// compared.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/e2e/support/worked.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

json::object by_id(std::string_view kinds, std::string_view id) {
  return criterion("Match " + std::string(kinds) + " by ID", {{"ID", std::string(id)}});
}
json::object in_topology(std::string_view kinds, std::string_view id) {
  return criterion("Match " + std::string(kinds) + " by Topology",
                   {{"Topology ID", std::string(id)}});
}
json::object into(std::string_view type, std::string_view id, std::string_view topology_id = {}) {
  Infos infos{{"ID", std::string(id)}};
  if (!topology_id.empty()) infos.emplace_back("Topology ID", topology_id);
  return action(type, infos);
}

struct RuleCase {
  const char* name;
  std::vector<std::string> files;
  json::array criteria;
  json::array actions;
  std::size_t matched;
  Lines store;  // what has changed: lines that are there after the rule and were not before it,
                // then those that are gone, with a '-'
};

class WorkedRule : public testing::TestWithParam<RuleCase> {};

Lines changes(Lines before, Lines after) {
  std::ranges::sort(before);
  std::ranges::sort(after);
  Lines all;
  std::ranges::set_difference(after, before, std::back_inserter(all));
  Lines gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  for (const std::string& line : gone) all.push_back("- " + line);
  return all;
}

TEST_P(WorkedRule, DoesWhatThePageSays) {
  WorkedNode worked;
  for (const std::string& file : GetParam().files) worked.import(file);
  const Lines before = worked.lines();
  worked.store("manually", {stored_rule("r", GetParam().criteria, GetParam().actions)});
  EXPECT_EQ(worked.lines(), before) << "stored, not run";
  const json::value log = worked.run("r");
  EXPECT_EQ(log.at("matched_elements").at("quantity"), json::value(GetParam().matched));
  EXPECT_THAT(changes(before, worked.lines()), testing::ElementsAreArray(GetParam().store));
}

std::string name_of_rule_case(const testing::TestParamInfo<RuleCase>& tested) {
  return tested.param.name;
}

// ---- 8.1 ----

std::string two_links() {
  return topology("T", "o", institution("o"), institution("i"), node("a"), node("b"),
                  node("c").owned_by("i"), link("1", "a", "b"), link("2", "b", "c"));
}
std::string properties() {
  return topology("T", "o", institution("o"),
                  node("n").with("k", "1").with("k", "2").with("z", "3"),
                  node("t").with("tag", "t1").with("tag", "t2"));
}
std::string ten_properties() {
  test::ElementText n = node("n");
  for (const char* value : {"1", "2", "3", "4", "5"}) n.with("p", value).with("q", value);
  return topology("T", "o", institution("o"), n);
}
json::array on(std::string_view id) {
  return {by_id("Nodes", id)};
}

INSTANTIATE_TEST_SUITE_P(
    Deletion, WorkedRule,
    testing::Values(RuleCase{"ALink",
                             {two_links()},
                             {by_id("Links", "1")},
                             {action("Delete Link")},
                             1,
                             {"- link 1 a-b in T of o"}},
                    RuleCase{"AnUnknownLink",
                             {two_links()},
                             {by_id("Links", "nope")},
                             {action("Delete Link")},
                             0,
                             {}},
                    RuleCase{"ANodeWithItsLink",
                             {two_links()},
                             on("a"),
                             {action("Delete Node")},
                             1,
                             {"- link 1 a-b in T of o", "- node a in T of o"}},
                    RuleCase{"AnInstitutionThatOwned",
                             {two_links()},
                             {by_id("Institutions", "i")},
                             {action("Delete Institution")},
                             1,
                             {"node c in T of o", "- institution i in T", "- node c in T of i,o"}},
                    RuleCase{"APropertyByName",
                             {properties()},
                             on("n"),
                             {action("Delete Node Property", {{"name", "K"}})},
                             1,
                             {"node n in T of o z=3", "- node n in T of o k=1 k=2 z=3"}},
                    RuleCase{"APropertyByNameAndValue",
                             {properties()},
                             on("n"),
                             {action("Delete Node Property", {{"name", "k"}, {"value", "1"}})},
                             1,
                             {"node n in T of o k=2 z=3", "- node n in T of o k=1 k=2 z=3"}},
                    RuleCase{"APropertyThatIsAbsent",
                             {properties()},
                             on("n"),
                             {action("Delete Node Property", {{"name", "absent"}})},
                             1,
                             {}},
                    RuleCase{"ATag",
                             {properties()},
                             on("t"),
                             {action("Delete Node Tag Property", {{"value", "t1"}})},
                             1,
                             {"node t in T of o tag=t2", "- node t in T of o tag=t1 tag=t2"}},
                    RuleCase{"FivePropertiesOfTen",
                             {ten_properties()},
                             on("n"),
                             {action("Delete Node Property", {{"name", "p"}})},
                             1,
                             {"node n in T of o q=1 q=2 q=3 q=4 q=5",
                              "- node n in T of o p=1 q=1 p=2 q=2 p=3 q=3 p=4 q=4 p=5 q=5"}},
                    RuleCase{"OnePropertyOfTen",
                             {ten_properties()},
                             on("n"),
                             {action("Delete Node Property", {{"name", "p"}, {"value", "3"}})},
                             1,
                             {"node n in T of o p=1 q=1 p=2 q=2 q=3 p=4 q=4 p=5 q=5",
                              "- node n in T of o p=1 q=1 p=2 q=2 p=3 q=3 p=4 q=4 p=5 q=5"}},
                    RuleCase{
                        "APropertyThenItsNode",
                        {properties()},
                        on("n"),
                        {action("Delete Node Property", {{"name", "k"}}), action("Delete Node")},
                        1,
                        {"- node n in T of o k=1 k=2 z=3"}}),
    name_of_rule_case);

// ---- 8.2 ----

std::string owners() {
  return topology("T", "o", institution("o"), institution("X").with("k", "1"), institution("Y"),
                  node("a").owned_by("X"), node("b").owned_by("X"),
                  link("l", "a", "b").owned_by("X"));
}
std::string triangle() {
  return topology("T", "o", institution("o"), institution("p"), node("a").owned_by("p"), node("b"),
                  node("c"), node("d"), link("ab", "a", "b"), link("ac", "a", "c"),
                  link("bc", "b", "c"));
}
std::string parallel() {
  return topology("T", "o", institution("o"), node("a"), node("b"), node("c"), link("L1", "a", "b"),
                  link("L2", "a", "b"), link("L3", "b", "c"));
}
std::string pair(const test::ElementText& x, const test::ElementText& y) {
  return topology("T", "o", institution("o"), x, y);
}
json::array on_x() {
  return {by_id("Institutions", "X")};
}
json::array merge_into_y() {
  return {into("Merge into Institution", "Y")};
}
std::vector<std::string> same_in_two() {
  return {topology("A", "p1", institution("p1").named("of A")),
          topology("B", "p1", institution("p1").named("of B"), node("n"))};
}

INSTANTIATE_TEST_SUITE_P(
    Substitution, WorkedRule,
    testing::Values(
        RuleCase{"ReplaceAnOwner",
                 {owners()},
                 on_x(),
                 {into("Replace with Institution", "Y")},
                 1,
                 {"link l a-b in T of Y,o", "node a in T of Y,o", "node b in T of Y,o",
                  "- institution X in T k=1", "- link l a-b in T of X,o", "- node a in T of X,o",
                  "- node b in T of X,o"}},
        RuleCase{"ReplaceAnEnd",
                 {triangle()},
                 on("a"),
                 {into("Replace with Node", "d")},
                 1,
                 {"link ab d-b in T of o", "link ac d-c in T of o", "- link ab a-b in T of o",
                  "- link ac a-c in T of o", "- node a in T of o,p"}},
        RuleCase{"MergeAnEnd",
                 {triangle()},
                 on("a"),
                 {into("Merge into Node", "b")},
                 1,
                 {"link ac b-c in T of o", "node b in T of o,p", "- link ab a-b in T of o",
                  "- link ac a-c in T of o", "- node a in T of o,p", "- node b in T of o"}},
        RuleCase{"ReplaceALink",
                 {parallel()},
                 {by_id("Links", "L1")},
                 {into("Replace with Link", "L2")},
                 1,
                 {"- link L1 a-b in T of o"}},
        RuleCase{"LinksOfOtherEnds",
                 {parallel()},
                 {by_id("Links", "L1")},
                 {into("Merge into Link", "L3")},
                 1,
                 {}},
        RuleCase{"MergeTags",
                 {pair(institution("X").with("url", "u1").with("tag", "v").with("tag", "t2"),
                       institution("Y").with("url", "u1").with("tag", "v").with("tag", "t1"))},
                 on_x(),
                 merge_into_y(),
                 1,
                 {"institution Y in T url=u1 tag=v tag=t1 tag=t2",
                  "- institution X in T url=u1 tag=v tag=t2",
                  "- institution Y in T url=u1 tag=v tag=t1"}},
        RuleCase{"MergeOtherProperties",
                 {pair(institution("X").with("url", "a").with("description", "d"),
                       institution("Y").with("url", "b"))},
                 on_x(),
                 merge_into_y(),
                 1,
                 {"institution Y in T url=b description=d",
                  "- institution X in T url=a description=d", "- institution Y in T url=b"}},
        RuleCase{"MergeOwners",
                 {topology("T", "o", institution("o"), institution("p"), node("X").owned_by("p"),
                           node("Y"))},
                 on("X"),
                 {into("Merge into Node", "Y")},
                 1,
                 {"node Y in T of o,p", "- node X in T of o,p", "- node Y in T of o"}},
        RuleCase{"UnknownTarget",
                 {owners()},
                 on_x(),
                 {into("Replace with Institution", "nobody")},
                 1,
                 {}},
        RuleCase{"TargetInAnotherTopology",
                 {owners()},
                 on_x(),
                 {into("Merge into Institution", "Y", "nowhere")},
                 1,
                 {}},
        RuleCase{
            "TargetIsTheSource", {owners()}, on_x(), {into("Merge into Institution", "X")}, 1, {}},
        RuleCase{"TwoTargets",
                 {topology("S", "X", institution("X")), same_in_two()[0], same_in_two()[1]},
                 on_x(),
                 {into("Replace with Institution", "p1")},
                 1,
                 {}},
        RuleCase{"ChildIntoParentOfTheSameId",
                 same_in_two(),
                 {in_topology("Institutions", "B"), by_id("Institutions", "p1")},
                 {into("Merge into Institution", "p1", "A")},
                 1,
                 {"institution p1 in A,B \"of A\"", "- institution p1 in A \"of A\"",
                  "- institution p1 in B \"of B\""}},
        RuleCase{"NoRecordMatches",
                 {owners()},
                 {by_id("Institutions", "nobody")},
                 merge_into_y(),
                 0,
                 {}}),
    name_of_rule_case);

class WorkedRules : public testing::Test {
 protected:
  void store(std::string_view name, json::array criteria, json::array actions) {
    worked.store(name, {stored_rule(name, std::move(criteria), std::move(actions))});
  }
  WorkedNode worked;
};

TEST_F(WorkedRules, DeleteBothEndsOfALinkOneAfterTheOther) {
  worked.import(two_links());
  store("a", on("a"), {action("Delete Node")});
  store("b", on("b"), {action("Delete Node")});
  worked.run("a");
  worked.run("b");
  EXPECT_THAT(worked.lines(), ElementsAre("topology T owner o", "institution i in T",
                                          "institution o in T", "node c in T of i,o"));
}

TEST_F(WorkedRules, ReplaceALinkThatNodeRulesMadeParallel) {
  worked.import(topology("T", "o", institution("o"), node("a"), node("b"), node("c"), node("d"),
                         link("L1", "a", "b"), link("L2", "c", "d")));
  store("c", on("c"), {into("Replace with Node", "a")});
  store("d", on("d"), {into("Replace with Node", "b")});
  store("L1", {by_id("Links", "L1")}, {into("Replace with Link", "L2")});
  for (const char* rule : {"c", "d", "L1"}) worked.run(rule);
  EXPECT_THAT(worked.lines(),
              ElementsAre("topology T owner o", "institution o in T", "node a in T of o",
                          "node b in T of o", "link L2 a-b in T of o"));
}

TEST_F(WorkedRules, FillAMissingShortNameAndKeepTheTargetsPlace) {
  worked.import(topology(
      "T", "o", institution("o"),
      institution("X").short_named("xs").location("<grenml:long>1</grenml:long><grenml:lat>2"
                                                  "</grenml:lat>"),
      institution("Y").location("<grenml:long>3</grenml:long><grenml:lat>4</grenml:lat>")));
  store("r", on_x(), merge_into_y());
  worked.run("r");
  const json::value y = worked.only("institutions", "Y");
  EXPECT_EQ(y.at("short_name"), "xs");
  EXPECT_EQ(y.at("latitude"), "4.000000");
}

TEST_F(WorkedRules, FillAMissingStart) {
  worked.import(topology("T", "o", institution("o"),
                         node("X").lifetime("<nml:start>2020-01-01T00:00:00Z</nml:start>"),
                         node("Y")));
  store("r", on("X"), {into("Merge into Node", "Y")});
  worked.run("r");
  EXPECT_EQ(worked.only("nodes", "Y").at("start"), "2020-01-01T00:00:00Z");
}

TEST_F(WorkedRules, ShowAnAbortInTheLog) {
  worked.import(owners());
  store("r", on_x(), {into("Replace with Institution", "nobody")});
  const json::value done = worked.run("r").at("actions").at(0);
  EXPECT_EQ(done.at("succeeded"), json::value(false));
  EXPECT_THAT(std::string(done.at("message").as_string()),
              HasSubstr("Could not find the substitute Institution."));
}

// ---- 8.3 ----

std::vector<std::string> in_three(const test::ElementText& element) {
  return {topology("A", "a", institution("a"), element),
          topology("B", "b", institution("b"), element),
          topology("C", "c", institution("c"), element)};
}

INSTANTIATE_TEST_SUITE_P(
    Duplicates, WorkedRule,
    testing::Values(
        RuleCase{"OfNodesKeepTheNewest",
                 in_three(node("n")),
                 {criterion("Match Duplicate Nodes")},
                 {action("Keep Newest Node")},
                 3,
                 {"node n in A,B,C of a,b,c", "- node n in A of a", "- node n in B of b",
                  "- node n in C of c"}},
        RuleCase{"OfLinksKeepTheEndsOfTheNewest",
                 {topology("A", "a", institution("a"), node("1"), node("2"), link("l", "1", "2")),
                  topology("B", "b", institution("b"), node("3"), node("4"), link("l", "3", "4"))},
                 {criterion("Match Duplicate Links")},
                 {action("Keep Newest Link")},
                 2,
                 {"link l 3-4 in A,B of a,b", "- link l 1-2 in A of a", "- link l 3-4 in B of b"}},
        RuleCase{"OfThreeTheTopologySelectsTheTarget",
                 in_three(node("n")),
                 {by_id("Nodes", "n"), in_topology("Nodes", "B")},
                 {into("Merge into Node", "n", "A")},
                 1,
                 {"node n in A,B of a,b", "- node n in A of a", "- node n in B of b"}},
        RuleCase{"OfTwoPairsAreFour",
                 {topology("A", "a", institution("a"), node("n"), node("m")),
                  topology("B", "b", institution("b"), node("n"), node("m"), node("x"))},
                 {criterion("Match Duplicate Nodes")},
                 {action("Delete Node Property", {{"name", "none"}})},
                 4,
                 {}},
        RuleCase{"OfInstitutionsPassOnWhatTheyOwned",
                 {topology("A", "i", institution("i").with("k", "1"), node("n"), node("m"),
                           link("l", "n", "m")),
                  topology("B", "b", institution("b"), institution("i")),
                  topology("C", "c", institution("c"), institution("i").named("newest"))},
                 {criterion("Match Duplicate Institutions"), by_id("Institutions", "i")},
                 {action("Keep Newest Institution")},
                 3,
                 {"institution i in A,B,C \"newest\"", "- institution i in A k=1",
                  "- institution i in B", "- institution i in C \"newest\""}},
        RuleCase{"ThenTheTopologySelectsOne",
                 in_three(node("n")),
                 {criterion("Match Duplicate Nodes"), in_topology("Nodes", "B")},
                 {action("Delete Node")},
                 1,
                 {"- node n in B of b"}},
        RuleCase{"AfterTheTopologyAreNone",
                 in_three(node("n")),
                 {in_topology("Nodes", "B"), criterion("Match Duplicate Nodes")},
                 {action("Delete Node")},
                 0,
                 {}},
        RuleCase{"InATopologyThatDoesNotExist",
                 in_three(node("n")),
                 {by_id("Nodes", "n"), in_topology("Nodes", "nowhere")},
                 {action("Delete Node")},
                 0,
                 {}}),
    name_of_rule_case);

// ---- rules that run inside an import ----

using WorkedRulesOfAnImport = WorkedRules;

TEST_F(WorkedRulesOfAnImport, KeepAnElementOutOfTheExport) {
  worked.store("decisions", {stored_rule("r", on("b"), {action("Delete Node")})});
  worked.import(two_links());
  EXPECT_THAT(worked.exported(), Not(HasSubstr("<grenml:Node id=\"b\"")));
  EXPECT_THAT(worked.exported(), HasSubstr("<grenml:Node id=\"a\""));
}

TEST_F(WorkedRulesOfAnImport, LetACustomRuleDecideBeforeTheDefaultOnes) {
  worked.restore_default_rulesets();
  worked.store("Custom ID Collision Resolution",
               {stored_rule("Br",
                            {criterion("Match Duplicate Institutions"), by_id("Institutions", "Br"),
                             in_topology("Institutions", "B")},
                            {into("Merge into Institution", "Br", "A")})},
               -1);
  for (int times = 0; times < 2; ++times) {
    worked.import(topology(
        "A", "Br", institution("Br").named("A version").with("k", "A"),
        topology("B", "Br", institution("Br").named("B version").with("k", "B").with("z", "1"))));
    EXPECT_THAT(worked.lines(), ElementsAre("topology A owner Br", "topology B below A owner Br",
                                            "institution Br in A,B \"A version\" k=A z=1"));
  }
}

// Decision 18: the properties of one file are gathered first.
TEST_F(WorkedRulesOfAnImport, LeaveTheCopyNearestTheRootToTheDefaultOnesAlone) {
  worked.restore_default_rulesets();
  worked.import(topology(
      "A", "Br", institution("Br").named("A version").with("k", "A"),
      topology("B", "Br", institution("Br").named("B version").with("k", "B").with("z", "1"))));
  EXPECT_THAT(worked.lines(), Contains("institution Br in A,B \"A version\" k=A z=1"));
}

TEST_F(WorkedRulesOfAnImport, MergeTheParentsInstitutionIntoTheChilds) {
  worked.store("decisions",
               {stored_rule("r", {by_id("Institutions", "i"), in_topology("Institutions", "P")},
                            {into("Merge into Institution", "i", "C")})});
  worked.import(topology("P", "i", institution("i").named("of P"),
                         topology("C", "i", institution("i").named("of C"))));
  EXPECT_THAT(worked.lines(), Contains("institution i in C,P \"of C\""));
}

TEST_F(WorkedRulesOfAnImport, LetLinksOfTheParentEndAtTheChildsNode) {
  worked.store("decisions", {stored_rule("r", {by_id("Nodes", "n"), in_topology("Nodes", "P")},
                                         {into("Replace with Node", "m", "C")})});
  worked.import(topology("P", "p", institution("p"), node("n"), node("x"), link("l", "n", "x"),
                         topology("C", "c", institution("c"), node("m"))));
  EXPECT_THAT(worked.lines(), Contains("link l m-x in P of p"));
}

}  // namespace
}  // namespace netml::e2e
