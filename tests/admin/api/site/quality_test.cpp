// How good the map is, over the API (docs/api.md, section "Quality").
#include <gtest/gtest.h>

#include "admin/analysis/country_outlines.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using test::institution;
using test::link;
using test::node;
using test::TopologyText;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

// Between 60 and 70 degrees north and 5 and 20 east.
constexpr const char* kNorway = R"({"countries": [
    {"code": "NO", "names": ["Norway"], "rings": [[5, 60, 20, 60, 20, 70, 5, 70]]}]})";

constexpr const char* kNowhere = "<grenml:long>0</grenml:long><grenml:lat>0</grenml:lat>";

class WebQuality : public ::testing::Test {
 protected:
  WebQuality() : site(web::SiteOptions{.country_outlines = kNorway}), browser(site) {
    site.add_account("eve", engine::Role::editor);
    browser.sign_in("eve");
    TopologyText map("urn:t", "urn:net");
    map.add(institution("urn:net").named("Net"))
        .add(node("urn:bergen")
                 .named("Bergen")
                 .owned_by("urn:net")
                 .location("<grenml:long>60.3913</grenml:long><grenml:lat>5.3221</grenml:lat>")
                 .with("country", "Norway"))
        .add(node("urn:oslo").named("Oslo").owned_by("urn:net").location(kNowhere))
        .add(link("urn:1", "urn:bergen", "urn:oslo").named("One").owned_by("urn:net"));
    ImportRequest request;
    request.place = ImportPlace::top_level;
    EXPECT_TRUE(testing::import_job(*site.node(), map, request)->commit());
  }

  static std::uint64_t count_of(const json::value& tally, std::string_view check) {
    for (const json::value& each : tally.at("findings").as_array())
      if (each.at("check").as_string() == check) return each.at("count").to_number<std::uint64_t>();
    return 0;
  }

  OpenSite site;
  Browser browser;
};

TEST_F(WebQuality, CountsWhatIsWrongForTheMapAndEachTopology) {
  const json::value answer = browser.get("quality").json();
  EXPECT_EQ(answer.at("countries").as_bool(), true);
  EXPECT_EQ(count_of(answer, "place-swapped"), 1U);
  EXPECT_EQ(count_of(answer, "place-zero"), 1U);
  EXPECT_EQ(answer.at("records").at("nodes").to_number<int>(), 2);
  const json::array& topologies = answer.at("topologies").as_array();
  ASSERT_EQ(topologies.size(), 1U);
  EXPECT_EQ(topologies[0].at("topology").at("id").as_string(), "urn:t");
  EXPECT_EQ(count_of(topologies[0], "place-swapped"), 1U);
  EXPECT_EQ(topologies[0].at("score"), answer.at("score"));
}

TEST_F(WebQuality, ProposesThePlaceThatWasMeantAndAChangeTakesIt) {
  const json::value found = browser.get("quality/findings?check=place-swapped").json();
  const json::array& items = found.at("items").as_array();
  ASSERT_EQ(items.size(), 1U);
  const json::value& item = items[0];
  EXPECT_EQ(item.at("record").at("name").as_string(), "Bergen");
  const json::object& fix = item.at("fix").as_object();
  EXPECT_EQ(fix.at("kind").as_string(), "place-exchanged");
  EXPECT_EQ(fix.at("latitude").as_string(), "60.3913");
  EXPECT_EQ(fix.at("longitude").as_string(), "5.3221");
  EXPECT_EQ(fix.at("target"), json::value());
  const std::string path = "nodes/" + json::serialize(item.at("record").at("number"));
  json::object fields = browser.get(path).json().as_object();
  for (const char* const name : {"latitude", "longitude"}) fields[name] = fix.at(name);
  EXPECT_EQ(browser.put(path, fields).status, 200);
  const json::value after = browser.get("quality").json();
  EXPECT_EQ(count_of(after, "place-swapped"), 0U);
  EXPECT_EQ(count_of(after, "place-zero"), 1U);
}

// What is brought up to date for the newest version is what is found in it as a whole.
TEST_F(WebQuality, SaysOfTheNewestVersionWhatItSaysOfItLater) {
  const auto counts = [](json::value answer) {
    answer.as_object().erase("sources");  // ages are held against another instant
    return answer;
  };
  const json::value first = browser.get("quality").json();
  for (const char* const name : {"Oslo", "Bergen", "N/A", "TBD", "Lillehammer"}) {
    const json::value listed = browser.get("nodes").json();
    for (const json::value& node : listed.at("items").as_array()) {
      const std::string path = "nodes/" + json::serialize(node.at("number"));
      json::object fields = browser.get(path).json().as_object();
      fields["name"] = name;
      fields["longitude"] = "11.5";
      ASSERT_EQ(browser.put(path, fields).status, 200);
      const std::string lsn = std::to_string(site.state()->lsn.value);
      const json::value newest = browser.get("quality").json();
      EXPECT_EQ(counts(newest), counts(browser.get("quality?at=" + lsn).json()));
      EXPECT_NE(counts(newest), counts(first));
    }
  }
}

TEST_F(WebQuality, KnowsThePast) {
  EXPECT_EQ(browser.get("quality?at=1").json().at("records").at("nodes").to_number<int>(), 0);
}

TEST_F(WebQuality, HasAHistoryOfTheScore) {
  const std::string oslo =
      json::serialize(browser.get("nodes?q=urn:oslo").json().at("items").at(0).at("number"));
  json::object fields = browser.get("nodes/" + oslo).json().as_object();
  fields["latitude"] = "59.913";
  fields["longitude"] = "10.752";
  const auto score = [&] { return browser.get("quality").json().at("score").to_number<double>(); };
  const auto history = [&](const std::string& query) {
    return browser.get("quality/history?" + query).json().at("items").as_array();
  };
  const double before = score();
  const std::string lsn = std::to_string(site.state()->lsn.value);
  site.node().clock().advance(10min);
  ASSERT_EQ(browser.put("nodes/" + oslo, fields).status, 200);
  const double after = score();
  ASSERT_GT(after, before);
  const json::array items = history("points=3&from=" + lsn);
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items.at(0).at("records").at("nodes"), 2);
  EXPECT_EQ(items.at(0).at("score").to_number<double>(), before);
  EXPECT_EQ(items.at(1).at("score").to_number<double>(), before);
  EXPECT_EQ(items.at(2).at("score").to_number<double>(), after);
  for (const json::value& item : history("points=2&from=" + lsn + "&until=" + lsn))
    EXPECT_EQ(item.at("score").to_number<double>(), before);
  site.node().clock().advance(10min);
  EXPECT_EQ(history("points=2").at(1).at("score").to_number<double>(), after);
  const json::array whole = history("points=2");
  EXPECT_GT(whole.at(0).at("lsn").to_number<int>(), 1);
  EXPECT_FALSE(whole.at(0).at("time").as_string().starts_with("1970"));
  EXPECT_EQ(history("points=2&from=1").at(0), whole.at(0));
  EXPECT_EQ(browser.get("quality/history?points=1").status, 400);
  EXPECT_EQ(browser.get("quality/history?topology=urn:none").status, 404);
  EXPECT_EQ(browser.get("quality/history?from=3&until=1").status, 400);
}

TEST_F(WebQuality, ShowsABadgeToAnybodyWhereThatIsWanted) {
  const auto badge = [&](const std::string& path) {
    net::Request request;
    request.method = net::Method::get;
    request.path = path;
    return site.send(std::move(request));
  };
  EXPECT_EQ(badge("/badge/quality.svg").status, 404);
  site.add_account("ada", engine::Role::admin);
  Browser admin(site);
  admin.sign_in("ada");
  ASSERT_EQ(admin.put("settings/QUALITY_BADGE", {{"value", "On"}}).status, 200);
  const int score = static_cast<int>(browser.get("quality").json().at("score").to_number<double>());
  const Reply picture = badge("/badge/quality.svg");
  EXPECT_EQ(picture.headers.get("Content-Type"), "image/svg+xml");
  EXPECT_NE(picture.body.find("map quality: " + std::to_string(score) + "<"), std::string::npos);
  const json::value endpoint = badge("/badge/quality.json").json();
  EXPECT_EQ(endpoint.at("schemaVersion"), 1);
  EXPECT_EQ(endpoint.at("message"), json::value(std::to_string(score)));
}

TEST_F(WebQuality, SaysWhatIsNoTopologyAndNoCheck) {
  EXPECT_EQ(browser.get("quality/findings?topology=4711").status, 404);
  EXPECT_EQ(browser.get("quality/findings?topology=one").status, 404);
  const Reply refused = browser.get("quality/findings?check=place");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.json().at("error").at("field").as_string(), "check");
  EXPECT_EQ(browser.get("quality/findings?topology=1").status, 200);
}

TEST(CountryOutlines, AreRefusedWhenTheyAreNone) {
  EXPECT_TRUE(read_country_outlines(kNorway)->find("norway"));
  for (const char* text : {"", "[]", "{}", R"({"countries": [{"code": "NO"}]})",
                           R"({"countries": [{"code": 1, "names": [], "rings": []}]})"})
    EXPECT_FALSE(read_country_outlines(text)) << text;
}

}  // namespace
}  // namespace netml::admin
