// Rules as data: docs/requirements/collation-rules.md, sections 1 (records), 5 (rulesets shipped),
// 6 (health) and what section 7 says about taking a file into the store.
#include <gmock/gmock.h>

#include "tests/support/rules_harness.hpp"

namespace netml::test {
namespace {

using engine::plan_rule_put;
using engine::plan_rules_import;
using engine::plan_ruleset_put;
using engine::Rule;
using engine::rule_problem;
using engine::RulePart;
using engine::RulesetDraft;
using engine::RulesImport;
using engine::Transaction;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

Rule good_rule(std::string name = "good") {
  return rule(std::move(name), {part("Match Nodes by ID", {{"ID", "n"}})}, {part("Delete Node")});
}

// ---- health: section 6, row by row ----

void expect_problem(const Rule& unhealthy, const std::string& text) {
  EXPECT_THAT(rule_problem(unhealthy), Optional(HasSubstr(text)));
}

TEST(RuleHealth, NeedsACriterion) {
  expect_problem(rule("r", {}, {part("Delete Node")}), "no match criteria");
}

TEST(RuleHealth, NeedsAnAction) {
  expect_problem(rule("r", {part("Match Duplicate Nodes")}, {}), "no actions");
}

TEST(RuleHealth, NeedsOneElementType) {
  expect_problem(rule("r", {part("Match Duplicate Nodes")}, {part("Delete Link")}),
                 "different kinds");
  expect_problem(rule("r", {part("Match Duplicate Nodes"), part("Match Duplicate Links")},
                      {part("Delete Node")}),
                 "different kinds");
}

TEST(RuleHealth, NeedsTypesThatTheProgramKnows) {
  expect_problem(rule("r", {part("Match by Moonlight")}, {part("Delete Node")}),
                 "\"Match by Moonlight\": unsupported type");
  expect_problem(rule("r", {part("Match Duplicate Nodes")}, {part("delete node")}),
                 "unsupported type");
}

TEST(RuleHealth, NeedsEveryRequiredKeyOfACriterionOnceAndNoOther) {
  const auto with = [](Infos infos) {
    return rule("r", {part("Match Nodes by ID", infos)}, {part("Delete Node")});
  };
  EXPECT_EQ(rule_problem(with({{"ID", "n"}})), std::nullopt);
  const std::string needs = "needs exactly one value for each of: ID";
  expect_problem(with({}), needs);
  expect_problem(with({{"ID", "n"}, {"ID", "m"}}), needs);
  expect_problem(with({{"id", "n"}}), needs);
  expect_problem(with({{"ID", "n"}, {"Topology ID", "t"}}), "no use for the key \"Topology ID\"");
  expect_problem(
      rule("r", {part("Match Nodes by Topology", {{"topology id", "t"}})}, {part("Delete Node")}),
      "needs exactly one value for each of: Topology ID");
}

TEST(RuleHealth, NeedsTheSameOfActionsAndRefusesAnOptionalKeyGivenTwice) {
  const auto with = [](Infos infos) {
    return rule("r", {part("Match Duplicate Nodes")}, {part("Replace with Node", infos)});
  };
  EXPECT_EQ(rule_problem(with({{"ID", "n"}})), std::nullopt);
  EXPECT_EQ(rule_problem(with({{"Topology ID", "t"}, {"ID", "n"}})), std::nullopt);
  expect_problem(with({{"Topology ID", "t"}}), "needs exactly one value for each of: ID");
  expect_problem(with({{"ID", "n"}, {"Topology ID", "t"}, {"Topology ID", "u"}}),
                 "needs at most one value for each of: Topology ID");
  expect_problem(with({{"ID", "n"}, {"name", "k"}}), "no use for the key \"name\"");
}

TEST(RuleHealth, DoesNotLookAtValuesButWarnsOfThoseThatNothingHas) {
  const Rule nowhere = rule("r", {part("Match Nodes by ID", {{"ID", "nobody"}})},
                            {part("Replace with Node", {{"ID", "x"}, {"Topology ID", "t"}})});
  EXPECT_EQ(rule_problem(nowhere), std::nullopt);
  EXPECT_THAT(engine::rule_warnings(engine::State(), nowhere), SizeIs(3));
}

TEST(RuleTypes, AreTenAndNineteenWithNamesOfTheirOwn) {
  EXPECT_THAT(engine::match_types(), SizeIs(10));
  EXPECT_THAT(engine::action_types(), SizeIs(19));
  for (const engine::MatchType& type : engine::match_types())
    EXPECT_EQ(engine::find_match_type(type.name), &type) << type.class_name;
  for (const engine::ActionType& type : engine::action_types())
    EXPECT_EQ(engine::find_action_type(type.name), &type) << type.class_name;
  EXPECT_EQ(engine::find_match_type("MatchNodesByID"), nullptr) << "JSON has names, not classes";
}

// ---- records: section 1 ----

class StoredRules : public testing::Test {
 protected:
  const engine::Catalog& catalog() const { return store_.state().catalog; }
  std::uint64_t put(std::uint64_t number, Rule rule) {
    rule.ruleset = ruleset_;
    const auto planned = plan_rule_put(store_.state(), number, std::move(rule));
    EXPECT_TRUE(planned) << planned.error().message;
    if (!planned) return 0;
    store_.commit(*planned);
    return planned->rules.empty() ? number : planned->rules.front().number;
  }
  Errc refused(Rule rule) {
    rule.ruleset = ruleset_;
    const auto planned = plan_rule_put(store_.state(), 0, std::move(rule));
    EXPECT_FALSE(planned);
    return planned ? Errc::internal : planned.error().code;
  }

  RulesHarness store_;
  std::uint64_t ruleset_ = store_.ruleset("ruleset");
};

TEST_F(StoredRules, HaveDefaultsAndNumbers) {
  const std::uint64_t number = put(0, good_rule());
  const auto stored = catalog().rules.find(number);
  EXPECT_TRUE(stored->enabled);
  EXPECT_EQ(stored->priority, 1000);
  EXPECT_EQ(engine::rule_of_part(stored->criteria.front().number), number);
  EXPECT_EQ(engine::rule_of_part(stored->actions.front().number), number);
  EXPECT_NE(stored->criteria.front().number, stored->criteria.front().infos.front().number);
}

TEST_F(StoredRules, NeverReuseANumber) {
  const std::uint64_t first = put(0, good_rule());
  Rule changed = *catalog().rules.find(first);
  const std::uint64_t criterion = changed.criteria.front().number;
  changed.criteria.clear();
  put(first, changed);
  changed.criteria.push_back(part("Match Duplicate Nodes"));
  put(first, changed);
  EXPECT_GT(catalog().rules.find(first)->criteria.front().number, criterion);
  store_.commit(*engine::plan_rule_delete(store_.state(), first));
  EXPECT_GT(put(0, good_rule()), first);
  store_.commit(*engine::plan_ruleset_delete(store_.state(), ruleset_));
  EXPECT_GT(store_.ruleset("another"), ruleset_);
}

TEST_F(StoredRules, KeepTheNumbersOfPartsThatStay) {
  const std::uint64_t number = put(0, good_rule());
  const Rule before = *catalog().rules.find(number);
  Rule changed = before;
  changed.actions.push_back(part("Delete Node Property", {{"name", "k"}}));
  changed.criteria.front().infos.front().value = "m";
  put(number, changed);
  const Rule after = *catalog().rules.find(number);
  EXPECT_EQ(after.criteria.front().number, before.criteria.front().number);
  EXPECT_EQ(after.criteria.front().infos.front().number,
            before.criteria.front().infos.front().number);
  EXPECT_EQ(after.actions.front().number, before.actions.front().number);
  EXPECT_GT(after.actions.back().number, before.last_ordinal);
}

TEST_F(StoredRules, RefuseANumberThatIsNoneOfTheirs) {
  const std::uint64_t number = put(0, good_rule());
  Rule changed = *catalog().rules.find(number);
  changed.ruleset = ruleset_;
  changed.actions.front().number = engine::part_number(number + 1, 1);
  EXPECT_EQ(plan_rule_put(store_.state(), number, changed).error().code, Errc::invalid_input);
  changed.actions.front().number = engine::part_number(number, changed.last_ordinal + 1);
  EXPECT_EQ(plan_rule_put(store_.state(), number, changed).error().code, Errc::invalid_input);
}

TEST_F(StoredRules, HaveNamesOfTheirOwnOverAllRulesets) {
  put(0, good_rule());
  const std::uint64_t other = store_.ruleset("other");
  Rule same = good_rule();
  same.ruleset = other;
  EXPECT_EQ(plan_rule_put(store_.state(), 0, same).error().code, Errc::conflict);
  EXPECT_EQ(plan_ruleset_put(store_.state(), 0, {"ruleset"}).error().code, Errc::conflict);
  EXPECT_EQ(plan_ruleset_put(store_.state(), other, {"ruleset"}).error().code, Errc::conflict);
}

TEST_F(StoredRules, RefuseTextsThatAreTooLongOrEmpty) {
  EXPECT_EQ(refused(good_rule("")), Errc::invalid_input);
  EXPECT_EQ(refused(good_rule(std::string(201, 'x'))), Errc::invalid_input);
  const auto with = [](std::string key, std::string value) {
    Rule made = good_rule();
    made.criteria.front().infos = {{0, std::move(key), std::move(value)}};
    return made;
  };
  EXPECT_EQ(refused(with("ID", "")), Errc::invalid_input);
  EXPECT_EQ(refused(with("ID", std::string(1001, 'x'))), Errc::invalid_input);
  EXPECT_EQ(refused(with(std::string(51, 'x'), "v")), Errc::invalid_input);
  EXPECT_EQ(plan_ruleset_put(store_.state(), 0, {""}).error().code, Errc::invalid_input);
  // Lengths count characters.
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "\xc3\xb6";
  EXPECT_NE(put(0, good_rule(umlauts)), 0U);
}

TEST_F(StoredRules, RefuseMorePartsThanAFrameOfTheJournalHolds) {
  Rule large = good_rule();
  large.actions.assign(engine::kRulePartsMax, part("Delete Node"));
  EXPECT_EQ(refused(large), Errc::too_large);
}

TEST_F(StoredRules, AreUnknownByOtherNumbers) {
  EXPECT_EQ(plan_rule_put(store_.state(), 7, good_rule()).error().code, Errc::not_found);
  EXPECT_EQ(plan_ruleset_put(store_.state(), 7, {"x"}).error().code, Errc::not_found);
  EXPECT_EQ(engine::plan_rule_delete(store_.state(), 7).error().code, Errc::not_found);
  EXPECT_EQ(engine::plan_ruleset_delete(store_.state(), 7).error().code, Errc::not_found);
  EXPECT_EQ(engine::plan_rule_clone(store_.state(), 7).error().code, Errc::not_found);
  EXPECT_EQ(plan_rule_put(store_.state(), 0, good_rule()).error().code, Errc::invalid_input)
      << "its ruleset does not exist";
}

TEST_F(StoredRules, GoWithTheirRuleset) {
  put(0, good_rule());
  store_.commit(*engine::plan_ruleset_delete(store_.state(), ruleset_));
  EXPECT_EQ(catalog().rules.count(), 0U);
}

TEST_F(StoredRules, CloneUnderANameThatCountsWhatBeginsAlike) {
  const std::uint64_t number = put(0, good_rule("r"));
  put(0, good_rule("rest"));
  store_.commit(*engine::plan_rule_clone(store_.state(), number));
  const std::uint64_t clone = catalog().rules.find_with<&Rule::name>("r 2");
  ASSERT_NE(clone, 0U);
  const Rule copy = *catalog().rules.find(clone);
  EXPECT_EQ(copy.criteria.front().infos.front().value, "n");
  EXPECT_EQ(engine::rule_of_part(copy.criteria.front().number), clone);
  EXPECT_TRUE(catalog().rules.find(number)->enabled);
  EXPECT_FALSE(copy.enabled) << "it would run before anybody has changed it";
}

TEST_F(StoredRules, AreEnabledAndDisabledWithTheirRulesets) {
  store_.commit(engine::plan_rulesets_enable(store_.state(), false));
  EXPECT_FALSE(catalog().rulesets.find(ruleset_)->enabled);
  EXPECT_TRUE(engine::plan_rulesets_enable(store_.state(), false).empty());
}

// ---- the rulesets shipped: section 5 ----

TEST(DefaultRulesets, AreTheTwoOfThePage) {
  RulesHarness store;
  store.store_defaults();
  const std::vector<RulesetDraft> drafts = engine::export_rules(store.state().catalog);
  ASSERT_THAT(drafts, SizeIs(2));
  EXPECT_EQ(drafts[0].ruleset, (engine::Ruleset{"Custom ID Collision Resolution", true, -1}));
  EXPECT_THAT(drafts[0].rules, IsEmpty());
  EXPECT_EQ(drafts[1].ruleset, (engine::Ruleset{"Default ID Collision Resolution", true, 0}));
  ASSERT_THAT(drafts[1].rules, SizeIs(3));
  for (const Rule& rule : drafts[1].rules) {
    EXPECT_EQ(rule.priority, 0);
    EXPECT_TRUE(rule.enabled);
    EXPECT_EQ(rule_problem(rule), std::nullopt);
  }
  EXPECT_EQ(drafts[1].rules[0].name, "Default Institution ID Collision Resolution");
  EXPECT_EQ(drafts[1].rules[1].criteria.front().type, "Match Duplicate Nodes");
  EXPECT_EQ(drafts[1].rules[2].actions.front().type, "Keep Newest Link");
}

TEST(DefaultRulesets, AreMadeOnceAndLeaveACustomOneAlone) {
  RulesHarness store;
  store.store(store.ruleset("Custom ID Collision Resolution", 5), good_rule());
  store.store_defaults();
  EXPECT_EQ(store.state().catalog.rulesets.count(), 2U);
  EXPECT_EQ(store.state().catalog.rules.count(), 4U);
  EXPECT_TRUE(engine::plan_default_rulesets(store.state()).empty());
}

TEST(DefaultRulesets, AreRestoredWithoutTheRulesThatWereInThem) {
  RulesHarness store;
  store.store_defaults();
  for (const std::uint64_t number : engine::rulesets_in_order(store.state().catalog))
    store.store(number, good_rule("custom " + std::to_string(number)));
  store.store(store.ruleset("other"), good_rule("stays"));
  const engine::RestoredDefaults restored = engine::plan_restore_defaults(store.state());
  store.commit(restored.transaction);
  const engine::Catalog& catalog = store.state().catalog;
  EXPECT_EQ(catalog.rules.count(), 4U);
  EXPECT_EQ(catalog.rulesets.find(restored.default_ruleset)->name, engine::kDefaultRulesetName);
  EXPECT_EQ(catalog.rulesets.find(restored.custom_ruleset)->name, engine::kCustomRulesetName);
}

// ---- files: section 7 ----

class RuleFiles : public testing::Test {
 protected:
  static RulesetDraft draft(std::string name, std::vector<Rule> rules) {
    return {{std::move(name), true, 1000}, std::move(rules)};
  }
  RulesImport import(std::vector<RulesetDraft> drafts) {
    RulesImport planned = plan_rules_import(store_.state(), drafts);
    store_.commit(planned.transaction);
    return planned;
  }
  Texts rule_names() const {
    Texts names;
    store_.state().catalog.rules.for_each(
        [&](std::uint64_t, const Rule& rule) { names.push_back(rule.name); });
    return names;
  }
  RulesHarness store_;
};

TEST_F(RuleFiles, ReplaceARulesetOfTheSameNameWithAllItsRules) {
  import({draft("r", {good_rule("old 1"), good_rule("old 2")}), draft("s", {good_rule("kept")})});
  const RulesImport result = import({draft("r", {good_rule("new")})});
  EXPECT_THAT(result.created, ElementsAre("r"));
  EXPECT_THAT(rule_names(), testing::UnorderedElementsAre("kept", "new"));
  EXPECT_EQ(store_.state().catalog.rulesets.count(), 2U);
}

TEST_F(RuleFiles, MayGiveARuleTheNameItHadInTheRulesetReplaced) {
  import({draft("r", {good_rule("same")})});
  EXPECT_THAT(import({draft("r", {good_rule("same")})}).created, ElementsAre("r"));
}

TEST_F(RuleFiles, AreAcceptedWithUnhealthyRulesWhichAreListed) {
  const RulesImport result = import({draft("r", {rule("empty", {}, {})})});
  EXPECT_THAT(result.created, ElementsAre("r"));
  ASSERT_THAT(result.unhealthy, SizeIs(1));
  EXPECT_EQ(result.unhealthy.front().rule, "empty");
  EXPECT_EQ(result.unhealthy.front().ruleset, "r");
}

TEST_F(RuleFiles, LoseAnInvalidRulesetAloneAndKeepItsStoredVersion) {
  import({draft("r", {good_rule("stored")}), draft("s", {good_rule("of s")})});
  const std::vector<std::pair<Rule, std::string>> cases{
      {rule("x", {part("No Such Match")}, {}), "unknown type \"No Such Match\""},
      {rule("x", {}, {part("No Such Action")}), "unknown type \"No Such Action\""},
      {good_rule(std::string(201, 'x')), "at most 200 characters"},
      {good_rule("of s"), "a rule \"of s\" exists"}};
  for (const auto& [bad, reason] : cases) {
    SCOPED_TRACE(reason);
    const RulesImport result = import({draft("r", {good_rule("new"), bad}), draft("t", {})});
    ASSERT_THAT(result.invalid, SizeIs(1));
    EXPECT_EQ(result.invalid.front().name, "r");
    EXPECT_THAT(result.invalid.front().reason, HasSubstr(reason));
    EXPECT_THAT(result.created, ElementsAre("t"));
    EXPECT_THAT(rule_names(), testing::UnorderedElementsAre("stored", "of s"));
  }
}

TEST_F(RuleFiles, LeaveNoTraceOfAnInvalidRulesetForThoseThatFollow) {
  import({draft("r", {good_rule("stored")})});
  const RulesImport result =
      import({draft("r", {good_rule("a"), rule("bad", {part("No Such Match")}, {})}),
              draft("s", {good_rule("a")}), draft("t", {good_rule("stored")})});
  EXPECT_THAT(result.created, ElementsAre("s"));
  EXPECT_THAT(rule_names(), testing::UnorderedElementsAre("stored", "a"));
  ASSERT_THAT(result.transaction.rulesets, SizeIs(1));
  EXPECT_EQ(result.transaction.rulesets.front().number, 2U) << "no number is lost";
  EXPECT_EQ(result.transaction.rules.front().number, 2U);
}

// What takes a scan or a copy of all for each ruleset does not end within the time of a test.
TEST_F(RuleFiles, MayHaveTwentyThousandRulesetsAndReplaceThem) {
  constexpr std::size_t kRulesets = 20'000;
  std::vector<RulesetDraft> drafts;
  for (std::size_t n = 0; n < kRulesets; ++n)
    drafts.push_back(draft("s" + std::to_string(n), {good_rule("r" + std::to_string(n))}));
  EXPECT_THAT(import(drafts).created, SizeIs(kRulesets));
  EXPECT_THAT(import(drafts).created, SizeIs(kRulesets));
  EXPECT_EQ(store_.state().catalog.rules.count(), kRulesets);
  EXPECT_THAT(engine::plan_rules_run(store_.state()).logs, SizeIs(kRulesets));
  EXPECT_THAT(engine::export_rules(store_.state().catalog), SizeIs(kRulesets));
}

void expect_same(const std::vector<RulesetDraft>& stored, const std::vector<RulesetDraft>& given) {
  ASSERT_EQ(stored.size(), given.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(stored[i].ruleset, given[i].ruleset);
    EXPECT_TRUE(stored[i].rules == given[i].rules) << stored[i].ruleset.name;
  }
}

// Every field has a value of its own, so that one that is lost or stands for another shows.
TEST_F(RuleFiles, ComeBackAsTheyWere) {
  Rule first = rule("first",
                    {part("Match Nodes by ID", {{"ID", "n"}}),
                     part("Match Nodes by Topology", {{"Topology ID", "T"}})},
                    {part("Merge into Node", {{"ID", "m"}, {"Topology ID", "U"}}),
                     part("Delete Node Property", {{"name", "k"}, {"value", "ü \"v\""}})});
  first.priority = -7;
  first.enabled = false;
  Rule second = rule("second", {}, {part("Delete Link")});
  second.priority = 32'767;
  RulesetDraft kept = draft("r", {first, second});
  kept.ruleset.priority = -32'768;
  kept.ruleset.enabled = false;
  const std::vector<RulesetDraft> given{kept, draft("s", {})};
  for (int rounds = 0; rounds < 2; ++rounds) {
    const RulesImport result =
        import(rounds == 0 ? given : engine::export_rules(store_.state().catalog));
    for (const engine::RefusedRuleset& refused : result.invalid) ADD_FAILURE() << refused.reason;
    expect_same(engine::export_rules(store_.state().catalog), given);
  }
}

TEST_F(RuleFiles, AreWrittenForTheRulesetsAskedForAndPassOverUnknownNumbers) {
  import({draft("r", {good_rule()}), draft("s", {})});
  const std::uint64_t numbers[] = {2, 99, 1};
  const std::vector<RulesetDraft> out = engine::export_rules(store_.state().catalog, numbers);
  ASSERT_THAT(out, SizeIs(2));
  EXPECT_EQ(out[0].ruleset.name, "s");
  EXPECT_EQ(out[1].ruleset.name, "r");
}

}  // namespace
}  // namespace netml::test
