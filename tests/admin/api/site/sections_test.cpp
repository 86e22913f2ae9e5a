// Imports with plans, rules, publications, activity and events over /api/v1/.
#include <gtest/gtest.h>

#include <semaphore>

#include "engine/import/plan_polls.hpp"
#include "net/http/body_sources.hpp"
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

class WebSections : public ::testing::Test {
 protected:
  WebSections() {
    site.add_account("ed", engine::Role::editor);
    browser.sign_in("ed");
  }
  static std::string coast() {
    return TopologyText("urn:coast", "urn:i")
        .named("Coast")
        .add(institution("urn:i"))
        .add(node("urn:a").owned_by("urn:i"))
        .add(node("urn:b").owned_by("urn:i"));
  }
  std::uint64_t count(Kind kind) { return site.state()->graph.count(kind); }

  OpenSite site;
  Browser browser{site};
};

// ---- imports ----

TEST_F(WebSections, AFileIsTakenAtOnceAndImportedInItsTurn) {
  const Reply taken = browser.upload(coast());
  ASSERT_EQ(taken.status, 202) << taken.body;
  EXPECT_EQ(taken.json().at("number"), 1);
  EXPECT_EQ(browser.get("imports/1").json().at("state"), "in_progress");
  EXPECT_EQ(browser.get("tasks").json().at("running").as_array().size(), 1U);
  EXPECT_TRUE(site.queue().import_waiting());
  const json::value done = browser.get("imports/1").json();
  EXPECT_EQ(done.at("state"), "complete") << done;
  EXPECT_EQ(done.at("source"), "admin");
  EXPECT_EQ(done.at("sender"), "ed");
  EXPECT_EQ(done.at("counts").at("nodes").at("imported"), 2);
  EXPECT_EQ(done.at("lsn"), site.state()->lsn.value);
  EXPECT_EQ(count(Kind::node), 2U);
  EXPECT_EQ(browser.get("imports?state=complete").json().at("total"), 1);
}

TEST_F(WebSections, ImportsAreListedTheNewestFirst) {
  for (int i = 0; i < 3; ++i) {
    browser.upload(coast());
    site.queue().import_waiting();
  }
  const json::value page = browser.get("imports?limit=2&sort=-number").json();
  EXPECT_EQ(page.at("total"), 3);
  EXPECT_EQ(page.at("next"), "2");
  json::object newest = browser.get("imports/3").json().as_object();
  newest.erase("lsn");
  EXPECT_EQ(json::serialize(page.at("items").at(0)), json::serialize(newest));
  EXPECT_EQ(page.at("items").at(1).at("number"), 2);
  const json::value found = browser.get("imports?q=status&sender=ed&sort=number&limit=1").json();
  EXPECT_EQ(found.at("total"), 3) << "all logs say it";
  EXPECT_EQ(found.at("items").at(0).at("number"), 1);
  EXPECT_EQ(browser.get("imports?sender=nobody").json().at("total"), 0);
}

TEST_F(WebSections, PollsAreListedTheNewestFirst) {
  for (int i = 0; i < 3; ++i) {
    Change change{.caller = {}, .cause = engine::Cause::poll};
    change.plan = [](const engine::State& state, WallTime) {
      return Result<engine::Transaction>(plan_poll_batch(state, {}, {}, 9));
    };
    ASSERT_TRUE(site.node()->commit(std::move(change)).has_value());
  }
  const json::value page = browser.get("polls?limit=2").json();
  EXPECT_EQ(page.at("total"), 3);
  EXPECT_EQ(page.at("items").at(0), browser.get("polls/3").json());
  EXPECT_EQ(page.at("items").at(1).at("number"), 2);
  EXPECT_EQ(browser.get("polls?complete=true").json().at("total"), 0);
  EXPECT_EQ(browser.get("polls?complete=false&cursor=2").json().at("items").at(0).at("number"), 1);
  EXPECT_EQ(browser.get("polls?q=x").json().at("total"), 0) << "nothing of them is searched";
}

TEST_F(WebSections, APlanIsShownThenDone) {
  const Reply planned = browser.upload(coast(), {{"plan", "true"}});
  ASSERT_EQ(planned.status, 202) << planned.body;
  EXPECT_EQ(count(Kind::node), 0U);
  EXPECT_EQ(planned.json().at("plan").at("created"), 5);
  const std::string plan = "plans/" + json::serialize(planned.json().at("plan").at("id"));
  const json::value first = browser.get(plan + "/changes?limit=3").json();
  EXPECT_EQ(first.at("total"), 5);
  EXPECT_EQ(first.at("items").as_array().size(), 3U);
  EXPECT_EQ(first.at("next"), "3");
  EXPECT_EQ(browser.get(plan + "/changes?limit=3&cursor=3").json().at("items").as_array().size(),
            2U);
  EXPECT_EQ(browser.get(plan).json().at("elements"), 5);
  EXPECT_EQ(browser.post(plan + "/apply").status, 200);
  EXPECT_EQ(count(Kind::node), 2U);
  EXPECT_EQ(browser.get("plans").json().at("total"), 0) << "it is used up";
}

TEST_F(WebSections, APlanAndAnImportNameTheFormatOfTheirFile) {
  const std::string graph =
      R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">)"
      R"(<node id="a"/></graph></graphml>)";
  const Reply planned = browser.upload(graph, {{"plan", "true"}}, "by_bytes.xml");
  ASSERT_EQ(planned.status, 202) << planned.body;
  EXPECT_EQ(planned.json().at("plan").at("format"), "graphml");
  EXPECT_EQ(browser.get("plans").json().at("items").at(0).at("format"), "graphml");
  EXPECT_EQ(browser.get("plans/1").json().at("format"), "graphml");
  browser.upload(graph, {}, "by_name.graphml");
  browser.upload(coast());
  browser.upload("name\nA\n", {{"map", "name=identifier"}}, "sites.csv");
  const auto format = [&](const std::string& number, const char* field) {
    return browser.get("imports/" + number).json().at(field);
  };
  EXPECT_EQ(format("1", "format"), "graphml");
  EXPECT_EQ(format("2", "format"), "netml");
  EXPECT_EQ(format("2", "format_parameters"), "");
  EXPECT_EQ(format("3", "format"), "csv");
  EXPECT_EQ(format("3", "format_parameters"), R"(map="name=identifier")");
  EXPECT_EQ(browser.get("imports?format=graphml").json().at("total"), 1);
}

TEST_F(WebSections, AFileOfSeveralFormatsIsRefusedWithThePartThatNamesOne) {
  const json::value error = browser.upload(R"({"a":1})", {}, "map.json").json().at("error");
  EXPECT_EQ(error.at("field"), "file");
  EXPECT_TRUE(error.at("message").as_string().ends_with("; name one as 'format'")) << error;
}

TEST_F(WebSections, TheCountsOfAPlanAreThoseOfItsList) {
  browser.upload(coast());
  site.queue().import_waiting();
  const Reply planned = browser.upload(coast(), {{"plan", "true"}, {"parent", "keep"}});
  const std::string path = "plans/" + json::serialize(planned.json().at("plan").at("id"));
  EXPECT_EQ(planned.json().at("plan").at("deleted"), 0);
  EXPECT_EQ(browser.get("plans").json().at("items").at(0).at("deleted"), 0);
  const json::value plan = browser.get(path).json();
  EXPECT_EQ(plan.at("elements"), 0) << "the same file once more";
  EXPECT_EQ(plan.at("created"), 0);
  EXPECT_EQ(plan.at("deleted"), 0);
}

TEST_F(WebSections, APlanForetellsThatTheExportFails) {
  const json::object set{{"name", "mine"}};
  const json::object rule{
      {"ruleset", browser.post("rulesets", set).json().at("number")},
      {"name", "remove urn:i"},
      {"criteria",
       {{{"type", "Match Institutions by ID"}, {"infos", {{{"key", "ID"}, {"value", "urn:i"}}}}}}},
      {"actions", {{{"type", "Delete Institution"}, {"infos", json::array()}}}}};
  ASSERT_EQ(browser.post("rules", rule).status, 201);
  const Reply planned = browser.upload(coast(), {{"plan", "true"}});
  const std::string path = "plans/" + json::serialize(planned.json().at("plan").at("id"));
  const json::value plan = browser.get(path).json();
  EXPECT_EQ(plan.at("export").at("detail"), "Export fails: Coast has no owner");
}

TEST_F(WebSections, APlanThatNoLongerFitsSaysSoAndIsPlannedAgain) {
  const Reply planned = browser.upload(coast(), {{"plan", "true"}});
  const std::string plan = "plans/" + json::serialize(planned.json().at("plan").at("id"));
  EXPECT_TRUE(browser.get(plan).json().at("stale").is_null());
  browser.upload(coast());
  site.queue().import_waiting();
  const json::value stale = browser.get(plan).json();
  EXPECT_EQ(stale.at("moved_count"), 4) << "the institution of all is none";
  const json::value refused = browser.post(plan + "/apply").json().at("error");
  EXPECT_EQ(refused.at("message"), stale.at("stale")) << "said before, and when it is refused";
  const json::value again = browser.post(plan + "/again").json();
  EXPECT_EQ(again.at("difference_count"), 4);
  EXPECT_EQ(again.at("differences").at(0).at("planned").at("action"), "created");
  EXPECT_TRUE(again.at("differences").at(0).at("now").is_null());
  EXPECT_TRUE(browser.get(plan).json().at("stale").is_null());
}

TEST_F(WebSections, AKnownNetworkStaysWhereItIsWhenTheFormAsksForThat) {
  const auto plan_of = [&](const Browser::FormFields& fields, const std::string& file) {
    const Reply planned = browser.upload(file, fields);
    EXPECT_EQ(planned.status, 202) << planned.body;
    const std::string plan = "plans/" + json::serialize(planned.json().at("plan").at("id"));
    return std::pair(plan, browser.get(plan).json());
  };
  const std::string world =
      TopologyText("urn:world", "urn:w").named("World").add(institution("urn:w"));
  browser.upload(world);
  site.queue().import_waiting();
  const auto [first, new_one] = plan_of({{"plan", "true"}, {"parent", "keep"}}, coast());
  EXPECT_EQ(new_one.at("parent"), "urn:world") << "a new one goes below the main topology";
  EXPECT_TRUE(new_one.at("moves").as_array().empty());
  ASSERT_EQ(browser.post(first + "/apply").status, 200);

  const auto [kept, again] = plan_of({{"plan", "true"}, {"parent", "keep"}}, coast());
  EXPECT_EQ(again.at("parent_name"), "World");
  EXPECT_TRUE(again.at("moves").as_array().empty());
  EXPECT_EQ(again.at("updated"), 0);

  const auto [moved, away] = plan_of({{"plan", "true"}}, coast());
  const json::value& move = away.at("moves").at(0);
  EXPECT_EQ(move.at("topology").at("name"), "Coast");
  EXPECT_EQ(move.at("from").at("id"), "urn:world");
  EXPECT_TRUE(move.at("to").is_null());
  EXPECT_EQ(move.at("leaves_export"), true);
  EXPECT_EQ(move.at("text"),
            "Coast <urn:coast> moves from World <urn:world> to the top level, and leaves the "
            "export");
}

TEST_F(WebSections, APlanThatNoLongerFitsIsRefusedWithWhatMoved) {
  const Reply planned = browser.upload(coast(), {{"plan", "true"}});
  browser.upload(coast());
  site.queue().import_waiting();
  const Reply late =
      browser.post("plans/" + json::serialize(planned.json().at("plan").at("id")) + "/apply");
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.code(), "moved");
  EXPECT_EQ(browser.del("plans/1").status, 204);
}

TEST_F(WebSections, AFileThatCannotBeReadTellsAllThatIsWrong) {
  const Reply refused = browser.upload("<not a map", {{"plan", "true"}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "invalid-file");
  EXPECT_FALSE(refused.json().at("error").at("errors").as_array().empty());
}

TEST_F(WebSections, AFormWithoutWhatIsNeededIsRefused) {
  EXPECT_EQ(browser.upload("x", {}, "map.pdf").json().at("error").at("field"), "file");
  EXPECT_EQ(browser.upload(coast(), {{"parent", "77"}}).json().at("error").at("field"), "parent");
  EXPECT_EQ(browser.upload("x", {}, "map.xlsx").json().at("error").at("field"), "topology_name");
  net::Request request = browser.request(Method::post, "imports");
  EXPECT_EQ(site.send(request, "{}").status, 400);
  EXPECT_EQ(site.state()->catalog.imports.count(), 0U);
}

TEST_F(WebSections, AnImportGoesBelowTheParentThatIsChosen) {
  browser.upload(coast());
  site.queue().import_waiting();
  const engine::StatePtr state = site.state();
  const RecordId parent = state->graph.find_newest(Kind::topology, "urn:coast");
  const std::string other = TopologyText("urn:bay", "urn:j").named("Bay").add(institution("urn:j"));
  browser.upload(other, {{"parent", std::to_string(state->graph.number(parent).value)}});
  site.queue().import_waiting();
  const engine::StatePtr after = site.state();
  const RecordId bay = after->graph.find_newest(Kind::topology, "urn:bay");
  EXPECT_EQ(after->graph.relations(bay).parent(), parent);
  browser.upload(TopologyText("urn:far", "urn:k").named("Far").add(institution("urn:k")));
  site.queue().import_waiting();
  const RecordId far = site.state()->graph.find_newest(Kind::topology, "urn:far");
  EXPECT_FALSE(site.state()->graph.relations(far).parent()) << "none is the top level";
}

TEST_F(WebSections, AnUpdateSetsValuesOfTheTopologyThatIsChosen) {
  browser.upload(coast());
  site.queue().import_waiting();
  const engine::StatePtr state = site.state();
  const std::string coast = std::to_string(
      state->graph.number(state->graph.find_newest(Kind::topology, "urn:coast")).value);
  const Browser::FormFields update{{"map", "Nom=name\r\nCode=identifier"}, {"update", coast}};
  const Reply taken = browser.upload("Code;Nom\nurn:a;A\n", update, "new.csv");
  ASSERT_EQ(taken.status, 202) << taken.body;
  EXPECT_TRUE(site.queue().import_waiting());
  EXPECT_EQ(browser.get("imports/1").json().at("state"), "complete");
  const json::value done = browser.get("imports/2").json();
  EXPECT_EQ(done.at("state"), "complete") << done;
  EXPECT_EQ(done.at("parent").at("name"), "Coast");
  EXPECT_EQ(count(Kind::node), 2U);
  const engine::StatePtr after = site.state();
  EXPECT_EQ(after->graph.attributes(after->graph.find_newest(Kind::node, "urn:a")).name(), "A");
}

TEST_F(WebSections, AnUpdateThatDoesNotFitIsRefusedWithItsCells) {
  browser.upload(coast());
  site.queue().import_waiting();
  const engine::StatePtr state = site.state();
  const std::string coast = std::to_string(
      state->graph.number(state->graph.find_newest(Kind::topology, "urn:coast")).value);
  const auto refusal = [&](Browser::FormFields fields, const std::string& name = "new.csv") {
    fields.emplace_back("plan", "true");
    const Reply refused = browser.upload("identifier,name\nurn:a,A\nurn:c,C\n", fields, name);
    EXPECT_GE(refused.status, 400) << refused.body;
    return refused.json().at("error");
  };
  const json::value misfit = refusal({{"update", coast}});
  EXPECT_EQ(misfit.at("code"), "invalid-file");
  EXPECT_EQ(misfit.at("errors").at(0).at("line"), 3);
  EXPECT_EQ(misfit.at("errors").at(0).at("id"), "urn:c");
  EXPECT_EQ(refusal({{"update", "77"}}).at("field"), "update");
  EXPECT_EQ(refusal({{"update", coast}}, "map.graphml").at("field"), "update");
  EXPECT_EQ(refusal({{"update", coast}, {"owner", "me"}}).at("field"), "owner");
  EXPECT_EQ(refusal({{"map", "name"}}).at("field"), "map");
  EXPECT_EQ(refusal({{"map", "x=name"}}, "map.graphml").at("field"), "map");
}

// ---- rules ----

json::object rule_fields(std::uint64_t ruleset, const std::string& id) {
  return {
      {"ruleset", ruleset},
      {"name", "remove " + id},
      {"enabled", false},
      {"criteria", {{{"type", "Match Nodes by ID"}, {"infos", {{{"key", "ID"}, {"value", id}}}}}}},
      {"actions", {{{"type", "Delete Node"}, {"infos", json::array()}}}}};
}

TEST_F(WebSections, ARuleIsMadeTriedAppliedClonedAndDeleted) {
  browser.upload(coast());
  site.queue().import_waiting();
  const Reply set = browser.post("rulesets", {{"name", "mine"}, {"priority", 5}});
  ASSERT_EQ(set.status, 201) << set.body;
  const auto ruleset = set.json().at("number").to_number<std::uint64_t>();
  const Reply made = browser.post("rules", rule_fields(ruleset, "urn:a"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.json().at("healthy"), true) << made.body;
  const std::string rule = "rules/" + json::serialize(made.json().at("number"));
  const json::value tried = browser.post(rule + "/try").json();
  EXPECT_EQ(tried.at("matched"), 1);
  EXPECT_EQ(tried.at("matches").at(0).at("id"), "urn:a");
  EXPECT_EQ(tried.at("deleted"), 1);
  EXPECT_EQ(count(Kind::node), 2U) << "trying changes nothing";
  EXPECT_EQ(browser.post(rule + "/apply").json().at("deleted"), 1);
  EXPECT_EQ(count(Kind::node), 1U);
  const Reply clone = browser.post(rule + "/clone");
  EXPECT_EQ(clone.status, 201);
  EXPECT_EQ(clone.json().at("name"), "remove urn:a 1");
  json::object changed = rule_fields(ruleset, "urn:b");
  changed["enabled"] = true;
  EXPECT_EQ(browser.put(rule, changed).json().at("name"), "remove urn:b");
  EXPECT_EQ(count(Kind::node), 0U) << "an enabled rule runs after the change";
  EXPECT_EQ(browser.del(rule).status, 200);
  EXPECT_EQ(browser.del("rulesets/" + std::to_string(ruleset)).status, 200);
  EXPECT_EQ(browser.get("rules/4242").status, 404);
}

TEST_F(WebSections, RulesAreRefusedWithTheFieldThatIsWrong) {
  const auto refused = [&](const json::object& fields) {
    return std::string(browser.post("rules", fields).json().at("error").at("field").as_string());
  };
  json::object fields = rule_fields(1, "urn:a");
  fields["criteria"] = json::array();
  EXPECT_EQ(refused(fields), "criteria");
  fields = rule_fields(4242, "urn:a");
  EXPECT_EQ(refused(fields), "ruleset");
  fields = rule_fields(1, "urn:a");
  fields["priority"] = 70000;
  EXPECT_EQ(refused(fields), "priority");
  fields = rule_fields(1, "urn:a");
  fields.erase("name");
  EXPECT_EQ(refused(fields), "name");
}

TEST_F(WebSections, RulesetsGoOutAndComeBack) {
  browser.post("rulesets", {{"name", "mine"}});
  const Reply file = browser.get("rulesets/export");
  EXPECT_EQ(file.headers.get("Content-Disposition"),
            "attachment; filename=\"rulesets_2024-01-01T000000.json\"");
  const auto before = browser.get("rulesets").json().at("total");
  EXPECT_EQ(browser.send(Method::post, "rulesets/import", file.body).status, 200);
  EXPECT_EQ(browser.get("rulesets").json().at("total"), before);
  EXPECT_EQ(browser.send(Method::post, "rulesets/import", "{").code(), "invalid-file");
  const json::value types = browser.get("rule-types").json();
  EXPECT_FALSE(types.at("criteria").as_array().empty());
  EXPECT_TRUE(types.at("actions").at(0).at("required").is_array());
}

// ---- publications ----

TEST_F(WebSections, ASnapshotIsPublishedAndDownloaded) {
  EXPECT_EQ(browser.post("publications", {{"name", "first"}, {"description", "d"}}).status, 409)
      << "there is nothing yet";
  const json::value failed = browser.get("publications/1").json();
  EXPECT_EQ(failed.at("state"), "failed");
  EXPECT_NE(failed.at("failure").as_string().find("there is no map yet"), json::string::npos);
  EXPECT_EQ(failed.at("latest"), false);
  EXPECT_EQ(browser.get("publications/1/download").status, 404);
  browser.upload(coast());
  site.queue().import_waiting();
  const auto main = browser.get("topologies").json().at("items").at(0).at("number");
  browser.post("topologies/" + json::serialize(main) + "/main");
  EXPECT_EQ(browser.post("publications", {{"name", "first"}, {"description", ""}}).status, 400);
  const Reply made = browser.post("publications", {{"name", "first"}, {"description", "d"}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.json().at("state"), "success");
  const Reply file = browser.get("publications/2/download");
  EXPECT_EQ(file.status, 200);
  EXPECT_NE(file.headers.get("Content-Disposition").find("published_data_2024"),
            std::string_view::npos);
  EXPECT_EQ(browser.get("publications/9/download").status, 404);
  EXPECT_EQ(browser.get("publications").json().at("total"), 2) << "the one that failed, too";
}

// ---- activity and events ----

TEST_F(WebSections, ActivityTellsTheNewestFirst) {
  browser.upload(coast());
  site.queue().import_waiting();
  const json::array items = browser.get("activity").json().at("items").as_array();
  EXPECT_EQ(items.front().at("lsn"), site.state()->lsn.value);
  EXPECT_EQ(items.front().at("cause"), "import");
}

// What it sends next; empty at the end.
std::string next_event(net::BodySource& stream) {
  while (true) {
    const auto piece = stream.next();
    if (!piece || !piece->empty()) return std::string(piece.value_or(""));
    auto* const waiting = dynamic_cast<net::WaitingSource*>(&stream);
    const auto pause = waiting == nullptr ? std::nullopt : waiting->pause();
    if (!pause) return {};
    std::binary_semaphore rung{0};
    const Bell::Waiting until = pause->bell->wait(pause->rung, [&] { rung.release(); });
    if (!rung.try_acquire_for(pause->at_most)) continue;  // looks again, as a connection does
  }
}

TEST_F(WebSections, EventsTellOfChangesAndEndWithTheSession) {
  const auto stream = site.stream(browser.request(Method::get, "events"));
  ASSERT_NE(stream, nullptr);
  EXPECT_NE(next_event(*stream).find("event: change"), std::string::npos);
  browser.upload(coast());
  EXPECT_NE(next_event(*stream).find("\"step\":\"waiting\""), std::string::npos);
  site.queue().import_waiting();
  std::string sent;
  while (sent.find("\"step\":\"done\"") == std::string::npos) {
    const std::string piece = next_event(*stream);
    ASSERT_FALSE(piece.empty());
    sent += piece;
  }
  browser.del("session");
  while (!next_event(*stream).empty()) {
  }
}

}  // namespace
}  // namespace netml::admin
