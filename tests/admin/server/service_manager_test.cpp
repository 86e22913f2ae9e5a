// Goal: what a service manager hands over is taken, what is meant for others or wrong is not, and
// signs of life are given for as long as they are true.
#include "admin/server/service_manager.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <map>

#include "admin/server/held_start.hpp"
#include "admin/server/life_signs.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/notice_socket.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin {
namespace {

using VariableMap = std::map<std::string, std::string>;

Result<ServiceManager> manager_with(const VariableMap& given, int first_descriptor = 3) {
  const auto variable = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt : std::optional(found->second);
  };
  return ServiceManager::from(variable, first_descriptor);
}

std::string own_pid(int more = 0) {
  return std::to_string(::getpid() + more);
}

TEST(ServiceManager, IsNobodyWhereNothingSpeaksOfOne) {
  auto manager = manager_with({});
  ASSERT_TRUE(manager.has_value());
  EXPECT_TRUE(manager->take_sockets().empty());
  EXPECT_FALSE(manager->watchdog().has_value());
  EXPECT_TRUE(manager->ready("here").has_value());
}

TEST(ServiceManager, HandsOverItsSocketsWithTheirNames) {
  constexpr int kFirst = 700;
  const net::UniqueFd some(::socket(AF_INET, SOCK_STREAM, 0));
  for (const int descriptor : {kFirst, kFirst + 1}) ASSERT_GE(::dup2(some.get(), descriptor), 0);
  auto manager = manager_with(
      {{"LISTEN_PID", own_pid()}, {"LISTEN_FDS", "2"}, {"LISTEN_FDNAMES", "plain"}}, kFirst);
  ASSERT_TRUE(manager.has_value()) << manager.error().message;
  {
    const std::vector<HeldSocket> held = manager->take_sockets();
    ASSERT_EQ(held.size(), 2U);
    EXPECT_EQ(held[0].socket.get(), kFirst);
    EXPECT_EQ(held[0].name, "plain");
    EXPECT_EQ(held[1].name, "");
    EXPECT_EQ(::fcntl(kFirst + 1, F_GETFD), FD_CLOEXEC);
  }
  EXPECT_EQ(::fcntl(kFirst, F_GETFD), -1) << "closed by whom they were given to";
}

TEST(ServiceManager, MeansOthersByTheirNumber) {
  auto manager = manager_with({{"LISTEN_PID", own_pid(1)},
                               {"LISTEN_FDS", "1"},
                               {"WATCHDOG_PID", own_pid(1)},
                               {"WATCHDOG_USEC", "1000"}});
  ASSERT_TRUE(manager.has_value());
  EXPECT_TRUE(manager->take_sockets().empty());
  EXPECT_FALSE(manager->watchdog().has_value());
  EXPECT_TRUE(manager_with({{"LISTEN_FDS", "1"}})->take_sockets().empty()) << "for nobody";
}

TEST(ServiceManager, IsRefusedWhereItsNumbersAreNone) {
  for (const VariableMap& wrong : {VariableMap{{"LISTEN_PID", "me"}, {"LISTEN_FDS", "1"}},
                                   {{"LISTEN_PID", own_pid()}, {"LISTEN_FDS", "-1"}},
                                   {{"LISTEN_PID", own_pid()}, {"LISTEN_FDS", "65"}},
                                   {{"LISTEN_PID", own_pid()}, {"LISTEN_FDS", "1 "}},
                                   {{"WATCHDOG_USEC", "0"}},
                                   {{"WATCHDOG_USEC", "99999999999999999999"}},
                                   {{"WATCHDOG_USEC", "soon"}}}) {
    const auto refused = manager_with(wrong);
    ASSERT_FALSE(refused.has_value()) << wrong.rbegin()->second;
    EXPECT_EQ(refused.error().code, Errc::invalid_input);
  }
  constexpr int kNotOpen = 800;
  const auto manager = manager_with({{"LISTEN_PID", own_pid()}, {"LISTEN_FDS", "1"}}, kNotOpen);
  ASSERT_FALSE(manager.has_value());
  EXPECT_NE(manager.error().message.find("descriptor 800"), std::string::npos);
}

TEST(ServiceManager, IsToldWhatHappens) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("notify.sock");
  const test::NoticeSocket notices(path);
  const auto manager = manager_with({{"NOTIFY_SOCKET", path}});
  EXPECT_TRUE(manager->ready("listening").has_value());
  EXPECT_EQ(notices.next(), "READY=1\nSTATUS=listening\n");
  EXPECT_TRUE(manager->reloading(std::chrono::nanoseconds(1'234'567)).has_value());
  EXPECT_EQ(notices.next(), "RELOADING=1\nMONOTONIC_USEC=1234\n");
  EXPECT_TRUE(manager->stopping().has_value());
  EXPECT_EQ(notices.next().value_or("").substr(0, 11), "STOPPING=1\n");
  EXPECT_FALSE(manager_with({{"NOTIFY_SOCKET", path + "x"}})->alive().has_value());
}

// A name of no file.
TEST(ServiceManager, IsReachedUnderAnAbstractName) {
  const std::string name = fmt::format("netml-test-{}", ::getpid());
  const net::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, name.size());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())),
            0);
  EXPECT_TRUE(manager_with({{"NOTIFY_SOCKET", "@" + name}})->alive().has_value());
  std::array<char, 64> notice;
  ASSERT_EQ(::recv(socket.get(), notice.data(), notice.size(), MSG_DONTWAIT), 11);
  EXPECT_EQ(std::string_view(notice.data(), 11), "WATCHDOG=1\n");
}

class QuietLog : public EventLog {
 public:
  void information(std::string_view, std::string_view) override {}
  void warning(std::string_view, std::string_view) override { ++warnings; }
  void error(std::string_view, std::string_view) override {}
  std::atomic<int> warnings = 0;
};

TEST(LifeSigns, AreToldOnlyWhenTheyAreProved) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("notify.sock");
  const test::NoticeSocket notices(path);
  const auto manager = manager_with({{"NOTIFY_SOCKET", path}, {"WATCHDOG_USEC", "2000"}});
  QuietLog log;
  std::atomic<int> proofs = 0;
  LifeSigns life(*manager, log, [&]() -> Status {
    if (++proofs < 3) return fail(Errc::unavailable, "hangs");
    return {};
  });
  EXPECT_EQ(notices.next(), "WATCHDOG=1\n");
  EXPECT_GE(proofs, 3);
  EXPECT_EQ(log.warnings, 2);
  EXPECT_EQ(notices.next(), "WATCHDOG=1\n") << "again and again";
}

TEST(LifeSigns, AreNotProvedForNobody) {
  const ServiceManager nobody;
  QuietLog log;
  std::atomic<int> proofs = 0;
  LifeSigns life(nobody, log, [&]() -> Status {
    ++proofs;
    return {};
  });
  life.stop();
  EXPECT_EQ(proofs, 0);
}

class Alive : public ::testing::Test {
 protected:
  void start() {
    base_.server = std::make_unique<net::HttpServer>(net::ServerOptions{}, base_.clock,
                                                     base_.random, base_.events);
    ASSERT_TRUE(base_.server->listen_unix(path_, routes_).has_value());
    base_.server->start();
  }

  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_.file("control.sock");
  net::Router routes_;
  net::TestServer base_;
};

TEST_F(Alive, IsAServerThatAnswers) {
  constexpr std::chrono::minutes kWithin(1);
  EXPECT_FALSE(prove_alive(path_, base_.clock, kWithin).has_value()) << "there is none";
  add_sign_of_life(routes_);
  start();
  const Status proved = prove_alive(path_, base_.clock, kWithin);
  EXPECT_TRUE(proved.has_value()) << proved.error().message;
}

TEST_F(Alive, IsNoServerWhoseWorkersHang) {
  net::Gate gate;
  routes_.add(net::Method::get, kSignOfLife, [&](const net::Request&) -> net::Answer {
    gate.wait();
    return net::Response();
  });
  start();
  EXPECT_FALSE(prove_alive(path_, base_.clock, std::chrono::milliseconds(20)).has_value());
  gate.open();
  base_.server.reset();  // no handler uses the gate any more
}

// ---- when a server begins ----

TEST(HeldStart, LetsConnectionsWaitUntilItBegins) {
  const net::Router first;
  net::Router next;
  net::TestServer base;
  base.server =
      std::make_unique<net::HttpServer>(net::ServerOptions{}, base.clock, base.random, base.events);
  next.add(net::Method::get, "/here/",
           [](const net::Request&) -> net::Answer { return net::Response(); });
  const auto bound = base.server->listen_tcp({"127.0.0.1", 0}, first);
  ASSERT_TRUE(bound.has_value());
  HeldStart held(*base.server, std::chrono::hours(1));
  net::RawClient client(bound->port);
  client.send("GET /here/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  base.server->replace(first, next);
  held.begin();
  const auto answer = client.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 200);
}

TEST(HeldStart, EndsByItselfAndNeverAfterItWasGivenUp) {
  for (const bool patient : {false, true}) {
    const net::Router routes;
    net::TestServer base;
    base.server = std::make_unique<net::HttpServer>(net::ServerOptions{}, base.clock, base.random,
                                                    base.events);
    const auto bound = base.server->listen_tcp({"127.0.0.1", 0}, routes);
    ASSERT_TRUE(bound.has_value());
    HeldStart held(*base.server, patient ? std::chrono::hours(1) : std::chrono::milliseconds(1));
    net::RawClient client(bound->port);
    client.send("GET /status/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    if (!patient) {
      EXPECT_EQ(client.receive().value_or(net::RawResponse()).status, 404);
    }
    held.give_up();  // too late where it has begun
    base.server.reset();
    EXPECT_FALSE(client.receive().has_value());
  }
}

}  // namespace
}  // namespace netml::admin
