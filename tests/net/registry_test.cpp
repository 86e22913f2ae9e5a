// Who gives way: the registry over connections that only say what they do, with a clock of its own;
// and who is known to it.
#include "net/src/registry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "net/src/byte_rate.hpp"
#include "net/src/known_clients.hpp"
#include "tests/support/ports.hpp"

namespace netml::net {
namespace {

using namespace std::chrono_literals;

class FakeConnection : public Registered {
 public:
  explicit FakeConnection(std::string address) : address_(std::move(address)) {}
  void cut() override { ended = true; }
  const std::string& address() const override { return address_; }

  bool ended = false;

 private:
  const std::string address_;
};

class RegistryTest : public ::testing::Test {
 protected:
  static ServerOptions small() {
    ServerOptions options;
    options.limits.connections_max = 3;
    options.limits.connection_memory_bytes_max = 1000;
    return options;
  }
  // Each a second after the one before.
  std::unique_ptr<FakeConnection> connect(bool known = false, const std::string& address = "::1") {
    clock_.advance(1s);
    EXPECT_EQ(registry_.admit(address), Registry::Admission::admitted);
    auto connection = std::make_unique<FakeConnection>(address);
    connection->known = known;
    registry_.add(*connection);
    return connection;
  }
  void end(const std::unique_ptr<FakeConnection>& connection) { registry_.remove(*connection); }

  netml::testing::ManualClock clock_;
  ServerOptions options_ = small();
  Registry registry_{options_, clock_};
};

TEST_F(RegistryTest, GivesUpWhosePlaceIsPaidForLeast) {
  const auto first = connect();
  const auto second = connect();
  const auto third = connect();
  first->moved(1 << 20, clock_.steady());
  const auto fourth = connect();
  EXPECT_TRUE(second->ended);
  EXPECT_FALSE(first->ended || third->ended);
  for (const auto* connection : {&first, &second, &third, &fourth}) end(*connection);
  EXPECT_EQ(registry_.size(), 0u);
}

TEST_F(RegistryTest, GivesUpStrangersBeforeThoseWhoAreKnown) {
  const auto known = connect(true);
  const auto stranger = connect();
  const auto other = connect(true);
  const auto newcomer = connect();
  EXPECT_TRUE(stranger->ended);
  EXPECT_FALSE(known->ended || other->ended);
  for (const auto* connection : {&known, &stranger, &other, &newcomer}) end(*connection);
}

TEST_F(RegistryTest, GivesUpWhoComesFromAKnownAddressAfterOtherStrangers) {
  const auto known = connect(true);
  const auto neighbour = connect();
  neighbour->from_known_address = true;
  clock_.advance(1h);
  const auto stranger = connect();
  const auto newcomer = connect();
  EXPECT_TRUE(stranger->ended);
  EXPECT_FALSE(neighbour->ended);
  newcomer->known = true;
  const auto last = connect(true);
  EXPECT_TRUE(neighbour->ended);
  EXPECT_FALSE(known->ended);
  for (const auto* connection : {&known, &neighbour, &stranger, &newcomer, &last}) end(*connection);
}

// Nobody looks through thousands for each newcomer, and each newcomer at others.
TEST_F(RegistryTest, GivesUpABadOneOfManyAndNobodyTwice) {
  constexpr std::size_t kCrowd = 2000;
  constexpr std::size_t kNewcomers = 100;
  options_.limits.connections_max = kCrowd;
  options_.limits.connections_per_address_max = 2 * kCrowd;
  options_.address_limit_exempt = {IpNetwork::parse("::1").value()};
  std::vector<std::unique_ptr<FakeConnection>> crowd;
  for (std::size_t i = 0; i < kCrowd + kNewcomers; ++i) crowd.push_back(connect(i % 2 == 0));
  const auto ended = [](const auto& one) { return one->ended; };
  EXPECT_EQ(std::ranges::count_if(crowd, ended), kNewcomers);
  for (std::size_t i = 0; i < crowd.size(); i += 2) EXPECT_FALSE(crowd[i]->ended) << i;
  for (const auto& one : crowd) end(one);
  EXPECT_EQ(registry_.size(), 0u);
}

TEST_F(RegistryTest, LeavesAnAddressTwoConnectionsWhileManyAreOnTheirWayOut) {
  constexpr std::size_t kCrowd = 300;  // more than may be on their way out
  options_.limits.connections_max = kCrowd;
  options_.limits.connections_per_address_max = 20;
  options_.address_limit_exempt = {IpNetwork::parse("::1").value()};
  std::vector<std::unique_ptr<FakeConnection>> open;
  for (std::size_t i = 0; i < 2 * kCrowd; ++i) open.push_back(connect());
  for (int i = 0; i < 2; ++i) open.push_back(connect(false, "2001:db8::1"));
  EXPECT_EQ(registry_.admit("2001:db8::1"), Registry::Admission::too_many_from_address);
  EXPECT_EQ(registry_.admit("2001:db8::1", true), Registry::Admission::admitted) << "a known one";
  registry_.give_back("2001:db8::1");
  EXPECT_TRUE(registry_.is_clearing());
  for (std::size_t i = 0; i < kCrowd; ++i) {
    end(open.front());
    open.erase(open.begin());
  }
  EXPECT_FALSE(registry_.is_clearing());
  open.push_back(connect(false, "2001:db8::1"));
  for (const auto& one : open) end(one);
}

TEST_F(RegistryTest, HoldsAnIpv6NetworkToTheShareOfOneAddress) {
  options_.limits.connections_max = 100;
  options_.limits.connections_per_address_max = 2;
  const auto first = connect(false, "2001:db8::1");
  const auto second = connect(false, "2001:db8::2");
  EXPECT_EQ(registry_.admit("2001:db8::3"), Registry::Admission::too_many_from_address);
  end(first);
  const auto third = connect(false, "2001:db8::3");
  const auto other = connect(false, "2001:db8:0:1::1");
  for (const auto* connection : {&second, &third, &other}) end(*connection);
  EXPECT_EQ(registry_.size(), 0u);
}

TEST_F(RegistryTest, GivesAnAddressASmallerShareTheFullerItIs) {
  options_.limits.connections_max = 64;
  options_.limits.connections_per_address_max = 64;
  std::vector<std::unique_ptr<FakeConnection>> open;
  while (open.size() < 21) open.push_back(connect(false, "192.0.2.1"));
  EXPECT_EQ(registry_.admit("192.0.2.1"), Registry::Admission::too_many_from_address)
      << "half of the 43 that are free";
  open.push_back(connect(false, "192.0.2.2"));
  for (const auto& connection : open) end(connection);
}

// One of a network that is limited as a whole.
TEST_F(RegistryTest, CountsNoExemptAddress) {
  options_.limits.connections_max = 100;
  options_.limits.connections_per_address_max = 1;
  options_.address_limit_exempt = {IpNetwork::parse("2001:db8::1").value()};
  const auto first = connect(false, "2001:db8::2");
  const auto exempt = connect(false, "2001:db8::1");
  end(exempt);
  EXPECT_EQ(registry_.admit("2001:db8::3"), Registry::Admission::too_many_from_address);
  end(first);
}

TEST_F(RegistryTest, SharesOutTheMemoryOfConnections) {
  const auto first = connect();
  const auto second = connect();
  const auto third = connect();
  EXPECT_TRUE(registry_.keep(*second, {400, 0}));
  EXPECT_TRUE(registry_.keep(*third, {600, 0}));
  EXPECT_TRUE(registry_.keep(*third, {500, 0})) << "less than before";
  first->moved(1 << 20, clock_.steady());
  EXPECT_TRUE(registry_.keep(*first, {400, 0}));
  EXPECT_TRUE(second->ended);
  EXPECT_FALSE(third->ended);
  for (const auto* connection : {&first, &second, &third}) end(*connection);
}

TEST_F(RegistryTest, RefusesMemoryToTheLeastUseful) {
  const auto first = connect();
  const auto known = connect(true);
  EXPECT_TRUE(registry_.keep(*known, {900, 0}));
  EXPECT_FALSE(registry_.keep(*first, {200, 0}));
  EXPECT_TRUE(first->ended);
  EXPECT_FALSE(known->ended);
  end(first);
  end(known);
}

TEST_F(RegistryTest, GivesNobodyUpForAStrangerWhoseNeedIsBeyondTheLimit) {
  const auto first = connect();
  const auto second = connect();
  EXPECT_TRUE(registry_.keep(*first, {400, 0}));
  EXPECT_FALSE(registry_.keep(*second, {1200, 0}));
  EXPECT_TRUE(second->ended);
  EXPECT_FALSE(first->ended);
  end(first);
  end(second);
}

TEST_F(RegistryTest, LeavesHalfOfTheMemoryToOtherThingsThanBodiesOfStrangers) {
  const auto first = connect();
  const auto second = connect();
  EXPECT_TRUE(registry_.keep(*first, {400, 400}));
  first->enter(Registered::Phase::busy, clock_.steady());
  EXPECT_FALSE(registry_.keep(*second, {400, 400}));
  EXPECT_TRUE(second->ended);
  const auto third = connect();
  EXPECT_TRUE(registry_.keep(*third, {400, 0}));
  for (const auto* connection : {&first, &second, &third}) end(*connection);
}

TEST_F(RegistryTest, RefusesMemoryWhereTheServerWorksForAllOthers) {
  const auto busy = connect();
  const auto control = connect(false, "");
  EXPECT_TRUE(registry_.keep(*busy, {900, 0}));
  busy->enter(Registered::Phase::busy, clock_.steady());
  control->enter(Registered::Phase::receiving, clock_.steady());
  EXPECT_TRUE(registry_.keep(*control, {200, 0}));
  const auto stranger = connect();
  EXPECT_FALSE(registry_.keep(*stranger, {200, 0}));
  EXPECT_TRUE(stranger->ended);
  EXPECT_FALSE(busy->ended || control->ended);
  end(stranger);
  end(busy);
  const auto later = connect();
  EXPECT_TRUE(registry_.keep(*later, {200, 0})) << "what was kept is given back";
  later->known = true;
  EXPECT_TRUE(registry_.keep(*later, {2000, 0})) << "who is known takes what it needs";
  end(later);
  end(control);
}

Headers with(std::string_view name, std::string_view value) {
  Headers headers;
  headers.add(name, value);
  return headers;
}

// What everybody can send makes nobody known.
TEST(KnownClients, ShowWhatCanOpenSomething) {
  const auto of = [](std::string_view cookies) {
    return KnownClients::credentials(with("Cookie", cookies));
  };
  EXPECT_EQ(of("netml_language=fr"), std::nullopt);
  EXPECT_EQ(of("netml="), std::nullopt);
  EXPECT_EQ(of(";; ;"), std::nullopt);
  EXPECT_TRUE(of("netml=a"));
  EXPECT_EQ(of("netml_language=fr; netml=a"), of("netml=a; balancer=7"));
  EXPECT_NE(of("netml=a"), of("netml=b"));
  EXPECT_TRUE(of("x=1; __Host-netml=a"));
}

TEST(KnownClients, AreThoseWhoWereServedLately) {
  netml::testing::ManualClock clock;
  KnownClients clients(clock);
  const auto token = KnownClients::credentials(with("Authorization", "Bearer a"));
  const auto cookie = KnownClients::credentials(with("Cookie", "netml=Bearer a"));
  ASSERT_TRUE(token && cookie);
  EXPECT_EQ(KnownClients::credentials(with("Accept", "*/*")), std::nullopt);
  EXPECT_FALSE(clients.knows(*token));
  clients.served(*token, "2001:db8::1");
  EXPECT_TRUE(clients.knows(*token));
  EXPECT_FALSE(clients.knows(*cookie));
  EXPECT_TRUE(clients.knows_address("2001:db8::2")) << "of the same /64";
  EXPECT_FALSE(clients.knows_address("2001:db8:0:1::1"));
  clock.advance(KnownClients::kRemembered);
  EXPECT_FALSE(clients.knows(*token));
  EXPECT_FALSE(clients.knows_address("2001:db8::2"));
  clients.served(*token, "192.0.2.1");
  clients.refused(*token);
  EXPECT_FALSE(clients.knows(*token));
  EXPECT_TRUE(clients.knows_address("192.0.2.1")) << "others may come from there, too";
}

TEST(KnownClients, AreNotMoreThanFit) {
  netml::testing::ManualClock clock;
  KnownClients clients(clock);
  const auto named = [](std::size_t i) {
    return *KnownClients::credentials(with("Authorization", std::to_string(i)));
  };
  for (std::size_t i = 0; i <= KnownClients::kMax; ++i) {
    clock.advance(1ms);
    clients.served(named(i), fmt::format("192.0.{}.{}", i / 256, i % 256));
  }
  EXPECT_FALSE(clients.knows_address("192.0.0.0"));
  EXPECT_TRUE(clients.knows_address("192.0.0.1"));
  EXPECT_FALSE(clients.knows(named(0)));
  EXPECT_TRUE(clients.knows(named(1)));
  EXPECT_TRUE(clients.knows(named(KnownClients::kMax)));
}

TEST(ByteRate, LetsManyTogetherTakeSoMuch) {
  netml::testing::ManualClock clock;
  clock.advance(1h);
  ByteRate rate(1000);
  const auto pause_after = [&](std::uint64_t bytes) {
    return std::chrono::round<std::chrono::milliseconds>(rate.pause_after(bytes, clock.steady()));
  };
  EXPECT_LE(pause_after(250), 0ms) << "what nobody used before";
  EXPECT_EQ(pause_after(100), 100ms);
  EXPECT_EQ(pause_after(100), 200ms);
  clock.advance(200ms);
  EXPECT_EQ(pause_after(100), 100ms);
  EXPECT_EQ(pause_after(1'000'000), ByteRate::kPauseMax) << "nobody waits for longer";
  clock.advance(ByteRate::kPauseMax + 100ms);
  EXPECT_EQ(pause_after(100), 0ms);
}

}  // namespace
}  // namespace netml::net
