// Goal: administrators read all receipts, and get the bytes of a delivery once more
// (docs/receipts.md). Method: the section of the API in process, as commands on the machine ask it;
// bodies are pulled and called sent, as a connection does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>

#include "admin/api/services.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "net/http/observed_source.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using ::testing::HasSubstr;

class ReceiptsApi : public ::testing::Test {
 protected:
  ReceiptsApi() {
    web::Routes routes(router_, site_);
    web::add_receipts(routes);
    const std::string map =
        test::topology("P", "p", test::institution("p"), test::node("a"), test::node("b"));
    ImportRequest request;
    request.place = ImportPlace::top_level;
    EXPECT_TRUE(testing::import_job(*node_, map, request)->commit().has_value());
  }

  // What was sent.
  std::string deliver(const std::string& client) {
    Exporter::Opened exported = services_.exporter.open_live();
    net::Body body = services_.receipts.observed(
        std::move(exported->body), {.client = client, .token = 7}, exported->basis, exported->etag);
    const std::string sent = testing::body_text(body);
    dynamic_cast<net::ObservedSource&>(*std::get<net::StreamBody>(body).source).sent();
    return sent;
  }
  std::pair<int, std::string> ask(const std::string& path, const std::string& query = "") {
    net::Request request;
    request.path = "/api/v1/" + path;
    request.query = query;
    request.control = true;
    const auto resolved = router_.resolve(net::Method::get, request.path);
    const auto& route = std::get<net::Router::Found>(resolved);
    request.parameters = route.parameters;
    net::Response response = std::get<net::Response>((*route.handler)(request));
    return {response.status, testing::body_text(response.body)};
  }
  boost::json::value list(const std::string& query = "") {
    return boost::json::parse(ask("receipts", query).second);
  }

  testing::OpenNode node_;
  Services services_{*node_, {}, testing::kCheapPasswords};
  web::Site site_{services_, nullptr, {}};
  net::Router router_;
};

TEST_F(ReceiptsApi, ListsTheNewestFirst) {
  EXPECT_EQ(list().at("total").to_number<int>(), 0);
  for (const char* client : {"a.example", "b.example", "a.example"}) deliver(client);
  EXPECT_EQ(list().at("total").to_number<int>(), 3);
  EXPECT_EQ(list().at("items").at(0).at("number").to_number<int>(), 3);
  const boost::json::value of_one = list("client=b.example");
  EXPECT_EQ(of_one.at("total").to_number<int>(), 1);
  EXPECT_EQ(of_one.at("items").at(0).at("number").to_number<int>(), 2);
  EXPECT_EQ(of_one.at("items").at(0).at("token").to_number<int>(), 7);
  EXPECT_EQ(list("limit=2").at("next").as_string(), "2");
}

TEST_F(ReceiptsApi, GivesTheSameBytesAgain) {
  const std::string sent = deliver("a.example");
  const auto shown = boost::json::parse(ask("receipts/1").second);
  EXPECT_EQ(shown.at("bytes").to_number<std::size_t>(), sent.size());
  EXPECT_EQ(shown.at("kind").as_string(), "whole");
  EXPECT_TRUE(shown.at("view").is_null());
  EXPECT_EQ(ask("receipts/1/bytes"), std::pair(200, sent));
  EXPECT_EQ(ask("receipts/2").first, 404);
  EXPECT_EQ(ask("receipts/2/bytes").first, 404);
}

TEST_F(ReceiptsApi, ListsOneThatWasDamagedByItsNumber) {
  for (const char* client : {"a.example", "b.example"}) deliver(client);
  const auto file = node_.file("receipts") / "000000000001.jsonl";
  std::string text = test::file_content(file);
  text[20] ^= 1;
  std::ofstream(file) << text;
  const boost::json::value items = list().at("items");
  EXPECT_FALSE(items.at(0).at("damaged").as_bool());
  EXPECT_TRUE(items.at(1).at("damaged").as_bool());
  EXPECT_EQ(items.at(1).at("number").to_number<int>(), 1);
  EXPECT_TRUE(items.at(1).at("client").is_null());
  EXPECT_EQ(ask("receipts/1").first, 404);
  EXPECT_THAT(services_.receipts.findings().at(0), HasSubstr("damaged lines: 1"));
}

}  // namespace
}  // namespace netml::admin
