// Goal: members with their threads lead, follow and change roles, and answer what a node asks them.
// Method: real writers and disks over the model, which is locked call by call; a thread lets its
// time pass.
#include "wal/cluster/membership.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/sim_shared_log.hpp"
#include "tests/wal/cluster/passing_log.hpp"
#include "tests/wal/cluster/running_node.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::SimSharedLog;

class LockedLog final : public PassingLog {
 public:
  LockedLog(std::unique_ptr<SharedLog> log, std::mutex& mutex)
      : PassingLog(std::move(log)), mutex_(mutex) {}
  Status wait_beyond(Lsn /*after*/, std::chrono::nanoseconds /*at_most*/) override {
    std::this_thread::sleep_for(milliseconds(1));
    return {};
  }

 private:
  void begin_call() override { mutex_.lock(); }
  void end_call() override { mutex_.unlock(); }
  std::mutex& mutex_;
};

// What the members share.
class World {
 public:
  explicit World(const NodeUuid& cluster) {
    SimSharedLog::Options options;
    options.cluster = cluster;
    options.start = {Lsn{}, Chain::origin(cluster)};
    log_ = std::make_unique<SimSharedLog>(clock_, options);
    ticking_ = std::thread([this] {
      while (!stop_) {
        clock_.advance(milliseconds(2));
        std::this_thread::sleep_for(milliseconds(1));
      }
    });
  }
  ~World() {
    stop_ = true;
    ticking_.join();
  }
  testing::ManualClock& clock() { return clock_; }
  OpenSharedLog open() {
    return [this]() -> Result<std::unique_ptr<SharedLog>> {
      const std::lock_guard lock(mutex_);
      return std::make_unique<LockedLog>(log_->connect(), mutex_);
    };
  }
  void set_standby(SimSharedLog::Standby standby) {
    const std::lock_guard lock(mutex_);
    log_->set_standby(standby);
  }

 private:
  testing::ManualClock clock_;
  std::mutex mutex_;
  std::unique_ptr<SimSharedLog> log_;
  std::atomic<bool> stop_ = false;
  std::thread ticking_;
};

class MembershipTest : public ::testing::Test {
 protected:
  MembershipTest() : world_(alpha_.uuid()) {
    alpha_.start(world_.clock(), world_.open());
    EXPECT_TRUE(comes_true([&] { return alpha_.leads(); }));
    beta_.start(world_.clock(), world_.open());
    EXPECT_TRUE(comes_true([&] { return beta_.member().role() == Role::follower; }));
  }
  ~MembershipTest() override {
    beta_.stop();
    alpha_.stop();
  }

  RunningNode alpha_{"alpha", 2};
  RunningNode beta_{"beta", 3};
  World world_;
};

TEST_F(MembershipTest, AFollowerShowsWhatTheLeaderAnswered) {
  for (int i = 0; i < 20; ++i) {
    const auto done = alpha_.import("a" + std::to_string(i)).get();
    ASSERT_TRUE(done) << done.error().message;
    const auto shown = beta_.member().wait_for(done->lsn, seconds(30));
    ASSERT_TRUE(shown) << shown.error().message;
  }
  EXPECT_EQ(alpha_.writer().published().head, beta_.writer().published().head);
  const auto refused = beta_.import("b").get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_EQ(alpha_.began(), 1);
  EXPECT_EQ(beta_.began(), 0);
  for (std::uint64_t lsn = 0; lsn <= 20; ++lsn) {
    const auto hash = beta_.member().hash_at(Lsn{lsn});
    ASSERT_TRUE(hash) << hash.error().message;
    EXPECT_EQ(*hash, *alpha_.member().hash_at(Lsn{lsn}));
  }
  EXPECT_FALSE(beta_.member().hash_at(Lsn{21}));
}

TEST_F(MembershipTest, OnlyTheLeaderConfirmsThatItsStateIsTheNewest) {
  const auto done = alpha_.import("a").get();
  ASSERT_TRUE(done);
  const auto fresh = alpha_.member().confirm_fresh();
  ASSERT_TRUE(fresh) << fresh.error().message;
  EXPECT_EQ(fresh->lsn, done->lsn);
  EXPECT_FALSE(beta_.member().confirm_fresh());
}

// Each of these questions renews the lease, so nothing is left to do for those that look after it.
TEST_F(MembershipTest, QuestionsForTheNewestTellWhetherThereIsAStandby) {
  const auto has_standby = [&] {
    EXPECT_TRUE(alpha_.member().confirm_fresh());
    return alpha_.member().status().synchronous;
  };
  world_.set_standby(SimSharedLog::Standby::gone);
  EXPECT_TRUE(comes_true([&] { return !has_standby(); }));
  world_.set_standby(SimSharedLog::Standby::synchronous);
  EXPECT_TRUE(comes_true(has_standby));
  EXPECT_TRUE(alpha_.import("after it").get());
}

TEST_F(MembershipTest, AnotherLeadsOnceTheLeaderReleasesTheLease) {
  ASSERT_TRUE(alpha_.import("a").get());
  ASSERT_TRUE(alpha_.member().release());
  ASSERT_TRUE(comes_true([&] { return beta_.leads(); }));
  ASSERT_TRUE(comes_true([&] { return alpha_.ceased() == 1 && beta_.began() == 1; }));
  const auto done = beta_.import("b").get();
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_TRUE(alpha_.member().wait_for(done->lsn, seconds(30)));
  EXPECT_EQ(alpha_.writer().published().head, beta_.writer().published().head);
}

TEST_F(MembershipTest, ANodeThatComesBackHasWhatWasWrittenMeanwhile) {
  alpha_.stop();
  EXPECT_EQ(alpha_.ceased(), 1);
  ASSERT_TRUE(comes_true([&] { return beta_.leads(); }));
  Lsn last;
  for (int i = 0; i < 30; ++i) {
    const auto done = beta_.import("b" + std::to_string(i)).get();
    ASSERT_TRUE(done) << done.error().message;
    last = done->lsn;
  }
  alpha_.start(world_.clock(), world_.open());
  ASSERT_TRUE(alpha_.member().wait_for(last, seconds(30)));
  EXPECT_EQ(alpha_.writer().published().head, beta_.writer().published().head);
}

TEST_F(MembershipTest, SaysWhoLeadsAndHowFarItIs) {
  ASSERT_TRUE(alpha_.import("a").get());
  ASSERT_TRUE(beta_.member().wait_for(Lsn{1}, seconds(30)));
  ASSERT_TRUE(comes_true([&] {
    const MembershipStatus status = beta_.member().status();
    return status.leader == "alpha" && status.leader_address == "https://alpha" &&
           status.shared == status.own && status.behind == 0 && status.synchronous;
  }));
  EXPECT_EQ(alpha_.member().status().lag.count(), 0);
  const auto members = beta_.member().members();
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 2U);
  EXPECT_EQ((*members)[0].name, "alpha");
}

}  // namespace
}  // namespace netml::wal::test
