// One edit of several records over /api/v1/: previewed exactly, done as one transaction, or not at
// all.
#include <gtest/gtest.h>

#include <string>

#include "tests/admin/support/coast_site.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using testing::Reply;

class WebBulkEdit : public testing::CoastSite {
 protected:
  WebBulkEdit() : CoastSite(engine::Role::editor) {
    for (const char* name : {"Mast", "Tower"}) numbers.emplace_back(node(name));
  }
  json::object edit(const char* way, const char* field, const json::value& value) const {
    return {{"numbers", numbers}, {way, {{field, value}}}};
  }
  void change(const json::object& body) {
    const Reply reply = browser.post("nodes/edit", body);
    EXPECT_EQ(reply.status, 200) << reply.body;
  }
  json::value item(std::size_t place) {
    return browser.get("nodes/" + json::serialize(numbers.at(place))).json();
  }
  static json::array tags(std::initializer_list<const char*> values) {
    json::array properties;
    for (const char* const value : values)
      properties.push_back(json::object{{"name", "tag"}, {"value", value}});
    return properties;
  }
  // Which field is wrong; the map stays as it is.
  std::string refused(const json::object& body) {
    const Lsn before = site.state()->lsn;
    const Reply reply = browser.post("nodes/edit", body);
    EXPECT_EQ(reply.status, 400) << reply.body;
    EXPECT_EQ(site.state()->lsn, before);
    const json::value answer = reply.json();
    const json::value* const field = answer.at("error").as_object().if_contains("field");
    return field == nullptr ? "" : std::string(field->as_string());
  }

  json::array numbers;
};

TEST_F(WebBulkEdit, IsOneTransactionThatItsPreviewForetells) {
  const json::object body = edit("set", "address", "Pier 1");
  const Lsn before = site.state()->lsn;
  const json::value preview = browser.post("nodes/edit?preview=true", body).json();
  EXPECT_EQ(preview.at("updated"), 2);
  EXPECT_EQ(preview.at("created"), 0);
  EXPECT_EQ(preview.at("items").at(0).at("fields").at(0).at("field"), "address") << preview;
  EXPECT_EQ(site.state()->lsn, before) << "a preview changes nothing";
  const Reply done = browser.send_if(net::Method::post, "nodes/edit", preview.at("etag"), body);
  EXPECT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.json().at("changed"), 2);
  EXPECT_EQ(site.state()->lsn, before.next());
  EXPECT_EQ(item(0).at("address"), "Pier 1");
  EXPECT_EQ(item(1).at("address"), "Pier 1");
  EXPECT_EQ(item(1).at("name"), "Tower") << "what is not said stays";
}

TEST_F(WebBulkEdit, IsRefusedWhereTheMapHasMovedSinceThePreview) {
  const json::object body = edit("set", "address", "Pier 1");
  const json::value preview = browser.post("nodes/edit?preview=true", body).json();
  change({{"numbers", {numbers.at(0)}}, {"set", {{"address", "Pier 1"}}}});
  const Reply late = browser.send_if(net::Method::post, "nodes/edit", preview.at("etag"), body);
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "preview-moved");
}

TEST_F(WebBulkEdit, AddsToListsTakesFromThemAndReplacesThem) {
  const std::uint64_t bay = browser.create("topologies", {{"name", "Bay"}});
  change(edit("add", "topologies", {bay}));
  EXPECT_EQ(item(0).at("topologies").as_array().size(), 2U);
  change(edit("remove", "topologies", {topology}));
  EXPECT_EQ(item(1).at("topologies").at(0).at("name"), "Bay");
  EXPECT_EQ(item(1).at("topologies").as_array().size(), 1U);
  change(edit("set", "topologies", {topology}));
  EXPECT_EQ(item(0).at("topologies").at(0).at("name"), "Coast");
}

TEST_F(WebBulkEdit, TouchesThosePropertiesAloneThatItNames) {
  change(edit("add", "properties", {{{"name", "url"}, {"value", "https://a.example"}}}));
  change(edit("add", "properties", tags({"core", "edge"})));
  change(edit("add", "properties", tags({"core"})));
  EXPECT_EQ(item(0).at("properties").as_array().size(), 3U) << "none comes twice";
  change(edit("set", "properties", tags({"leaf"})));
  const json::value properties = item(1).at("properties");
  EXPECT_EQ(properties.as_array().size(), 2U) << properties;
  EXPECT_EQ(properties.at(1).at("value"), "leaf");
  change(edit("remove", "properties", {"TAG"}));
  EXPECT_EQ(item(0).at("properties").at(0).at("name"), "url");
  EXPECT_EQ(item(0).at("properties").as_array().size(), 1U);
}

TEST_F(WebBulkEdit, IsAllOrNothing) {
  EXPECT_EQ(refused(edit("remove", "owners", {owner})), "owners") << "the last one";
  EXPECT_EQ(refused(edit("set", "owners", {4242})), "owners");
  EXPECT_EQ(refused(edit("set", "name", "Same")), "name");
  EXPECT_EQ(refused(edit("set", "latitude", "1")), "latitude");
  EXPECT_EQ(refused(edit("add", "address", "x")), "address");
  EXPECT_EQ(refused({{"numbers", numbers}}), "set");
  EXPECT_EQ(refused({{"numbers", json::array()}, {"set", {{"address", "x"}}}}), "numbers");
  EXPECT_EQ(refused(edit("set", "end", "2020-01-01T00:00:00Z")), "end") << "not alone";
  numbers.emplace_back(4242);
  EXPECT_EQ(browser.post("nodes/edit", edit("set", "address", "x")).status, 404);
  EXPECT_EQ(item(0).at("address"), "");
}

TEST_F(WebBulkEdit, GivesNoRecordsOneIdentityWhateverTheFieldIsCalled) {
  for (const char* const name : {"id", "netml_id", "grenml_id"})
    EXPECT_EQ(refused(edit("set", name, "urn:same")), "id") << name;
  const json::object main{{"numbers", {topology}}, {"set", {{"main", true}}}};
  EXPECT_EQ(browser.post("topologies/edit", main).status, 400);
  EXPECT_EQ(refused(edit("set", "version", json::value())), "version") << "of all of them";
}

TEST_F(WebBulkEdit, CountsWhatIsOtherwiseThen) {
  const Reply done = browser.post("nodes/edit", edit("set", "adress", "x"));
  EXPECT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.json().at("changed"), 0);
}

TEST_F(WebBulkEdit, IsOfSoManyRecordsAtMost) {
  json::array many;
  for (std::uint64_t number = 1; number <= 1'001; ++number) many.emplace_back(number);
  EXPECT_EQ(refused({{"numbers", many}, {"set", {{"address", "x"}}}}), "numbers");
}

TEST_F(WebBulkEdit, MovesTopologiesBelowAnotherButNoneBelowItself) {
  const std::uint64_t bay = browser.create("topologies", {{"name", "Bay"}});
  const std::uint64_t cape = browser.create("topologies", {{"name", "Cape"}, {"parent", bay}});
  const auto below = [&](std::uint64_t parent) {
    return json::object{{"numbers", {topology, bay}}, {"set", {{"parent", parent}}}};
  };
  EXPECT_EQ(browser.post("topologies/edit", below(cape)).status, 409);
  const std::uint64_t world = browser.create("topologies", {{"name", "World"}});
  EXPECT_EQ(browser.post("topologies/edit", below(world)).status, 200);
  const json::value moved = browser.get("topologies/" + std::to_string(topology)).json();
  EXPECT_EQ(moved.at("parent").at("name"), "World");
}

TEST_F(WebBulkEdit, IsNotForViewers) {
  site.add_account("vera", engine::Role::viewer);
  browser.sign_in("vera");
  EXPECT_EQ(browser.post("nodes/edit", edit("set", "address", "x")).status, 403);
}

}  // namespace
}  // namespace netml::admin
