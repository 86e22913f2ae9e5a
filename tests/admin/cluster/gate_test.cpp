// Goal: what docs/cluster.md promises to clients of a member holds at its socket: tokens, ?fresh=1,
// one hop to the leader with the request as it came, and no change anywhere else.
// Method: two servers behind gates whose members say what a test wants.
#include "admin/cluster/gate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "admin/cluster/cluster.hpp"
#include "admin/cluster/cluster_json.hpp"
#include "net/client/peer_url.hpp"
#include "tests/admin/cluster/fake_member.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/http_clients.hpp"

namespace netml::admin {
namespace {

using net::Answer;
using net::Method;
using net::Request;
using testing::FakeMember;
using testing::token_of;

Secrets secrets_of(std::byte fill) {
  Secrets::Key key;
  key.fill(fill);
  return Secrets(key);
}

// A server with a read, a change and an upload, behind a gate.
class Guarded {
 public:
  Guarded(FakeMember& member, std::byte key = std::byte{1}, GateOptions options = {})
      : secrets_(secrets_of(key)),
        forwarder_(member, secrets_, clock_, {.member = "beta", .ca_certificates = {}}),
        gate_(member, secrets_, clock_, forwarder_, options) {
    net::ServerOptions server_options;
    server_options.add_fields = [this](net::Headers& headers) { gate_.add_fields(headers); };
    server_ = std::make_unique<net::TestServer>(std::move(server_options));
    net::Router routes;
    routes.add(Method::get, "/map/", [this](const Request& request) { return answer(request); });
    routes.add(Method::get, "/api/v1/map/",
               [this](const Request& request) { return answer(request); });
    routes.add(Method::get, "/api/v1/webhooks",
               [this](const Request& request) { return answer(request); });
    routes.add(Method::get, "/health/live",
               [this](const Request& request) { return answer(request); });
    routes.add(Method::del, "/map/{id}/",
               [this](const Request& request) { return answer(request); });
    routes.add(Method::post, "/map/", [this](const Request& request) -> Answer {
      // By reference, as sinks of the product have it.
      return net::collect_body(1 << 24, [this, &request](std::string body) {
        net::Response response = answer(request);
        response.body = fmt::format("{} bytes", body.size());
        return response;
      });
    });
    control_.add(Method::get, "/secret/",
                 [this](const Request& request) { return answer(request); });
    gate_.add_member_routes(routes, control_);
    server_->router = gate_.guarded(routes);
    server_->start();
  }

  net::ClientResponse ask(std::string_view method, std::string target, net::Headers headers = {},
                          std::string body = {}) {
    auto client = net::client_over_tcp({"127.0.0.1", server_->port}, server_->clock);
    EXPECT_TRUE(client.has_value());
    net::ClientRequest request;
    request.method = method;
    request.target = std::move(target);
    request.headers = std::move(headers);
    request.body = std::move(body);
    auto response = client->send(request);
    EXPECT_TRUE(response.has_value()) << response.error().message;
    return response.value_or(net::ClientResponse{});
  }
  net::ClientResponse ask_at_least(const std::string& token) {
    net::Headers headers;
    headers.add(kAtLeastHeader, token);
    return ask("GET", "/map/", headers);
  }
  std::string url() const { return fmt::format("http://127.0.0.1:{}", server_->port); }
  const Secrets& secrets() const { return secrets_; }

  std::function<void()> meanwhile = [] {};  // happens while a handler works
  std::atomic<int> handled{0};
  Request last;  // that a handler saw

 private:
  net::Response answer(const Request& request) {
    ++handled;
    meanwhile();
    last = request;
    net::Response response;
    response.body = "the map";
    return response;
  }

  net::SystemClock clock_;
  const Secrets secrets_;
  Forwarder forwarder_;
  Gate gate_;
  net::Router control_;
  std::unique_ptr<net::TestServer> server_;
};

TEST(ClusterGate, TellsHeadAndAgeWithEveryAnswer) {
  FakeMember member(wal::Role::follower, 7);
  wal::MembershipStatus status = member.status();
  status.lag = std::chrono::milliseconds(120);
  member.set(status);
  Guarded server(member);
  for (const char* path : {"/map/", "/health/live", "/nothing/here/"}) {
    const auto response = server.ask("GET", path);
    EXPECT_EQ(response.headers.get("X-NetML-Head"), token_of(7)) << path;
    EXPECT_EQ(response.headers.get("X-NetML-Age"), "120") << path;
  }
}

// A client that sends the token of what it was shown back must find no less than that; of a newer
// one it would believe that it has seen what that holds.
TEST(ClusterGate, NamesNothingNewerThanWhatAnAnswerShows) {
  FakeMember member(wal::Role::leader, 7);
  Guarded server(member);
  std::uint64_t next = 7;
  server.meanwhile = [&] {
    wal::MembershipStatus status = member.status();
    status.own = testing::head_at(++next);
    member.set(status);
  };
  EXPECT_EQ(server.ask("GET", "/map/").headers.get("X-NetML-Head"), token_of(7));
  EXPECT_EQ(server.ask("POST", "/map/?preview=true", {}, "x").headers.get("X-NetML-Head"),
            token_of(8));
  EXPECT_EQ(server.ask("POST", "/map/", {}, "x").headers.get("X-NetML-Head"), token_of(10))
      << "with its own change";
}

TEST(ClusterGate, WaitsForTheLsnOfATokenAndRefusesWhatDoesNotCome) {
  FakeMember member(wal::Role::follower, 7);
  Guarded server(member);
  EXPECT_EQ(server.ask_at_least(token_of(7)).status, 200);
  EXPECT_EQ(server.ask_at_least(token_of(3)).status, 200);
  const auto behind = server.ask_at_least(token_of(9));
  EXPECT_EQ(behind.status, 503);
  EXPECT_EQ(behind.headers.get("Retry-After"), "1");
  member.will_arrive(9);
  EXPECT_EQ(server.ask_at_least(token_of(9)).status, 200);
  EXPECT_EQ(server.handled, 3);
}

TEST(ClusterGate, LetsFewWaitAtATime) {
  FakeMember member(wal::Role::leader, 7);
  Guarded server(member, std::byte{1}, {.waiting_max = 0});
  EXPECT_EQ(server.ask_at_least(token_of(7)).status, 200) << "there is nothing to wait for";
  for (const auto& busy : {server.ask_at_least(token_of(9)), server.ask_at_least(token_of(3)),
                           server.ask("GET", "/map/?fresh=1")}) {
    EXPECT_EQ(busy.status, 503);
    EXPECT_EQ(busy.headers.get("Retry-After"), "1");
  }
}

TEST(ClusterGate, SaysThatHistoryForkedWhereTheHashDiffers) {
  FakeMember member(wal::Role::follower, 7);
  Guarded server(member);
  for (const std::uint64_t lsn : {3, 7}) {
    const auto forked =
        server.ask_at_least(wal::to_string(wal::Head{Lsn{lsn}, testing::chain_at(99)}));
    EXPECT_EQ(forked.status, 409) << lsn;
    EXPECT_NE(forked.body.find("history forked"), std::string::npos) << forked.body;
  }
  member.begin_at(5);
  EXPECT_EQ(server.ask_at_least(token_of(3)).status, 200) << "before the journal begins";
  EXPECT_EQ(server.handled, 1);
}

TEST(ClusterGate, RefusesTokensThatAreNone) {
  FakeMember member(wal::Role::leader, 7);
  Guarded server(member);
  for (const char* text : {"", "7", "7:", "7:abc", "x:y", "-1:00"})
    EXPECT_EQ(server.ask_at_least(text).status, 400) << text;
  net::Headers twice;
  twice.add(kAtLeastHeader, token_of(7));
  twice.add(kAtLeastHeader, token_of(7));
  EXPECT_EQ(server.ask("GET", "/map/", twice).status, 400);
  EXPECT_EQ(server.handled, 0);
}

TEST(ClusterGate, ProvesThatTheLeaderLeadsBeforeTheVeryLatest) {
  FakeMember member(wal::Role::leader, 7);
  Guarded server(member);
  EXPECT_EQ(server.ask("GET", "/map/").status, 200);
  EXPECT_EQ(member.confirmed, 0);
  EXPECT_EQ(server.ask("GET", "/map/?fresh=1").status, 200);
  EXPECT_EQ(member.confirmed, 1);
  member.confirms = false;
  const auto refused = server.ask("GET", "/map/?fresh=1");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.get("Retry-After"), "1");
  EXPECT_EQ(server.handled, 2);
}

TEST(ClusterGate, ForwardsChangesAndFreshReadsToTheLeaderAsTheyCame) {
  FakeMember leads(wal::Role::leader, 8);
  Guarded leader(leads);
  FakeMember follows(wal::Role::follower, 7, leader.url());
  Guarded follower(follows);
  net::Headers headers;
  headers.add("Host", "localhost:1234");
  headers.add("X-Mine", "kept");
  headers.add("Connection", "keep-alive");
  const auto made = follower.ask("POST", "/map/?a=b%20c", headers, std::string(3'000'000, 'x'));
  EXPECT_EQ(made.status, 200);
  EXPECT_EQ(made.body, "3000000 bytes");
  EXPECT_EQ(made.headers.get("X-NetML-Head"), token_of(8)) << "of the leader, who wrote it";
  EXPECT_EQ(leader.last.id, made.headers.get("X-Request-Id")) << "which audits name";
  EXPECT_EQ(leader.last.client_address, "127.0.0.1");
  EXPECT_EQ(leader.last.headers.get("Host"), "localhost:1234");
  EXPECT_EQ(leader.last.headers.get("X-Mine"), "kept");
  EXPECT_EQ(leader.last.query, "a=b%20c");
  EXPECT_EQ(follower.ask("DELETE", "/map/a%20b/").status, 200);
  EXPECT_EQ(leader.last.path, "/map/a b/");
  EXPECT_EQ(follower.ask("GET", "/map/?fresh=1").body, "the map");
  EXPECT_EQ(leads.confirmed, 1);
  EXPECT_EQ(follower.ask("GET", "/api/v1/webhooks").body, "the map") << "which it alone tells";
  EXPECT_EQ(leader.handled, 4);
  EXPECT_EQ(follower.handled, 0);
  EXPECT_EQ(follower.ask("GET", "/map/").status, 200);
  EXPECT_EQ(follower.handled, 1);
}

TEST(ClusterGate, ShowsAForwardedChangeBeforeItIsAnswered) {
  FakeMember leads(wal::Role::leader, 8);
  Guarded leader(leads);
  FakeMember follows(wal::Role::follower, 7, leader.url());
  follows.will_arrive(8);
  Guarded follower(follows);
  EXPECT_EQ(follower.ask("GET", "/map/?fresh=1").status, 200);
  EXPECT_EQ(follows.status().own.lsn, Lsn{7}) << "nothing was changed";
  EXPECT_EQ(follower.ask("POST", "/map/", {}, "x").status, 200);
  EXPECT_EQ(follows.status().own.lsn, Lsn{8});
}

TEST(ClusterGate, ForwardsABodyWhoseLengthNobodyKnows) {
  FakeMember leads(wal::Role::leader, 8);
  Guarded leader(leads);
  FakeMember follows(wal::Role::follower, 7, leader.url());
  Guarded follower(follows);
  net::Headers headers;
  headers.add("Transfer-Encoding", "chunked");
  const auto made = follower.ask("POST", "/map/", headers, "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n");
  EXPECT_EQ(made.body, "8 bytes");
}

TEST(ClusterGate, GoesOneHopOnly) {
  FakeMember second(wal::Role::follower, 7, "http://127.0.0.1:1");
  Guarded other(second);
  FakeMember first(wal::Role::follower, 7, other.url());
  Guarded follower(first);
  const auto refused = follower.ask("DELETE", "/map/1/");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.get("Retry-After"), "1");
  EXPECT_NE(refused.body.find("does not lead now"), std::string::npos) << refused.body;
  EXPECT_EQ(other.handled, 0);
}

TEST(ClusterGate, AnswersChangesWithoutALeaderAndReadsAsEver) {
  FakeMember follows(wal::Role::follower, 7);
  Guarded follower(follows);
  const auto refused = follower.ask("DELETE", "/map/1/");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.get("Retry-After"), "1");
  EXPECT_EQ(follower.ask("GET", "/map/").status, 200);
  FakeMember lost(wal::Role::follower, 7, "http://127.0.0.1:1");
  Guarded other(lost);
  EXPECT_EQ(other.ask("DELETE", "/map/1/").status, 503);
}

TEST(ClusterGate, NamesEveryRefusalForPrograms) {
  FakeMember follows(wal::Role::follower, 7);
  Guarded follower(follows);
  const auto behind = follower.ask_at_least(token_of(9));
  EXPECT_TRUE(behind.body.ends_with(R"(,"code":"behind"})")) << behind.body;
  const auto refused = follower.ask("DELETE", "/map/1/");
  EXPECT_TRUE(refused.body.ends_with(R"(,"code":"no-leader"})")) << refused.body;
  net::Headers headers;
  headers.add(kAtLeastHeader, token_of(9));
  const auto of_site = follower.ask("GET", "/api/v1/map/", headers);
  EXPECT_TRUE(of_site.body.starts_with(R"({"error":{"code":"behind","message":)")) << of_site.body;
}

// What it knows of a leader is old.
TEST(ClusterGate, HandsNothingOnOnceItsMemberHasStopped) {
  FakeMember leads(wal::Role::leader, 8);
  Guarded leader(leads);
  FakeMember stopped(wal::Role::stopped, 7, leader.url());
  wal::MembershipStatus status = stopped.status();
  status.reason = "history forked";
  stopped.set(status);
  Guarded member(stopped);
  const auto refused = member.ask("DELETE", "/map/1/");
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("history forked"), std::string::npos) << refused.body;
  EXPECT_EQ(leader.handled, 0);
}

TEST(ClusterGate, RedirectsWhereThatIsWanted) {
  FakeMember follows(wal::Role::follower, 7, "https://alpha.example:8443");
  Guarded follower(follows, std::byte{1}, {.changes = ChangesAtFollower::redirected});
  const auto answer = follower.ask("DELETE", "/map/a%20b/?c=d");
  EXPECT_EQ(answer.status, 307);
  EXPECT_EQ(answer.headers.get("Location"), "https://alpha.example:8443/map/a%20b/?c=d");
}

TEST(ClusterGate, BelievesNobodyWhoHasAnotherKey) {
  FakeMember leads(wal::Role::leader, 8);
  Guarded leader(leads, std::byte{2});
  FakeMember follows(wal::Role::follower, 7, leader.url());
  Guarded follower(follows, std::byte{1});
  const auto refused = follower.ask("DELETE", "/map/1/");
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(refused.body.find("netml cluster key"), std::string::npos) << refused.body;
  net::Headers forged;
  forged.add(kForwardedHeader, "member=beta&client=192.0.2.1&time=1700000000&mac=00");
  EXPECT_EQ(leader.ask("GET", "/map/", forged).status, 403);
  EXPECT_EQ(leader.handled, 0);
}

TEST(ClusterGate, GivesWhatIsOnTheControlSocketToMembersAlone) {
  FakeMember leads(wal::Role::leader, 8);
  Guarded leader(leads);
  Request asked;
  asked.path = "/cluster/control/secret/";
  const auto ask = [&](bool control) {
    asked.control = control;
    net::Headers headers;
    const net::SystemClock clock;
    headers.add(kForwardedHeader,
                sign(leader.secrets(), asked, origin_of(asked, "beta"), clock.wall()));
    return leader.ask("GET", asked.path, headers).status;
  };
  EXPECT_EQ(leader.ask("GET", asked.path).status, 403);
  EXPECT_EQ(ask(false), 403) << "a client's request that a member forwards";
  EXPECT_EQ(ask(true), 200);
  EXPECT_TRUE(leader.last.control);
  EXPECT_EQ(leader.last.path, "/secret/");
  asked.path = "/cluster/control/nothing/";
  EXPECT_EQ(ask(true), 404);
}

TEST(MemberRequest, ProvesThisRequestAtThisTimeAndNoOther) {
  const Secrets secrets = secrets_of(std::byte{1});
  const WallTime now{1'700'000'000'000'000};
  Request request;
  request.method = Method::post;
  request.path = "/map/a b/";
  request.query = "x=1";
  request.id = "r1";
  request.client_address = "2001:db8::1";
  request.peer_address = "10.0.0.1";
  request.secure = true;
  request.headers.add("Host", "beta.example:8443");
  const std::string said = sign(secrets, request, origin_of(request, "be&ta"), now);
  Request sent = request;
  sent.headers.add(kForwardedHeader, said);
  const auto origin = verify(secrets, sent, now);
  ASSERT_TRUE(origin.has_value()) << origin.error().message;
  EXPECT_EQ(origin->member, "be&ta");
  EXPECT_EQ(origin->client_address, "2001:db8::1");
  EXPECT_EQ(origin->peer_address, "10.0.0.1");
  EXPECT_EQ(origin->request_id, "r1");
  EXPECT_EQ(origin->host, "beta.example:8443");
  EXPECT_TRUE(origin->secure);
  const auto later = [&](std::int64_t seconds) {
    return verify(secrets, sent, WallTime{now.microseconds + seconds * 1'000'000}).has_value();
  };
  EXPECT_TRUE(later(299));
  EXPECT_TRUE(later(-299));
  EXPECT_FALSE(later(301));
  EXPECT_FALSE(later(-301));
  const auto apart = verify(secrets, sent, WallTime{now.microseconds - 420'000'000});
  ASSERT_FALSE(apart.has_value());
  for (const char* text : {"420 s ahead of", "300 s are allowed", "set the clocks of be&ta", "NTP"})
    EXPECT_NE(apart.error().message.find(text), std::string::npos) << apart.error().message;
  Request other = sent;
  other.path = "/map/c/";
  EXPECT_FALSE(verify(secrets, other, now).has_value());
  other = sent;
  other.query = "x=2";
  EXPECT_FALSE(verify(secrets, other, now).has_value());
  other = sent;
  other.method = Method::del;
  EXPECT_FALSE(verify(secrets, other, now).has_value());
  other = sent;
  other.headers.set(kForwardedHeader, "client=192.0.2.1&" + said);
  EXPECT_FALSE(verify(secrets, other, now).has_value());
}

TEST(MemberAddress, IsWhatOthersReachAndNothingElse) {
  const auto parsed = net::parse_peer_url("https://Alpha.example");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(net::authority_of(*parsed), "alpha.example:443");
  EXPECT_TRUE(parsed->tls);
  EXPECT_EQ(net::authority_of(*net::parse_peer_url("http://[::1]:8080/")), "[::1]:8080");
  for (const char* text : {"", "alpha:8080", "ftp://alpha", "https://", "https://alpha/x",
                           "https://alpha:0", "https://a b", "https://u:p@alpha"})
    EXPECT_FALSE(net::parse_peer_url(text).has_value()) << text;
}

TEST(MemberAddress, IsARiskWhereOthersAreOnTheWay) {
  for (const char* safe :
       {"https://alpha.example", "http://127.0.0.2:8081", "http://[::1]:8081", "http://localhost"})
    EXPECT_EQ(risk_of_address(safe), "") << safe;
  for (const char* risky : {"http://alpha.example:8080", "http://10.0.0.1"})
    EXPECT_NE(risk_of_address(risky).find("use https"), std::string::npos) << risky;
}

TEST(ClusterHealth, SaysWhyNoChangesAreTaken) {
  const auto code = [](const wal::MembershipStatus& status) -> std::string {
    FakeMember member(status.role, 7, status.leader_address);
    member.set(status);
    const auto problem = cluster_problem(member);
    return problem ? problem->code : "";
  };
  wal::MembershipStatus follows;
  follows.role = wal::Role::follower;
  follows.leader_address = "https://alpha.example";
  follows.reached = follows.synchronous = true;
  follows.lag = std::chrono::seconds(60);
  EXPECT_EQ(code(follows), "") << "it catches up";
  follows.reached = false;
  EXPECT_EQ(code(follows), "no_database") << "whatever it knew of a leader";
  follows.lag = std::chrono::seconds(1);
  EXPECT_EQ(code(follows), "") << "the lease may hold";
  follows.leader_address.clear();
  EXPECT_EQ(code(follows), "no_leader");
  wal::MembershipStatus leads;
  leads.role = wal::Role::leader;
  leads.lease_left = std::chrono::seconds(1);
  leads.synchronous = true;
  EXPECT_EQ(code(leads), "");
  leads.lease_left = {};
  EXPECT_EQ(code(leads), "no_database");
  leads.reached = true;
  leads.synchronous = false;
  EXPECT_EQ(code(leads), "no_standby");
  leads.role = wal::Role::stopped;
  EXPECT_EQ(code(leads), "member_stopped");
}

}  // namespace
}  // namespace netml::admin
