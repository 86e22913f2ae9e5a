// Records edited manually (docs/requirements/administration.md, section 5): lists with search,
// filter, order and pages; forms; what its deletion changes; its history.
#include <gtest/gtest.h>

#include "tests/admin/support/coast_site.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using testing::Reply;

class WebRecords : public testing::CoastSite {
 protected:
  WebRecords() : CoastSite(engine::Role::editor) {}
  static std::string path(const char* collection, std::uint64_t number) {
    return collection + ("/" + std::to_string(number));
  }
  std::string field_refused(const std::string& collection, const json::object& fields) {
    const Reply reply = browser.post(collection, fields);
    EXPECT_TRUE(reply.status == 400 || reply.status == 409) << reply.body;
    const json::value answer = reply.json();
    const json::value* field = answer.at("error").as_object().if_contains("field");
    return field == nullptr ? "" : std::string(field->as_string());
  }
  std::vector<std::string> names(const std::string& query) {
    std::vector<std::string> found;
    const json::value answer = browser.get(query).json();
    for (const json::value& item : answer.at("items").as_array())
      found.emplace_back(item.at("name").as_string());
    return found;
  }
};

using Names = std::vector<std::string>;

TEST_F(WebRecords, AreLeftAloneWhereAPreviewIsAskedForThatThereIsNot) {
  const std::string tower = path("nodes", node("Tower"));
  EXPECT_EQ(browser.del(tower + "?preview=true").status, 400);
  EXPECT_EQ(browser.put(tower + "?preview=true", fields_of("Mast")).status, 400);
  EXPECT_EQ(browser.post("nodes?preview=true", fields_of("Mast")).status, 400);
  const json::object chosen{{"numbers", {node("Mast")}}};
  for (const char* almost : {"True", "1", "yes", ""})
    EXPECT_EQ(browser.post(std::string("nodes/delete?preview=") + almost, chosen).status, 400);
  EXPECT_EQ(names("nodes?sort=name"), (Names{"Mast", "Tower"}));
}

TEST_F(WebRecords, HaveAllTheirFields) {
  json::object fields = fields_of("Tower");
  fields["id"] = "urn:tower";
  fields["short_name"] = "TW";
  fields["latitude"] = "44.650000";
  fields["longitude"] = -63.57;
  fields["altitude"] = "12.5";
  fields["unlocode"] = "CAHAL";
  fields["address"] = "Pier 1";
  fields["start"] = "2020-01-01T00:00:00Z";
  fields["properties"] = {{{"name", "TAG"}, {"value", "NREN"}}, {{"name", "tag"}, {"value", "x"}}};
  const std::uint64_t number = browser.create("nodes", fields);
  const json::value item = browser.get(path("nodes", number)).json();
  EXPECT_EQ(item.at("id"), "urn:tower");
  EXPECT_EQ(item.at("short_name"), "TW");
  EXPECT_EQ(item.at("latitude"), "44.650000");
  EXPECT_EQ(item.at("longitude"), "-63.570000");
  EXPECT_EQ(item.at("altitude"), "12.500000");
  EXPECT_EQ(item.at("unlocode"), "CAHAL");
  EXPECT_EQ(item.at("start"), "2020-01-01T00:00:00Z");
  EXPECT_TRUE(item.at("end").is_null());
  EXPECT_EQ(item.at("version"), "2024-01-01T00:00:00Z") << "now, unless it is given";
  EXPECT_EQ(item.at("owners").at(0).at("name"), "Harbour");
  EXPECT_EQ(item.at("properties").as_array().size(), 2U);
  EXPECT_EQ(item.at("properties").at(0).at("name"), "tag");
}

TEST_F(WebRecords, GetAnIdFromTheirNameAndShareItWithNobody) {
  const json::value made = browser.get(path("nodes", node("Tower"))).json();
  EXPECT_EQ(made.at("id").as_string().size(), 64U);
  EXPECT_EQ(field_refused("nodes", fields_of("Tower")), "id");
  json::object fields = fields_of("Other");
  fields["id"] = browser.get(path("topologies", topology)).json().at("id");
  EXPECT_EQ(field_refused("nodes", fields), "id") << "of whatever kind the other one is";
}

TEST_F(WebRecords, AreRefusedWithTheFieldThatIsWrong) {
  const auto with = [&](const char* field, const json::value& value) {
    json::object fields = fields_of("n");
    fields[field] = value;
    return fields;
  };
  EXPECT_EQ(field_refused("nodes", with("name", "")), "name");
  EXPECT_EQ(field_refused("nodes", with("topologies", json::array())), "topologies");
  EXPECT_EQ(field_refused("nodes", with("owners", json::array())), "owners");
  EXPECT_EQ(field_refused("nodes", with("owners", {4242})), "owners");
  EXPECT_EQ(field_refused("nodes", with("latitude", "north")), "latitude");
  EXPECT_EQ(field_refused("nodes", with("latitude", "10")), "longitude") << "both, or none";
  EXPECT_EQ(field_refused("nodes", with("start", "yesterday")), "start");
  EXPECT_EQ(field_refused("nodes", with("end", "2020-01-01T00:00:00Z")), "end") << "not alone";
  EXPECT_EQ(field_refused("nodes", with("id", 7)), "id");
  EXPECT_EQ(browser.send(Method::post, "nodes", "[]").status, 400);
  EXPECT_EQ(browser.send(Method::post, "nodes", "{").status, 400);
}

TEST_F(WebRecords, ChangeAsAWholeUnlessTheyMovedMeanwhile) {
  const std::uint64_t number = node("Tower");
  const json::value before = browser.get(path("nodes", number)).json();
  json::object fields = before.as_object();
  fields["name"] = "Spire";
  fields["properties"] = {{{"name", "tag"}, {"value", "new"}}};
  const auto put = [&] {
    return browser.send_if(Method::put, path("nodes", number), before.at("etag"), fields);
  };
  const Reply changed = put();
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(changed.json().at("name"), "Spire");
  EXPECT_EQ(changed.json().at("number"), number);
  EXPECT_EQ(changed.json().at("properties").as_array().size(), 1U);
  const Reply late = put();
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "moved");
}

TEST_F(WebRecords, AreListedSearchedSortedAndCut) {
  for (const char* name : {"Beta", "alpha", "Gamma", "Delta"}) node(name);
  EXPECT_EQ(names("nodes?sort=name"), (Names{"alpha", "Beta", "Delta", "Gamma"}));
  EXPECT_EQ(names("nodes?sort=-name&limit=2"), (Names{"Gamma", "Delta"}));
  EXPECT_EQ(names("nodes?sort=-name&limit=2&cursor=2"), (Names{"Beta", "alpha"}));
  EXPECT_EQ(names("nodes?sort=number"), (Names{"Beta", "alpha", "Gamma", "Delta"}));
  EXPECT_EQ(names("nodes?q=TA&sort=name"), (Names{"Beta", "Delta"}));
  const json::value page = browser.get("nodes?limit=3").json();
  EXPECT_EQ(page.at("total"), 4);
  EXPECT_EQ(page.at("next"), "3");
  EXPECT_EQ(browser.get("nodes?sort=colour").status, 400);
  EXPECT_EQ(browser.get("nodes?limit=x").status, 400);
}

TEST_F(WebRecords, AreFilteredByWhatTheyBelongTo) {
  const std::uint64_t a = node("a");
  const std::uint64_t b = node("b");
  const std::uint64_t c = node("c");
  link("ab", a, b);
  link("bc", b, c);
  EXPECT_EQ(names("links?sort=name&node=" + std::to_string(a)), Names{"ab"});
  EXPECT_EQ(names("links?sort=name&node=" + std::to_string(b)), (Names{"ab", "bc"}));
  const std::uint64_t other =
      browser.create("topologies", {{"name", "Other"}, {"parent", topology}});
  EXPECT_TRUE(names("nodes?topology=" + std::to_string(other)).empty());
  EXPECT_EQ(names("nodes?topology=" + std::to_string(topology)).size(), 3U);
  EXPECT_EQ(names("nodes?owner=" + std::to_string(owner)).size(), 3U);
  EXPECT_TRUE(names("nodes?tag=none").empty());
  EXPECT_EQ(browser.get("nodes?topology=4242").status, 404);
  const json::value item = browser.get(path("topologies", topology)).json();
  EXPECT_EQ(item.at("counts").at("nodes"), 3);
  EXPECT_EQ(item.at("counts").at("topologies"), 1);
}

TEST_F(WebRecords, AreFilteredByATagOnlyWhenOneIsNamed) {
  json::object tagged = fields_of("tagged");
  tagged["properties"] = {{{"name", "tag"}, {"value", "NREN"}}, {{"name", "tag"}, {"value", "x"}}};
  browser.create("nodes", tagged);
  node("plain");
  EXPECT_EQ(names("nodes?sort=name"), (Names{"plain", "tagged"}));
  EXPECT_EQ(names("nodes?sort=name&tag=x"), Names{"tagged"});
}

TEST_F(WebRecords, TellWhatTheirDeletionWouldChangeByTheFormerPathToo) {
  const std::uint64_t a = node("a");
  link("ab", a, node("b"));
  for (const std::string& record : {path("nodes", a), path("topologies", topology)}) {
    const Reply impact = browser.get(record + "/delete-impact");
    ASSERT_EQ(impact.status, 200);
    EXPECT_EQ(browser.get(record + "/falls").body, impact.body);
  }
}

TEST_F(WebRecords, TellWhatTheirDeletionWouldAlsoDelete) {
  const std::uint64_t a = node("a");
  link("ab", a, node("b"));
  const json::value impact = browser.get(path("nodes", a) + "/delete-impact").json();
  EXPECT_EQ(impact.at("links"), 1);
  EXPECT_EQ(impact.at("nodes"), 0) << "the node itself is no news";
  EXPECT_EQ(impact.at("examples").at(0).at("name"), "ab");
  EXPECT_EQ(browser.del(path("nodes", a)).status, 204);
  EXPECT_TRUE(names("links").empty());
  EXPECT_EQ(browser.del(path("nodes", a)).status, 404);
}

TEST_F(WebRecords, TellWhatLosesItsOwnerAndThatTheExportFailsBeforeTheyGo) {
  json::object owned = browser.get(path("topologies", topology)).json().as_object();
  owned["owner"] = owner;
  ASSERT_EQ(browser.put(path("topologies", topology), owned).status, 200);
  const std::uint64_t a = node("a");
  link("ab", a, node("b"));
  const json::value impact = browser.get(path("institutions", owner) + "/falls").json();
  EXPECT_EQ(impact.at("changed"), 4);
  EXPECT_EQ(impact.at("changes").at("nodes"), 2);
  EXPECT_EQ(impact.at("lose_owner").at("topologies"), 1);
  EXPECT_EQ(impact.at("lose_owner").at("links"), 1);
  const json::value& exported = impact.at("export");
  EXPECT_EQ(exported.at("ok"), false);
  EXPECT_EQ(exported.at("detail"), "Export fails: Coast has no owner");
  EXPECT_EQ(exported.at("problems").at(0).at("topology").at("number"), topology);
  EXPECT_EQ(browser.get(path("nodes", a) + "/falls").json().at("export").at("ok"), true);
}

TEST_F(WebRecords, ListAllThatTheirDeletionChanges) {
  for (int i = 0; i < 3; ++i) node("n" + std::to_string(i));
  const std::string changes = path("institutions", owner) + "/delete-impact/changes";
  const json::value all = browser.get(changes).json();
  EXPECT_EQ(all.at("total"), 4) << "the institution and what it owns";
  EXPECT_EQ(all.at("items").at(0).at("action"), "deleted");
  EXPECT_EQ(all.at("items").at(1).at("fields").at(0).at("field"), "owners");
  const json::value page = browser.get(changes + "?limit=3").json();
  EXPECT_EQ(page.at("items").as_array().size(), 3U);
  const std::string next(page.at("next").as_string());
  const json::value rest = browser.get(changes + "?limit=3&cursor=" + next).json();
  EXPECT_EQ(rest.at("items").as_array().size(), 1U);
  EXPECT_TRUE(rest.at("next").is_null());
}

TEST_F(WebRecords, AreDeletedAsPreviewedOrNotAtAll) {
  const std::uint64_t a = node("a");
  const std::uint64_t b = node("b");
  const json::object chosen{{"numbers", {a}}};
  const auto preview = [&] {
    return browser.post("nodes/delete?preview=true", chosen).json().at("etag");
  };
  const json::value before = preview();
  link("ab", a, b);
  EXPECT_EQ(browser.send_if(Method::post, "nodes/delete", before, chosen).code(), "preview-moved");
  EXPECT_EQ(browser.send_if(Method::del, path("nodes", a), before).code(), "preview-moved");
  EXPECT_EQ(names("nodes").size(), 2U);
  EXPECT_EQ(browser.send_if(Method::del, path("nodes", a), preview()).status, 204);
  EXPECT_EQ(names("nodes"), Names{"b"});
}

TEST_F(WebRecords, RememberWhoChangedWhat) {
  const std::uint64_t number = node("Tower");
  json::object fields = browser.get(path("nodes", number)).json().as_object();
  fields["name"] = "Spire";
  ASSERT_EQ(browser.put(path("nodes", number), fields).status, 200);
  const json::array items =
      browser.get(path("nodes", number) + "/history").json().at("items").as_array();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].at("text"), "updated");
  EXPECT_EQ(items[0].at("actor"), "ed");
  EXPECT_EQ(items[0].at("fields").at(0).at("name"), "name");
  EXPECT_EQ(items[0].at("fields").at(0).at("old"), "Tower");
  EXPECT_EQ(items[0].at("fields").at(0).at("new"), "Spire");
  EXPECT_EQ(items[1].at("text"), "created");
}

TEST_F(WebRecords, AreShownAsTheyWere) {
  const std::uint64_t number = node("Tower");
  const Lsn before = site.state()->lsn;
  browser.del(path("nodes", number));
  EXPECT_EQ(browser.get(path("nodes", number)).status, 404);
  const std::string at = "?at=" + std::to_string(before.value);
  EXPECT_EQ(browser.get(path("nodes", number) + at).json().at("name"), "Tower");
  EXPECT_EQ(names("nodes" + at), Names{"Tower"});
}

TEST_F(WebRecords, MarkOneTopologyAsMain) {
  const std::uint64_t other = browser.create("topologies", {{"name", "Other"}});
  EXPECT_FALSE(browser.get(path("topologies", other)).json().at("is_main").as_bool());
  EXPECT_EQ(browser.post(path("topologies", other) + "/main").json().at("is_main"), true);
  EXPECT_FALSE(browser.get(path("topologies", topology)).json().at("is_main").as_bool());
  EXPECT_EQ(browser.post("topologies/4242/main").status, 404);
}

TEST_F(WebRecords, OfferChoicesForSearchBoxes) {
  browser.create("topologies", {{"name", "Bay"}, {"parent", topology}});
  const json::array found = browser.get("choices/topologies?q=bay").json().at("items").as_array();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].at("path"), "Coast ==> Bay");
  for (int i = 0; i < 25; ++i) node("n" + std::to_string(i));
  EXPECT_EQ(browser.get("choices/nodes").json().at("items").as_array().size(), 20U);
}

}  // namespace
}  // namespace netml::admin
