// Who guesses passwords, codes and tokens (rules A8, A9 and O9): slowed down, without slowing down
// anybody else, and without much work for the node.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <latch>
#include <thread>

#include "admin/access/throttle_file.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

using namespace std::chrono_literals;
using net::Method;
using testing::Browser;
using testing::kPassword;
using testing::OpenSite;
using testing::Reply;

constexpr auto kTenYears = std::chrono::hours(24 * 3650);

class Guesses : public ::testing::Test {
 protected:
  SignInThrottle& throttle() { return site.site().throttle; }
  std::filesystem::path file() { return site.node().file("sign-in-throttle"); }
  void write_file(const std::string& bytes) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
  }
  void fail(const std::string& name, int times, const std::string& address = "192.0.2.1") {
    for (int i = 0; i < times; ++i) throttle().failed(name, address);
  }

  OpenSite site;
};

// A clock that was wrong for a while must not close an account for as long as it was wrong.
TEST_F(Guesses, AreSlowedDownByTheSteadyClock_A8_O9) {
  site.node().clock().put_wall_forward(kTenYears);
  fail("ada", 20);
  site.node().clock().put_wall_forward(-kTenYears);
  EXPECT_EQ(throttle().wait("ada", "198.51.100.1"), 15min);
  SignInThrottle after_restart(*site.node());
  EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 15min);
  site.node().clock().advance(15min);
  EXPECT_EQ(throttle().wait("ada", "198.51.100.1"), 0s);
  EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 0s);
}

TEST_F(Guesses, AreNotForgottenByAClockThatIsPutForward_A8_O9) {
  fail("ada", 20);
  site.node().clock().put_wall_forward(kTenYears);
  EXPECT_EQ(throttle().wait("ada", "198.51.100.1"), 15min);
  SignInThrottle after_restart(*site.node());
  EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 0s) << "as after a long stop";
  after_restart.failed("ada", "198.51.100.1");
  EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 15min);
}

TEST_F(Guesses, CountTheTimeThatPassesWhileTheNodeIsStopped) {
  fail("ada", 20);
  site.node().clock().advance(5min);
  SignInThrottle after_restart(*site.node());
  EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 10min);
}

// Names that nobody has cost little to write, and make nobody forget the failures of an account.
TEST_F(Guesses, AtManyNamesKeepTheFileSmallAndHideNone_A8) {
  ThrottleFile full;
  full.written = site.node().clock().wall().instant().seconds;
  for (int i = 0; i < 1024; ++i) full.accounts.push_back({fmt::format("{:032x}", i), 5, 100s});
  ASSERT_TRUE(store_throttle(site.node()->directory(), full).has_value());
  SignInThrottle after_restart(*site.node());
  int evaluated = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string name = i % 2 == 0 ? "ada" : fmt::format("nobody{}", i);
    if (after_restart.wait(name, fmt::format("198.51.100.{}", i)) > 0s) continue;
    after_restart.failed(name, "192.0.2.1");
    if (name == "ada") ++evaluated;
  }
  EXPECT_EQ(evaluated, 1);
  for (int i = 0; i < 250; ++i) after_restart.failed(fmt::format("other{}", i), "192.0.2.1");
  EXPECT_LE(std::filesystem::file_size(file()), 48U << 10);
  site.node().clock().advance(61s);
  after_restart.failed("ada", "192.0.2.1");
  EXPECT_EQ(after_restart.wait("ada", "2001:db8::1"), 60s) << "its second failure counts as such";
}

TEST_F(Guesses, OfAnIpv6NetworkAreThoseOfOneClient_A8) {
  for (int i = 0; i < 20; ++i)
    throttle().failed(fmt::format("name{}", i), fmt::format("2001:db8:0:1::{}", i));
  EXPECT_EQ(throttle().wait("ada", "2001:db8:0:1:ffff::1"), 60s);
  EXPECT_EQ(throttle().wait("ada", "2001:db8:0:2::1"), 0s);
}

// What all together have is used up by five addresses; whoever was here before still comes in.
TEST_F(Guesses, OfStrangersDoNotCloseSigningInForThoseWhoWereHere_A8) {
  site.add_account("ada", engine::Role::admin);
  Browser browser(site);
  ASSERT_EQ(browser.sign_in("ada").status, 200);
  for (int i = 0; i < 100; ++i)
    throttle().failed(fmt::format("name{}", i), fmt::format("198.51.100.{}", i));
  EXPECT_EQ(throttle().wait("ada", "198.51.100.200"), 60s);
  EXPECT_EQ(throttle().wait("ada", "192.0.2.1"), 0s);
  EXPECT_EQ(browser.sign_in("ada").status, 200);
  EXPECT_EQ(SignInThrottle(*site.node()).wait("ada", "192.0.2.1"), 0s) << "also after a restart";
}

// ---- the file that outlasts a restart ----

class ThrottleDamage : public Guesses {
 protected:
  // Whether a restart and `netml verify` tell it, and nothing of it is believed.
  void expect_told(const char* what, std::size_t where) {
    const std::size_t before = site.node().events().warnings.size();
    SignInThrottle after_restart(*site.node());
    EXPECT_EQ(site.node().events().warnings.size(), before + 1) << what << " at " << where;
    EXPECT_EQ(after_restart.wait("ada", "198.51.100.1"), 0s) << what << " at " << where;
    EXPECT_EQ(findings().size(), 1U) << what << " at " << where;
  }
  boost::json::array findings() {
    net::Request verify = OpenSite::request(Method::post, "/api/v1/node/verify");
    verify.control = true;
    return site.send(std::move(verify)).json().at("sign_ins").as_array();
  }
};

TEST_F(ThrottleDamage, IsToldAndNotBelieved) {
  fail("ada", 20);
  const std::string whole = test::file_content(file());
  EXPECT_TRUE(findings().empty());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    write_file(flipped);
    expect_told("a flipped bit", i);
    write_file(whole.substr(0, i));
    expect_told("cut off", i);
  }
  write_file(whole + whole);
  expect_told("twice", 0);
  write_file(std::string(1 << 20, 'x'));
  expect_told("far too long", 0);
  write_file(whole);
  EXPECT_TRUE(findings().empty());
  EXPECT_EQ(SignInThrottle(*site.node()).wait("ada", "198.51.100.1"), 15min);
}

TEST_F(ThrottleDamage, EndsWithTheNextFailure) {
  write_file("damaged");
  SignInThrottle after_restart(*site.node());
  after_restart.failed("ada", "192.0.2.1");
  EXPECT_TRUE(findings().empty());
  std::filesystem::remove(file());
  EXPECT_TRUE(findings().empty()) << "whoever removes it forgets failures, and may";
}

// ---- the one-time code (A9) ----

class FirstSignIn : public ::testing::Test {
 protected:
  Reply first(const std::string& name, const std::string& code,
              const std::string& address = "192.0.2.1") {
    net::Request request = Browser(site).request(Method::post, "session/first");
    request.client_address = address;
    return site.send(request, boost::json::serialize(boost::json::object{
                                  {"code", code}, {"name", name}, {"password", kPassword}}));
  }
  const std::string& code() { return site.site().first_code.text(); }

  OpenSite site;
};

TEST_F(FirstSignIn, LetsOneOfManyInWhoHaveTheCode_A9) {
  constexpr int kHolders = 8;
  std::vector<int> statuses(kHolders);
  std::latch ready(kHolders);
  std::vector<std::jthread> holders;
  for (int i = 0; i < kHolders; ++i)
    holders.emplace_back([&, i] {
      ready.arrive_and_wait();
      statuses[i] = first(fmt::format("ada{}", i), code()).status;
    });
  holders.clear();
  EXPECT_EQ(std::ranges::count(statuses, 200), 1);
  EXPECT_EQ(std::ranges::count(statuses, 409) + std::ranges::count(statuses, 401), kHolders - 1);
  EXPECT_EQ(site.state()->catalog.accounts.count(), 1U);
}

// The same without chance: what is looked at before a change may be different in it.
TEST_F(FirstSignIn, IsDecidedByTheWriter_A9) {
  Accounts& accounts = site.services().accounts;
  const auto create = [&](const std::string& name) {
    return accounts.create({}, {name, {}, engine::Role::admin, kPassword}, PasswordRule::production,
                           Accounts::Others::none);
  };
  EXPECT_TRUE(create("ada").has_value());
  const auto second = create("bob");
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, Errc::conflict);
}

// Also for those who hold it, and when every account is gone again.
TEST_F(FirstSignIn, TakesACodeOnceAndForHalfAnHour_A9) {
  FirstCode& once = site.site().first_code;
  EXPECT_TRUE(once.matches(code()));
  EXPECT_FALSE(once.matches(code().substr(1)));
  EXPECT_FALSE(once.matches(""));
  EXPECT_EQ(first("ada", code()).status, 200);
  EXPECT_FALSE(once.matches(code()));
  FirstCode late(site.node().clock(), site.node()->random());
  site.node().clock().advance(FirstCode::kValidFor - 1ns);
  EXPECT_TRUE(late.matches(late.text()));
  site.node().clock().advance(1ns);
  EXPECT_FALSE(late.matches(late.text()));
}

TEST_F(FirstSignIn, IsOpenHoweverManyGuess_A8_A9) {
  for (int i = 0; i < 150; ++i)
    EXPECT_EQ(first("eve", "AAAA-BBBB-CCCC-DDDD", fmt::format("198.51.100.{}", i % 5)).code(),
              "wrong-code");
  EXPECT_EQ(site.site().throttle.wait("ada", "198.51.100.1"), 0s) << "nor is signing in closed";
  EXPECT_EQ(site.node().events().warnings.size(), 5U) << "reported once a minute for each address";
  EXPECT_EQ(first("ada", code(), "198.51.100.1").status, 200);
}

TEST_F(FirstSignIn, GoesOnAfterAPasswordThatIsTooShort) {
  net::Request request = Browser(site).request(Method::post, "session/first");
  const boost::json::object body{{"code", code()}, {"name", "ada"}, {"password", "short"}};
  EXPECT_EQ(site.send(request, boost::json::serialize(body)).status, 400);
  EXPECT_EQ(first("ada", code()).status, 200);
}

// ---- tokens (A8) ----

TEST(TokenGuesses, AreCountedByAddressAndToldTwiceAMinute_A8) {
  testing::OpenNode node;
  Tokens tokens(*node);
  const auto value = tokens.create(testing::kCaller, "peer", engine::TokenKind::polling);
  ASSERT_TRUE(value.has_value());
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(tokens.refused(fmt::format("2001:db8::{:x}", i))) << i;
  EXPECT_TRUE(tokens.refused("2001:db8::ffff"));
  EXPECT_TRUE(tokens.check(*value, engine::TokenKind::polling).has_value());
  EXPECT_FALSE(tokens.refused("192.0.2.1")) << "somebody else";
  EXPECT_EQ(node.events().warnings.size(), 3U);
  node.clock().advance(1min);
  EXPECT_FALSE(tokens.refused("2001:db8::1"));
  EXPECT_EQ(node.events().warnings.size(), 4U);
}

// From more addresses than are kept: memory stays bounded.
TEST(TokenGuesses, OfVeryManyAddressesTakeBoundedMemory) {
  testing::OpenNode node;
  MinuteCounts counts(node.clock());
  for (int i = 0; i < 4096; ++i) counts.add(fmt::format("10.0.{}.{}", i / 256, i % 256));
  EXPECT_EQ(counts.add("10.1.0.0"), 1U);
  EXPECT_EQ(counts.add("10.0.0.0"), 1U) << "it began anew";
}

}  // namespace
}  // namespace netml::admin
