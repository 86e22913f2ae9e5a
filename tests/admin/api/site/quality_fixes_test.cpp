// Fixes of what is wrong with the map over /api/v1/: previewed exactly, done as one transaction
// that can be undone, or not at all.
#include <gtest/gtest.h>

#include <string>

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

class WebQualityFixes : public ::testing::Test {
 protected:
  WebQualityFixes() : site(web::SiteOptions{}), browser(site) {
    site.add_account("ada", engine::Role::admin);
    browser.sign_in("ada");
    TopologyText map("urn:t", "urn:net");
    map.add(institution("urn:net").named("Net"))
        .add(institution("urn:net2").named("net").with("tag", "member"))
        .add(node("urn:bergen").named("Bergen").owned_by("urn:net").with("note", ""))
        .add(node("urn:oslo").named("Oslo").owned_by("urn:net2").with("note", ""))
        .add(link("urn:1", "urn:bergen", "urn:oslo").named("One").owned_by("urn:net"));
    ImportRequest request;
    request.place = ImportPlace::top_level;
    EXPECT_TRUE(testing::import_job(*site.node(), map, request)->commit());
  }

  json::array findings(const std::string& check) {
    return browser.get("quality/findings?check=" + check).json().at("items").as_array();
  }
  json::value preview(const json::object& body) {
    const Reply reply = browser.post("quality/fix?preview=true", body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.json();
  }

  OpenSite site;
  Browser browser;
};

const json::object kNames{{"check", "name-repeated"}};
const json::object kEmpty{{"check", "property-empty"}};

TEST_F(WebQualityFixes, AreProposedWithTheFindings) {
  const json::array found = findings("name-repeated");
  ASSERT_EQ(found.size(), 2U);
  for (const json::value& each : found) {
    EXPECT_EQ(each.at("fix").at("kind"), "merge");
    EXPECT_EQ(each.at("fix").at("target").at("id"), "urn:net");
  }
  EXPECT_EQ(findings("place-zero").size(), 0U);
}

TEST_F(WebQualityFixes, AreOneTransactionThatItsPreviewForetells) {
  const Lsn before = site.state()->lsn;
  const engine::Digest content = site.state()->graph.content_digest();
  const json::value shown = preview(kNames);
  EXPECT_EQ(shown.at("fixed"), 2);
  EXPECT_EQ(shown.at("left"), 0);
  EXPECT_EQ(shown.at("deleted"), 1) << shown;
  EXPECT_EQ(shown.at("fixes").at(0).at("kind"), "institutions");
  EXPECT_EQ(site.state()->lsn, before) << "a preview changes nothing";
  const Reply done = browser.send_if(net::Method::post, "quality/fix", shown.at("etag"), kNames);
  ASSERT_EQ(done.status, 200) << done.body;
  for (const char* const count : {"fixed", "left", "created", "updated", "deleted"})
    EXPECT_EQ(done.json().at(count), shown.at(count)) << count;
  EXPECT_EQ(site.state()->lsn, before.next());
  EXPECT_EQ(findings("name-repeated").size(), 0U);
  EXPECT_EQ(findings("institution-dead").size(), 0U);

  const std::uint64_t lsn = site.state()->lsn.value;
  const Reply undone = browser.post("activity/" + std::to_string(lsn) + "/undo");
  EXPECT_LT(undone.status, 300) << undone.body;
  EXPECT_EQ(site.state()->graph.content_digest(), content);
}

TEST_F(WebQualityFixes, AreRefusedWhereTheMapHasMovedSinceThePreview) {
  const json::value shown = preview(kEmpty);
  EXPECT_EQ(shown.at("fixed"), 2);
  const json::object one{{"check", "property-empty"},
                         {"record", shown.at("fixes").at(0).at("record").at("number")}};
  const Reply first = browser.post("quality/fix", one);
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(first.json().at("fixed"), 1);
  const Reply late = browser.send_if(net::Method::post, "quality/fix", shown.at("etag"), kEmpty);
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "preview-moved");
  EXPECT_EQ(findings("property-empty").size(), 1U);
}

TEST_F(WebQualityFixes, ChangeNothingWhereThereIsNothingToMend) {
  ASSERT_EQ(browser.post("quality/fix", kEmpty).status, 200);
  const Lsn before = site.state()->lsn;
  const Reply again = browser.post("quality/fix", kEmpty);
  EXPECT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.json().at("fixed"), 0);
  EXPECT_EQ(site.state()->lsn, before);
}

TEST_F(WebQualityFixes, SayWhatIsNoCheckNoTopologyAndNoRecord) {
  const auto status = [&](json::object body) { return browser.post("quality/fix", body).status; };
  EXPECT_EQ(status({}), 400);
  EXPECT_EQ(status({{"check", "place"}}), 400);
  EXPECT_EQ(status({{"check", "topology-old"}}), 400) << "nobody can tell its version";
  EXPECT_EQ(status({{"check", "owner-missing"}, {"topology", "urn:none"}}), 404);
  EXPECT_EQ(status({{"check", "owner-missing"}, {"record", 4711}}), 404);
  EXPECT_EQ(status({{"check", "owner-missing"}, {"record", "1"}}), 400);
}

TEST_F(WebQualityFixes, AreForEditors) {
  site.add_account("vic", engine::Role::viewer);
  Browser viewer(site);
  viewer.sign_in("vic");
  EXPECT_EQ(viewer.post("quality/fix?preview=true", kEmpty).status, 403);
  EXPECT_EQ(viewer.post("quality/fix", kEmpty).status, 403);
}

}  // namespace
}  // namespace netml::admin
