// Goal: rules can be made piece by piece, run and exchanged as functional tests do it
// (docs/requirements/http-api.md, section 13; docs/requirements/collation-rules.md, sections 4 to
// 8). Method: the real program in test mode, answers compared as JSON.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/support/test_mode.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;

const std::string kTested = "/collation/test/";
const std::string kTopologyNodes = "/network_topology/test/nodes/";

class FunctionalCollation : public testing::Test {
 protected:
  // Keys of types by name.
  std::uint64_t type(const std::string& collection, std::string_view name) {
    const JsonAnswer types = node.ask("GET", kTested + collection + "/");
    for (const json::value& item : types.value.as_array())
      if (item.at("name").as_string() == name) return item.at("id").to_number<std::uint64_t>();
    ADD_FAILURE() << "no type " << name;
    return 0;
  }
  std::uint64_t ruleset(const std::string& name, int priority = 1000) {
    return node.create(kTested + "rulesets/", {{"name", name}, {"priority", priority}});
  }
  // A rule that deletes the node with that id.
  std::uint64_t deleting_rule(std::uint64_t in, const std::string& name, const std::string& id,
                              int priority = 1000) {
    const std::uint64_t rule =
        node.create(kTested + "rules/", {{"ruleset", in}, {"name", name}, {"priority", priority}});
    const std::uint64_t criterion =
        node.create(kTested + "match_criteria/",
                    {{"rule", rule}, {"match_type", type("match_types", "Match Nodes by ID")}});
    node.create(kTested + "match_infos/",
                {{"match_criterion", criterion}, {"key", "ID"}, {"value", id}});
    node.create(kTested + "actions/",
                {{"rule", rule}, {"action_type", type("action_types", "Delete Node")}});
    return rule;
  }
  std::string rules(std::uint64_t rule, const std::string& call = "") {
    return fmt::format("{}rules/{}/{}", kTested, rule, call);
  }
  std::string rulesets(std::uint64_t number, const std::string& call = "") {
    return fmt::format("{}rulesets/{}/{}", kTested, number, call);
  }
  std::vector<std::string> names_of(const json::value& logs) {
    std::vector<std::string> names;
    for (const json::value& log : logs.as_array())
      names.emplace_back(log.at("rule").at("name").as_string());
    return names;
  }
  std::size_t nodes() { return node.ask("GET", kTopologyNodes).value.as_array().size(); }

  TestModeNode node;
};

TEST_F(FunctionalCollation, TypesBelongToTheProgram) {
  const JsonAnswer types = node.ask("GET", kTested + "match_types/");
  EXPECT_EQ(types.value.as_array().size(), 9U);
  EXPECT_EQ(node.ask("GET", kTested + "action_types/").value.as_array().size(), 18U);
  EXPECT_EQ(types.value.at(0), json::value({{"id", 1},
                                            {"class_name", "MatchInstitutionsByID"},
                                            {"name", "Match Institutions by ID"},
                                            {"element_type", "Institution"},
                                            {"required_info", R"(["ID"])"},
                                            {"optional_info", "[]"}}));
  EXPECT_EQ(node.ask("GET", kTested + "match_types/1/").value, types.value.at(0));
  EXPECT_EQ(node.ask("GET", kTested + "match_types/10/").status, 404);
  EXPECT_EQ(node.ask("DELETE", kTested + "match_types/1/").status, 409);
  EXPECT_EQ(node.ask("DELETE", kTested + "match_types/10/").status, 404);
}

TEST_F(FunctionalCollation, RulesetsAndRulesCanBeChanged) {
  const std::uint64_t set = ruleset("R");
  EXPECT_EQ(node.ask("GET", rulesets(set)).value,
            json::value({{"id", set}, {"name", "R"}, {"enabled", true}, {"priority", 1000}}));
  EXPECT_EQ(node.ask("PATCH", rulesets(set), {{"enabled", "no"}, {"priority", "-5"}}).value,
            json::value({{"id", set}, {"name", "R"}, {"enabled", false}, {"priority", -5}}));
  const std::uint64_t rule = node.create(kTested + "rules/", {{"ruleset", set}, {"name", "r"}});
  EXPECT_EQ(
      node.ask("PUT", rules(rule), {{"ruleset", set}, {"name", "r2"}}).value,
      json::value(
          {{"id", rule}, {"ruleset", set}, {"name", "r2"}, {"enabled", true}, {"priority", 1000}}));
  EXPECT_EQ(node.ask("DELETE", rulesets(set)).status, 204);
  EXPECT_EQ(node.ask("GET", rules(rule)).status, 404) << "rules go with their ruleset";
}

TEST_F(FunctionalCollation, WrongFieldsAreRefused) {
  const std::uint64_t set = ruleset("R");
  const std::uint64_t rule = deleting_rule(set, "r", "n");
  const auto refused = [&](const std::string& collection, const json::object& fields,
                           const char* field) {
    const JsonAnswer answer = node.ask("POST", kTested + collection + "/", fields);
    EXPECT_EQ(answer.status, 400) << collection << json::serialize(fields);
    ASSERT_TRUE(answer.value.is_object() && answer.value.as_object().contains(field))
        << collection << json::serialize(fields) << json::serialize(answer.value);
    EXPECT_TRUE(answer.value.at(field).is_array());
  };
  refused("rulesets", {}, "name");
  refused("rulesets", {{"name", ""}}, "name");
  refused("rulesets", {{"name", "R"}}, "name");
  refused("rulesets", {{"name", std::string(201, 'x')}}, "name");
  refused("rulesets", {{"name", "x"}, {"priority", 40000}}, "priority");
  refused("rulesets", {{"name", "x"}, {"enabled", "perhaps"}}, "enabled");
  refused("rules", {{"name", "x"}}, "ruleset");
  for (const json::value& wrong :
       {json::value(999), json::value(-1), json::value(0), json::value("x"), json::value(nullptr)})
    refused("rules", {{"name", "x"}, {"ruleset", wrong}}, "ruleset");
  refused("rules", {{"name", "r"}, {"ruleset", set}}, "name");
  refused("match_criteria", {{"rule", rule}}, "match_type");
  refused("match_criteria", {{"rule", rule}, {"match_type", 99}}, "match_type");
  refused("match_criteria", {{"rule", 999}, {"match_type", 1}}, "rule");
  refused("actions", {{"rule", rule}, {"action_type", "x"}}, "action_type");
  refused("match_infos", {{"match_criterion", 999}, {"key", "ID"}, {"value", "x"}},
          "match_criterion");
  const std::uint64_t action =
      node.create(kTested + "actions/", {{"rule", rule}, {"action_type", 1}});
  refused("action_infos", {{"action", action}, {"key", "k"}, {"value", ""}}, "value");
  refused("action_infos", {{"action", action}, {"value", "v"}}, "key");
  refused("action_infos", {{"action", action}, {"key", std::string(51, 'k')}, {"value", "v"}},
          "key");
  refused("action_infos", {{"action", action}, {"key", "k"}, {"value", std::string(1001, 'v')}},
          "value");
  EXPECT_EQ(node.ask("PATCH", rules(rule), {{"ruleset", -1}}).status, 400);
}

TEST_F(FunctionalCollation, PartsOfARuleAreItems) {
  const std::uint64_t rule = deleting_rule(ruleset("R"), "r", "n");
  const auto single = [&](const std::string& collection) {
    const JsonAnswer all = node.ask("GET", kTested + collection + "/");
    EXPECT_EQ(all.value.as_array().size(), 1U) << collection;
    const json::value shown = all.value.at(0);
    const std::string path =
        fmt::format("{}{}/{}/", kTested, collection, shown.at("id").to_number<std::uint64_t>());
    EXPECT_EQ(node.ask("GET", path).value, shown);
    return path;
  };
  const std::string criterion = single("match_criteria");
  const std::string info = single("match_infos");
  const std::string action = single("actions");
  EXPECT_EQ(node.ask("PATCH", info, {{"value", "other"}}).text("value"), "other");
  EXPECT_EQ(node.ask("PATCH", info, {{"value", ""}}).status, 400);
  const std::uint64_t by_topology = type("match_types", "Match Nodes by Topology");
  EXPECT_EQ(node.ask("PATCH", criterion, {{"match_type", by_topology}}).key("match_type"),
            by_topology);
  EXPECT_EQ(node.ask("PATCH", criterion, {{"rule", rule + 1}}).status, 400);
  EXPECT_EQ(node.ask("DELETE", action).status, 204);
  EXPECT_EQ(node.ask("GET", action).status, 404);
  EXPECT_EQ(node.ask("DELETE", criterion).status, 204);
  EXPECT_EQ(node.ask("GET", info).status, 404) << "infos go with their criterion";
}

TEST_F(FunctionalCollation, PutReplacesAPartOfARuleWhole) {
  const std::uint64_t rule = deleting_rule(ruleset("R"), "r", "n");
  const auto single = [&](const std::string& collection) {
    return node.ask("GET", kTested + collection + "/").value.at(0).as_object();
  };
  const auto put = [&](const std::string& collection, json::object fields) {
    const std::string path =
        fmt::format("{}{}/{}/", kTested, collection, fields.at("id").to_number<std::uint64_t>());
    fields.erase("id");
    EXPECT_EQ(node.ask("PUT", path, fields).status, 200) << collection;
    for (const json::key_value_pair& field : fields) {
      json::object less = fields;
      less.erase(field.key());
      const JsonAnswer answer = node.ask("PUT", path, less);
      EXPECT_EQ(answer.status, 400) << collection << " without " << field.key();
      EXPECT_TRUE(answer.value.as_object().contains(field.key())) << json::serialize(answer.value);
    }
  };
  put("match_criteria", single("match_criteria"));
  put("actions", single("actions"));
  put("match_infos", single("match_infos"));
  EXPECT_EQ(node.ask("GET", rules(rule, "status/")).value, json::value({{"ready", true}}));
}

TEST_F(FunctionalCollation, HeadRunsNoRules) {
  node.create(kTopologyNodes, {{"name", "N"}, {"grenml_id", "n"}});
  const std::uint64_t set = ruleset("R");
  const std::uint64_t rule = deleting_rule(set, "r", "n");
  for (const std::string& path :
       {rules(rule, "apply/"), rulesets(set, "apply/"), kTested + "rulesets/apply_all/"}) {
    const JsonAnswer answer = node.ask("HEAD", path);
    EXPECT_EQ(answer.status, 405) << path;
    EXPECT_EQ(answer.headers.get("Allow"), "GET, POST, OPTIONS") << path;
  }
  EXPECT_EQ(nodes(), 1U);
}

TEST_F(FunctionalCollation, ARuleRunsWhenAsked) {
  const std::uint64_t key = node.create(kTopologyNodes, {{"name", "N"}, {"grenml_id", "n"}});
  const std::uint64_t rule = deleting_rule(ruleset("R"), "r", "n");
  node.ask("PATCH", rules(rule), {{"enabled", false}});
  EXPECT_EQ(nodes(), 1U) << "not by itself";
  const JsonAnswer log = node.ask("GET", rules(rule, "apply/"));
  EXPECT_EQ(log.status, 200);
  const json::object action{{"action", "Delete Node"},
                            {"element", fmt::format("N <n> [{}]", key)},
                            {"message", log.value.at("actions").at(0).at("message")},
                            {"succeeded", true}};
  EXPECT_EQ(log.value,
            json::value({{"rule", {{"pk", rule}, {"name", "r"}}},
                         {"matched_elements",
                          {{"type", "Node"}, {"quantity", 1}, {"primary_keys", json::array{key}}}},
                         {"actions", json::array{action}},
                         {"affected",
                          {{"institutions", json::array()},
                           {"nodes", json::array{key}},
                           {"links", json::array()}}}}));
  EXPECT_EQ(nodes(), 0U);
  EXPECT_EQ(node.ask("POST", rules(rule, "apply/")).value.at("matched_elements").at("quantity"),
            json::value(0))
      << "nothing is left to match";
}

TEST_F(FunctionalCollation, AMisconfiguredRuleIs500AndChangesNothing) {
  node.create(kTopologyNodes, {{"name", "N"}, {"grenml_id", "n"}});
  const std::uint64_t set = ruleset("R");
  const std::uint64_t rule = deleting_rule(set, "r", "n");
  EXPECT_EQ(node.ask("GET", rules(rule, "status/")).value, json::value({{"ready", true}}));
  node.create(kTested + "actions/",
              {{"rule", rule}, {"action_type", type("action_types", "Delete Link")}});
  const JsonAnswer status = node.ask("GET", rules(rule, "status/"));
  EXPECT_EQ(status.value.at("ready"), json::value(false));
  EXPECT_TRUE(status.value.at("detail").is_string());
  const JsonAnswer applied = node.ask("GET", rules(rule, "apply/"));
  EXPECT_EQ(applied.status, 500);
  EXPECT_TRUE(applied.value.is_object());
  const JsonAnswer health = node.ask("GET", rulesets(set, "status/"));
  EXPECT_EQ(health.value.at("detail").at(fmt::format("{}", rule)), status.value.at("detail"));
  EXPECT_EQ(node.ask("GET", rulesets(set, "apply/")).value, json::value(json::array()))
      << "skipped with others";
  EXPECT_EQ(nodes(), 1U);
}

TEST_F(FunctionalCollation, UnknownRulesAreAnEmptyText) {
  for (const std::string& path : {rules(999, "apply/"), rules(999, "status/"),
                                  rulesets(999, "apply/"), rulesets(999, "status/")}) {
    const JsonAnswer answer = node.ask("GET", path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.value, json::value("")) << path;
  }
}

TEST_F(FunctionalCollation, AllRunByPriority) {
  const std::uint64_t late = ruleset("late", 1000);
  const std::uint64_t early = ruleset("early", -1);
  const std::uint64_t off = ruleset("off", -5);
  deleting_rule(late, "late 30", "x", 30);
  deleting_rule(late, "late 10", "x", 10);
  const std::uint64_t disabled = deleting_rule(late, "disabled", "x", -2);
  node.ask("PATCH", rules(disabled), {{"enabled", false}});
  deleting_rule(early, "early 5000", "x", 5000);
  deleting_rule(early, "early -1", "x", -1);
  deleting_rule(off, "off", "x");
  node.ask("PATCH", rulesets(off), {{"enabled", false}});
  const std::string all = kTested + "rulesets//apply_all/";
  using testing::ElementsAre;
  EXPECT_THAT(names_of(node.ask("GET", all).value),
              ElementsAre("early -1", "early 5000", "late 10", "late 30"));
  EXPECT_EQ(node.ask("PATCH", kTested + "rulesets/disable_all/").value, json::value(""));
  EXPECT_EQ(node.ask("POST", all).value, json::value(json::array()));
  EXPECT_EQ(node.ask("PATCH", kTested + "rulesets/enable_all/").value, json::value(""));
  EXPECT_THAT(names_of(node.ask("GET", all).value),
              ElementsAre("off", "early -1", "early 5000", "late 10", "late 30"));
}

TEST_F(FunctionalCollation, DefaultsCanBeRestored) {
  const std::string path = kTested + "rulesets/restore_default_collision_resolution/";
  const JsonAnswer first = node.ask("POST", path);
  EXPECT_EQ(first.status, 200);
  ASSERT_EQ(first.value.as_array().size(), 2U);
  EXPECT_EQ(first.value.at(0).at("name"), "Default ID Collision Resolution");
  EXPECT_EQ(first.value.at(1).at("name"), "Custom ID Collision Resolution");
  EXPECT_EQ(node.ask("GET", kTested + "rules/").value.as_array().size(), 3U);
  const JsonAnswer second = node.ask("POST", path);
  EXPECT_NE(second.value.at(0).at("id"), first.value.at(0).at("id")) << "made anew";
  EXPECT_EQ(node.ask("GET", kTested + "rules/").value.as_array().size(), 3U);
}

TEST_F(FunctionalCollation, RulesetsAreExchanged) {
  const std::uint64_t set = ruleset("R", 7);
  deleting_rule(set, "r", "n");
  const JsonAnswer exported =
      node.ask_openly("GET", fmt::format("{}export_rulesets?ids={},999", kTested, set));
  ASSERT_EQ(exported.status, 200);
  ASSERT_EQ(exported.value.as_array().size(), 1U);
  const json::object info{{"key", "ID"}, {"value", "n"}};
  EXPECT_EQ(exported.value.at(0).at("rules").at(0).at("match_criteria"),
            json::value(json::array{json::object{{"match_type", "Match Nodes by ID"},
                                                 {"matchinfo_set", json::array{info}}}}));
  for (const char* query : {"", "?ids=", "?ids=1,x", "?ids=1;2"})
    EXPECT_EQ(node.ask_openly("GET", kTested + "export_rulesets" + query).status, 400) << query;

  node.ask("DELETE", rulesets(set));
  const std::string import = kTested + "import_rulesets";
  const json::object broken{{"name", "Broken"},
                            {"rules", json::array{json::object{{"name", "b"}}}}};
  json::array both = exported.value.as_array();
  both.push_back(broken);
  const JsonAnswer imported = node.ask_openly("POST", import, {{"rulesets", both}});
  EXPECT_EQ(imported.status, 201);
  EXPECT_EQ(imported.value, json::value({{"created_rulesets", json::array{"R"}},
                                         {"invalid_rulesets", json::array{"Broken"}}}));
  const JsonAnswer sets = node.ask("GET", kTested + "rulesets/");
  ASSERT_EQ(sets.value.as_array().size(), 1U);
  EXPECT_EQ(sets.value.at(0).at("priority"), json::value(7));
  EXPECT_EQ(node.ask_openly("POST", import, json::object()).status, 400);
  EXPECT_EQ(node.ask_openly("POST", import, {{"rulesets", 7}}).status, 400);
  EXPECT_EQ(node.ask_openly("POST", import, {{"rulesets", json::array{7}}}).status, 400);
}

}  // namespace
}  // namespace netml::e2e
