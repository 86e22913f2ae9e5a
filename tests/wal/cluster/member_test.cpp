// Goal: members over one shared log have one history: one writes, the others follow, and another
// takes over, whatever happens at whichever step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wal/cluster/passing_log.hpp"
#include "tests/wal/cluster/sim_cluster.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::CallFate;
using testing::SimSharedLog;

TEST(ClusterMember, OneLeadsAndTheOthersHaveWhatItWrote) {
  SimCluster cluster(3);
  SimMember* const leader = cluster.wait_for_leader();
  ASSERT_NE(leader, nullptr);
  EXPECT_EQ(cluster.write(*leader, 3), Said::yes);
  EXPECT_EQ(cluster.write(*leader), Said::yes);
  cluster.pass(1);
  cluster.check();
  EXPECT_EQ(leader->head().lsn, Lsn{4});
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    EXPECT_EQ(cluster[i].leads(), &cluster[i] == leader);
    if (&cluster[i] == leader) continue;
    EXPECT_EQ(cluster.write(cluster[i]), Said::no);
  }
}

TEST(ClusterMember, AnotherTakesOverWhenTheLeaderIsGone) {
  SimCluster cluster(2);
  SimMember* const first = cluster.wait_for_leader();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(cluster.write(*first), Said::yes);
  first->kill();
  SimMember* const second = cluster.wait_for_leader();
  ASSERT_NE(second, nullptr);
  ASSERT_NE(second, first);
  EXPECT_EQ(cluster.write(*second), Said::yes);
  ASSERT_TRUE(first->start());
  cluster.pass(2);
  EXPECT_FALSE(first->leads());
  cluster.check();
}

TEST(ClusterMember, AStoppedLeaderThatWakesIsRefused) {
  SimCluster cluster(2);
  SimMember* const zombie = cluster.wait_for_leader();
  ASSERT_NE(zombie, nullptr);
  SimMember& other = &cluster[0] == zombie ? cluster[1] : cluster[0];
  for (int i = 0; i < 20; ++i) {
    cluster.clock().advance(seconds(1));
    other.step();
  }
  ASSERT_TRUE(other.leads());
  EXPECT_EQ(cluster.write(other), Said::yes);
  EXPECT_TRUE(zombie->leads()) << "it has not noticed yet";
  EXPECT_EQ(cluster.write(*zombie), Said::no);
  cluster.pass(2);
  EXPECT_FALSE(zombie->leads());
  cluster.check();
}

// What it shows may be old then, though it has not noticed yet.
TEST(ClusterMember, AStoppedLeaderThatWakesDoesNotCallItsStateTheNewest) {
  SimCluster cluster(1);
  SimMember* const leader = cluster.wait_for_leader();
  ASSERT_NE(leader, nullptr);
  EXPECT_EQ(leader->member().status().lag.count(), 0);
  cluster.clock().advance(seconds(20));
  ASSERT_TRUE(leader->leads()) << "it has not noticed yet";
  EXPECT_GE(leader->member().status().lag, seconds(20));
}

// The lease would be kept for one that leads no more, and nobody would lead.
TEST(ClusterMember, LeadsAgainThoughARenewalWasAnsweredWhenItsLeaseHadRunOut) {
  SimCluster cluster(2);
  SimMember* const leader = cluster.wait_for_leader();
  ASSERT_NE(leader, nullptr);
  EXPECT_EQ(cluster.write(*leader), Said::yes);
  ClusterMember& member = leader->member();
  const auto log = cluster.log().connect();
  OvertakenLog overtaken(cluster.log().connect(), [&] {
    cluster.clock().advance(milliseconds(200));
    member.keep(*log);
    EXPECT_FALSE(leader->leads());
  });
  cluster.clock().advance(member.lease().left() - milliseconds(100));
  static_cast<void>(member.renew(overtaken));
  SimMember* const next = cluster.wait_for_leader();
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(cluster.write(*next), Said::yes);
  cluster.pass(2);
  cluster.check();
}

class OldAppends : public ::testing::Test {
 protected:
  static constexpr std::chrono::hours kDay{24};

  OldAppends() {
    cluster_.restart_with([](MembershipOptions& options) { options.keep = 2 * kDay; });
    write(5);
  }
  // As many groups, which all that run have then.
  void write(int groups) {
    SimMember* const leader = cluster_.wait_for_leader();
    ASSERT_NE(leader, nullptr);
    for (int i = 0; i < groups; ++i) ASSERT_EQ(cluster_.write(*leader), Said::yes);
    cluster_.pass(4);
  }
  void pass(std::chrono::hours time) {
    cluster_.clock().advance(time);
    ASSERT_NE(cluster_.wait_for_leader(), nullptr);
    cluster_.pass(10);
  }
  // Whether the log begins behind it.
  bool forgotten(Lsn lsn) { return !cluster_.log().connect()->read_from({Lsn{lsn.value - 1}}, 1); }

  SimCluster cluster_{3};
};

TEST_F(OldAppends, GoWhenTheirTimeIsOver) {
  pass(kDay);
  EXPECT_FALSE(forgotten(Lsn{1}));
  write(2);
  pass(kDay + std::chrono::hours(1));
  EXPECT_TRUE(forgotten(Lsn{5}));
  EXPECT_FALSE(forgotten(Lsn{6}));
  cluster_.check();
}

TEST_F(OldAppends, StayUntilEveryMemberHasThem) {
  SimMember& away = cluster_.wait_for_leader() == &cluster_[0] ? cluster_[1] : cluster_[0];
  away.kill();
  write(2);
  pass(3 * kDay);
  EXPECT_TRUE(forgotten(Lsn{5}));
  EXPECT_FALSE(forgotten(Lsn{6}));
  ASSERT_TRUE(away.start());
  cluster_.pass(10);
  pass(std::chrono::hours(1));
  cluster_.check();
  EXPECT_TRUE(forgotten(Lsn{7}));
}

TEST_F(OldAppends, StayWhereTheyAreToBeKeptForEver) {
  cluster_.restart_with([](MembershipOptions& options) { options.keep = {}; });
  pass(100 * kDay);
  EXPECT_FALSE(forgotten(Lsn{1}));
}

TEST(ClusterMember, TellsOfItsRoleInOrder) {
  SimCluster cluster(1);
  ASSERT_NE(cluster.wait_for_leader(), nullptr);
  ASSERT_TRUE(cluster[0].member().release());
  std::vector<bool> leads;
  for (const RoleEvent& event : cluster[0].member().standing().take_events())
    leads.push_back(event.leads);
  EXPECT_THAT(leads, ::testing::ElementsAre(true, false));
  EXPECT_EQ(cluster.write(cluster[0]), Said::no);
  ASSERT_NE(cluster.wait_for_leader(), nullptr) << "nobody else has taken the lease";
}

TEST(ClusterMember, WritesNothingWithoutASecondMachine) {
  SimCluster cluster(1);
  SimMember* const leader = cluster.wait_for_leader();
  ASSERT_NE(leader, nullptr);
  cluster.log().set_standby(SimSharedLog::Standby::gone);
  cluster.pass(4);
  EXPECT_EQ(cluster.write(*leader), Said::no);
  cluster.log().set_standby(SimSharedLog::Standby::synchronous);
  ASSERT_NE(cluster.wait_for_leader(), nullptr);
  EXPECT_EQ(cluster.write(*leader), Said::yes);
}

std::vector<std::string> names_of(std::size_t transactions) {
  std::vector<std::string> names;
  while (names.size() < transactions) names.push_back("led " + std::to_string(names.size()));
  return names;
}

// Groups of so many transactions each, where a member has one of its own at LSN 1.
void stops_behind(const std::vector<std::size_t>& groups) {
  SimCluster cluster(2);
  SimMember* const leader = cluster.wait_for_leader();
  ASSERT_NE(leader, nullptr);
  SimMember& other = &cluster[0] == leader ? cluster[1] : cluster[0];
  // Started alone, it writes for itself.
  other.kill();
  {
    const std::unique_ptr<Storage> root = other.disk().root();
    auto alone = *Store::open(*root, cluster.clock(), cluster.random(), small_options());
    ASSERT_TRUE(commit(*alone, testing::import_topology(*alone->head(), "alone", 1)));
  }
  ASSERT_TRUE(other.start());
  for (const std::size_t transactions : groups)
    ASSERT_EQ(leader->write(names_of(transactions)), Said::yes);
  leader->step();
  other.member().keep(*cluster.log().connect());
  other.member().follow(*cluster.log().connect());
  EXPECT_EQ(other.member().standing().role(), Role::stopped);
  EXPECT_THAT(other.member().standing().status().reason, ::testing::HasSubstr("histor"));
  EXPECT_EQ(other.head().lsn, Lsn{1});
  EXPECT_TRUE(other.store().log().ends_at_head());
}

TEST(ClusterMember, StopsWhereTheHistoriesDiffer) {
  for (const std::vector<std::size_t>& groups :
       std::vector<std::vector<std::size_t>>{{1}, {1, 1}, {2}, {3, 1}}) {
    SCOPED_TRACE(groups.size() * 10 + groups.front());
    stops_behind(groups);
  }
}

// The fate of one call, for each call that a group and what follows it make.
class FateAtEachCall : public ::testing::TestWithParam<CallFate> {};

TEST_P(FateAtEachCall, EveryAnswerIsTrue) {
  for (std::uint64_t at = 1; at <= 12; ++at) {
    SCOPED_TRACE(at);
    SimCluster cluster(2);
    SimMember* const leader = cluster.wait_for_leader();
    ASSERT_NE(leader, nullptr);
    EXPECT_EQ(cluster.write(*leader), Said::yes);
    const std::uint64_t begin = cluster.log().calls();
    cluster.log().decide([&](std::uint64_t number, const std::string&) {
      return number == begin + at ? GetParam() : CallFate::arrives;
    });
    for (int i = 0; i < 4; ++i) {
      cluster.write(*leader, 2);
      cluster.pass(1);
    }
    cluster.heal();
    cluster.check();
  }
}

INSTANTIATE_TEST_SUITE_P(Fates, FateAtEachCall,
                         ::testing::Values(CallFate::lost, CallFate::unanswered, CallFate::delayed,
                                           CallFate::duplicated, CallFate::cancelled),
                         [](const auto& fate) { return testing::to_string(fate.param); });

}  // namespace
}  // namespace netml::wal::test
