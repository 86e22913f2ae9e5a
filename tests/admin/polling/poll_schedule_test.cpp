// Goal: polls begin when the settings say, on a clock that may be set, and never two at once
// (docs/requirements/polling-and-publishing.md, sections 6 and 7; N10). Method: a simulated clock;
// the tests take the looks that the schedule's thread would take.
#include "admin/polling/poll_schedule.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/poller_fixture.hpp"

namespace netml::admin {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::kCaller;
using testing::kMap;

class PollScheduleTest : public testing::PollerFixture {
 protected:
  PollScheduleTest() : schedule_(*node_, polling_, poller_) {
    peer_.say(200, kMap);
    schedule_.tick();
  }
  void set(std::string_view setting, const std::string& value) {
    Change change{.caller = kCaller, .cause = engine::Cause::setting};
    change.plan = [&](const engine::State& now, WallTime) -> Result<engine::Transaction> {
      return plan_setting_set(now, std::string(setting), value);
    };
    ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  }
  // How many polls begin in that time, with a look each second.
  std::uint64_t polls_in(seconds time, seconds look = seconds(1)) {
    const std::uint64_t before = state()->catalog.poll_batches.next_number();
    for (seconds passed{0}; passed < time; passed += look) {
      node_.clock().advance(look);
      schedule_.tick();
      while (poller_.busy()) std::this_thread::yield();
    }
    return state()->catalog.poll_batches.next_number() - before;
  }

  PollSchedule schedule_;
};

TEST_F(PollScheduleTest, PollsEveryFourthHourUnlessTold) {
  EXPECT_EQ(polls_in(hours(4)), 0U) << "not at once: the span had begun";
  EXPECT_EQ(polls_in(hours(4)), 1U);
  const PollBatchView batch = polling_.batches().front();
  EXPECT_TRUE(batch.batch.scheduled);
  EXPECT_EQ(batch.status, engine::PollStatus::complete);
  EXPECT_GT(*schedule_.next_run(), batch.batch.started);
}

TEST_F(PollScheduleTest, FollowsTheSettingAtTheNextLook) {
  set(kPollingInterval, "*/10 * * * *");
  EXPECT_EQ(polls_in(hours(1)), 6U);
  set(kPollingInterval, "0 0 1 1 *");
  EXPECT_EQ(polls_in(hours(2)), 0U);
  set(kPollingInterval, "* * * * * *");
  EXPECT_EQ(polls_in(minutes(10)), 10U) << "at most one in a minute";
}

TEST_F(PollScheduleTest, KeepsTheScheduleOverARestart) {
  set(kPollingInterval, "30 * * * *");
  PollSchedule restarted(*node_, polling_, poller_);
  restarted.tick();
  EXPECT_EQ(restarted.next_run()->seconds % 3600, 30 * 60);
}

TEST_F(PollScheduleTest, TellsTheNextRun) {
  set(kPollingInterval, "30 12 * * *");
  schedule_.tick();
  const std::int64_t day = node_.clock().wall().instant().seconds / 86400;
  const std::int64_t half_past_twelve = 12 * 3600 + 30 * 60;
  EXPECT_EQ(schedule_.next_run()->seconds, day * 86400 + half_past_twelve);
  polls_in(hours(13));
  EXPECT_EQ(schedule_.next_run()->seconds, (day + 1) * 86400 + half_past_twelve);
  set(kPollingInterval, "0 0 31 2 *");
  schedule_.tick();
  EXPECT_FALSE(schedule_.next_run().has_value()) << "there is no such day";
}

TEST_F(PollScheduleTest, PollsNothingWhileItIsDisabled) {
  set(kPollingInterval, "*/10 * * * *");
  set(kPollingEnabled, "False");
  EXPECT_EQ(polls_in(hours(1)), 0U);
  set(kPollingEnabled, "True");
  EXPECT_EQ(polls_in(minutes(10)), 1U);
}

TEST_F(PollScheduleTest, MakesUpForMissedTimeOnce) {
  set(kPollingInterval, "*/10 * * * *");
  schedule_.tick();
  node_.clock().advance(hours(100));
  EXPECT_EQ(polls_in(minutes(5)), 1U);
}

TEST_F(PollScheduleTest, LeavesARunOutWhileAPollGoesOn_N8) {
  set(kPollingInterval, "*/10 * * * *");
  schedule_.tick();
  const auto gate = peer_.hold(200, kMap);
  const auto started = polling_.collect_all({.caller = kCaller});
  ASSERT_TRUE(started.has_value() && started->has_value());
  gate->wait_until_asked();
  node_.clock().advance(minutes(10));
  schedule_.tick();
  EXPECT_EQ(state()->catalog.poll_batches.count(), 1U);
  gate->open();
  (*started)->reports.wait();
  EXPECT_EQ(polls_in(minutes(10)), 1U) << "and goes on afterwards";
}

TEST_F(PollScheduleTest, PassesOverPeersThatFailedOfLate_N8) {
  set(kPollingInterval, "*/10 * * * *");
  peer_.say(500, "");
  EXPECT_EQ(polls_in(hours(1)), 1U) << "one hour of patience after the first failure";
}

TEST_F(PollScheduleTest, NeverPausesASourceUnlessTold) {
  set(kPollingInterval, "0 * * * *");
  peer_.say(500, "");
  polls_in(hours(100), minutes(1));
  EXPECT_GT(polling_.list().front().peer.failures, 5U);
  EXPECT_FALSE(polling_.list().front().paused);
  EXPECT_GT(polls_in(hours(48), minutes(1)), 0U);
}

TEST_F(PollScheduleTest, PausesASourceThatFailedTooOften) {
  set(kPollingInterval, "0 * * * *");
  set(kPollFailuresMax, "3");
  peer_.say(500, "");
  EXPECT_EQ(polls_in(hours(100), minutes(1)), 3U);
  EXPECT_TRUE(polling_.list().front().paused);
  EXPECT_EQ(polling_.list().front().peer.failures, 3U);
  const auto by_hand = polling_.collect_all({.caller = kCaller});
  ASSERT_TRUE(by_hand.has_value() && by_hand->has_value()) << "manually it is polled all the same";
  (*by_hand)->reports.wait();
  EXPECT_TRUE(polling_.list().front().paused) << "and failed once more";
  peer_.say(200, kMap);
  EXPECT_EQ(polls_in(hours(48), minutes(1)), 0U);
  EXPECT_EQ(poll().end, PollEnd::imported);
  EXPECT_FALSE(polling_.list().front().paused);
  EXPECT_TRUE(polling_.list().front().peer.succeeded_at.has_value());
  EXPECT_EQ(polls_in(hours(2), minutes(1)), 2U);
}

TEST_F(PollScheduleTest, PollsAPausedSourceAgainThatWasChanged) {
  set(kPollingInterval, "0 * * * *");
  set(kPollFailuresMax, "1");
  peer_.say(403, "");
  EXPECT_EQ(polls_in(hours(10), minutes(1)), 1U);
  SourceFields token;
  token.token = "the-right-one";
  change(token);
  EXPECT_FALSE(polling_.list().front().paused);
  EXPECT_EQ(polls_in(hours(10), minutes(1)), 1U) << "which fails again";
  set(kPollFailuresMax, "0");
  EXPECT_GT(polls_in(hours(10), minutes(1)), 0U)
      << "the setting holds for sources that are paused, too";
}

// Two members of a cluster, each with its plan, of which one leads at a time or none.
class TwoSchedules : public PollScheduleTest {
 protected:
  enum class Leader { none, first, second };

  // Looks each second; how many polls begin.
  std::uint64_t polls_under(Leader leader, seconds time) {
    leader_ = leader;
    const std::uint64_t before = state()->catalog.poll_batches.next_number();
    for (seconds passed{0}; passed < time; passed += seconds(1)) {
      node_.clock().advance(seconds(1));
      for (PollSchedule* each : {&first_, &second_}) each->tick();
      while (poller_.busy()) std::this_thread::yield();
    }
    return state()->catalog.poll_batches.next_number() - before;
  }

  Leader leader_ = Leader::first;
  PollSchedule first_{*node_, polling_, poller_, [this] { return leader_ == Leader::first; }};
  PollSchedule second_{*node_, polling_, poller_, [this] { return leader_ == Leader::second; }};
};

TEST_F(TwoSchedules, RunEachRunOnceWhoeverLeads) {
  set(kPollingInterval, "*/10 * * * *");
  polls_under(Leader::first, minutes(5));
  std::uint64_t polls = 0;
  for (int turn = 0; turn < 20; ++turn)
    polls += polls_under(turn % 2 == 0 ? Leader::second : Leader::first, minutes(7));
  EXPECT_EQ(polls, 14U) << "in 140 minutes";
}

TEST_F(TwoSchedules, RunOnceInASpanAtARandomMinute) {
  set(kPollingInterval, "R * * * *");
  polls_under(Leader::first, hours(2));
  std::uint64_t polls = 0;
  for (int turn = 0; turn < 40; ++turn)
    polls += polls_under(turn % 2 == 0 ? Leader::second : Leader::first, minutes(18));
  EXPECT_GE(polls, 11U) << "in 12 hours";
  EXPECT_LE(polls, 13U);
}

TEST_F(TwoSchedules, MakeUpOnceForWhatWasDueWhileNobodyLed) {
  set(kPollingInterval, "*/10 * * * *");
  polls_under(Leader::first, minutes(11));
  EXPECT_EQ(polls_under(Leader::none, minutes(35)), 0U);
  EXPECT_EQ(polls_under(Leader::second, minutes(1)), 1U);
  EXPECT_EQ(polls_under(Leader::first, minutes(1)), 0U);
}

TEST_F(TwoSchedules, RunNothingAgainWhenTheClockWasADayBehindMeanwhile) {
  set(kPollingInterval, "* * * * *");
  while (polls_under(Leader::first, seconds(1)) == 0) {
  }
  const hours wrong(25);
  node_.clock().put_wall_forward(-wrong);
  EXPECT_EQ(polls_under(Leader::second, seconds(5)), 0U);
  node_.clock().put_wall_forward(wrong);
  EXPECT_EQ(polls_under(Leader::second, seconds(50)), 0U) << "the first has run this minute";
  EXPECT_EQ(polls_under(Leader::second, minutes(1)), 1U);
}

TEST_F(PollScheduleTest, LooksByItself) {
  set(kPollingInterval, "* * * * *");
  schedule_.tick();
  schedule_.start();
  const auto wait_for = [&](auto&& done) {
    while (!done()) std::this_thread::yield();
  };
  node_.clock().advance(minutes(1));
  wait_for([&] { return state()->catalog.poll_batches.count() == 1; });
  schedule_.stop();
  poller_.stop();
}

}  // namespace
}  // namespace netml::admin
