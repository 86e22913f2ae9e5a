// Goal: however a poll ends, its records say so and are final; what was found out about a peer is
// kept, over restarts too (docs/requirements/polling-and-publishing.md, sections 5, 9, 14 and 15;
// N7, N8, N9). Method: a node on a real directory; a peer on loopback that answers as asked.
#include "admin/polling/polling.hpp"

#include <gmock/gmock.h>

#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"
#include "engine/import/plan_polls.hpp"
#include "tests/admin/support/poller_fixture.hpp"
#include "tests/admin/support/raw_peer.hpp"
#include "tests/support/inverse.hpp"

namespace netml::admin {
namespace {

using engine::PollStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using netml::test::map_with;
using testing::answer;
using testing::kCaller;
using testing::kMap;

class PollingTest : public testing::PollerFixture {
 protected:
  StartedPoll start(const std::vector<std::uint64_t>& sources) {
    auto started = polling_.collect({.caller = kCaller}, sources);
    NETML_ASSERT(started.has_value());
    return std::move(*started);
  }
  PollBatchView batch(std::uint64_t number) {
    auto view = polling_.batch(number);
    NETML_ASSERT(view.has_value());
    return std::move(*view);
  }
  std::uint64_t number_of(const std::string& name) { return find_source(state()->catalog, name); }
  engine::PeerState peer() { return *state()->catalog.peer_states.find(1); }
  void set(std::string_view setting, const std::string& value) {
    Change change{.caller = kCaller, .cause = engine::Cause::setting};
    change.plan = [&](const engine::State& now, WallTime) -> Result<engine::Transaction> {
      return plan_setting(now, setting, value);
    };
    ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  }
};

TEST_F(PollingTest, KeepsARecordForEachSourceOfABatch) {
  peer_.say(200, kMap);
  add("other");
  SourceFields nowhere;
  nowhere.path = "nowhere/";
  ASSERT_TRUE(sources_.update(kCaller, "other", nowhere).has_value());
  const StartedPoll started = start({1, 2});
  EXPECT_THAT(started.reports.get(), SizeIs(2));
  const PollBatchView view = batch(started.batch);
  EXPECT_TRUE(view.batch.finished);
  EXPECT_FALSE(view.batch.scheduled);
  EXPECT_EQ(view.status, PollStatus::aborted) << "one of them failed";
  ASSERT_THAT(view.records, SizeIs(2));
  const engine::PollRecord& good = view.records[0].record;
  EXPECT_EQ(good.status, PollStatus::complete);
  EXPECT_TRUE(good.polled_at.has_value());
  EXPECT_TRUE(good.imported_at.has_value());
  EXPECT_NE(state()->catalog.imports.find(good.import_record), nullptr);
  const engine::PollRecord& bad = view.records[1].record;
  EXPECT_EQ(bad.status, PollStatus::aborted);
  EXPECT_EQ(bad.reason, "not_found");
  EXPECT_EQ(bad.http_status, 404);
  EXPECT_THAT(bad.message, HasSubstr("[HTTP status 404]"));
  EXPECT_EQ(bad.import_record, 0U);
}

TEST_F(PollingTest, PollsNothingWhenNothingIsChosen) {
  const StartedPoll started = start({});
  EXPECT_THAT(started.reports.get(), IsEmpty());
  const PollBatchView view = batch(started.batch);
  EXPECT_TRUE(view.batch.finished);
  EXPECT_EQ(view.status, PollStatus::complete);
  EXPECT_THAT(peer_.paths(), IsEmpty());
}

TEST_F(PollingTest, TellsHowFarAPollIs) {
  const auto gate = peer_.hold(200, kMap);
  const StartedPoll started = start({1});
  const StartedPoll waiting = start({1});
  gate->wait_until_asked();
  EXPECT_EQ(batch(started.batch).records.front().record.status, PollStatus::polling);
  EXPECT_FALSE(batch(started.batch).batch.finished);
  EXPECT_EQ(batch(waiting.batch).records.front().record.status, PollStatus::pending);
  EXPECT_EQ(batch(waiting.batch).status, PollStatus::pending);
  EXPECT_TRUE(poller_.busy());
  gate->open();
  started.reports.wait();
  EXPECT_EQ(batch(started.batch).records.front().record.status, PollStatus::complete);
  waiting.reports.wait();
  EXPECT_EQ(batch(waiting.batch).records.front().record.message, "unchanged since the last poll");
  EXPECT_FALSE(poller_.busy());
  EXPECT_EQ(polling_.batches().front().number, waiting.batch) << "the newest first";
}

TEST_F(PollingTest, GoesNoFurtherWhenItsBatchIsDeleted) {
  const auto gate = peer_.hold(200, kMap);
  const StartedPoll started = start({1});
  gate->wait_until_asked();
  remove_batch(started.batch);
  gate->open();
  EXPECT_THAT(started.reports.get(), IsEmpty());
  EXPECT_EQ(state()->graph.count(Kind::topology), 0U) << "nothing was imported";
  EXPECT_EQ(polling_.batch(started.batch).error().code, Errc::not_found);
  EXPECT_EQ(state()->catalog.poll_records.count(), 0U);
}

TEST_F(PollingTest, OutlivesASourceThatIsDeletedMeanwhile) {
  const auto gate = peer_.hold(403, "");
  const StartedPoll started = start({1});
  gate->wait_until_asked();
  ASSERT_TRUE(sources_.remove(kCaller, "peer").has_value());
  gate->open();
  EXPECT_THAT(started.reports.get(), SizeIs(1));
  EXPECT_TRUE(batch(started.batch).batch.finished);
  EXPECT_EQ(state()->catalog.peer_states.count(), 0U);
  EXPECT_EQ(state()->catalog.poll_records.count(), 0U);
}

TEST_F(PollingTest, EndsItsBatchesWhenTheNodeStops) {
  const auto gate = peer_.hold(200, kMap);
  const StartedPoll running = start({1});
  const StartedPoll waiting = start({1});
  gate->wait_until_asked();
  poller_.stop();
  gate->open();
  for (const StartedPoll& started : {running, waiting}) {
    const PollBatchView view = batch(started.batch);
    EXPECT_TRUE(view.batch.finished);
    EXPECT_EQ(view.records.front().record.status, PollStatus::aborted);
    EXPECT_THAT(view.records.front().record.message, HasSubstr("stopped"));
  }
  EXPECT_EQ(polling_.collect({.caller = kCaller}, {1}).error().code, Errc::unavailable);
}

// What a process leaves that ends without a word.
// As where the commit of the batch had to wait for a shared log that came back too late.
TEST_F(PollingTest, AsksNobodyOnceAnotherMemberLeads) {
  bool leads = false;
  poller_.set_leads([&] { return leads; });
  peer_.say(200, kMap);
  const StartedPoll started = start({1});
  EXPECT_THAT(started.reports.get(), IsEmpty());
  EXPECT_THAT(peer_.paths(), IsEmpty());
  const PollBatchView view = batch(started.batch);
  EXPECT_TRUE(view.batch.finished);
  EXPECT_EQ(view.records.front().record.status, PollStatus::aborted);
  EXPECT_THAT(view.records.front().record.message, HasSubstr("leads no more"));
  leads = true;
  EXPECT_EQ(poll().end, PollEnd::imported);
}

TEST_F(PollingTest, BreaksOffWhatIsFetchedOnceAnotherMemberLeads) {
  std::atomic<bool> leads{true};
  poller_.set_leads([&] { return leads.load(); });
  add("second");
  const auto gate = peer_.hold(200, kMap);
  PollRules rules;
  rules.fetches_at_once = 1;
  use(std::move(rules));
  const StartedPoll started = start({1, 2});
  gate->wait_until_asked();
  leads = false;
  EXPECT_THAT(started.reports.get(), IsEmpty());
  gate->open();
  EXPECT_THAT(peer_.paths(), SizeIs(1));
  EXPECT_EQ(state()->graph.count(Kind::topology), 0U) << "nothing was imported";
  EXPECT_FALSE(state()->catalog.peer_states.find(1)) << "which is no fault of the peer";
}

TEST_F(PollingTest, ClosesWhatACrashLeftOpen) {
  Change change{.caller = kCaller, .cause = engine::Cause::poll};
  change.plan = [](const engine::State& now, WallTime) -> Result<engine::Transaction> {
    const std::uint64_t sources[] = {1, 1};
    return plan_poll_batch(now, {.started = Instant{1704067200}}, sources, 500);
  };
  ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  EXPECT_EQ(batch(1).records.front().record.status, PollStatus::pending);
  node_.clock().advance(std::chrono::seconds(90));
  ASSERT_TRUE(poller_.close_open().has_value());
  const PollBatchView view = batch(1);
  EXPECT_TRUE(view.batch.finished);
  EXPECT_EQ(view.batch.milliseconds, 90'000U);
  for (const PollRecordView& record : view.records) {
    EXPECT_EQ(record.record.status, PollStatus::aborted);
    EXPECT_EQ(record.record.reason, "interrupted");
    EXPECT_THAT(record.record.message, HasSubstr("before this poll ended"));
  }
}

TEST_F(PollingTest, RemembersPeersOverRestarts) {
  peer_.on("/grenml_export/", [](const net::Request& request) {
    const bool known = request.headers.get("If-None-Match") == "\"v1\"";
    net::Response response = answer(known ? 304 : 200, known ? "" : kMap);
    response.headers.set("ETag", "\"v1\"");
    return response;
  });
  ASSERT_EQ(poll().end, PollEnd::imported);
  poller_.stop();
  node_.close();
  node_.open();
  Sources sources(*node_);
  Intake intake(*node_);
  Poller poller(*node_, sources, intake);
  PollRules rules;
  rules.outgoing.internal_allowed = true;
  poller.set_rules(rules);
  peer_.forget();
  const auto again = poller.start({.caller = kCaller}, {1});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->reports.get().front().end, PollEnd::unchanged);
  EXPECT_THAT(peer_.paths(), ElementsAre("/grenml_export/"));
}

TEST_F(PollingTest, KnowsAFileAgainByItsContent) {
  peer_.say(200, kMap);
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(poll().end, PollEnd::unchanged);
  EXPECT_EQ(state()->catalog.imports.count(), 1U);
  PollOrder forced;
  forced.force = true;
  EXPECT_EQ(poll(forced).end, PollEnd::imported) << "when somebody asks for it";
  peer_.say(200, map_with(2));
  EXPECT_EQ(poll().end, PollEnd::imported);
}

TEST_F(PollingTest, FetchesTheWholeFileWhenWhatItBroughtIsGone) {
  peer_.on("/netml_export/", [](const net::Request& request) {
    const bool known = request.headers.get("If-None-Match") == "\"v1\"";
    net::Response response = answer(known ? 304 : 200, known ? "" : kMap);
    response.headers.set("ETag", "\"v1\"");
    return response;
  });
  const PollReport first = poll();
  ASSERT_EQ(first.end, PollEnd::imported);
  const engine::Transaction imported = node_->transaction_at(first.result.lsn).value().transaction;
  Change change{.caller = kCaller, .cause = engine::Cause::edit};
  change.plan = [&](const engine::State& now, WallTime) -> Result<engine::Transaction> {
    engine::Transaction undo = invert(imported, now);
    undo.imports.clear();
    undo.poll_records.clear();
    undo.peer_states.clear();
    return undo;
  };
  ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  ASSERT_EQ(state()->graph.count(Kind::topology), 0U);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(state()->graph.count(Kind::topology), 1U);
}

TEST_F(PollingTest, CountsFailuresAndWaitsLongerEachTime_N8) {
  peer_.say(500, "");
  std::int64_t waited = 0;
  for (std::uint64_t failures = 1; failures <= 7; ++failures) {
    ASSERT_EQ(poll().end, PollEnd::failed);
    EXPECT_EQ(peer().failures, failures);
    const std::int64_t wait = peer().waits_until->seconds - peer().failed_at->seconds;
    EXPECT_GT(wait, waited * 7 / 8);
    EXPECT_LE(wait, 24 * 3600);
    waited = wait;
  }
  EXPECT_GT(waited, 21 * 3600);
  const auto scheduled = polling_.collect_all({.caller = kCaller, .scheduled = true});
  ASSERT_TRUE(scheduled.has_value());
  EXPECT_FALSE(scheduled->has_value()) << "none is left to poll";
  const auto by_hand = polling_.collect_all({.caller = kCaller});
  ASSERT_TRUE(by_hand->has_value());
  (*by_hand)->reports.wait();
  node_.clock().advance(std::chrono::hours(24));
  const auto later = polling_.collect_all({.caller = kCaller, .scheduled = true});
  ASSERT_TRUE(later->has_value());
  (*later)->reports.wait();
  peer_.say(200, kMap);
  ASSERT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(peer().failures, 0U);
  EXPECT_FALSE(peer().waits_until.has_value());
  EXPECT_TRUE(peer().succeeded_at.has_value());
}

TEST_F(PollingTest, CountsNoFailureOfItsOwnAgainstThePeer) {
  peer_.say(200, kMap);
  std::filesystem::remove_all(node_.file("tmp"));  // where files are written first
  expect_failure("local", "[HTTP status None]");
  const auto known = state()->catalog.peer_states.find(1);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->failures, 0U);
  EXPECT_FALSE(known->waits_until.has_value());
}

TEST_F(PollingTest, WaitsNoMoreForASourceThatWasChanged) {
  peer_.say(403, "");
  ASSERT_EQ(poll().end, PollEnd::failed);
  SourceFields token;
  token.token = "the-right-one";
  change(token);
  EXPECT_FALSE(peer().waits_until.has_value());
  EXPECT_EQ(peer().failures, 1U);
}

TEST_F(PollingTest, AsksAPeerAgainThatCannotBeReached) {
  int looked_up = 0;
  PollRules rules;
  rules.outgoing.resolve = [&](const std::string& host) -> Result<std::vector<net::IpAddress>> {
    if (++looked_up < 3) return fail(Errc::not_found, "not now");
    return net::resolve_by_system(host);
  };
  use(rules);
  peer_.say(200, kMap);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_EQ(looked_up, 3);
  looked_up = -10;
  EXPECT_EQ(poll().reason, "name");
  EXPECT_EQ(looked_up, -7) << "three times, and no more";
}

TEST_F(PollingTest, HoldsAMapThatWouldDeleteHalf_N7) {
  peer_.say(200, map_with(60));
  ASSERT_EQ(poll().end, PollEnd::imported);
  peer_.say(200, map_with(1));
  expect_failure("held", "held as plan");
  EXPECT_EQ(state()->catalog.plans.count(), 1U);
  set(kMassDeletionGuardPercent, "0");
  peer_.say(200, map_with(2));
  EXPECT_EQ(poll().end, PollEnd::imported) << "the setting was changed manually";
}

TEST_F(PollingTest, HoldsByTheSourcesOwnLimitsBeforeTheSettings_N7) {
  peer_.say(200, map_with(60));
  ASSERT_EQ(poll().end, PollEnd::imported);
  peer_.say(200, map_with(57));
  SourceFields limits;
  limits.deletions_max = 2;
  change(limits);
  expect_failure("held", "held as plan");
  limits.deletions_max = 3;
  change(limits);
  EXPECT_EQ(poll().end, PollEnd::imported);
  limits.deletions_max = std::optional<std::uint32_t>();
  limits.deletion_percent_max = 0;
  change(limits);
  peer_.say(200, map_with(1));
  EXPECT_EQ(poll().end, PollEnd::imported) << "this peer may delete";
}

TEST_F(PollingTest, ForgetsTheOldestBatches) {
  set(kPollBatchesKept, "3");
  for (int i = 0; i < 5; ++i) {
    peer_.say(200, map_with(i + 1));
    ASSERT_EQ(poll().end, PollEnd::imported);
  }
  EXPECT_THAT(polling_.batches(), SizeIs(3));
  EXPECT_EQ(state()->catalog.poll_records.count(), 3U);
  EXPECT_EQ(state()->catalog.imports.count(), 3U) << "import records of polls go with them";
  EXPECT_THAT(polling_.batches({.first = 1, .count_max = 1}), SizeIs(1));
  EXPECT_THAT(polling_.batches({.first = 9, .count_max = 1}), IsEmpty());
}

TEST_F(PollingTest, ListsSourcesWithWhatIsKnownOfThem) {
  add("sleeper", false);
  peer_.say(502, "");
  ASSERT_EQ(poll().end, PollEnd::failed);
  const std::vector<SourceStatus> list = polling_.list();
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[0].peer.failures, 1U);
  EXPECT_EQ(list[1].source->name, "sleeper");
  EXPECT_THAT(polling_.active(), ElementsAre(1));
}

// ---- tests of connections ----

class ConnectionTest : public PollingTest {
 protected:
  ConnectionReport test() {
    node_.clock().advance(std::chrono::minutes(1));
    auto reports = polling_.test(kCaller, {1});
    NETML_ASSERT(reports.has_value() && reports->size() == 1);
    return std::move(reports->front());
  }
  void give_token() {
    SourceFields token;
    token.token = "a-token";
    change(token);
  }
};

TEST_F(ConnectionTest, TellsApartWhatMayBeWrong_N9) {
  peer_.on("/status/", [](const net::Request&) { return answer(200, ""); });
  EXPECT_TRUE(test().good) << "without a token only the status is asked for";
  EXPECT_EQ(peer_.paths(), std::vector<std::string>{"/status/"});
  EXPECT_EQ(peer_.header(0, "Authorization"), "");
  give_token();
  struct Row {
    int status;
    std::string body;
    const char* reason;
  };
  for (const Row& row : {Row{200, kMap, ""}, Row{403, "", "denied"}, Row{404, "", "not_found"},
                         Row{200, "<html><body>", "xml"}, Row{200, "", "xml"},
                         Row{200, kMap.substr(0, kMap.size() - 9), "xml"}, Row{302, "", "redirect"},
                         Row{500, "", "peer_error"}}) {
    peer_.say(row.status, row.body);
    const ConnectionReport report = test();
    EXPECT_EQ(report.reason, row.reason) << report.message;
    EXPECT_EQ(report.good, report.reason.empty());
  }
  peer_.on("/status/", [](const net::Request&) { return answer(503, ""); });
  EXPECT_EQ(test().reason, "peer_error");
  SourceFields elsewhere;
  elsewhere.hostname = "nobody.invalid";
  change(elsewhere);
  EXPECT_EQ(test().reason, "name");
  EXPECT_EQ(state()->catalog.poll_batches.count(), 0U) << "nothing was polled";
}

TEST_F(ConnectionTest, TellsThatNobodyListensOrSpeaksTls) {
  SourceFields tls;
  tls.protocol = engine::Protocol::https;
  change(tls);
  EXPECT_EQ(test().reason, "tls") << "a listener without TLS";
  SourceFields closed;
  closed.port = 1;
  change(closed);
  EXPECT_EQ(test().reason, "connection");
  poller_.set_rules({});
  EXPECT_EQ(test().reason, "address");
}

TEST_F(ConnectionTest, AsksTheStatusBesideASnapshot) {
  peer_.on("/status/", [](const net::Request&) { return answer(200, ""); });
  SourceFields snapshot;
  snapshot.path = "published_network_data/current/";
  change(snapshot);
  EXPECT_TRUE(test().good);
}

TEST_F(ConnectionTest, LooksAtTheBeginningOfALargeMapOnly) {
  peer_.on("/status/", [](const net::Request&) { return answer(200, ""); });
  peer_.say(200, map_with(3000));
  give_token();
  EXPECT_TRUE(test().good);
}

TEST_F(ConnectionTest, WaitsForASlowPeerNoLongerThanItsTime) {
  testing::RawPeer slow;
  slow.play([](const testing::RawPeer::Connection& to) {
    to.send("HTTP/1.1 200 OK\r\n");
    to.wait(std::chrono::minutes(10));
  });
  SourceFields place;
  place.port = slow.port;
  change(place);
  PollRules hasty;
  hasty.limits.total_max = std::chrono::milliseconds(50);
  use(std::move(hasty));
  EXPECT_EQ(test().reason, "time_out");
}

TEST_F(ConnectionTest, IsLimitedToTenInAMinute_N9) {
  peer_.on("/status/", [](const net::Request&) { return answer(200, ""); });
  for (std::size_t i = 0; i < Polling::kTestsPerMinute; ++i)
    EXPECT_TRUE(polling_.test(kCaller, {1}).has_value());
  EXPECT_EQ(polling_.test(kCaller, {1}).error().code, Errc::unavailable);
  node_.clock().advance(std::chrono::minutes(1));
  EXPECT_TRUE(polling_.test(kCaller, {1}).has_value());
}

}  // namespace
}  // namespace netml::admin
