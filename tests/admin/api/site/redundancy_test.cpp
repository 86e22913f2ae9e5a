// Redundancy policies over the API (docs/api.md, section "Redundancy").
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

class WebRedundancy : public ::testing::Test {
 protected:
  WebRedundancy() {
    site.add_account("vera", engine::Role::viewer);
    browser.sign_in("vera");
  }

  // Two links from the campus, in one duct, to the core; a third one where `third`.
  void import(bool third) {
    TopologyText map("urn:t", "urn:net");
    map.add(institution("urn:net"))
        .add(institution("urn:campus").named("Campus").with("tag", "campus"))
        .add(node("urn:a").owned_by("urn:campus"))
        .add(node("urn:core").owned_by("urn:net").with("tag", "core"))
        .add(link("urn:1", "urn:a", "urn:core").owned_by("urn:net").with("srlg", "duct"))
        .add(link("urn:2", "urn:a", "urn:core").owned_by("urn:net").with("srlg", "duct"));
    if (third) map.add(link("urn:3", "urn:a", "urn:core").named("Radio").owned_by("urn:net"));
    ImportRequest request;
    request.place = ImportPlace::top_level;
    ASSERT_TRUE(testing::import_job(*site.node(), map, request)->commit());
  }

  static json::object policy() {
    return {{"who", {{"kind", "institution"}, {"tag", "campus"}}},
            {"to", {{"kind", "node"}, {"tag", "core"}}},
            {"routes", 2}};
  }
  json::value checked(const json::object& asked, const std::string& query = {}) {
    const Reply reply = browser.post("redundancy" + query, asked);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.json();
  }
  // Which field is wrong.
  std::string wrong(const json::object& asked) {
    const Reply reply = browser.post("redundancy", asked);
    EXPECT_EQ(reply.status, 400) << reply.body;
    const json::value answer = reply.json();
    const json::value* const field = answer.at("error").as_object().if_contains("field");
    return field == nullptr ? "" : std::string(field->as_string());
  }

  OpenSite site;
  Browser browser{site};
};

TEST_F(WebRedundancy, NamesWhoIsBelowAndWhatAllRoutesGoThrough) {
  import(false);
  const json::value found = checked(policy());
  EXPECT_EQ(found.at("targets"), 1);
  EXPECT_EQ(found.at("checked"), 1);
  EXPECT_EQ(found.at("below"), 1);
  const json::value& item = found.at("items").at(0);
  EXPECT_EQ(item.at("element").at("name"), "Campus");
  EXPECT_EQ(item.at("state"), "below");
  EXPECT_EQ(item.at("at_most"), 1);
  EXPECT_EQ(item.at("exact"), true);
  EXPECT_EQ(item.at("basis"), "group-cut");
  EXPECT_EQ(item.at("cut").at("groups"), json::array{"duct"});
  EXPECT_EQ(item.at("routes").as_array().size(), 1U);
  EXPECT_EQ(item.at("routes").at(0).at("nodes").as_array().size(), 2U);
}

TEST_F(WebRedundancy, ShowsThePastAndAllThatMeetIt) {
  import(false);
  const std::string before = std::to_string(site.state()->lsn.value);
  import(true);
  EXPECT_EQ(checked(policy()).at("met"), 1);
  EXPECT_TRUE(checked(policy()).at("items").as_array().empty());
  EXPECT_EQ(checked(policy(), "?all=true").at("items").at(0).at("routes").as_array().size(), 2U);
  EXPECT_EQ(checked(policy(), "?at=" + before).at("below"), 1);
  json::object without = policy();
  without["shared_risk_groups"] = false;
  EXPECT_EQ(checked(without, "?at=" + before).at("met"), 1);
  EXPECT_EQ(browser.post("redundancy?at=99999", policy()).status, 404);
}

TEST_F(WebRedundancy, GivesThePolicyBackWithWhatItLeavesOut) {
  import(false);
  const json::value found = checked(policy());
  EXPECT_EQ(found.at("policy").at("disjoint"), "links");
  EXPECT_EQ(found.at("policy").at("shared_risk_groups"), true);
  EXPECT_EQ(checked(found.at("policy").as_object()), found);
}

TEST_F(WebRedundancy, NamesTheFieldThatIsWrong) {
  const auto with = [](const char* name, json::value value) {
    json::object changed = policy();
    changed[name] = std::move(value);
    return changed;
  };
  EXPECT_EQ(wrong(with("routes", 0)), "routes");
  EXPECT_EQ(wrong(with("routes", "two")), "routes");
  EXPECT_EQ(wrong(with("who", nullptr)), "who");
  EXPECT_EQ(wrong(with("who", json::object{{"kind", "link"}})), "who.kind");
  EXPECT_EQ(wrong(with("to", json::object{{"kind", "node"}})), "to");
  EXPECT_EQ(wrong(with("to", json::object{{"kind", "node"}, {"ids", json::array()}})), "to.ids");
  EXPECT_EQ(wrong(with("to", json::object{{"kind", "node"}, {"property", {{"name", "x"}}}})),
            "to.property.value");
  EXPECT_EQ(wrong(with("to", json::object{{"kind", "node"}, {"tag", ""}})), "to.tag");
  EXPECT_EQ(wrong(with("disjoint", "edges")), "disjoint");
  EXPECT_EQ(wrong(with("common_km_max", -1)), "common_km_max");
  EXPECT_EQ(wrong(with("distinct_ends", 1)), "distinct_ends");
  EXPECT_EQ(wrong(with("rutes", 2)), "rutes");
  EXPECT_EQ(browser.send(net::Method::post, "redundancy", "[{").status, 400);
}

TEST_F(WebRedundancy, IsForWhoeverIsSignedIn) {
  Browser stranger(site);
  EXPECT_EQ(stranger.post("redundancy", policy()).status, 401);
}

}  // namespace
}  // namespace netml::admin
