// docs/requirements/collation-rules.md, section 7: rulesets as JSON.
#include "codecs/formats/rules_json.hpp"

#include <gmock/gmock.h>

namespace netml::codecs {
namespace {

using engine::Rule;
using engine::RulesetDraft;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kPreferredCopies = R"([
    {
        "name": "Preferred copies",
        "rules": [
            {
                "name": "Keep campus data from A",
                "actions": [
                    {
                        "action_type": "Merge into Institution",
                        "actioninfo_set": [
                            {
                                "key": "ID",
                                "value": "urn:example:inst:islandu"
                            },
                            {
                                "key": "Topology ID",
                                "value": "urn:example:topo:coast"
                            }
                        ]
                    }
                ],
                "match_criteria": [
                    {
                        "match_type": "Match Duplicate Institutions",
                        "matchinfo_set": []
                    }
                ],
                "enabled": true,
                "priority": 10
            }
        ],
        "enabled": false,
        "priority": -1
    }
]
)";

RulesFile read(std::string_view text) {
  auto file = read_rules(text);
  EXPECT_TRUE(file) << file.error().message;
  return file ? std::move(*file) : RulesFile{};
}

// One ruleset around this rule.
std::string with_rule(std::string_view rule) {
  return R"([{"name": "r", "rules": [)" + std::string(rule) + "]}]";
}

TEST(RulesJson, IsReadAndWrittenInTheFormOfThePage) {
  const RulesFile file = read(kPreferredCopies);
  ASSERT_THAT(file.rulesets, SizeIs(1));
  const RulesetDraft& draft = file.rulesets.front();
  EXPECT_EQ(draft.ruleset, (engine::Ruleset{"Preferred copies", false, -1}));
  ASSERT_THAT(draft.rules, SizeIs(1));
  const Rule& rule = draft.rules.front();
  EXPECT_EQ(rule.name, "Keep campus data from A");
  EXPECT_EQ(rule.priority, 10);
  ASSERT_THAT(rule.actions, SizeIs(1));
  EXPECT_EQ(rule.actions.front().type, "Merge into Institution");
  EXPECT_EQ(rule.actions.front().value("Topology ID"), "urn:example:topo:coast");
  ASSERT_THAT(rule.criteria, SizeIs(1));
  EXPECT_THAT(rule.criteria.front().infos, IsEmpty());
  EXPECT_EQ(write_rules(file.rulesets), kPreferredCopies);
}

TEST(RulesJson, OfNothingIsAnEmptyList) {
  EXPECT_EQ(write_rules({}), "[]\n");
  EXPECT_THAT(read("[]").rulesets, IsEmpty());
}

TEST(RulesJson, KeepsEveryCharacterOfATextThroughARoundTrip) {
  RulesetDraft draft;
  draft.ruleset.name = "quote \" backslash \\ line\nbreak, tab\t, Malm\xc3\xb6, control \x01";
  const RulesFile file = read(write_rules(std::span(&draft, 1)));
  ASSERT_THAT(file.rulesets, SizeIs(1));
  EXPECT_EQ(file.rulesets.front().ruleset.name, draft.ruleset.name);
}

TEST(RulesJson, TakesPriorityAndEnabledAsOptional) {
  const RulesFile file = read(R"([{"name": "r", "rules": []}])");
  ASSERT_THAT(file.rulesets, SizeIs(1));
  EXPECT_EQ(file.rulesets.front().ruleset, (engine::Ruleset{"r", true, 1000}));
}

TEST(RulesJson, PassesOverExtraKeys) {
  EXPECT_THAT(read(R"([{"name": "r", "rules": [], "id": 5, "extra": {"x": []}}])").rulesets,
              SizeIs(1));
}

TEST(RulesJson, AcceptsNumbersInTextAndTruthWords) {
  const RulesFile file = read(R"([{"name": "r", "rules": [], "enabled": "no", "priority": "7"},
               {"name": "s", "rules": [], "enabled": 1, "priority": "-3"},
               {"name": "t", "rules": [], "enabled": "True"}])");
  ASSERT_THAT(file.rulesets, SizeIs(3));
  EXPECT_EQ(file.rulesets[0].ruleset, (engine::Ruleset{"r", false, 7}));
  EXPECT_EQ(file.rulesets[1].ruleset, (engine::Ruleset{"s", true, -3}));
  EXPECT_EQ(file.rulesets[2].ruleset, (engine::Ruleset{"t", true, 1000}));
}

TEST(RulesJson, AcceptsUnhealthyRules) {
  const RulesFile file = read(with_rule(R"({"name": "x", "actions": [], "match_criteria": []})"));
  ASSERT_THAT(file.rulesets, SizeIs(1));
  EXPECT_THAT(file.rulesets.front().rules, SizeIs(1));
}

TEST(RulesJson, DiscardsARulesetWithAMissingKeyAloneAndSaysWhichOne) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"([{"rules": []}])", "\"name\""},
      {R"([{"name": "r"}])", "\"rules\""},
      {with_rule(R"({"actions": [], "match_criteria": []})"), "\"name\""},
      {with_rule(R"({"name": "x", "match_criteria": []})"), "\"actions\""},
      {with_rule(R"({"name": "x", "actions": []})"), "\"match_criteria\""},
      {with_rule(R"({"name": "x", "actions": [{"actioninfo_set": []}], "match_criteria": []})"),
       "\"action_type\""},
      {with_rule(R"({"name": "x", "actions": [{"action_type": "a"}], "match_criteria": []})"),
       "\"actioninfo_set\""},
      {with_rule(R"({"name": "x", "actions": [], "match_criteria": [{"matchinfo_set": []}]})"),
       "\"match_type\""},
      {with_rule(R"({"name": "x", "actions": [], "match_criteria": [{"match_type": "m"}]})"),
       "\"matchinfo_set\""},
      {with_rule(R"({"name": "x", "actions": [], "match_criteria":
                    [{"match_type": "m", "matchinfo_set": [{"value": "v"}]}]})"),
       "\"key\""},
      {with_rule(R"({"name": "x", "actions": [], "match_criteria":
                    [{"match_type": "m", "matchinfo_set": [{"key": "k"}]}]})"),
       "\"value\""}};
  for (const auto& [text, missing] : cases) {
    SCOPED_TRACE(text);
    std::string both = text;
    both.insert(both.size() - 1, R"(, {"name": "good", "rules": []})");
    const RulesFile file = read(both);
    ASSERT_THAT(file.invalid, SizeIs(1));
    EXPECT_THAT(file.invalid.front().reason, HasSubstr(missing + " is missing"));
    ASSERT_THAT(file.rulesets, SizeIs(1));
    EXPECT_EQ(file.rulesets.front().ruleset.name, "good");
  }
}

TEST(RulesJson, DiscardsARulesetWithAValueOfTheWrongType) {
  for (const std::string_view text :
       {R"([{"name": 5, "rules": []}])", R"([{"name": "r", "rules": {}}])",
        R"([{"name": "r", "rules": [3]}])", R"([{"name": "r", "rules": [], "priority": 40000}])",
        R"([{"name": "r", "rules": [], "priority": "high"}])",
        R"([{"name": "r", "rules": [], "priority": 1.5}])",
        R"([{"name": "r", "rules": [], "enabled": "maybe"}])",
        R"([{"name": "r", "rules": [], "enabled": null}])"}) {
    SCOPED_TRACE(text);
    const RulesFile file = read(text);
    EXPECT_THAT(file.invalid, SizeIs(1));
    EXPECT_THAT(file.rulesets, IsEmpty());
  }
}

TEST(RulesJson, IsMalformedWhenItIsNoJsonNoListOrAnItemIsNoObject) {
  const std::string deep(10'000, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string(R"({"name": "r", "rules": []})"),
        std::string(R"([{"name": "r", "rules": []}, "s"])"), std::string("[] []"), deep}) {
    SCOPED_TRACE(text.substr(0, 40));
    const auto file = read_rules(text);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, Errc::invalid_input);
    EXPECT_THAT(file.error().message, HasSubstr("malformed file"));
    EXPECT_EQ(file.error().errors.count, 1U);
    EXPECT_THAT(file.error().errors.first, SizeIs(1));
  }
}

TEST(RulesJson, NamesTheLineAndColumnWhereItIsNoJson) {
  const auto place = [](std::string_view text) {
    const auto file = read_rules(text);
    return file ? std::string("none") : file.error().errors.first.front().place();
  };
  EXPECT_EQ(place("[\n  {\"name\": \"é\",, \"rules\": []}]"), "line 2, column 16");
  EXPECT_EQ(place("[]\n\n]"), "line 3, column 1");
  EXPECT_EQ(place("[\n"), "line 2, column 1");
  EXPECT_EQ(place(""), "line 1, column 1");
  EXPECT_EQ(place("{}"), "");
}

TEST(RulesJson, MayBeginWithAByteOrderMark) {
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   R"([{"name": "r", "rules": []}])")
                  .rulesets,
              SizeIs(1));
}

}  // namespace
}  // namespace netml::codecs
