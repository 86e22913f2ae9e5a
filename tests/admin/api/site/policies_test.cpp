// Redundancy policies that are stored: the collection, and what is asked about them (docs/api.md,
// section "Redundancy").
#include <gtest/gtest.h>

#include "tests/admin/support/open_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using test::institution;
using test::link;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

class WebPolicies : public ::testing::Test {
 protected:
  WebPolicies() {
    site.add_account("vera", engine::Role::viewer);
    site.add_account("ada", engine::Role::admin);
    viewer.sign_in("vera");
    admin.sign_in("ada");
  }

  // As many links from the campus to the core. The radio mast is there or not, and matters to
  // nobody.
  void import(int links, bool mast = false) {
    TopologyText map("urn:t", "urn:net");
    map.add(institution("urn:net"))
        .add(institution("urn:campus").named("Campus").with("tag", "campus"))
        .add(node("urn:a").owned_by("urn:campus"))
        .add(node("urn:core")
                 .named(mast ? "Core with a mast" : "Core")
                 .owned_by("urn:net")
                 .with("tag", "core"));
    for (int i = 0; i < links; ++i)
      map.add(link("urn:" + std::to_string(i), "urn:a", "urn:core").owned_by("urn:net"));
    ImportRequest request;
    request.place = ImportPlace::top_level;
    ASSERT_TRUE(testing::import_job(*site.node(), map, request)->commit());
  }
  std::string lsn() { return std::to_string(site.state()->lsn.value); }

  static json::object policy(int routes = 2) {
    return {{"who", {{"kind", "institution"}, {"tag", "campus"}}},
            {"to", {{"kind", "node"}, {"tag", "core"}}},
            {"routes", routes}};
  }
  static json::object entry(const std::string& name, int routes = 2) {
    return {{"name", name}, {"policy", policy(routes)}};
  }
  json::value asked(const std::string& path) {
    const Reply reply = viewer.get(path);
    EXPECT_EQ(reply.status, 200) << path << ' ' << reply.body;
    return reply.json();
  }
  // Which field is wrong.
  std::string wrong(const json::object& body) {
    const Reply reply = admin.post("policies", body);
    EXPECT_EQ(reply.status / 100, 4) << reply.body;
    const json::value answer = reply.json();
    const json::value* const field = answer.at("error").as_object().if_contains("field");
    return field == nullptr ? "" : std::string(field->as_string());
  }

  OpenSite site;
  Browser viewer{site};
  Browser admin{site};
};

TEST_F(WebPolicies, AreAddedChangedAndDeleted) {
  const std::string one = "policies/" + std::to_string(admin.create("policies", entry("Two ways")));
  json::value stored = asked(one);
  EXPECT_EQ(stored.at("name"), "Two ways");
  EXPECT_EQ(stored.at("on_import"), "report");
  EXPECT_EQ(stored.at("enabled"), true);
  EXPECT_EQ(stored.at("policy").at("routes"), 2);
  EXPECT_EQ(stored.at("policy").at("disjoint"), "links");  // what it left out
  json::object changed = stored.as_object();
  changed["name"] = "Ways out";
  changed["on_import"] = "hold";
  changed["enabled"] = false;
  EXPECT_EQ(admin.put(one, changed).status, 200);
  stored = asked("policies?q=ways").at("items").at(0);
  EXPECT_EQ(stored, json::value(changed));
  EXPECT_EQ(admin.del(one).status, 204);
  EXPECT_EQ(viewer.get(one).status, 404);
  EXPECT_EQ(asked("policies").at("total"), 0);
}

TEST_F(WebPolicies, TakeTheNameThatThePolicyHas) {
  json::object named = policy();
  named["name"] = "Two ways";
  const std::uint64_t number = admin.create("policies", {{"policy", named}});
  const json::value stored = asked("policies/" + std::to_string(number));
  EXPECT_EQ(stored.at("name"), "Two ways");
  EXPECT_FALSE(stored.at("policy").as_object().contains("name"));
  EXPECT_EQ(wrong({{"name", "Ways"}, {"policy", named}}), "policy.name");
  EXPECT_EQ(wrong({{"policy", named}}), "name");  // there is one
}

TEST_F(WebPolicies, NameTheFieldThatIsWrong) {
  EXPECT_EQ(wrong({{"name", "x"}}), "policy");
  EXPECT_EQ(wrong({{"name", "x"}, {"policy", "none"}}), "policy");
  EXPECT_EQ(wrong({{"policy", policy()}}), "name");
  EXPECT_EQ(wrong({{"name", std::string(129, 'x')}, {"policy", policy()}}), "name");
  EXPECT_EQ(wrong(entry("x", 17)), "policy.routes");
  json::object body = entry("x");
  body["policy"].as_object()["who"].as_object()["kind"] = "link";
  EXPECT_EQ(wrong(body), "policy.who.kind");
  body = entry("x");
  body["on_import"] = "refuse";
  EXPECT_EQ(wrong(body), "on_import");
  body = entry("x");
  body["enabeld"] = false;
  EXPECT_EQ(wrong(body), "enabeld");
  body = entry("x");
  body["policy"].as_object()["to"].as_object()["ids"] = json::array{std::string(100'000, 'x')};
  EXPECT_EQ(wrong(body), "policy");
  EXPECT_EQ(site.state()->catalog.policies.count(), 0U);
}

TEST_F(WebPolicies, AreReadByViewersAndChangedByAdministrators) {
  const std::uint64_t number = admin.create("policies", entry("Two ways"));
  const std::string one = "policies/" + std::to_string(number);
  EXPECT_EQ(viewer.post("policies", entry("Mine")).status, 403);
  EXPECT_EQ(viewer.put(one, entry("Mine")).status, 403);
  EXPECT_EQ(viewer.del(one).status, 403);
  EXPECT_EQ(Browser(site).get("policies").status, 401);
  EXPECT_EQ(Browser(site).get("redundancy").status, 401);
}

TEST_F(WebPolicies, SayOfEachElementWhetherItMeetsThem) {
  import(1);
  admin.create("policies", entry("Two ways"));
  admin.create("policies", entry("One way", 1));
  const json::value states = asked("redundancy?elements=true");
  const json::value& two = states.at("items").at(0).at("elements");
  EXPECT_EQ(two.at("kind"), "institutions");
  EXPECT_EQ(two.at("omitted"), 0);
  ASSERT_EQ(two.at("below").as_array().size(), 1U);
  EXPECT_TRUE(two.at("met").as_array().empty());
  const json::value& one = states.at("items").at(1).at("elements");
  EXPECT_EQ(one.at("met"), two.at("below"));
  const std::string number = json::serialize(two.at("below").at(0));
  EXPECT_EQ(asked("institutions/" + number).at("name"), "Campus");
}

TEST_F(WebPolicies, SayHowTheMapStandsToThem) {
  import(2);
  const std::string before = lsn();
  import(1);
  const std::string number = std::to_string(admin.create("policies", entry("Two ways")));
  admin.create("policies", entry("One way", 1));
  json::object off = entry("Three ways", 3);
  off["enabled"] = false;
  admin.create("policies", off);
  const json::value states = asked("redundancy");
  EXPECT_EQ(states.at("items").as_array().size(), 2U);
  EXPECT_EQ(states.at("items").at(0).at("name"), "Two ways");
  EXPECT_EQ(states.at("items").at(0).at("below"), 1);
  EXPECT_EQ(states.at("items").at(1).at("met"), 1);
  EXPECT_EQ(states.at("below"), 1);
  EXPECT_EQ(asked("redundancy?at=" + before).at("below"), 0);
  const json::value found = asked("policies/" + number + "/check");
  EXPECT_EQ(found.at("policy").at("name"), "Two ways");
  EXPECT_EQ(found.at("items").at(0).at("cut").at("links").as_array().size(), 1U);
  EXPECT_EQ(asked("policies/" + number + "/check?at=" + before).at("below"), 0);
  EXPECT_EQ(viewer.get("policies/99/check").status, 404);
}

TEST_F(WebPolicies, SaySinceWhenWhoIsBelowThem) {
  import(2);
  import(2, true);  // another name, the same routes
  import(1);
  const std::string cut = lsn();
  import(2);
  const std::string mended = lsn();
  import(1);
  const std::string path =
      "policies/" + std::to_string(admin.create("policies", entry("Two ways"))) + "/history";
  const json::value history = asked(path);
  const json::array& items = history.at("items").as_array();
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(std::to_string(items.at(0).at("lsn").to_number<int>()), cut);
  EXPECT_EQ(items.at(0).at("element").at("id"), "urn:campus");
  EXPECT_EQ(items.at(0).at("before").at("at_least"), 2);
  EXPECT_EQ(items.at(0).at("after").at("state"), "below");
  EXPECT_EQ(items.at(1).at("after").at("state"), "met");
  EXPECT_EQ(items.at(2).at("after").at("at_most"), 1);
  // The empty map, and five imports less the one that changed no route.
  EXPECT_EQ(history.at("versions_checked"), 5);
  EXPECT_GT(history.at("transactions").to_number<int>(), 5);
  const json::value later = asked(path + "?from=" + cut + "&until=" + mended);
  ASSERT_EQ(later.at("items").as_array().size(), 2U);  // as it began, and what changed
  EXPECT_EQ(later.at("items").at(0).at("before"), nullptr);
  EXPECT_EQ(viewer.get(path + "?from=3&until=2").status, 400);
}

TEST_F(WebPolicies, SaySinceWhenOneElementHasItsRoutes) {
  import(2);
  import(1);
  const auto history = [&](const std::string& query) {
    return viewer.post("redundancy/history" + query, policy());
  };
  const json::value one = history("?element=urn:campus").json();
  ASSERT_EQ(one.at("items").as_array().size(), 2U);  // it came, and lost a route
  EXPECT_EQ(one.at("items").at(0).at("before"), nullptr);
  EXPECT_EQ(one.at("items").at(0).at("after").at("state"), "met");
  EXPECT_EQ(history("?element=urn:nobody").status, 404);
  json::object of_one = policy();
  of_one["who"].as_object()["ids"] = json::array{"urn:campus"};
  EXPECT_EQ(viewer.post("redundancy/history?element=urn:net", of_one).status, 400);
}

}  // namespace
}  // namespace netml::admin
