// Goal: a peer that takes its time, or breaks its word, takes nothing from anybody else: neither
// from other peers, nor from those who wait for the server, nor after nobody wants it any more
// (N5, N8). Method: peers on loopback that answer when the test lets them.
#include <gmock/gmock.h>

#include "admin/polling/detail/peer_request.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/admin/support/raw_peer.hpp"

namespace netml::admin {
namespace {

using testing::answer;
using testing::Gate;
using ::testing::IsEmpty;
using testing::kCaller;
using testing::kMap;
using ::testing::SizeIs;

class SlowPeers : public testing::PollerFixture {
 protected:
  // A source of its own map below that path.
  void add_quick(const std::string& name) {
    add(name);
    SourceFields place;
    place.path = name + '/';
    ASSERT_TRUE(sources_.update(kCaller, name, place).has_value());
    const std::string map = netml::test::topology(name, "i", netml::test::institution("i"));
    peer_.on("/" + name + "/netml_export/",
             [map](const net::Request&) { return answer(200, map); });
  }
  StartedPoll start(const std::vector<std::string>& names) {
    auto started = polling_.collect({.caller = kCaller}, *polling_.numbers_of(names));
    NETML_ASSERT(started.has_value());
    return std::move(*started);
  }
  std::size_t imports() { return state()->catalog.imports.count(); }
};

TEST_F(SlowPeers, DelayNoneOfThoseAfterThem_N8) {
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) add_quick(name);
  PollRules rules;
  rules.order_patience = std::chrono::seconds(3);
  use(std::move(rules));
  const auto gate = peer_.hold(200, kMap);
  const StartedPoll started = start({"peer", "a", "b", "c", "d", "e", "f"});
  gate->wait_until_asked();
  node_.clock().advance(std::chrono::seconds(4));
  while (imports() < 6) std::this_thread::yield();
  gate->open();
  const std::vector<PollReport> reports = started.reports.get();
  ASSERT_THAT(reports, SizeIs(7));
  EXPECT_EQ(reports.back().name, "peer");
  for (const PollReport& report : reports) EXPECT_EQ(report.end, PollEnd::imported);
}

TEST_F(SlowPeers, AreLeftWhenTheirBatchIsDeleted) {
  const auto gate = peer_.hold(200, kMap);
  const StartedPoll started = start({"peer"});
  gate->wait_until_asked();
  remove_batch(started.batch);
  EXPECT_THAT(started.reports.get(), IsEmpty()) << "while the peer still keeps us waiting";
  gate->open();
  EXPECT_EQ(imports(), 0U);
}

TEST_F(SlowPeers, AreLeftWhenTheirSourceIsDeleted) {
  add_quick("a");
  const auto gate = peer_.hold(200, kMap);
  const StartedPoll started = start({"peer", "a"});
  gate->wait_until_asked();
  ASSERT_TRUE(sources_.remove(kCaller, "peer").has_value());
  const std::vector<PollReport> reports = started.reports.get();
  gate->open();
  ASSERT_THAT(reports, SizeIs(2));
  EXPECT_EQ(reports.front().reason, "interrupted") << reports.front().message;
  EXPECT_EQ(reports.back().end, PollEnd::imported) << "the others go on";
  EXPECT_EQ(imports(), 1U);
}

// One deadline: what the look-up of the name took, the exchange has no more.
TEST_F(SlowPeers, HaveLessTimeForTheirAnswerTheLaterTheyAreReached) {
  netml::testing::ManualClock clock;
  testing::RawPeer peer;
  peer.play([&](const testing::RawPeer::Connection& to) {
    clock.advance(std::chrono::seconds(2));
    to.send("HTTP/1.1 200 OK\r\n\r\n" + std::string(1 << 20, 'x'));  // which takes some reads
  });
  PeerRequest request;
  request.peer = {.host = "peer", .port = peer.port, .tls = false};
  request.target = "/";
  request.rules.internal_allowed = true;
  request.rules.resolve = [&](const std::string&) -> Result<std::vector<net::IpAddress>> {
    clock.advance(std::chrono::seconds(9));
    return std::vector{*net::IpAddress::parse("127.0.0.1")};
  };
  std::optional<Errc> trouble;
  const auto take = [&](std::string_view) -> Status {
    if (trouble) return fail(*trouble, "not stored");
    return {};
  };
  const auto ask = [&] { return ask_peer(request, take, clock); };
  request.limits.total_max = std::chrono::seconds(12);
  EXPECT_TRUE(ask().has_value());
  request.limits.total_max = std::chrono::seconds(10);
  const auto late = ask();
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().reason, "time_out") << "although there was always something to read";
  request.limits.total_max = std::chrono::seconds(12);
  for (const Errc code : {Errc::unavailable, Errc::io_error, Errc::no_space, Errc::too_large}) {
    trouble = code;
    const auto refused = ask();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().reason, code == Errc::too_large ? "too_large" : "local")
        << "what this node cannot store is no fault of theirs";
  }
}

TEST_F(SlowPeers, TakeFewThreadsFromThoseWhoTestThem) {
  const auto gate = std::make_shared<Gate>();
  peer_.on("/status/", [gate](const net::Request&) {
    gate->pass();
    return answer(200, "");
  });
  const auto test = [&] { return polling_.test(kCaller, {1}); };
  std::vector<std::future<Result<std::vector<ConnectionReport>>>> waiting;
  for (std::size_t i = 0; i < Polling::kTestsAwaitedMax; ++i)
    waiting.push_back(std::async(std::launch::async, test));
  while (peer_.paths().size() < waiting.size()) std::this_thread::yield();
  EXPECT_EQ(test().error().code, Errc::unavailable);
  gate->open();
  for (auto& reports : waiting) EXPECT_TRUE(reports.get()->front().good);
  EXPECT_TRUE(test()->front().good) << "a place is free again";
}

TEST_F(SlowPeers, TakeFewThreadsFromThoseWhoWaitForPolls) {
  std::vector<std::shared_ptr<void>> taken;
  for (std::size_t i = 0; i < Polling::kPollsAwaitedMax; ++i)
    taken.push_back(*polling_.place_for_poll());
  EXPECT_EQ(polling_.place_for_poll().error().code, Errc::unavailable);
  taken.pop_back();
  EXPECT_TRUE(polling_.place_for_poll().has_value());
}

TEST_F(SlowPeers, ThatSpeakNoHttpWaitLongerEachTime_N8) {
  testing::RawPeer broken;
  broken.play([](const testing::RawPeer::Connection& to) {
    to.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
  });
  SourceFields place;
  place.port = broken.port;
  change(place);
  expect_failure("incomplete", "malformed chunked body");
  const auto known = state()->catalog.peer_states.find(1);
  EXPECT_EQ(known->failures, 1U);
  EXPECT_TRUE(known->waits_until.has_value());
}

}  // namespace
}  // namespace netml::admin
