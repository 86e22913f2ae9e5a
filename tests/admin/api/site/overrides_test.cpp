// Edits that are kept, and what is decided about them, over the API (docs/api.md, section
// "Overrides").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/admin/support/open_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using test::institution;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

class WebOverrides : public ::testing::Test {
 protected:
  WebOverrides() : browser(site) {
    site.add_account("eve", engine::Role::editor);
    browser.sign_in("eve");
    deliver("Oslo");
  }

  void deliver(std::string_view name) {
    TopologyText map("urn:t", "urn:net");
    map.add(institution("urn:net").named("Net"))
        .add(node("urn:a").named(name).owned_by("urn:net"))
        .add(node("urn:b").named("Bergen").owned_by("urn:net"));
    ImportRequest request;
    request.place = ImportPlace::where_it_is;
    EXPECT_TRUE(testing::import_job(*site.node(), map, request)->commit());
  }
  json::object first_node() {
    const json::value found = browser.get("nodes?q=urn:a").json();
    const json::array& items = found.at("items").as_array();
    if (items.empty()) return {};
    return browser.get("nodes/" + json::serialize(items[0].at("number"))).json().as_object();
  }
  std::string path() { return "nodes/" + json::serialize(first_node().at("number")); }
  Reply rename(std::string_view name, const std::string& query) {
    json::object node = first_node();
    node["name"] = name;
    return browser.put(path() + query, node);
  }
  std::string name() { return std::string(first_node().at("name").as_string()); }
  json::array overrides() { return browser.get("overrides").json().at("items").as_array(); }

  OpenSite site;
  Browser browser;
};

TEST_F(WebOverrides, AreMadeByEditsThatAreKept) {
  EXPECT_EQ(rename("Oslo-0", "").status, 200);
  EXPECT_TRUE(overrides().empty());
  deliver("Oslo");
  EXPECT_EQ(name(), "Oslo");
  ASSERT_EQ(rename("Oslo-1", "?keep=true&reason=It+is+called+so&until=2100-01-01T00:00:00Z").status,
            200);
  const json::value kept = overrides().at(0);
  EXPECT_EQ(kept.at("field"), "name");
  EXPECT_EQ(kept.at("value"), "Oslo-1");
  EXPECT_EQ(kept.at("delivered"), "Oslo");
  EXPECT_EQ(kept.at("author"), "eve");
  EXPECT_EQ(kept.at("reason"), "It is called so");
  EXPECT_EQ(kept.at("until"), "2100-01-01T00:00:00Z");
  EXPECT_EQ(kept.at("source"), "");
  EXPECT_EQ(browser.get("overrides?source=Peer").json().at("total"), 0);
  EXPECT_EQ(browser.get("overrides?kind=node&id=urn:a").json().at("total"), 1);
  deliver("Oslo");
  EXPECT_EQ(name(), "Oslo-1");
}

TEST_F(WebOverrides, AreDecidedOneWayOrTheOther) {
  rename("Oslo-1", "?keep=true");
  EXPECT_EQ(browser.post("overrides/1/keep").status, 409);
  deliver("Trondheim");
  EXPECT_EQ(name(), "Oslo-1");
  EXPECT_EQ(overrides().at(0).at("contested"), "Trondheim");
  EXPECT_EQ(browser.get("overrides?to_decide=true").json().at("total"), 1);
  const Reply kept = browser.post("overrides/1/keep");
  EXPECT_EQ(kept.json().at("delivered"), "Trondheim");
  EXPECT_EQ(kept.json().at("to_decide"), false);
  deliver("Tromso");
  EXPECT_EQ(browser.del("overrides/1").status, 204);
  EXPECT_EQ(name(), "Tromso");
  EXPECT_TRUE(overrides().empty());
  EXPECT_EQ(browser.del("overrides/1").status, 404);
}

TEST_F(WebOverrides, KeepWhatIsDeletedAway) {
  const std::string number = json::serialize(first_node().at("number"));
  const json::object body{{"numbers", json::array{std::stoi(number)}}};
  const Reply preview = browser.post("nodes/delete?keep=true&preview=true", body);
  ASSERT_EQ(preview.status, 200) << preview.body;
  EXPECT_EQ(browser.post("nodes/delete?keep=true", body).status, 204);
  deliver("Oslo");
  EXPECT_TRUE(first_node().empty());
  EXPECT_EQ(overrides().at(0).at("value"), json::array());
  EXPECT_EQ(overrides().at(0).at("delivered"), json::array{"urn:t"});
  EXPECT_TRUE(overrides().at(0).at("record").is_null());
  EXPECT_EQ(browser.post("overrides/delete", {{"numbers", json::array{1}}}).status, 204);
  deliver("Oslo");
  EXPECT_EQ(name(), "Oslo");
}

TEST_F(WebOverrides, RefuseWhatIsWrong) {
  const Reply late = rename("Oslo-1", "?keep=true&until=tomorrow");
  EXPECT_EQ(late.status, 400);
  EXPECT_THAT(late.body, ::testing::HasSubstr("until"));
  EXPECT_EQ(rename("Oslo-1", "?keep=true&reason=" + std::string(1001, 'x')).status, 400);
  EXPECT_EQ(name(), "Oslo");
}

TEST_F(WebOverrides, AreLookedAtByViewersAndDecidedByEditors) {
  rename("Oslo-1", "?keep=true");
  site.add_account("vic", engine::Role::viewer);
  Browser viewer(site);
  viewer.sign_in("vic");
  EXPECT_EQ(viewer.get("overrides").status, 200);
  EXPECT_EQ(viewer.del("overrides/1").status, 403);
  EXPECT_EQ(viewer.post("overrides/1/keep").status, 403);
}

}  // namespace
}  // namespace netml::admin
