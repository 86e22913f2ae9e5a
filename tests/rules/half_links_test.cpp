// docs/formats/half-links.md: the rule that joins half links, by itself and at the end of imports.
#include <gmock/gmock.h>

#include <array>
#include <string>

#include "tests/support/netml_text.hpp"
#include "tests/support/rules_harness.hpp"

namespace netml::test {
namespace {

using engine::Rule;
using engine::RuleLog;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Rule join(std::vector<engine::RulePart> more = {}) {
  std::vector<engine::RulePart> criteria{part("Match Nodes with Half Links")};
  criteria.insert(criteria.end(), more.begin(), more.end());
  return rule("join", std::move(criteria), {part("Join Half Links")});
}

std::string half(const std::string& port, const std::string& peer, const std::string& more = "") {
  return R"({"port":")" + port + R"(","peer":")" + peer + '"' + more + '}';
}

TopologyText side(const std::string& name, const std::string& half_link) {
  return topology(name, "owner " + name, institution("owner " + name),
                  node("node " + name).owned_by("owner " + name).with("half_link", half_link),
                  node("other " + name));
}
const std::string kOne = half("urn:a:1", "urn:b:7");
const std::string kOther = half("urn:b:7", "urn:a:1");

ElementText link_of(const std::string& a, const std::string& b) {
  return link("urn:link", a, b);
}

auto says(const std::string& text) {
  return Contains(Field(&engine::ActionLog::message, HasSubstr(text)));
}

class JoinHalfLinks : public testing::Test {
 protected:
  void import_both() {
    store_.import_at_top(side("A", kOne));
    store_.import_at_top(side("B", kOther));
  }
  // A rule of its own each time, since none is there twice.
  RuleLog run(Rule rule = join()) {
    rule.name += std::to_string(runs_++);
    return store_.run(std::move(rule));
  }
  void store_rule() { store_.store(store_.ruleset("joins"), join()); }
  std::uint64_t links() const { return store_.graph().count(Kind::link); }
  template <class Edit>
  void edit_link(Edit&& edit) {
    const RecordId made = link().record;
    engine::RecordChange change{made, store_.graph().record(made), {}};
    std::vector<engine::Property> properties = change.before.attributes->properties();
    engine::AttributeFields fields = change.before.attributes->fields();
    fields.properties = properties;
    edit(fields, properties);
    change.after = {engine::Attributes::make(fields), change.before.relations};
    engine::Transaction transaction;
    transaction.records.push_back(std::move(change));
    transaction.next_id = store_.graph().next_id();
    transaction.next_number = store_.graph().next_number();
    store_.commit(transaction);
  }
  // The only one.
  RecordView link() const {
    RecordId found;
    store_.graph().for_each_of(Kind::link, [&](RecordId each) { found = each; });
    EXPECT_EQ(links(), 1U);
    return view_of(store_.graph(), found);
  }

  RulesHarness store_;

 private:
  int runs_ = 0;
};

TEST_F(JoinHalfLinks, MakesALinkOfTwoThatNameEachOther) {
  import_both();
  const RuleLog log = run();
  EXPECT_THAT(log.matched, SizeIs(2));
  EXPECT_EQ(affected(log, Kind::link), 1U);
  EXPECT_THAT(log.actions, says("port urn:a:1 is joined to port urn:b:7 of node B"));
  EXPECT_THAT(log.actions, says("port urn:b:7 is joined to port urn:a:1 of node A"));
  const RecordView made = link();
  EXPECT_EQ(made.name(), "node A - node B");
  EXPECT_THAT(made.ends, ElementsAre("node A", "node B"));
  EXPECT_THAT(made.topologies, ElementsAre("A", "B"));
  EXPECT_THAT(made.owners, ElementsAre("owner A", "owner B"));
  EXPECT_THAT(made.properties,
              ElementsAre("joined=half links", "half_link_labels=unknown",
                          R"(half_link={"port":"urn:a:1","node":"node A","peer":"urn:b:7"})",
                          R"(half_link={"port":"urn:b:7","node":"node B","peer":"urn:a:1"})"));
}

TEST_F(JoinHalfLinks, CallsALinkAsBothHalvesDo) {
  const std::string called = R"(,"link":"urn:link","name":"A to B")";
  store_.import_at_top(side("A", half("urn:a:1", "urn:b:7", called)));
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", called)));
  run();
  EXPECT_EQ(link().attributes->id(), "urn:link");
  EXPECT_EQ(link().name(), "A to B");
}

TEST_F(JoinHalfLinks, ChangesNothingTheSecondTime) {
  import_both();
  run();
  const std::string before = store_.content();
  const RuleLog log = run();
  EXPECT_EQ(affected(log, Kind::link), 0U);
  EXPECT_EQ(store_.content(), before);
}

TEST_F(JoinHalfLinks, ComparesLabelsAndWarnsOfThoseThatHaveNothingInCommon) {
  const auto labels = [](const std::string& ranges) {
    return R"(,"label_type":"vlan","labels":")" + ranges + '"';
  };
  store_.import_at_top(side("A", half("urn:a:1", "urn:b:7", labels("1-100"))));
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", labels("50-200"))));
  EXPECT_THAT(run().warnings, IsEmpty());
  EXPECT_THAT(link().properties, Contains("half_link_labels=overlapping"));
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", labels("200"))));
  EXPECT_THAT(run().warnings, ElementsAre(HasSubstr("no label in common")));
  EXPECT_THAT(link().properties, Contains("half_link_labels=disjoint"));
}

TEST_F(JoinHalfLinks, ListsThoseThatCannotBeJoinedWithTheReason) {
  store_.import_at_top(side("A", kOne));
  EXPECT_THAT(run().actions,
              ElementsAre(Field(&engine::ActionLog::message,
                                "port urn:a:1 is dangling: no node has port urn:b:7")));
  store_.import_at_top(side("B", half("urn:b:7", "urn:elsewhere")));
  const RuleLog log = run();
  EXPECT_THAT(log.actions, says("port urn:a:1 is one-sided: port urn:b:7 does not name"));
  EXPECT_THAT(log.actions, says("port urn:b:7 is dangling"));
  EXPECT_EQ(links(), 0U);
}

TEST_F(JoinHalfLinks, LooksAtHalfLinksOfNodesThatItDoesNotMatch) {
  import_both();
  const RuleLog log = run(join({part("Match Nodes by Topology", {{"Topology ID", "B"}})}));
  EXPECT_THAT(log.matched, SizeIs(1));
  EXPECT_THAT(link().ends, ElementsAre("node A", "node B"));
}

TEST_F(JoinHalfLinks, LeavesAnotherLinkOfThatIdentifierAlone) {
  const std::string called = R"(,"link":"urn:link")";
  store_.import_at_top(topology("A", "o", institution("o"), node("m"), node("other"),
                                link_of("m", "other"),
                                node("n").with("half_link", half("urn:a:1", "urn:b:7", called))));
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", called)));
  const std::string before = store_.content();
  const RuleLog log = run();
  EXPECT_THAT(
      log.actions,
      Contains(AllOf(Field(&engine::ActionLog::succeeded, false),
                     Field(&engine::ActionLog::message, HasSubstr("another link <urn:link>")))));
  EXPECT_EQ(store_.content(), before);
}

TEST_F(JoinHalfLinks, RunsAtTheEndOfAnImport) {
  store_rule();
  import_both();
  EXPECT_THAT(link().topologies, ElementsAre("A", "B"));
}

TEST_F(JoinHalfLinks, SurvivesThatEitherSideIsImportedAgain) {
  for (const bool with_defaults : {false, true}) {
    store_ = RulesHarness();
    if (with_defaults) store_.store_defaults();
    store_rule();
    import_both();
    const RecordId made = link().record;
    const std::string before = store_.content();
    store_.import_at_top(side("A", kOne));
    store_.import_at_top(side("B", kOther));
    EXPECT_EQ(link().record, made);
    EXPECT_EQ(store_.content(), before);
    EXPECT_THAT(store_.transaction().records, IsEmpty());
  }
}

TEST_F(JoinHalfLinks, SurvivesAnImportOfATopologyWithBothEnds) {
  const std::string file = topology("A", "o", institution("o"), node("m").with("half_link", kOne),
                                    node("n").with("half_link", kOther));
  for (const bool with_defaults : {false, true}) {
    store_ = RulesHarness();
    if (with_defaults) store_.store_defaults();
    store_rule();
    store_.import_at_top(file);
    const RecordId made = link().record;
    store_.import_at_top(file);
    EXPECT_EQ(link().record, made);
    EXPECT_THAT(store_.transaction().records, IsEmpty());
  }
}

TEST_F(JoinHalfLinks, KeepsWhatPeopleSayOfTheLink) {
  store_rule();
  import_both();
  edit_link([](engine::AttributeFields& fields, auto&) { fields.name = "Alpine"; });
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", R"(,"labels":"7")")));
  EXPECT_EQ(link().name(), "Alpine");
  EXPECT_THAT(link().properties, Contains(HasSubstr(R"("labels":"7")")));
}

TEST_F(JoinHalfLinks, DeletesTheLinkWhenAHalfNamesAnotherPort) {
  store_rule();
  import_both();
  store_.import_at_top(side("B", half("urn:b:7", "urn:elsewhere")));
  EXPECT_EQ(links(), 0U);
}

TEST_F(JoinHalfLinks, DeletesTheLinkWhenANodeIsGone) {
  store_rule();
  import_both();
  store_.import_at_top(topology("B", "owner B", institution("owner B"), node("other B")));
  EXPECT_EQ(links(), 0U);
  EXPECT_EQ(store_.count(Kind::node, "node B"), 0U);
}

TEST_F(JoinHalfLinks, GivesTheLinkANumberWhateverMadeTheRuleRun) {
  import_both();
  run();
  EXPECT_TRUE(link().number);
  store_ = RulesHarness();
  import_both();
  store_rule();
  store_.import_at_top(topology("C", "c", institution("c"), node("c")));
  EXPECT_TRUE(link().number);
}

TEST_F(JoinHalfLinks, FollowsAnEdit) {
  store_rule();
  store_.import_at_top(side("A", kOne));
  store_.import_at_top(side("B", half("urn:b:7", "urn:elsewhere")));
  engine::RecordChange change{store_.node("node B").record, {}, {}};
  change.before = store_.graph().record(change.id);
  const std::array<engine::Property, 1> properties{{{"half_link", kOther}}};
  change.after = {engine::changed_copy(
                      *change.before.attributes,
                      [&](engine::AttributeFields& fields) { fields.properties = properties; }),
                  change.before.relations};
  engine::Transaction edit;
  edit.records.push_back(std::move(change));
  edit.next_id = store_.graph().next_id();
  edit.next_number = store_.graph().next_number();
  const auto followed = engine::followed_by_rules(store_.state(), std::move(edit));
  ASSERT_TRUE(followed.has_value());
  store_.commit(followed->transaction);
  EXPECT_THAT(link().ends, ElementsAre("node A", "node B"));
  EXPECT_TRUE(link().number);
}

TEST_F(JoinHalfLinks, KeepsTheLinkWhenTheHalvesCallItOtherwise) {
  store_rule();
  import_both();
  const RecordId made = link().record;
  const std::string called = R"(,"link":"urn:link")";
  store_.import_at_top(side("A", half("urn:a:1", "urn:b:7", called)));
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", called)));
  EXPECT_EQ(link().record, made);
  EXPECT_EQ(link().attributes->id(), "urn:link");
}

TEST_F(JoinHalfLinks, LeavesALinkOfANeighbourWhoseOtherEndIsACopy) {
  store_rule();
  const ElementText theirs = link_of("node A", "node B")
                                 .with("joined", "half links")
                                 .with("half_link", kOne)
                                 .with("half_link", kOther);
  store_.import_at_top(topology("A", "o", institution("o"), node("node A").with("half_link", kOne),
                                node("node B").copy_of("B").with("half_link", kOther), theirs));
  EXPECT_EQ(links(), 1U);
}

TEST_F(JoinHalfLinks, LeavesAPropertyOfPeopleThatIsCalledAlike) {
  store_rule();
  import_both();
  edit_link([](engine::AttributeFields& fields, std::vector<engine::Property>& properties) {
    properties.push_back({"joined", "2019-05"});
    fields.properties = properties;
  });
  store_.import_at_top(side("B", half("urn:b:7", "urn:a:1", R"(,"labels":"7")")));
  EXPECT_THAT(link().properties, Contains("joined=2019-05"));
}

TEST_F(JoinHalfLinks, DeletesNoLinkThatItDidNotMake) {
  store_rule();
  store_.import_at_top(topology("A", "o", institution("o"), node("m"), node("n"),
                                link_of("m", "n").with("half_link", kOne)));
  EXPECT_EQ(links(), 1U);
}

}  // namespace
}  // namespace netml::test
