// Changes of rules on the site: previewed before they run on the map, and reported what ran.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/admin/support/open_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using test::institution;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

// A map with the nodes urn:a and urn:b, and an enabled ruleset without rules.
class WebRules : public ::testing::Test {
 protected:
  WebRules() {
    site.add_account("ed", engine::Role::editor);
    browser.sign_in("ed");
    import();
    ruleset = browser.create("rulesets", {{"name", "mine"}});
  }
  void import() {
    browser.upload(TopologyText("urn:coast", "urn:i")
                       .named("Coast")
                       .add(institution("urn:i"))
                       .add(node("urn:a").owned_by("urn:i"))
                       .add(node("urn:b").owned_by("urn:i")));
    site.queue().import_waiting();
    EXPECT_EQ(nodes(), 2U);
  }
  // An enabled rule that removes the node.
  json::object removing(const std::string& id) const {
    return {{"ruleset", ruleset},
            {"name", "remove " + id},
            {"criteria",
             {{{"type", "Match Nodes by ID"}, {"infos", {{{"key", "ID"}, {"value", id}}}}}}},
            {"actions", {{{"type", "Delete Node"}, {"infos", json::array()}}}}};
  }
  json::object disabled(json::object rule) const {
    rule["enabled"] = false;
    return rule;
  }
  std::string in_ruleset() const { return "rulesets/" + std::to_string(ruleset); }
  Reply post_with(const std::string& path, const json::object& fields, const json::value& etag) {
    return browser.send_if(Method::post, path, etag, fields);
  }
  void rename_node(const std::string& from, const std::string& to) {
    const engine::Graph& graph = site.state()->graph;
    const std::string path =
        "nodes/" + std::to_string(graph.number(graph.find_newest(Kind::node, from)).value);
    json::object fields = browser.get(path).json().as_object();
    fields["id"] = to;
    EXPECT_EQ(browser.put(path, fields).status, 200);
  }
  static void enable(std::string& file) {
    const std::string off = "\"enabled\": false";
    ASSERT_NE(file.find(off), std::string::npos) << file;
    file.replace(file.find(off), off.size(), "\"enabled\": true");
  }
  // Its documents but those of progress.
  std::vector<json::value> rehearsal(const std::string& file) {
    const Reply reply = browser.send(Method::post, "rulesets/rehearsal?since=0", file);
    EXPECT_EQ(reply.status, 200) << reply.body;
    std::vector<json::value> documents;
    std::istringstream lines(reply.body);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("{\"progress\"")) documents.push_back(json::parse(line));
    return documents;
  }
  static std::int64_t differing(const json::value& document) {
    const json::object* of = &document.as_object();
    for (const char* part : {"import", "end"})
      if (const json::value* inner = of->if_contains(part)) of = &inner->as_object();
    return of->at("created").to_number<std::int64_t>() +
           of->at("updated").to_number<std::int64_t>() +
           of->at("deleted").to_number<std::int64_t>();
  }
  std::uint64_t nodes() { return site.state()->graph.count(Kind::node); }

  OpenSite site;
  Browser browser{site};
  std::uint64_t ruleset = 0;
};

TEST_F(WebRules, APreviewOfARuleTellsWhatSavingItWouldDoAndDoesNothing) {
  const Lsn before = site.state()->lsn;
  const json::value preview = browser.post("rules?preview=true", removing("urn:a")).json();
  EXPECT_EQ(preview.at("deleted"), 1);
  EXPECT_EQ(preview.at("items").at(0).at("kind"), "rule") << preview;
  EXPECT_EQ(preview.at("items").at(0).at("name"), "remove urn:a");
  EXPECT_EQ(preview.at("items").at(1).at("id"), "urn:a");
  EXPECT_EQ(preview.at("rules").at(0).at("name"), "remove urn:a");
  EXPECT_EQ(preview.at("rules").at(0).at("changed"), 1);
  EXPECT_EQ(site.state()->lsn, before);
  EXPECT_EQ(nodes(), 2U);
}

TEST_F(WebRules, SavingARuleTellsWhatRan) {
  const json::value saved = browser.post("rules", removing("urn:a")).json();
  EXPECT_EQ(saved.at("ran").at("deleted"), 1) << saved;
  EXPECT_EQ(saved.at("ran").at("rule_count"), 4) << "the three shipped and this one";
  EXPECT_EQ(saved.at("ran").at("rules").as_array().size(), 1U);
  EXPECT_EQ(nodes(), 1U);
}

TEST_F(WebRules, ASavedRuleDoesWhatItsPreviewSaidOrNothing) {
  const json::value preview = browser.post("rules?preview=true", removing("urn:a")).json();
  rename_node("urn:a", "urn:c");
  const Reply late = post_with("rules", removing("urn:a"), preview.at("etag"));
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "preview-moved");
  EXPECT_EQ(nodes(), 2U);
  const json::value again = browser.post("rules?preview=true", removing("urn:a")).json();
  EXPECT_EQ(post_with("rules", removing("urn:a"), again.at("etag")).status, 201);
}

TEST_F(WebRules, AnAppliedRuleDoesWhatItsPreviewSaidOrNothing) {
  const std::uint64_t rule = browser.create("rules", disabled(removing("urn:a")));
  const std::string apply = "rules/" + std::to_string(rule) + "/apply";
  const json::value preview = browser.post(apply + "?preview=true").json();
  rename_node("urn:a", "urn:c");
  const Reply late = post_with(apply, {}, preview.at("etag"));
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "preview-moved");
  rename_node("urn:c", "urn:a");
  const Reply as_shown = post_with(apply, {}, preview.at("etag"));
  EXPECT_EQ(as_shown.status, 200) << "it would do what was shown again";
  EXPECT_EQ(nodes(), 1U);
}

TEST_F(WebRules, EverythingThatMakesRulesRunIsPreviewedAndTold) {
  json::object set{{"name", "mine"}, {"enabled", false}};
  browser.put(in_ruleset(), set);
  const std::uint64_t rule = browser.create("rules", removing("urn:a"));
  EXPECT_EQ(nodes(), 2U) << "its ruleset is disabled";
  set["enabled"] = true;
  EXPECT_EQ(browser.put(in_ruleset() + "?preview=true", set).json().at("deleted"), 1);
  EXPECT_EQ(nodes(), 2U);
  const json::value enabled = browser.put(in_ruleset(), set).json();
  EXPECT_EQ(enabled.at("ran").at("deleted"), 1) << enabled;
  EXPECT_EQ(nodes(), 1U);

  const std::string path = "rules/" + std::to_string(rule);
  EXPECT_EQ(browser.send(Method::del, path + "?preview=true", "").json().at("deleted"), 0);
  EXPECT_EQ(browser.get(path).status, 200);
  const Reply removed = browser.del(path);
  EXPECT_EQ(removed.status, 200);
  EXPECT_EQ(removed.json().at("ran").at("rule_count"), 3);
}

TEST_F(WebRules, ThePreviewOfADeletedRulesetListsItsRules) {
  browser.post("rules", disabled(removing("urn:a")));
  browser.post("rules", disabled(removing("urn:b")));
  const json::value preview = browser.send(Method::del, in_ruleset() + "?preview=true", "").json();
  std::size_t rules = 0;
  for (const json::value& item : preview.at("items").as_array())
    rules += item.at("kind") == "rule" && item.at("action") == "deleted" ? 1 : 0;
  EXPECT_EQ(rules, 2U) << preview;
  EXPECT_EQ(browser.get(in_ruleset()).status, 200);
}

TEST_F(WebRules, SeveralRulesetsAreDeletedInOneTransaction) {
  browser.post("rules", disabled(removing("urn:a")));
  const std::uint64_t other = browser.create("rulesets", {{"name", "other"}});
  const Lsn before = site.state()->lsn;
  EXPECT_EQ(browser.post("rulesets/delete", {{"numbers", {ruleset, 4242}}}).status, 404);
  EXPECT_EQ(browser.get(in_ruleset()).status, 200);
  const Reply deleted = browser.post("rulesets/delete", {{"numbers", {ruleset, other, other}}});
  EXPECT_EQ(deleted.json().at("ran").at("rule_count"), 3) << deleted.body;
  EXPECT_EQ(site.state()->lsn, before.next());
  EXPECT_EQ(browser.get("rulesets").json().at("total"), 2);
}

TEST_F(WebRules, ImportedRulesetsArePreviewedToo) {
  browser.post("rules", disabled(removing("urn:a")));
  std::string file = browser.get("rulesets/export").body;
  enable(file);
  const json::value preview =
      browser.send(Method::post, "rulesets/import?preview=true", file).json();
  EXPECT_EQ(preview.at("deleted"), 1) << preview;
  EXPECT_EQ(preview.at("created_rulesets").as_array().size(), 3U);
  EXPECT_EQ(nodes(), 2U);
  const json::value imported = browser.send(Method::post, "rulesets/import", file).json();
  EXPECT_EQ(imported.at("ran").at("deleted"), 1) << imported;
  EXPECT_EQ(browser.send(Method::post, "rulesets/import?preview=true", "{").code(), "invalid-file");
}

TEST_F(WebRules, ARehearsalTellsOfEachImportWhatItWouldHaveComeTo) {
  import();
  browser.post("rules", disabled(removing("urn:a")));
  std::string file = browser.get("rulesets/export").body;
  const std::vector<json::value> same = rehearsal(file);
  ASSERT_EQ(same.size(), 4U) << "what it is about, two imports, the end";
  for (const json::value& document : same) EXPECT_EQ(differing(document), 0) << document;

  enable(file);
  const Lsn before = site.state()->lsn;
  const std::vector<json::value> changed = rehearsal(file);
  ASSERT_EQ(changed.size(), 4U);
  EXPECT_EQ(changed[0].at("created_rulesets").as_array().size(), 3U);
  EXPECT_EQ(changed[0].at("to"), before.value);
  const json::value& first = changed[1].at("import");
  EXPECT_EQ(first.at("name"), "map.xml");
  EXPECT_EQ(first.at("outcome"), "planned");
  EXPECT_EQ(first.at("deleted"), 1);
  EXPECT_EQ(first.at("examples").at(0).at("id"), "urn:a");
  EXPECT_EQ(differing(changed[2]), 0) << "it touched nothing, in either";
  EXPECT_EQ(changed[3].at("end").at("deleted"), 1);
  EXPECT_EQ(changed[3].at("end").at("imports").at("planned"), 2);
  EXPECT_EQ(site.state()->lsn, before);
  EXPECT_EQ(nodes(), 2U);
}

TEST_F(WebRules, ARehearsalCarriesOverAnImportWhoseFileIsGone) {
  for (const auto& each :
       std::filesystem::recursive_directory_iterator(site.node().file("uploads")))
    if (each.is_regular_file()) std::filesystem::remove(each.path());
  browser.post("rules", disabled(removing("urn:a")));
  std::string file = browser.get("rulesets/export").body;
  enable(file);
  const std::vector<json::value> documents = rehearsal(file);
  ASSERT_EQ(documents.size(), 3U);
  EXPECT_EQ(documents[1].at("import").at("outcome"), "carried_over");
  EXPECT_NE(documents[1].at("import").at("reason").as_string().find("stored upload is missing"),
            std::string::npos);
  EXPECT_EQ(documents[1].at("import").at("deleted"), 1) << "the rules ran on it all the same";
  EXPECT_EQ(documents[2].at("end").at("imports").at("carried_over"), 1);
}

TEST_F(WebRules, ARehearsalIsRefusedWithoutATimeOrAFile) {
  EXPECT_EQ(browser.send(Method::post, "rulesets/rehearsal", "[]").code(), "invalid-input");
  EXPECT_EQ(browser.send(Method::post, "rulesets/rehearsal?since=4242", "[]").status, 404);
  EXPECT_EQ(browser.send(Method::post, "rulesets/rehearsal?since=0", "{").code(), "invalid-file");
}

TEST_F(WebRules, ARehearsalIsRefusedWhereOthersAreUnderWay) {
  std::vector<std::shared_ptr<void>> places;
  for (std::size_t i = 0; i < web::kRehearsalsMax; ++i)
    places.push_back(site.site().rehearsals.take());
  EXPECT_EQ(browser.send(Method::post, "rulesets/rehearsal?since=0", "[]").status, 503);
  places.pop_back();
  EXPECT_EQ(browser.send(Method::post, "rulesets/rehearsal?since=0", "[]").status, 200);
  EXPECT_EQ(browser.send(Method::post, "rulesets/rehearsal?since=0", "[]").status, 200)
      << "the place of the one before is free again";
}

TEST_F(WebRules, WhatIsTypedIsTriedWithoutBeingStored) {
  const std::uint64_t stored = browser.create("rules", disabled(removing("urn:a")));
  const Lsn before = site.state()->lsn;
  const json::value fresh = browser.post("rules/try", removing("urn:b")).json();
  EXPECT_EQ(fresh.at("matches").at(0).at("id"), "urn:b") << fresh;
  EXPECT_EQ(fresh.at("deleted"), 1);
  EXPECT_EQ(fresh.at("items").as_array().size(), 1U);
  const std::string path = "rules/" + std::to_string(stored) + "/try";
  json::object typed = removing("urn:b");
  typed["name"] = "remove urn:a";
  EXPECT_EQ(browser.post(path, typed).json().at("matches").at(0).at("id"), "urn:b");
  EXPECT_EQ(browser.post(path).json().at("matches").at(0).at("id"), "urn:a");
  EXPECT_EQ(site.state()->lsn, before);
}

TEST_F(WebRules, WhatIsTypedIsRefusedAsWhenItIsSaved) {
  const auto field_of = [&](json::object rule) {
    return std::string(browser.post("rules/try", rule).json().at("error").at("field").as_string());
  };
  json::object rule = removing("urn:a");
  rule["name"] = "";
  EXPECT_EQ(field_of(rule), "name");
  EXPECT_EQ(field_of({{"ruleset", 4242}, {"name", "x"}, {"criteria", json::array()}}), "actions");
  EXPECT_EQ(browser.post("rules/try").status, 400) << "an empty form is no rule";
}

TEST_F(WebRules, ACloneIsDisabled) {
  const std::uint64_t rule = browser.create("rules", removing("urn:a"));
  const json::value clone = browser.post("rules/" + std::to_string(rule) + "/clone").json();
  EXPECT_EQ(clone.at("enabled"), false);
  EXPECT_EQ(clone.at("name"), "remove urn:a 1");
}

}  // namespace
}  // namespace netml::admin
