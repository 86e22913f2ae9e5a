// Goal: whoever is signed in is reported each change at once, without a thread for each of them.
// Method: a server as it is started, and listeners over real sockets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <list>

#include "admin/api/services.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/server/public_routes.hpp"
#include "admin/server/system_clock.hpp"
#include "net/server/http_server.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/net/support/raw_client.hpp"
#include "tests/support/threads_here.hpp"

namespace netml::admin {
namespace {

class Events : public ::testing::Test {
 protected:
  Events() : server_(server_options(), clock_, random_, no_events_) {
    account_ = add_account("ada");
    const auto bound = server_.listen_tcp({"127.0.0.1", 0}, routes_);
    EXPECT_TRUE(bound.has_value());
    port_ = bound->port;
    server_.start();
  }
  ~Events() override { server_.stop(std::chrono::seconds(5)); }

  std::uint64_t add_account(const std::string& name) {
    return services_.accounts.create({}, {name, "", engine::Role::admin, "a long enough one"})
        .value_or(0);
  }
  Sessions::Begun sign_in() { return site_.sessions.begin({}, account_).value(); }
  net::RawClient& listen(const std::string& secret) {
    return listen_with("Cookie: __Host-netml=" + secret);
  }
  // HTTP Basic; `encoded` is NAME:PASSWORD in base64.
  net::RawClient& listen_by_password(const std::string& encoded) {
    return listen_with("Authorization: Basic " + encoded);
  }
  net::RawClient& listen_with(const std::string& field) {
    net::RawClient& client = clients_.emplace_back(port_);
    client.send(
        fmt::format("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
                    "{}\r\nSec-Fetch-Site: same-origin\r\n\r\n",
                    field));
    return client;
  }
  std::string change() const {
    return fmt::format("event: change\ndata: {{\"lsn\":{}}}\n", node_->version().state->lsn.value);
  }

  mutable testing::OpenNode node_;
  Services services_{*node_, {}, testing::kCheapPasswords};
  ImportQueue queue_{*node_};
  web::Site site_{services_, &queue_};
  net::Router routes_ = public_routes(services_, site_, RouteOptions());
  SystemClock clock_;
  netml::testing::SeededRandom random_;
  testing::NoEvents no_events_;
  net::HttpServer server_;
  std::uint16_t port_ = 0;
  std::uint64_t account_ = 0;
  std::list<net::RawClient> clients_;

 private:
  static net::ServerOptions server_options() {
    net::ServerOptions options;
    options.trusted_proxies = net::loopback_networks();
    return options;
  }
};

TEST_F(Events, ReachAHundredListenersWithoutAThreadForEach) {
  const std::string secret = sign_in().secret;
  ASSERT_TRUE(listen(secret).receive_until(change()));  // begins the one thread for all
  const std::ptrdiff_t before = netml::test::threads_here();
  for (int i = 1; i < 100; ++i) listen(secret);
  for (net::RawClient& client : clients_)
    ASSERT_TRUE(&client == &clients_.front() || client.receive_until(change()));
  EXPECT_LT(netml::test::threads_here(), before + 10);  // others may come and go
  for (const char* name : {"bob", "eve"}) {
    ASSERT_NE(add_account(name), 0U);
    for (net::RawClient& client : clients_) ASSERT_TRUE(client.receive_until(change()));
  }
}

TEST_F(Events, EndWithTheirSession) {
  const Sessions::Begun begun = sign_in();
  const std::string other = sign_in().secret;
  net::RawClient& ended = listen(begun.secret);
  net::RawClient& goes_on = listen(other);
  ASSERT_TRUE(goes_on.receive_until(change()));
  ASSERT_TRUE(site_.sessions.end({}, begun.who.session).has_value());
  ASSERT_TRUE(ended.receive_until("\r\n0\r\n\r\n")) << "the end of a whole answer";
  EXPECT_TRUE(goes_on.receive_until(change()));
}

constexpr const char* kAda = "YWRhOmEgbG9uZyBlbm91Z2ggb25l";  // ada:a long enough one
constexpr const char* kBob = "Ym9iOmEgbG9uZyBlbm91Z2ggb25l";  // bob:a long enough one

TEST_F(Events, EndWithThePasswordThatOpenedThem) {
  const std::uint64_t bob = add_account("bob");
  net::RawClient& ended = listen_by_password(kBob);
  net::RawClient& goes_on = listen_by_password(kAda);
  ASSERT_TRUE(ended.receive_until(change()));
  ASSERT_TRUE(goes_on.receive_until(change()));
  ASSERT_TRUE(services_.accounts.update({}, bob, {.email = "bob@example.org"}).has_value());
  ASSERT_TRUE(ended.receive_until(change())) << "that opens and closes nothing";
  ASSERT_TRUE(services_.accounts.set_password({}, "bob", "another long one").has_value());
  ASSERT_TRUE(ended.receive_until("\r\n0\r\n\r\n")) << "the end of a whole answer";
  EXPECT_TRUE(goes_on.receive_until(change()));
}

TEST_F(Events, EndWithTheAccountThatOpenedThem) {
  ASSERT_NE(add_account("bob"), 0U);
  net::RawClient& ended = listen_by_password(kBob);
  net::RawClient& goes_on = listen_by_password(kAda);
  ASSERT_TRUE(ended.receive_until(change()));
  ASSERT_TRUE(goes_on.receive_until(change()));
  ASSERT_TRUE(services_.accounts.remove({}, "bob").has_value());
  ASSERT_TRUE(ended.receive_until("\r\n0\r\n\r\n"));
  EXPECT_TRUE(goes_on.receive_until(change()));
}

TEST_F(Events, EndWhenTheAccountThatOpenedThemMayNoMore) {
  const std::uint64_t bob = add_account("bob");
  for (const auto& edit :
       {Accounts::Edit{.role = engine::Role::viewer}, Accounts::Edit{.enabled = false}}) {
    net::RawClient& client = listen_by_password(kBob);
    ASSERT_TRUE(client.receive_until(change()));
    ASSERT_TRUE(services_.accounts.update({}, bob, edit).has_value());
    EXPECT_TRUE(client.receive_until("\r\n0\r\n\r\n"));
  }
}

TEST_F(Events, AreForWhoeverIsSignedIn) {
  const auto answer = listen("nobodys").receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
}

TEST_F(Events, EndWholeWhenTheNodeStops) {
  net::RawClient& client = listen(sign_in().secret);
  ASSERT_TRUE(client.receive_until(change()));
  services_.notifier.close();
  EXPECT_TRUE(client.receive_until("\r\n0\r\n\r\n"));
  EXPECT_EQ(listen(sign_in().secret).receive()->status, 503);
}

TEST_F(Events, AskWhoeverComesTooLateToComeBack) {
  std::list<std::unique_ptr<net::BodySource>> others;
  while (auto one = services_.notifier.listen([] { return true; }))
    others.push_back(std::move(one));
  EXPECT_EQ(others.size(), Notifier::kListenersMax);
  const std::string secret = sign_in().secret;
  const auto busy = listen(secret).receive();
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->status, 503);
  EXPECT_EQ(busy->field("Retry-After"), "15");
  others.pop_back();
  EXPECT_TRUE(listen(secret).receive_until(change()));
}

}  // namespace
}  // namespace netml::admin
