// Views that are stored: the collection, who is bound to them, and their preview (docs/api.md,
// section "Redundancy").
#include <gtest/gtest.h>

#include "tests/admin/support/coast_site.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using testing::Browser;
using testing::Reply;

class WebViews : public testing::CoastSite {
 protected:
  WebViews() : CoastSite(engine::Role::admin) {}

  static json::object entry(const std::string& name, const char* steps) {
    return {{"name", name}, {"view", {{"steps", json::parse(steps)}}}};
  }
  std::string stored(const std::string& name = "Public",
                     const char* steps = R"([{"drop": {"kind": "link", "tag": "internal"}}])") {
    return "views/" + std::to_string(browser.create("views", entry(name, steps)));
  }
  json::value asked(const std::string& path) {
    const Reply reply = browser.get(path);
    EXPECT_EQ(reply.status, 200) << path << ' ' << reply.body;
    return reply.json();
  }
  static std::string field_of(const Reply& reply) {
    EXPECT_EQ(reply.status / 100, 4) << reply.body;
    const json::value answer = reply.json();
    const json::value* const field = answer.at("error").as_object().if_contains("field");
    return field == nullptr ? "" : std::string(field->as_string());
  }
};

TEST_F(WebViews, AreAddedChangedAndDeleted) {
  const std::string one = stored();
  json::value view = asked(one);
  EXPECT_EQ(view.at("name"), "Public");
  EXPECT_EQ(view.at("view").at("steps").as_array().size(), 1U);
  EXPECT_EQ(view.at("public_map"), false);
  EXPECT_EQ(browser.put(one, entry("Everybody", R"([{"round": {"degrees": 1}}])")).status, 200);
  EXPECT_EQ(asked("views?q=every").at("items").at(0).at("name"), "Everybody");
  EXPECT_EQ(browser.post("views", entry("Everybody", "[]")).status, 409);
  EXPECT_EQ(browser.del(one).status, 204);
  EXPECT_EQ(asked("views").at("total"), 0);
}

TEST_F(WebViews, NameTheFieldThatIsWrong) {
  EXPECT_EQ(field_of(browser.post("views", {{"name", "x"}})), "view");
  EXPECT_EQ(field_of(browser.post("views", entry("", "[]"))), "name");
  EXPECT_EQ(field_of(browser.post("views", entry("x", R"([{"drop": {"tagg": "a"}}])"))),
            "view.steps.0.drop.tagg");
  EXPECT_EQ(field_of(browser.post("views", entry("x", R"([{"round": {"degrees": 99}}])"))),
            "view.steps.0.round.degrees");
  EXPECT_EQ(site.state()->catalog.views.count(), 0U);
}

TEST_F(WebViews, AreReadByViewersAndChangedByAdministrators) {
  const std::string one = stored();
  site.add_account("vera", engine::Role::viewer);
  Browser viewer{site};
  viewer.sign_in("vera");
  EXPECT_EQ(viewer.get(one).status, 200);
  EXPECT_EQ(viewer.get(one + "/preview").status, 200);
  EXPECT_EQ(viewer.put(one, entry("Mine", "[]")).status, 403);
  EXPECT_EQ(Browser(site).get("views").status, 401);
}

TEST_F(WebViews, AreNotDeletedWhileSomebodySeesThroughThem) {
  const std::string one = stored();
  const std::uint64_t number = std::stoull(one.substr(6));
  const std::uint64_t token =
      browser.create("tokens", {{"name", "peer"}, {"type", "polling"}, {"view", number}});
  EXPECT_EQ(asked(one).at("tokens"), json::array{"peer"});
  EXPECT_EQ(browser.del(one).status, 409);
  EXPECT_EQ(browser.put(one, entry("Another", "[]")).status, 409);
  EXPECT_EQ(browser.put(one, entry("Public", "[]")).status, 200);
  const std::string held = "tokens/" + std::to_string(token);
  EXPECT_EQ(browser.put(held, {{"name", "peer"}, {"type", "polling"}}).json().at("view"), number);
  EXPECT_EQ(browser.put(held, {{"name", "peer"}, {"type", "polling"}, {"view", nullptr}})
                .json()
                .at("view"),
            nullptr);
  EXPECT_EQ(browser.put("settings/PUBLIC_MAP_VIEW", {{"value", "Public"}}).status, 200);
  EXPECT_EQ(asked(one).at("public_map"), true);
  EXPECT_EQ(browser.del(one).status, 409);
  EXPECT_EQ(browser.del("settings/PUBLIC_MAP_VIEW").status, 200);
  EXPECT_EQ(browser.del(one).status, 204);
}

TEST_F(WebViews, AreBoundOnlyWhereTheyAre) {
  const std::uint64_t number = std::stoull(stored().substr(6));
  EXPECT_EQ(field_of(browser.post("tokens", {{"name", "a"}, {"type", "polling"}, {"view", 99}})),
            "view");
  EXPECT_EQ(field_of(browser.post("tokens", {{"name", "a"}, {"type", "import"}, {"view", number}})),
            "view");
  EXPECT_EQ(field_of(browser.put("settings/PUBLIC_MAP_VIEW", {{"value", "Nobody"}})), "value");
}

TEST_F(WebViews, SayWhatTheyShow) {
  const std::uint64_t a = node("a");
  const std::uint64_t b = node("b");
  link("a to b", a, b);
  const json::value preview =
      asked(stored("No links", R"([{"drop": {"kind": "link"}}, {"drop": {"id": "urn:none"}}])") +
            "/preview");
  EXPECT_EQ(preview.at("all").at("links"), 1);
  EXPECT_EQ(preview.at("seen").at("links"), 0);
  EXPECT_EQ(preview.at("seen").at("nodes"), 2);
  EXPECT_EQ(preview.at("deleted"), 1);
  EXPECT_EQ(preview.at("unknown"), json::array{"urn:none"});
  EXPECT_EQ(preview.at("items").at(0).at("name"), "a to b");
  const Reply given = browser.post("views/preview", entry("", "[]"));
  EXPECT_EQ(given.json().at("total"), 0);
}

TEST_F(WebViews, CountFieldsThatAreSeenOtherwise) {
  node("a");
  node("b");
  const json::value preview = asked(
      stored("Names", R"([{"pseudonyms": {"fields": ["name"], "kind": "node", "key": "k"}}])") +
      "/preview?limit=1");
  EXPECT_EQ(preview.at("updated"), 2);
  EXPECT_EQ(preview.at("items").as_array().size(), 1U);
  EXPECT_EQ(preview.at("fields").at("name"), 2);
  EXPECT_EQ(preview.at("all").at("properties"), preview.at("seen").at("properties"));
}

TEST_F(WebViews, GiveTheMapThatIsSeenToWhoeverDrawsIt) {
  link("a to b", node("a"), node("b"));
  const json::object view = entry("No links", R"([{"drop": {"kind": "link"}}])");
  const json::value whole = asked("map");
  const json::value seen = browser.post("views/preview?map=true", view).json();
  EXPECT_EQ(whole.at("links").at("id").as_array().size(), 1U);
  EXPECT_EQ(seen.at("links").at("id").as_array().size(), 0U);
  EXPECT_EQ(seen.at("nodes").at("id"), whole.at("nodes").at("id"));
  EXPECT_EQ(seen.at("lsn"), 0) << "a view names none";
  const std::string one = "views/" + std::to_string(browser.create("views", view));
  EXPECT_EQ(asked(one + "/preview?map=true"), seen);
}

TEST_F(WebViews, AreHeldAgainstOneAnother) {
  const std::uint64_t b = node("b");
  link("a to b", node("a"), b);
  const std::string number = stored("No links", R"([{"drop": {"kind": "link"}}])").substr(6);
  const json::value id = asked("nodes/" + std::to_string(b)).at("id");
  const json::object view{{"view", {{"steps", {{{"drop", {{"id", id}}}}}}}}};
  const json::value preview = browser.post("views/preview?against=" + number, view).json();
  EXPECT_EQ(preview.at("all").at("links"), 0);
  EXPECT_EQ(preview.at("all").at("nodes"), 2);
  EXPECT_EQ(preview.at("seen").at("nodes"), 1);
  EXPECT_EQ(preview.at("deleted"), 1) << "the link is in neither";
  EXPECT_EQ(browser.post("views/preview?against=99", view).status, 404);
}

// Two maps beside one another show the same version where they are loaded for the same tag.
TEST_F(WebViews, TellWhetherTheMapIsAnotherOne) {
  const std::uint64_t a = node("a");
  const std::string preview = stored("No nodes", R"([{"drop": {"kind": "node"}}])") + "/preview";
  const json::value tag = asked(preview).at("tag");
  stored("Another", "[]");
  EXPECT_EQ(asked(preview).at("tag"), tag) << "it is the map as before";
  EXPECT_EQ(browser.post("views/preview", entry("", "[]")).json().at("tag"), tag);
  json::object moved = asked("nodes/" + std::to_string(a)).as_object();
  moved["name"] = "b";
  EXPECT_EQ(browser.put("nodes/" + std::to_string(a), moved).status, 200);
  EXPECT_NE(asked(preview).at("tag"), tag) << "whether the view shows it or not";
}

// The same address shows all of the map to whoever is signed in.
TEST_F(WebViews, OfThePublicMapAreNotForThoseWhoAreSignedIn) {
  stored("Empty", R"([{"drop": {"topology": "x"}}, {"keep": {"id": "none"}}])");
  const std::string one = "map/nodes/" + std::to_string(node("a"));
  EXPECT_EQ(browser.put("settings/PUBLIC_MAP_VIEW", {{"value", "Empty"}}).status, 200);
  EXPECT_EQ(browser.get(one).status, 200);
  EXPECT_EQ(Browser(site).get(one).status, 404);
}

}  // namespace
}  // namespace netml::admin
