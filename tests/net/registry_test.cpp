// Who gives way: the registry over connections that only say what they do, with a clock of its own;
// and who is known to it.
#include "net/connection/registry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "net/connection/byte_rate.hpp"
#include "net/connection/known_clients.hpp"
#include "tests/support/ports.hpp"

namespace netml::net {
namespace {

using namespace std::chrono_literals;

class FakeConnection : public Registered {
 public:
  explicit FakeConnection(std::string address) : address_(std::move(address)) {}
  void cut() override {
    if (std::exchange(without_memory, false)) throw std::bad_alloc();
    ended = true;
  }
  const std::string& address() const override { return address_; }

  bool ended = false;
  bool without_memory = false;  // to be cut, once

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
    const auto counted = registry_.admit(address);
    EXPECT_TRUE(counted.has_value());
    auto connection = std::make_unique<FakeConnection>(address);
    connection->from_known_address = from_known_addresses_;
    registry_.add(*connection, *counted);
    registry_.recognise(*connection, known);
    return connection;
  }
  // One address may have all of them.
  void make_room_for(std::size_t connections) {
    options_.limits.connections_max = connections;
    options_.limits.connections_per_address_max = 2 * connections;
    options_.address_limit_exempt = {IpNetwork::parse("::1").value()};
  }
  bool has_its_share(const std::string& address) {
    const auto counted = registry_.admit(address);
    if (counted) registry_.give_back(*counted);
    return !counted && counted.error() == Registry::Refused::too_many_from_address;
  }
  void end(const std::unique_ptr<FakeConnection>& connection) { registry_.remove(*connection); }

  netml::testing::ManualClock clock_;
  ServerOptions options_ = small();
  Registry registry_{options_, clock_};
  bool from_known_addresses_ = false;  // all that connect() makes
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
  from_known_addresses_ = true;
  const auto neighbour = connect();
  from_known_addresses_ = false;
  clock_.advance(24h);
  const auto stranger = connect();
  const auto newcomer = connect();
  EXPECT_TRUE(stranger->ended);
  EXPECT_FALSE(neighbour->ended);
  registry_.recognise(*newcomer, true);
  const auto last = connect(true);
  EXPECT_TRUE(neighbour->ended);
  EXPECT_FALSE(known->ended);
  for (const auto* connection : {&known, &neighbour, &stranger, &newcomer, &last}) end(*connection);
}

// Nobody looks through thousands for each newcomer, and each newcomer at others.
TEST_F(RegistryTest, GivesUpABadOneOfManyAndNobodyTwice) {
  constexpr std::size_t kCrowd = 2000;
  constexpr std::size_t kNewcomers = 100;
  make_room_for(kCrowd);
  std::vector<std::unique_ptr<FakeConnection>> crowd;
  for (std::size_t i = 0; i < kCrowd + kNewcomers; ++i) crowd.push_back(connect(i % 2 == 0));
  const auto ended = [](const auto& one) { return one->ended; };
  EXPECT_EQ(std::ranges::count_if(crowd, ended), kNewcomers);
  for (std::size_t i = 0; i < crowd.size(); i += 2) EXPECT_FALSE(crowd[i]->ended) << i;
  for (const auto& one : crowd) end(one);
  EXPECT_EQ(registry_.size(), 0u);
}

// Behind a proxy all of them may be from an address that is known, and all may be known.
TEST_F(RegistryTest, LooksAtAFewForANewcomerWhoeverTheOthersAre) {
  constexpr std::size_t kCrowd = 600;
  make_room_for(kCrowd);
  for (const bool known : {false, true}) {
    from_known_addresses_ = !known;
    std::vector<std::unique_ptr<FakeConnection>> crowd;
    while (crowd.size() < kCrowd) crowd.push_back(connect(known));
    for (const auto& one : crowd) one->enter(Registered::Phase::idle, clock_.steady());
    const auto& worst = crowd[500];  // beyond those that are looked at
    worst->enter(Registered::Phase::idle, {});
    crowd.push_back(connect(known));
    EXPECT_FALSE(worst->ended);
    crowd.push_back(connect(known));
    EXPECT_TRUE(worst->ended) << "the next newcomer goes on behind them";
    for (const auto& one : crowd) end(one);
  }
}

TEST_F(RegistryTest, LooksAtAFewForMemoryWhoeverTheOthersAre) {
  constexpr std::size_t kCrowd = 600;
  make_room_for(kCrowd);
  from_known_addresses_ = true;
  std::vector<std::unique_ptr<FakeConnection>> crowd;
  while (crowd.size() < kCrowd) crowd.push_back(connect());
  for (const auto& one : crowd) EXPECT_TRUE(registry_.keep(*one, {1, 0}));
  const auto& worst = crowd[500];
  EXPECT_TRUE(registry_.keep(*worst, {300, 0}));
  EXPECT_TRUE(registry_.keep(*crowd[599], {103, 0}));
  EXPECT_FALSE(worst->ended);
  EXPECT_TRUE(registry_.keep(*crowd[598], {200, 0}));
  EXPECT_TRUE(worst->ended) << "who asks next goes on behind them";
  for (const auto& one : crowd) end(one);
}

TEST_F(RegistryTest, RefusesANewcomerBeforeItLooksThroughAllThatAreWorkedFor) {
  constexpr std::size_t kCrowd = 2000;
  make_room_for(kCrowd);
  std::vector<std::unique_ptr<FakeConnection>> crowd;
  while (crowd.size() < kCrowd) crowd.push_back(connect(crowd.empty()));
  for (std::size_t i = 1; i < 1500; ++i) crowd[i]->enter(Registered::Phase::busy, clock_.steady());
  const auto refused = registry_.admit("::1");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error(), Registry::Refused::too_many);
  EXPECT_FALSE(crowd.front()->ended) << "who is known does not give way for those";
  crowd.push_back(connect());
  EXPECT_EQ(std::ranges::count_if(crowd, [](const auto& one) { return one->ended; }), 1);
  for (const auto& one : crowd) end(one);
}

TEST_F(RegistryTest, CountsOneThatCannotBeCutAsOpen) {
  const auto first = connect();
  const auto second = connect();
  const auto third = connect();
  first->without_memory = true;
  EXPECT_THROW(static_cast<void>(registry_.admit("::1").has_value()), std::bad_alloc);
  const auto fourth = connect();
  EXPECT_TRUE(first->ended);
  EXPECT_FALSE(second->ended || third->ended);
  for (const auto* connection : {&first, &second, &third, &fourth}) end(*connection);
  EXPECT_EQ(registry_.size(), 0u);
}

// What ends a connection must not end half way where there is no memory.
static_assert(noexcept(std::declval<Registry&>().remove(std::declval<Registered&>())));
static_assert(noexcept(std::declval<Registry&>().give_back(std::declval<const CountedPlace&>())));

TEST_F(RegistryTest, LeavesAnAddressTwoConnectionsWhileManyAreOnTheirWayOut) {
  constexpr std::size_t kCrowd = 300;  // more than may be on their way out
  options_.limits.connections_max = kCrowd;
  options_.limits.connections_per_address_max = 20;
  options_.address_limit_exempt = {IpNetwork::parse("::1").value()};
  std::vector<std::unique_ptr<FakeConnection>> open;
  for (std::size_t i = 0; i < 2 * kCrowd; ++i) open.push_back(connect());
  for (int i = 0; i < 2; ++i) open.push_back(connect(false, "2001:db8::1"));
  EXPECT_TRUE(has_its_share("2001:db8::1"));
  const auto of_known_address = registry_.admit("2001:db8::1", true);
  ASSERT_TRUE(of_known_address.has_value());
  registry_.give_back(*of_known_address);
  for (std::size_t i = 0; i < kCrowd; ++i) {
    end(open.front());
    open.erase(open.begin());
  }
  open.push_back(connect(false, "2001:db8::1"));
  for (const auto& one : open) end(one);
}

TEST_F(RegistryTest, LetsStrangersWaitFirstWhileAsManyAsMayBeAreOnTheirWayOut) {
  constexpr std::size_t kMost = 16;
  options_.limits.connections_max = kMost;
  options_.address_limit_exempt = {IpNetwork::parse("::/0").value()};
  std::vector<std::unique_ptr<FakeConnection>> open;
  for (std::size_t i = 0; i < 2 * kMost; ++i) {
    EXPECT_FALSE(registry_.is_clearing(false));
    open.push_back(connect());
  }
  EXPECT_TRUE(registry_.is_clearing(false));
  std::vector<CountedPlace> of_known_addresses;
  for (std::size_t i = 0; i < kMost / 8; ++i) {
    EXPECT_FALSE(registry_.is_clearing(true));
    const auto counted = registry_.admit("::2", true);
    ASSERT_TRUE(counted.has_value());
    of_known_addresses.push_back(*counted);
  }
  EXPECT_TRUE(registry_.is_clearing(true));
  end(open.front());
  EXPECT_FALSE(registry_.is_clearing(true));
  for (std::size_t i = 1; i < open.size(); ++i) end(open[i]);
  for (const CountedPlace& counted : of_known_addresses) registry_.give_back(counted);
}

TEST_F(RegistryTest, HoldsAnIpv6NetworkToTheShareOfOneAddress) {
  options_.limits.connections_max = 100;
  options_.limits.connections_per_address_max = 2;
  const auto first = connect(false, "2001:db8::1");
  const auto second = connect(false, "2001:db8::2");
  EXPECT_TRUE(has_its_share("2001:db8::3"));
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
  EXPECT_TRUE(has_its_share("192.0.2.1")) << "half of the 43 that are free";
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
  EXPECT_TRUE(has_its_share("2001:db8::3"));
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
  registry_.recognise(*later, true);
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
