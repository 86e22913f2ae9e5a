// Goal: a connection goes to nobody but the peer that was meant (N2, N4). Method: the address
// rules as a table; a server and a trap on loopback; certificates made by the test.
#include "net/client/outgoing.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <fstream>
#include <future>
#include <iterator>
#include <thread>

#include "tests/net/support/certificate.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/reserved_port.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

IpAddress ip(std::string_view text) {
  return IpAddress::parse(text).value();
}

TEST(AddressKinds, AreWhatTheAddressLeadsTo_N2) {
  for (const char* text : {"169.254.169.254",
                           "169.254.0.1",
                           "0.0.0.0",
                           "0.1.2.3",
                           "224.0.0.1",
                           "239.255.255.255",
                           "240.0.0.1",
                           "255.255.255.255",
                           "192.0.0.192",
                           "::",
                           "fe80::1",
                           "febf::1",
                           "fd00:ec2::254",
                           "ff02::1",
                           "::ffff:169.254.169.254",
                           "64:ff9b::a9fe:a9fe",
                           "64:ff9b:1::a9fe:a9fe",
                           "2002:a9fe:a9fe::1",
                           "::169.254.169.254",
                           "64:ff9b::"})
    EXPECT_EQ(kind_of(ip(text)), AddressKind::forbidden) << text;
  for (const char* text :
       {"127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "100.64.0.1", "198.18.0.1", "::1", "fc00::1", "fdff::1", "fec0::1", "::ffff:127.0.0.1",
        "64:ff9b::7f00:1", "2002:a00:1::1", "::127.0.0.1"})
    EXPECT_EQ(kind_of(ip(text)), AddressKind::internal) << text;
  for (const char* text :
       {"1.1.1.1", "172.15.255.255", "172.32.0.1", "193.206.0.1", "11.0.0.1", "2001:4860::8888",
        "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8"})
    EXPECT_EQ(kind_of(ip(text)), AddressKind::everybodys) << text;
}

// A listener whose queue tells whether anybody came.
class Trap {
 public:
  explicit Trap(int backlog = 8) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_.get(), backlog), 0);
    socklen_t size = sizeof address;
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
  }
  bool sprung() const {
    pollfd entry{socket_.get(), POLLIN, 0};
    return ::poll(&entry, 1, 0) == 1;
  }
  std::uint16_t port = 0;

 private:
  UniqueFd socket_;
};

class Outgoing : public ::testing::Test {
 protected:
  // What the connection failed with; "" when there is one.
  std::string problem_with(const Peer& peer) {
    auto channel = connect_to_peer(peer, rules_, clock_);
    return channel ? "" : problem_name(channel.error().problem);
  }
  void resolve_to(std::vector<std::vector<std::string>> answers) {
    rules_.resolve = [this, answers](const std::string&) -> Result<std::vector<IpAddress>> {
      std::vector<IpAddress> addresses;
      for (const std::string& text : answers.at(lookups_++)) addresses.push_back(ip(text));
      return addresses;
    };
  }

  SystemClock clock_;
  OutgoingRules rules_;
  std::size_t lookups_ = 0;
  Trap trap_;
};

TEST_F(Outgoing, ReachesInternalAddressesOnlyWhenAllowed_N2) {
  const Peer peer{.host = "127.0.0.1", .port = trap_.port, .tls = false};
  const auto refused = connect_to_peer(peer, rules_, clock_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().problem, OutgoingProblem::address);
  EXPECT_NE(refused.error().message.find("--poll-allow"), std::string::npos);
  EXPECT_FALSE(trap_.sprung());
  rules_.allowed = {IpNetwork::parse("10.0.0.0/8").value()};
  EXPECT_EQ(problem_with(peer), "address");
  EXPECT_FALSE(trap_.sprung());
  rules_.allowed.push_back(IpNetwork::parse("127.0.0.0/8").value());
  EXPECT_EQ(problem_with(peer), "");
  EXPECT_TRUE(trap_.sprung());
}

TEST_F(Outgoing, NeverReachesForbiddenAddresses_N2) {
  rules_.internal_allowed = true;
  rules_.allowed = {IpNetwork::parse("0.0.0.0/0").value(), IpNetwork::parse("::/0").value()};
  for (const char* host : {"169.254.169.254", "0.0.0.0", "::", "fe80::1", "64:ff9b::a9fe:a9fe"})
    EXPECT_EQ(problem_with({.host = host, .port = trap_.port, .tls = false}), "address") << host;
  EXPECT_FALSE(trap_.sprung());
}

TEST_F(Outgoing, JudgesEveryAddressOfAName_N2) {
  resolve_to({{"127.0.0.1", "169.254.169.254"}});
  rules_.internal_allowed = true;
  EXPECT_EQ(problem_with({.host = "peer", .port = trap_.port, .tls = false}), "address");
  EXPECT_FALSE(trap_.sprung());
}

TEST_F(Outgoing, LooksANameUpOnce_N2) {
  rules_.allowed = {IpNetwork::parse("127.0.0.0/8").value()};
  resolve_to({{"127.0.0.1"}, {"169.254.169.254"}});
  EXPECT_EQ(problem_with({.host = "peer", .port = trap_.port, .tls = false}), "");
  EXPECT_EQ(lookups_, 1U);
}

TEST_F(Outgoing, TellsNamesAndConnectionsThatFail) {
  resolve_to({{}});
  EXPECT_EQ(problem_with({.host = "peer", .port = 1}), "name");
  rules_.resolve = [](const std::string& host) -> Result<std::vector<IpAddress>> {
    return fail(Errc::not_found, host);
  };
  EXPECT_EQ(problem_with({.host = "peer", .port = 1}), "name");
  OutgoingRules open;
  open.internal_allowed = true;
  const test::ReservedPort closed;
  const auto channel =
      connect_to_peer({.host = "127.0.0.1", .port = closed.number()}, open, clock_);
  ASSERT_FALSE(channel.has_value());
  EXPECT_EQ(channel.error().problem, OutgoingProblem::connection);
}

TEST_F(Outgoing, GivesUpAPeerThatShakesNoHands_N5) {
  rules_.internal_allowed = true;
  rules_.tls_max = std::chrono::milliseconds(50);
  EXPECT_EQ(problem_with({.host = "127.0.0.1", .port = trap_.port}), "time_out");
}

// ---- a stop ----

// A look-up that lasts until it is let go; it may outlive the connection that asked for it.
struct SlowLookUp {
  std::promise<void> begun;
  std::promise<void> let_go;
  std::promise<void> ended;
};

TEST_F(Outgoing, WaitsForNoLookUpAfterAStop) {
  const auto slow = std::make_shared<SlowLookUp>();
  rules_.connect_max = std::chrono::minutes(10);
  rules_.resolve = [slow](const std::string&) -> Result<std::vector<IpAddress>> {
    slow->begun.set_value();
    slow->let_go.get_future().wait();
    slow->ended.set_value();
    return std::vector<IpAddress>();
  };
  std::stop_source stop;
  auto channel = std::async(std::launch::async, [&] {
    return connect_to_peer({.host = "peer", .port = 1}, rules_, clock_, stop.get_token());
  });
  slow->begun.get_future().wait();
  stop.request_stop();
  EXPECT_FALSE(channel.get().has_value());
  slow->let_go.set_value();
  slow->ended.get_future().wait();
}

TEST_F(Outgoing, GivesUpALookUpThatTakesTooLong_N5) {
  const auto slow = std::make_shared<SlowLookUp>();
  rules_.connect_max = std::chrono::milliseconds(20);
  rules_.resolve = [slow](const std::string&) -> Result<std::vector<IpAddress>> {
    slow->let_go.get_future().wait();
    slow->ended.set_value();
    return std::vector<IpAddress>();
  };
  EXPECT_EQ(problem_with({.host = "peer", .port = 1}), "time_out");
  slow->let_go.set_value();
  slow->ended.get_future().wait();
}

// Linux lets nobody in whose listener has its queue full, and refuses nobody either.
TEST_F(Outgoing, BreaksOffAConnectionInTheMakingAtAStop) {
  rules_.internal_allowed = true;
  rules_.connect_max = std::chrono::minutes(10);
  const Trap full(0);
  std::vector<std::unique_ptr<ByteChannel>> queued;
  while (auto one = connect_tcp({"127.0.0.1", full.port}, std::chrono::milliseconds(50)))
    queued.push_back(std::move(*one));
  std::stop_source stop;
  auto channel = std::async(std::launch::async, [&] {
    return connect_to_peer({.host = "127.0.0.1", .port = full.port, .tls = false}, rules_, clock_,
                           stop.get_token());
  });
  std::this_thread::yield();
  stop.request_stop();
  EXPECT_FALSE(channel.get().has_value());
}

TEST_F(Outgoing, BreaksOffAHandshakeAtAStop) {
  rules_.internal_allowed = true;
  rules_.tls_max = std::chrono::minutes(10);
  std::stop_source stop;
  auto channel = std::async(std::launch::async, [&] {
    return connect_to_peer({.host = "127.0.0.1", .port = trap_.port}, rules_, clock_,
                           stop.get_token());
  });
  while (!trap_.sprung()) std::this_thread::yield();
  stop.request_stop();
  EXPECT_FALSE(channel.get().has_value());
}

TEST_F(Outgoing, BreaksOffAChannelAtAStop) {
  rules_.internal_allowed = true;
  std::stop_source stop;
  auto channel = connect_to_peer({.host = "127.0.0.1", .port = trap_.port, .tls = false}, rules_,
                                 clock_, stop.get_token());
  ASSERT_TRUE(channel.has_value());
  auto ready = std::async(std::launch::async,
                          [&] { return (*channel)->wait(false, std::chrono::minutes(10)); });
  stop.request_stop();
  EXPECT_EQ(ready.get().value(), ByteChannel::Ready::to_read) << "which finds the end";
  char byte = 0;
  EXPECT_EQ((*channel)->read_some(std::span(&byte, 1)).value_or(0), 0U);
}

// ---- TLS ----

class OutgoingTls : public Outgoing {
 protected:
  OutgoingTls() : root_("root"), middle_("middle", &root_) {
    rules_.internal_allowed = true;
    base_.router.add(Method::get, "/big/", [](const Request&) -> Answer {
      Response response;
      response.body = std::string(1'000'000, 'b');
      return response;
    });
    base_.server =
        std::make_unique<HttpServer>(ServerOptions{}, base_.clock, base_.random, base_.events);
  }
  ~OutgoingTls() override { base_.server.reset(); }

  void serve(const TlsFiles& files) {
    const auto bound = base_.server->listen_tcp({"127.0.0.1", 0}, base_.router, files);
    ASSERT_TRUE(bound.has_value()) << bound.error().message;
    port_ = bound->port;
    base_.server->start();
  }
  TlsFiles issue(const CertificateWish& wish, const Authority& by,
                 std::vector<const Authority*> chain = {}) {
    return by.issue(directory_.path(), wish, chain);
  }
  Peer peer(const std::string& ca_certificates) const {
    return {.host = "127.0.0.1", .port = port_, .ca_certificates = ca_certificates};
  }
  void expect_refused(const Peer& peer, const char* problem) {
    EXPECT_EQ(problem_with(peer), problem);
    EXPECT_TRUE(base_.events.accesses().empty()) << "nothing was asked";
  }

  test::TemporaryDirectory directory_;
  Authority root_;
  Authority middle_;
  TestServer base_;
  std::uint16_t port_ = 0;
};

const CertificateWish kForLoopback{.alternative_name = "IP:127.0.0.1"};

TEST_F(OutgoingTls, ExchangesWithAPeerThatItKnows_N4) {
  serve(issue(kForLoopback, middle_, {&middle_}));
  auto channel = connect_to_peer(peer(root_.pem()), rules_, clock_);
  ASSERT_TRUE(channel.has_value()) << channel.error().message;
  HttpClient client(std::move(*channel), "127.0.0.1", clock_);
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.send({.target = "/big/", .headers = {}, .body = {}});
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(answer->body.size(), 1'000'000U);
  }
}

TEST_F(OutgoingTls, RefusesAnUnknownAuthority_N4) {
  serve(issue(kForLoopback, root_));
  expect_refused(peer(Authority("another").pem()), "certificate");
  expect_refused(peer({}), "certificate");
}

TEST_F(OutgoingTls, RefusesTheCertificateOfAnotherHost_N4) {
  serve(issue({.alternative_name = "IP:127.0.0.2"}, root_));
  expect_refused(peer(root_.pem()), "certificate");
}

TEST_F(OutgoingTls, AsksForTheNameThatWasMeant_N4) {
  serve(issue({.alternative_name = "DNS:peer.example.org"}, root_));
  resolve_to({{"127.0.0.1"}, {"127.0.0.1"}});
  Peer named = peer(root_.pem());
  named.host = "peer.example.org";
  EXPECT_EQ(problem_with(named), "");
  named.host = "other.example.org";
  expect_refused(named, "certificate");
}

TEST_F(OutgoingTls, RefusesACertificateOutOfDate_N4) {
  serve(issue({.alternative_name = "IP:127.0.0.1", .ends_in = -60}, root_));
  expect_refused(peer(root_.pem()), "certificate");
}

TEST_F(OutgoingTls, RefusesAChainWithALinkMissing_N4) {
  serve(issue(kForLoopback, middle_));
  expect_refused(peer(root_.pem()), "certificate");
}

TEST_F(OutgoingTls, ChecksNothingWhenToldSo) {
  serve(issue({.alternative_name = "IP:127.0.0.2", .ends_in = -60}, root_));
  Peer unverified = peer({});
  unverified.verified = false;
  EXPECT_EQ(problem_with(unverified), "");
}

TEST_F(OutgoingTls, TellsAPeerThatDoesNotSpeakTls_N4) {
  const auto bound = base_.server->listen_tcp({"127.0.0.1", 0}, base_.router, std::nullopt);
  ASSERT_TRUE(bound.has_value());
  port_ = bound->port;
  base_.server->start();
  EXPECT_EQ(problem_with(peer({})), "tls");
}

}  // namespace
}  // namespace netml::net
