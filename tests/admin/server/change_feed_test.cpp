// Goal: whoever follows the map misses no change, across restarts and however slow, costs nobody
// anything, and learns when the history is another one (docs/following.md). Method: a server as it
// is started, and listeners over real sockets.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <list>
#include <optional>
#include <thread>
#include <vector>

#include "admin/api/services.hpp"
#include "admin/api/site/calls/site.hpp"
#include "admin/history/change_feed.hpp"
#include "admin/server/public_routes.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/netml_text.hpp"
#include "tests/support/threads_here.hpp"

namespace netml::admin {
namespace {

using ::testing::HasSubstr;
using testing::kCaller;
using ::testing::Not;

constexpr const char* kPassword = "Authorization: Basic YWRhOmEgbG9uZyBlbm91Z2ggb25l";

// What stands on a node while it is open.
struct Running : net::TestServer {
  explicit Running(Node& node)
      : TestServer(behind_proxy()), services(node, {}, testing::kCheapPasswords), queue(node) {
    router = public_routes(services, site, RouteOptions());
    start();
  }
  ~Running() { server->stop(std::chrono::seconds(5)); }
  static net::ServerOptions behind_proxy() {
    net::ServerOptions options;
    options.trusted_proxies = net::loopback_networks();
    return options;
  }

  Services services;
  ImportQueue queue;
  web::Site site{services, &queue};
};

class ChangeFeedTest : public ::testing::Test {
 protected:
  ChangeFeedTest() {
    running_.emplace(*node_);
    const NewAccount ada{"ada", "", engine::Role::viewer, "a long enough one"};
    EXPECT_TRUE(running_->services.accounts.create({}, ada).has_value());
    rename("first");
  }

  void restart() {
    running_.reset();
    node_.close();
    node_.open();
    running_.emplace(*node_);
  }
  // One node gets that name, and so many others a long note of that letter.
  void rename(const std::string& name, int noted = 0, char letter = 'a') {
    using namespace netml::test;
    TopologyText map = topology("R", "r", institution("r"), node("a").named(name));
    for (int i = 0; i < noted; ++i)
      map.add(node(fmt::format("n{}", i)).with("note", std::string(500, letter)));
    ASSERT_TRUE(testing::import_job(*node_, map)->commit().has_value());
  }
  std::string head() { return node_->version().head; }
  net::RawClient& follow(const std::string& query, const std::string& fields = {}) {
    net::RawClient& client = clients_.emplace_back(running_->port);
    client.send(
        fmt::format("GET /api/v1/changes{} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https"
                    "\r\nSec-Fetch-Site: same-origin\r\n{}{}\r\n\r\n",
                    query, fields, kPassword));
    return client;
  }
  static std::string renamed(const std::string& before, const std::string& after) {
    return fmt::format(R"({{"field":"name","before":"{}","after":"{}"}})", before, after);
  }
  std::string end_of_newest() { return fmt::format(R"("head":"{}")", head()); }

  testing::OpenNode node_;
  std::optional<Running> running_;
  std::list<net::RawClient> clients_;
};

TEST_F(ChangeFeedTest, GivesEachChangeAndGoesOn) {
  net::RawClient& client = follow("?after=0");
  const auto all = client.receive_until(end_of_newest());
  ASSERT_TRUE(all);
  EXPECT_THAT(*all, HasSubstr("application/x-ndjson"));
  EXPECT_THAT(*all, HasSubstr(R"({"type":"stream","stream":")"));
  EXPECT_THAT(*all, HasSubstr(R"("kind":"Node","id":"a","action":"created")"));
  rename("second");
  const auto more = client.receive_until(end_of_newest());
  ASSERT_TRUE(more);
  EXPECT_THAT(*more, HasSubstr(renamed("first", "second")));
  EXPECT_THAT(*more, HasSubstr(R"("cause":"import","actor_kind":"command_line","change":1)"));
  EXPECT_THAT(*more, Not(HasSubstr("tester"))) << "who it was is for administrators";
}

TEST_F(ChangeFeedTest, BeginsNowWhereNoPlaceIsGiven) {
  net::RawClient& client = follow("");
  ASSERT_TRUE(client.receive_until(fmt::format(R"("after":"{}"}})", head())));
  rename("second");
  const auto more = client.receive_until(end_of_newest());
  ASSERT_TRUE(more);
  EXPECT_THAT(*more, HasSubstr(renamed("first", "second")));
}

TEST_F(ChangeFeedTest, GoesOnAfterARestartWithoutMissingAnything) {
  const std::string place = head();
  ASSERT_TRUE(follow("?after=" + place).receive_until(place));
  rename("second");
  restart();
  rename("third");
  for (const std::string& after : {place, place.substr(0, place.find(':'))}) {
    const auto missed = follow("?after=" + after).receive_until(end_of_newest());
    ASSERT_TRUE(missed);
    EXPECT_THAT(*missed, HasSubstr(renamed("first", "second")));
    EXPECT_THAT(*missed, HasSubstr(renamed("second", "third")));
    EXPECT_THAT(*missed, Not(HasSubstr("created\",\"fields\"")));
  }
}

TEST_F(ChangeFeedTest, SaysWhenThePlaceIsOfAnotherHistory) {
  const std::string zeros(64, '0');
  const std::string lsn = std::to_string(node_->version().state->lsn.value);
  for (const std::string& place : {"1:" + zeros, lsn + ":" + zeros, std::string("999999")}) {
    net::RawClient& client = follow("?after=" + place);
    ASSERT_TRUE(client.receive_until(R"({"type":"reset")")) << place;
    ASSERT_TRUE(client.receive_until(fmt::format(R"("after":"{}"}})", head()))) << "from now on";
  }
  EXPECT_EQ(follow("?after=yesterday").receive()->status, 400);
}

TEST_F(ChangeFeedTest, SaysWhenTheNodeWasRestoredFromABackup) {
  const Lsn backed_up = node_->version().state->lsn;
  rename("second");
  const std::string place = head();
  const netml::test::TemporaryDirectory other;
  const std::string path = other.file("restored").string();
  ASSERT_TRUE(node_->copy_until(backed_up, path).has_value());
  netml::testing::ManualClock clock;
  netml::testing::SeededRandom random;
  testing::KeptEvents events;
  const auto restored = Node::open({.data_directory = path}, clock, random, events);
  ASSERT_TRUE(restored.has_value());
  ASSERT_TRUE(testing::import_job(**restored,
                                  netml::test::topology("R", "r", netml::test::institution("r")))
                  ->commit()
                  .has_value());
  EXPECT_EQ((*restored)->version().state->lsn, node_->version().state->lsn);
  const auto feed = open_change_feed(**restored, {.after = place});
  ASSERT_TRUE(feed.has_value());
  EXPECT_THAT(std::string((*feed)->next().value()), HasSubstr(R"({"type":"reset")"));
}

TEST_F(ChangeFeedTest, IsOfServerSentEventsForBrowsers) {
  net::RawClient& client = follow("", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(client.receive_until(fmt::format("id: {}\nevent: stream\ndata: ", head())));
  const std::string place = head();
  rename("second");
  const std::string end = fmt::format("id: {}\nevent: transaction\n", head());
  ASSERT_TRUE(client.receive_until(end));
  client.abort();
  net::RawClient& again =
      follow("?after=0", "Accept: text/event-stream\r\nLast-Event-ID: " + place + "\r\n");
  const auto missed = again.receive_until(end);
  ASSERT_TRUE(missed);
  EXPECT_THAT(*missed, HasSubstr(renamed("first", "second")));
  EXPECT_THAT(*missed, Not(HasSubstr("created\",\"fields\"")));
}

TEST_F(ChangeFeedTest, EndsWhereThereIsNoMoreIfThatIsAskedFor) {
  const auto answer = follow("?after=0&once=true").receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_THAT(answer->body, HasSubstr(end_of_newest()));
}

TEST_F(ChangeFeedTest, WaitsForNobodyAndLosesNobody) {
  net::RawClient& slow = follow("?after=0");
  net::RawClient& gone = follow("?after=0");
  net::RawClient& quick = follow("");
  ASSERT_TRUE(quick.receive_until("\"stream\""));
  gone.abort();
  std::string name = "first";
  for (int i = 0; i < 40; ++i) {
    const std::string next = fmt::format("name {}", i);
    rename(next, 200, static_cast<char>('a' + i % 20));
    ASSERT_TRUE(quick.receive_until(renamed(name, next)));
    name = next;
  }
  const auto all = slow.receive_until(end_of_newest());
  ASSERT_TRUE(all);
  EXPECT_GT(all->size(), 40U * 100'000) << "more than sockets hold";
  for (int i = 0; i < 40; ++i)
    EXPECT_THAT(*all, HasSubstr(fmt::format("\"after\":\"name {}\"", i)));
}

// How far an import is concerns those who listen to events.
TEST_F(ChangeFeedTest, WakesNobodyUnlessThereIsANewVersion) {
  ImportProgress progress;
  progress.set({.import = 1, .total = 10});
  Notifier notifier(*node_, running_->services.poller);
  notifier.watch(progress);
  const auto seat = notifier.seat([] { return true; });
  const auto events = notifier.listen([] { return true; });
  ASSERT_TRUE(seat && events);
  Bell& bell = seat->feeds.lines.bell();
  const std::uint64_t before = bell.rung();
  for (std::uint64_t done = 1; done <= 3; ++done) {
    progress.set({.import = 1, .done = done, .total = 10});
    const std::string news = fmt::format("\"done\":{}", done);
    while (events->next().value().find(news) == std::string_view::npos) std::this_thread::yield();
  }
  EXPECT_EQ(bell.rung(), before);
  // Not before the import is over, or a second has passed.
  const auto heard_after = [&](const std::string& name, const auto& what) {
    const std::uint64_t known = bell.rung();
    rename(name);
    const std::string news = fmt::format("\"lsn\":{}", node_->version().state->lsn.value);
    while (events->next().value().find(news) == std::string_view::npos) std::this_thread::yield();
    EXPECT_EQ(bell.rung(), known);
    what();
    while (bell.rung() == known) std::this_thread::yield();
  };
  heard_after("second", [&] { node_.clock().advance(std::chrono::seconds(1)); });
  heard_after("third", [&] { progress.clear(); });
}

TEST_F(ChangeFeedTest, AsksWhoHasGoneToLeaveWhereThereIsNoPlace) {
  Notifier& notifier = running_->services.notifier;
  std::vector<Notifier::Seat> seats;
  for (std::size_t i = 0; i < Notifier::kFollowersMax; ++i)
    seats.push_back(notifier.seat([] { return true; }).value());
  const std::uint64_t before = seats.front().feeds.lines.bell().rung();
  EXPECT_FALSE(notifier.seat([] { return true; }));
  EXPECT_GT(seats.front().feeds.lines.bell().rung(), before);
  EXPECT_EQ(follow("").receive()->status, 503);
}

TEST_F(ChangeFeedTest, TakesNoThreadForEachListener) {
  ASSERT_TRUE(follow("").receive_until("\"stream\""));
  const std::ptrdiff_t before = netml::test::threads_here();
  for (int i = 0; i < 100; ++i) follow("");
  for (net::RawClient& client : clients_)
    ASSERT_TRUE(&client == &clients_.front() || client.receive_until("\"stream\""));
  EXPECT_LT(netml::test::threads_here(), before + 10);  // others may come and go
  rename("second");
  for (net::RawClient& client : clients_)
    ASSERT_TRUE(client.receive_until(renamed("first", "second")));
}

}  // namespace
}  // namespace netml::admin
