// Goal: places are proposed as a plan that changes these nodes alone; undone, the map is what it
// was. Method: a node in process, asked as on the control socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/admin/support/api_schemas.hpp"
#include "tests/admin/support/omitted_link.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/admin/support/uploads.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OpenSite;
using testing::Reply;

constexpr std::string_view kCities =
    "netml places 1\tmade 7\t2\n"
    "Bergen\tNO\t46\t60.39299\t5.32415\n"
    "Oslo\tNO\t12\t59.91273\t10.74609\n";

class PlaceProposals : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string map = test::topology(
        "P", "o", test::institution("o"), unplaced("urn:oslo", "Oslo"), unplaced("urn:x", "x"),
        test::node("urn:n"), test::link("l", "urn:oslo", "urn:n"));
    ASSERT_TRUE(testing::upload(site.services().intake, map).has_value());
  }
  static test::ElementText unplaced(std::string_view id, std::string_view name) {
    return test::ElementText(Kind::node, id).named(name);
  }
  Reply post(const std::string& target, const std::string& body = {}) {
    net::Request request = OpenSite::request(Method::post, "/api/v1/" + target);
    request.control = true;
    return site.send(std::move(request), body);
  }
  // Held against the description of the API.
  Reply propose(std::string_view gazetteer = kCities) {
    Reply reply = post("node/places?topology=P", std::string(gazetteer));
    EXPECT_THAT(schemas.problems(Method::post, "/api/v1/node/places", reply), IsEmpty());
    return reply;
  }

  OpenSite site;
  const testing::ApiSchemas schemas{NETML_API_DESCRIPTION};
};

TEST_F(PlaceProposals, AreAPlanWhoseUndoneImportLeavesTheDigest) {
  const engine::Digest digest = site.state()->graph.content_digest();
  const Reply proposed = propose();
  ASSERT_EQ(proposed.status, 201) << proposed.body;
  EXPECT_EQ(proposed.json().at("plan"), 1);
  EXPECT_EQ(proposed.json().at("updated"), 1);
  EXPECT_EQ(site.state()->graph.content_digest(), digest);

  const Reply applied = post("plans/1/apply");
  ASSERT_EQ(applied.status, 200) << applied.body;
  EXPECT_NE(site.state()->graph.content_digest(), digest);
  const engine::Graph& graph = site.state()->graph;
  const auto place = [&](std::string_view id) {
    return graph.attributes(graph.find_newest(Kind::node, id)).coordinates();
  };
  EXPECT_EQ(place("urn:oslo"), (engine::Coordinates{{59'912'730}, {10'746'090}}));
  EXPECT_EQ(place("urn:x"), std::nullopt);

  const std::string lsn = std::to_string(site.state()->lsn.value);
  const Reply undone = post("activity/" + lsn + "/undo", "{}");
  ASSERT_EQ(undone.status, 201) << undone.body;
  EXPECT_EQ(site.state()->graph.content_digest(), digest);
}

TEST_F(PlaceProposals, AreNoPlanWhereNothingWasFound) {
  const Lsn before = site.state()->lsn;
  const Reply proposed = propose("netml places 1\tmade 7\t0\n");
  EXPECT_EQ(proposed.status, 200) << proposed.body;
  EXPECT_EQ(proposed.json().at("plan"), 0);
  EXPECT_EQ(proposed.json().at("none_count"), 2);
  EXPECT_EQ(site.state()->lsn, before);
}

TEST_F(PlaceProposals, AreRefusedWhereAnExportWouldLackALink) {
  testing::add_omitted_link(site.node());
  const Reply refused = propose();
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("an export of the topology lacks 1 link"));
}

TEST_F(PlaceProposals, NameTheLineOfAGazetteerThatIsWrong) {
  const Reply refused = propose("netml places 1\tmade 7\t1\nOslo\n");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.json().at("error").at("errors").at(0).at("line"), 2);
}

TEST_F(PlaceProposals, AreRefusedForACountryThatTheGazetteerDoesNotHave) {
  const Lsn before = site.state()->lsn;
  const Reply refused = post("node/places?topology=P&country=XX", std::string(kCities));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.json().at("error").at("field"), "country");
  EXPECT_EQ(refused.json().at("error").at("message"), "the gazetteer has no country XX");
  EXPECT_EQ(site.state()->lsn, before);
}

TEST_F(PlaceProposals, AreForTheMachineAlone) {
  net::Request request = OpenSite::request(Method::post, "/api/v1/node/places?topology=P");
  EXPECT_EQ(site.send(std::move(request), std::string(kCities)).status, 404);
}

}  // namespace
}  // namespace netml::admin
