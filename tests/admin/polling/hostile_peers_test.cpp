// Goal: one peer that misbehaves never keeps the map of another one away, is named with its reason,
// and leaves nothing behind (N4, N5, N6, N8). Method: nine good peers and a bad one, in the middle
// of them, on real time with short limits.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/admin/support/named_sources.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/admin/support/raw_peer.hpp"
#include "tests/net/support/certificate.hpp"

namespace netml::admin {
namespace {

using ::testing::HasSubstr;
using testing::kCaller;
using testing::RawPeer;

constexpr int kGood = 9;
constexpr int kBadPlace = 4;

std::string map_of(const std::string& id) {
  return netml::test::topology(id, id + ":i", netml::test::institution(id + ":i"),
                               netml::test::node(id + ":n"));
}
std::string ok(const std::string& body, const std::string& fields = "") {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{}\r\n{}", body.size(), fields,
                     body);
}

class HostilePeers : public ::testing::Test {
 protected:
  HostilePeers() {
    const std::string data = directory_.file("data").string();
    node_ = std::move(Node::open({.data_directory = data}, clock_, random_, events_)).value();
    sources_.emplace(*node_);
    intake_.emplace(*node_);
    poller_.emplace(*node_, *sources_, *intake_);
    polling_.emplace(*node_, *sources_, *poller_);
    poller_->set_rules(rules());
    for (int i = 0; i < kGood; ++i) {
      if (i == kBadPlace) add("bad", bad_.port, "");
      const std::string path = fmt::format("/g{}/netml_export/", i);
      good_.on(path, [this, i](const net::Request&) {
        return testing::answer(200, map_of(fmt::format("urn:g{}:{}", i, round_)));
      });
      add(fmt::format("good {}", i), good_.port, fmt::format("g{}/", i));
    }
  }
  static PollRules rules() {
    PollRules rules;
    rules.outgoing.internal_allowed = true;
    rules.attempts_max = 1;
    rules.limits.body_bytes_max = 1 << 20;
    rules.limits.bytes_per_second_min = 1 << 10;
    return rules;
  }
  void add(const std::string& name, std::uint16_t port, const std::string& path) {
    SourceFields fields;
    fields.name = name;
    fields.protocol = engine::Protocol::http;
    fields.plain_http = true;
    fields.hostname = "127.0.0.1";
    fields.port = port;
    fields.path = path;
    NETML_ASSERT(sources_->create(kCaller, fields).has_value());
  }
  void point_bad_at(std::uint16_t port, const std::string& authorities) {
    SourceFields fields;
    fields.protocol = engine::Protocol::https;
    fields.port = port;
    fields.ca_certificates = authorities;
    ASSERT_TRUE(sources_->update(kCaller, "bad", fields).has_value());
  }
  bool has(const std::string& id) const {
    const engine::Graph& graph = node_->version().state->graph;
    return !graph.find(Kind::topology, id).empty() || !graph.find(Kind::node, id + ":n").empty();
  }
  // All others are collected anew, and the bad one fails with that reason.
  void expect_only_bad_fails(const std::string& reason) {
    ++round_;
    const auto started = polling_->collect_all({.caller = kCaller});
    ASSERT_TRUE(started.has_value() && started->has_value());
    const std::vector<PollReport> reports = (*started)->reports.get();
    ASSERT_EQ(reports.size(), kGood + 1U);
    for (const PollReport& report : reports) {
      if (report.name != "bad") {
        EXPECT_EQ(report.end, PollEnd::imported) << report.name << ": " << report.message;
        continue;
      }
      EXPECT_EQ(report.end, PollEnd::failed);
      EXPECT_EQ(report.reason, reason) << report.message;
    }
    for (int i = 0; i < kGood; ++i) EXPECT_TRUE(has(fmt::format("urn:g{}:{}", i, round_)));
    EXPECT_FALSE(has("urn:bad"));
    EXPECT_EQ(polling_->batch((*started)->batch)->status, engine::PollStatus::aborted);
  }

  netml::test::TemporaryDirectory directory_;
  SystemClock clock_;
  netml::testing::SeededRandom random_;
  testing::KeptEvents events_;
  std::atomic<int> round_{0};
  RawPeer bad_;
  testing::FakePeer good_;
  std::unique_ptr<Node> node_;
  std::optional<testing::NamedSources> sources_;
  std::optional<Intake> intake_;
  std::optional<Poller> poller_;
  std::optional<Polling> polling_;
};

TEST_F(HostilePeers, ThatAreTooSlow_N5) {
  PollRules impatient = rules();
  impatient.limits.rate_window = std::chrono::milliseconds(200);
  poller_->set_rules(std::move(impatient));
  bad_.play([](const RawPeer::Connection& to) {
    const std::string all = ok(map_of("urn:bad"));
    to.send(all.substr(0, all.size() - 200));
    for (std::size_t i = all.size() - 200; i < all.size() && to.send(all.substr(i, 1)); ++i)
      to.wait(std::chrono::milliseconds(20));
  });
  expect_only_bad_fails("time_out");
}

TEST_F(HostilePeers, ThatNeverEnd_N5) {
  bad_.play([](const RawPeer::Connection& to) {
    to.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "4000\r\n" + std::string(0x4000, ' ') + "\r\n";
    while (to.send(chunk)) continue;
  });
  expect_only_bad_fails("too_large");
  bad_.play([](const RawPeer::Connection& to) {
    const std::string field = "X-More: " + std::string(1000, 'x') + "\r\n";
    to.send("HTTP/1.1 200 OK\r\n");
    while (to.send(field)) continue;
  });
  expect_only_bad_fails("too_large");
}

TEST_F(HostilePeers, ThatBreakOffAtAnyTenthByte_N6) {
  const std::string all = ok(netml::test::topology("urn:bad", "i", netml::test::institution("i")));
  for (std::size_t cut = 0; cut < all.size(); cut += 10) {
    SCOPED_TRACE(cut);
    bad_.play([part = all.substr(0, cut)](const RawPeer::Connection& to) { to.send(part); });
    expect_only_bad_fails("incomplete");
  }
}

TEST_F(HostilePeers, WhoseCertificateIsNotGoodEnough_N4) {
  const net::Authority authority("authority");
  const net::Authority stranger("stranger");
  struct Row {
    const net::Authority& signer;
    net::CertificateWish wish;
  };
  int number = 0;
  for (const Row& row : {Row{authority, {.alternative_name = "DNS:other.example.org"}},
                         Row{authority, {.alternative_name = "IP:127.0.0.1", .ends_in = -60}},
                         Row{stranger, {.alternative_name = "IP:127.0.0.1"}}}) {
    const std::string folder = directory_.file(fmt::format("tls{}", ++number)).string();
    std::filesystem::create_directory(folder);
    testing::FakePeer peer(row.signer.issue(folder, row.wish));
    peer.say(200, map_of("urn:bad"));
    point_bad_at(peer.port, authority.pem());
    expect_only_bad_fails("certificate");
    EXPECT_TRUE(peer.paths().empty()) << "nothing was asked, and no token sent";
  }
}

TEST_F(HostilePeers, ThatSendSomethingElse) {
  struct Row {
    std::string answer;
    const char* reason;
  };
  const std::string bomb(1000, '\x1f');
  for (const Row& row :
       {Row{"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n",
            "redirect"},
        Row{ok(bomb, "Content-Encoding: gzip\r\n"), "encoding"}, Row{ok(bomb), "import"},
        Row{ok("Good day."), "import"}, Row{ok("<html><body/></html>"), "import"},
        Row{ok(""), "import"},
        Row{ok("<!DOCTYPE a [<!ENTITY b 'c'>]>" + map_of("urn:bad")), "import"},
        Row{"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "peer_error"},
        Row{"SSH-2.0-OpenSSH\r\n\r\n", "incomplete"},
        Row{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
            "incomplete"}}) {
    SCOPED_TRACE(row.answer.substr(0, 60));
    bad_.play([answer = row.answer](const RawPeer::Connection& to) { to.send(answer); });
    expect_only_bad_fails(row.reason);
  }
}

// N7: a valid map with nearly nothing in it.
TEST_F(HostilePeers, ThatSendAMapWithoutElements) {
  netml::test::TopologyText large = netml::test::topology("urn:x", "urn:x:i");
  large.add(netml::test::institution("urn:x:i"));
  for (int i = 0; i < 40; ++i) large.add(netml::test::node(fmt::format("urn:x:n{}", i)));
  bad_.play([answer = ok(large)](const RawPeer::Connection& to) { to.send(answer); });
  const auto bad = polling_->numbers_of({"bad"});
  ASSERT_EQ(polling_->collect({.caller = kCaller}, *bad)->reports.get().front().end,
            PollEnd::imported);
  bad_.play([&](const RawPeer::Connection& to) {
    to.send(ok(netml::test::topology("urn:x", "urn:x:i", netml::test::institution("urn:x:i"))));
  });
  expect_only_bad_fails("held");
  EXPECT_FALSE(node_->version().state->graph.find(Kind::node, "urn:x:n39").empty())
      << "what was there stays until an administrator has looked";
}

}  // namespace
}  // namespace netml::admin
