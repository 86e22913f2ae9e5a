// Goal: whoever is sent the map leaves a receipt of exactly the bytes that they got, and the bytes
// can be made again from the journal, whatever changed since (docs/receipts.md). Method: the public
// endpoints of a node behind a socket, with tokens and a view; each question has a second one on
// the same connection, which is read when the receipt of the first is written.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <optional>

#include "admin/api/public/public_api.hpp"
#include "admin/receipts/remake.hpp"
#include "admin/settings/settings.hpp"
#include "codecs/formats/view_json.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/edit/plan_entries.hpp"
#include "net/http/observed_source.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::admin {
namespace {

using net::bearer;
using net::RawResponse;
using ::testing::HasSubstr;
using testing::kCaller;

constexpr std::string_view kWholeToken = "token-that-shows-all-of-the-map";
constexpr std::string_view kViewToken = "token-that-is-bound-to-a-view";
constexpr const char* kExport = "/netml_export/";
constexpr std::string_view kPartner = R"({"steps": [
  {"drop": {"tag": "internal"}},
  {"pseudonyms": {"fields": ["id", "name"], "kind": "node", "key": "public"}}]})";

std::string hash_of(const std::string& text) {
  return to_hex(Sha256Hasher().hash(std::as_bytes(std::span(text))));
}

std::string map_named(const std::string& name) {
  return test::topology("P", "p", test::institution("p"), test::node("a").named(name),
                        test::node("b").with("tag", "internal"));
}

Result<std::string> text_of(Result<net::Body> body) {
  if (!body) return tl::make_unexpected(body.error());
  std::string text;
  while (true) {
    NETML_TRY(const std::string_view piece, std::get<net::StreamBody>(*body).source->next());
    if (piece.empty()) return text;
    text += piece;
  }
}

// What a node serves to the public, until it is restarted.
struct Served : net::TestServer {
  Served(Node& node, ExportToken token) : services(node, {}, testing::kCheapPasswords) {
    register_public_api(router, services, token);
    start();
  }
  ~Served() { server->stop(std::chrono::seconds(10)); }
  Services services;
};

class Deliveries : public ::testing::Test {
 protected:
  Deliveries() {
    serve();
    import("first");
    engine::StoredView stored;
    stored.name = "Partner";
    stored.view = boost::json::serialize(codecs::view_json(*codecs::read_view(kPartner)));
    commit([&](const engine::State& state) { return plan_entry_create(state, stored); });
    store_token("whole.example", kWholeToken, 0);
    store_token("partner.example", kViewToken, 1);
  }

  void serve(ExportToken token = ExportToken::needed) {
    served_.reset();
    served_.emplace(*node_, token);
  }
  void restart() {
    served_.reset();
    node_.close();
    node_.open();
    serve();
  }
  Services& services() { return served_->services; }

  template <class Plan>
  void commit(const Plan& plan) {
    const auto done =
        node_->commit(kCaller, engine::Cause::setting,
                      [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
                        return plan(state);
                      });
    ASSERT_TRUE(done.has_value()) << done.error().text();
  }
  void import(const std::string& name) {
    ImportRequest request;
    request.place = ImportPlace::top_level;
    ASSERT_TRUE(testing::import_job(*node_, map_named(name), request)->commit().has_value());
  }
  void change_view(const char* steps) {
    commit([&](const engine::State& state) {
      engine::StoredView stored = *state.catalog.views.find(1);
      stored.view = steps;
      return plan_entry_update(state, 1, stored);
    });
  }
  void store_token(const std::string& name, std::string_view value, std::uint64_t view) {
    ASSERT_TRUE(
        services()
            .tokens.store(kCaller, name, engine::TokenKind::polling, std::string(value), view)
            .has_value());
  }

  RawResponse ask(std::string_view method, std::string_view target, std::string fields) {
    fields += "Connection: keep-alive\r\n";
    net::RawClient client(served_->port);
    client.send(net::request(method, target, fields));
    const auto response = client.receive(method == "HEAD");
    client.send(net::request("GET", "/status/"));
    EXPECT_TRUE(client.receive().has_value());
    EXPECT_TRUE(response.has_value());
    return response.value_or(RawResponse());
  }
  RawResponse get(std::string_view token, std::string_view target = kExport,
                  const std::string& fields = "") {
    return ask("GET", target, bearer(token) + fields);
  }

  std::uint64_t count() {
    const auto reader = services().receipts.read();
    return reader ? reader->count() : UINT64_MAX;
  }
  Receipt newest() {
    auto reader = services().receipts.read();
    return reader ? reader->find(reader->last()).value_or(Receipt()) : Receipt();
  }
  void expect_receipt_of(const RawResponse& response) {
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(newest().bytes, response.body.size());
    EXPECT_EQ(newest().sha256, hash_of(response.body));
  }
  Result<std::string> made(const Receipt& receipt) {
    return text_of(remade(*node_, services().views, services().deltas, receipt));
  }
  std::string why_not(const Receipt& receipt) {
    const auto text = made(receipt);
    return text ? "it was made" : text.error().message;
  }

  testing::OpenNode node_;
  std::optional<Served> served_;
};

TEST_F(Deliveries, LeaveAReceiptOfWhatWasSent) {
  const RawResponse response = get(kViewToken);
  expect_receipt_of(response);
  const Receipt receipt = newest();
  EXPECT_EQ(receipt.number, 1U);
  EXPECT_EQ(receipt.client, "partner.example");
  EXPECT_EQ(receipt.token, 2U);
  EXPECT_EQ(receipt.view, "Partner");
  EXPECT_EQ(receipt.view_sha256, hash_of(node_->version().state->catalog.views.find(1)->view));
  EXPECT_EQ(receipt.head, node_->version().head);
  EXPECT_EQ(receipt.from, "");
  EXPECT_EQ(receipt.time, node_->clock().wall().instant());

  expect_receipt_of(get(kWholeToken));
  EXPECT_EQ(newest().client, "whole.example");
  EXPECT_EQ(newest().view, "");
  EXPECT_EQ(newest().view_sha256, "");
}

TEST_F(Deliveries, LeaveAReceiptEachTime) {
  const RawResponse first = get(kWholeToken);
  const RawResponse second = get(kWholeToken);
  EXPECT_EQ(count(), 2U);
  expect_receipt_of(second);
  EXPECT_EQ(first.body, second.body);
}

TEST_F(Deliveries, LeaveNoneWhereNoMapWasSent) {
  const RawResponse response = get(kWholeToken);
  EXPECT_EQ(count(), 1U);
  const std::string known = fmt::format("If-None-Match: {}\r\n", response.field("ETag"));
  EXPECT_EQ(get(kWholeToken, kExport, known).status, 304);
  EXPECT_EQ(ask("HEAD", kExport, bearer(kWholeToken)).status, 200);
  EXPECT_EQ(get("another-token").status, 403);
  EXPECT_EQ(get(kWholeToken, "/netml_export/delta/").status, 400);
  EXPECT_EQ(get(kWholeToken, "/published_network_data/current/netml_export/").status, 404);
  EXPECT_EQ(count(), 1U);
}

TEST_F(Deliveries, NameNobodyWhereNoTokenIsNeeded) {
  serve(ExportToken::dropped);
  expect_receipt_of(ask("GET", kExport, ""));
  EXPECT_EQ(newest().client, "");
  EXPECT_EQ(newest().token, 0U);
}

TEST_F(Deliveries, AreMadeAgainAfterChangesAndARestart) {
  std::vector<std::pair<Receipt, std::string>> sent;
  const auto keep = [&](const RawResponse& response) {
    expect_receipt_of(response);
    sent.emplace_back(newest(), response.body);
  };
  keep(get(kWholeToken));
  keep(get(kViewToken));
  const std::string from = node_->version().head;
  import("second");
  keep(get(kWholeToken, "/netml_export/delta/?from=" + from));
  EXPECT_EQ(newest().from, from);
  const auto place = [&] {
    return get(kViewToken, kExport, "X-NetML-Delta: 1\r\n").field("X-NetML-Head");
  };
  const std::string seen_from = place();
  const std::string seen_at = node_->version().head;
  import("before the third");
  keep(get(kViewToken, "/netml_export/delta/?from=" + seen_from));
  EXPECT_EQ(newest().from, seen_at);
  EXPECT_EQ(newest().view, "Partner");
  // From what it showed to what it shows since it was changed.
  const std::string shown_before = place();
  change_view(R"({"steps":[{"drop_fields":{"names":["address"]}}]})");
  keep(get(kViewToken, "/netml_export/delta/?from=" + shown_before));
  EXPECT_TRUE(services().publisher.publish(kCaller, "a", "").has_value());
  import("third");
  keep(get(kWholeToken, "/published_network_data/current/netml_export/"));
  EXPECT_EQ(newest().published, 1U);
  keep(get(kViewToken, "/published_network_data/current/netml_export/"));

  // The view is another one now, and the token shows all of the map.
  change_view(R"({"steps":[{"drop_fields":{"names":["version"]}}]})");
  ASSERT_TRUE(services().publisher.publish(kCaller, "b", "").has_value());
  import("fourth");
  restart();
  EXPECT_NE(get(kViewToken).body, sent[1].second);

  for (const auto& [receipt, body] : sent) {
    const auto found = services().receipts.find(receipt.number);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, receipt);
    const auto text = made(*found);
    ASSERT_TRUE(text.has_value()) << receipt.number << text.error().text();
    EXPECT_EQ(*text, body) << receipt.number;
  }
}

TEST_F(Deliveries, SayWhyTheyCannotBeMadeAgain) {
  get(kViewToken);
  const Receipt receipt = newest();
  ASSERT_TRUE(made(receipt).has_value());

  Receipt other = receipt;
  other.head.back() = other.head.back() == '0' ? '1' : '0';
  EXPECT_THAT(why_not(other), HasSubstr("the journal is of another history"));
  other.head = "9999" + receipt.head.substr(receipt.head.find(':'));
  EXPECT_THAT(why_not(other), HasSubstr("the journal no longer leads to LSN 9999"));
  other = receipt;
  other.view_sha256.back() = other.view_sha256.back() == '0' ? '1' : '0';
  EXPECT_THAT(why_not(other), HasSubstr("the view \"Partner\" was another one"));
  other = receipt;
  other.sha256 = hash_of("other bytes");
  EXPECT_THAT(why_not(other), HasSubstr("other bytes come out"));
  other.version = "0.0";
  EXPECT_THAT(why_not(other), HasSubstr("version 0.0 wrote them"));
  other.pseudonym_key = "0123456789abcdef";
  EXPECT_THAT(why_not(other), HasSubstr("the node has another key"));
}

TEST_F(Deliveries, GoOnWhereNoReceiptCanBeWritten) {
  namespace fs = std::filesystem;
  std::ofstream(node_.file("receipts")) << "no directory";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(get(kWholeToken).status, 200);
  EXPECT_EQ(node_.events().warnings.size(), 1U);
  EXPECT_THAT(node_.events().warnings.at(0), HasSubstr("whole.example"));
  fs::remove(node_.file("receipts"));
  expect_receipt_of(get(kWholeToken));
  EXPECT_EQ(count(), 1U);
}

TEST_F(Deliveries, LeaveNoneWhereNothingMayBeWritten) {
  served_.reset();
  node_.close();
  node_.open(true);
  serve();
  EXPECT_EQ(get(kWholeToken).status, 200);
  EXPECT_FALSE(std::filesystem::exists(node_.file("receipts")));
}

// ---- when a body counts as sent ----

class Pieces final : public net::ObservedSource {
 public:
  Pieces(std::atomic<int>& sent, int pieces, bool fails)
      : sent_(sent), left_(pieces), fails_(fails) {}
  Result<std::string_view> next() override {
    if (left_-- > 0) return std::string_view("piece");
    if (fails_) return fail(Errc::io_error, "it ended too early");
    return std::string_view();
  }
  void sent() noexcept override { ++sent_; }

 private:
  std::atomic<int>& sent_;
  int left_;
  const bool fails_;
};

TEST(ObservedSource, IsToldWhenAllOfItWasSent) {
  std::atomic<int> sent{0};
  net::TestServer server;
  const auto add = [&](const char* path, bool fails, bool made_ahead) {
    server.router.add(
        net::Method::get, path, [&sent, fails, made_ahead](const net::Request&) -> net::Answer {
          net::Response response;
          response.body =
              net::StreamBody{std::make_unique<Pieces>(sent, 3, fails), std::nullopt, made_ahead};
          return response;
        });
  };
  add("/whole", false, false);
  add("/ahead", false, true);
  add("/broken", true, true);
  server.start();
  const auto ask = [&](std::string_view method, std::string_view path) {
    net::RawClient client(server.port);
    client.send(net::request(method, path, "Connection: keep-alive\r\n"));
    client.receive(method == "HEAD");
    client.send(net::request("GET", "/none"));
    client.receive();
  };
  ask("GET", "/whole");
  EXPECT_EQ(sent, 1);
  ask("GET", "/ahead");
  EXPECT_EQ(sent, 2);
  ask("HEAD", "/whole");
  ask("GET", "/broken");
  server.server->stop(std::chrono::seconds(10));
  EXPECT_EQ(sent, 2);
}

}  // namespace
}  // namespace netml::admin
