// Goal: what a leader says of a group is true at each step at which something can go wrong: in the
// shared log, and behind it in the own journal.
#include "wal/cluster/leader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wal/cluster/sim_cluster.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::seconds;
using testing::CallFate;

class LeaderTest : public ::testing::Test {
 protected:
  LeaderTest() : cluster_(2) {
    leader_ = cluster_.wait_for_leader();
    NETML_ASSERT(leader_ != nullptr);
    other_ = leader_ == &cluster_[0] ? &cluster_[1] : &cluster_[0];
    EXPECT_EQ(cluster_.write(*leader_), Said::yes);
    cluster_.pass(1);
  }
  // Calls of that name, from now on.
  void fate_of(const std::string& wanted, CallFate fate) {
    cluster_.log().decide([=](std::uint64_t, const std::string& call) {
      return call == wanted ? fate : CallFate::arrives;
    });
  }

  SimCluster cluster_;
  SimMember* leader_ = nullptr;
  SimMember* other_ = nullptr;
};

TEST_F(LeaderTest, FindsOutThatAnUnansweredAppendHolds) {
  fate_of("append_if", CallFate::unanswered);
  EXPECT_EQ(cluster_.write(*leader_), Said::yes);
  EXPECT_TRUE(leader_->leads());
  cluster_.heal();
  cluster_.check();
}

TEST_F(LeaderTest, FindsOutThatALostAppendDoesNotHoldAndGoesOn) {
  fate_of("append_if", CallFate::lost);
  EXPECT_EQ(cluster_.write(*leader_), Said::no);
  cluster_.log().decide({});
  EXPECT_TRUE(leader_->leads());
  EXPECT_EQ(cluster_.write(*leader_), Said::yes);
  cluster_.heal();
  cluster_.check();
}

TEST_F(LeaderTest, ShutsOutADelayedAppendBeforeItRefusesTheChange) {
  fate_of("append_if", CallFate::delayed);
  EXPECT_EQ(cluster_.write(*leader_), Said::no);
  cluster_.log().deliver_delayed();
  cluster_.heal();
  cluster_.check();
}

TEST_F(LeaderTest, SaysUnknownWhenNobodyAnswersUntilTheLeaseHasRunOut) {
  const Head before = leader_->head();
  cluster_.log().decide([](std::uint64_t, const std::string& call) {
    return call == "append_if" ? CallFate::unanswered : CallFate::lost;
  });
  const std::chrono::nanoseconds began = cluster_.clock().steady();
  EXPECT_EQ(cluster_.write(*leader_), Said::unknown);
  EXPECT_GE(cluster_.clock().steady() - began, leader_->options().lease - seconds(1));
  EXPECT_FALSE(leader_->leads());
  EXPECT_EQ(leader_->head(), before) << "nothing is in the own journal before the shared one";
  cluster_.heal();
  cluster_.check();
  EXPECT_EQ(leader_->head().lsn, Lsn{2}) << "it was there";
}

TEST_F(LeaderTest, LooksUpItsGroupWhenAnotherLeads) {
  for (const CallFate fate : {CallFate::unanswered, CallFate::delayed}) {
    SCOPED_TRACE(testing::to_string(fate));
    SimMember* const leader = cluster_.wait_for_leader();
    SimMember& other = leader == &cluster_[0] ? cluster_[1] : cluster_[0];
    // While the leader waits for its answer, its lease runs out and the other one takes over.
    bool over = false;
    cluster_.log().decide([&](std::uint64_t, const std::string& call) {
      if (call == "append_if" && !over) return fate;
      if (call == "take_lease" && !over) {
        over = true;
        cluster_.clock().advance(seconds(4));
        for (int i = 0; i < 3; ++i) {
          cluster_.clock().advance(seconds(1));
          other.step();
        }
      }
      return CallFate::arrives;
    });
    const Said said = cluster_.write(*leader);
    EXPECT_EQ(said, fate == CallFate::unanswered ? Said::yes : Said::no);
    EXPECT_TRUE(over);
    cluster_.heal();
    cluster_.check();
  }
}

// A server that is not there refuses at once; so the calls are counted, not the time.
class LeaderOfALogThatRefuses : public ::testing::Test {
 protected:
  LeaderOfALogThatRefuses() : cluster_(2, 1, std::chrono::nanoseconds(0)) {
    leader_ = cluster_.wait_for_leader();
    NETML_ASSERT(leader_ != nullptr);
    other_ = leader_ == &cluster_[0] ? &cluster_[1] : &cluster_[0];
  }
  void expect_few_calls_until_unknown() {
    constexpr std::uint64_t kFew = 100;
    const std::uint64_t before = cluster_.log().calls();
    EXPECT_EQ(cluster_.write(*leader_), Said::unknown);
    EXPECT_LT(cluster_.log().calls() - before, kFew);
    cluster_.heal();
    cluster_.check();
  }

  SimCluster cluster_;
  SimMember* leader_ = nullptr;
  SimMember* other_ = nullptr;
};

TEST_F(LeaderOfALogThatRefuses, PausesBeforeItTriesTheBarrierAgain) {
  cluster_.log().decide([](std::uint64_t, const std::string& call) {
    return call == "append_if" ? CallFate::unanswered : CallFate::lost;
  });
  expect_few_calls_until_unknown();
}

TEST_F(LeaderOfALogThatRefuses, PausesBeforeItLooksUpItsGroupAgain) {
  enum class Now : std::uint8_t { leads, is_followed, is_cut_off } now = Now::leads;
  cluster_.log().decide([&](std::uint64_t, const std::string& call) {
    if (now == Now::is_cut_off) return CallFate::lost;
    if (now == Now::is_followed) return CallFate::arrives;
    if (call == "append_if") return CallFate::unanswered;
    if (call != "take_lease") return CallFate::arrives;
    now = Now::is_followed;
    cluster_.clock().advance(seconds(4));
    other_->step();
    other_->step();
    EXPECT_TRUE(other_->leads());
    now = Now::is_cut_off;
    return CallFate::arrives;
  });
  expect_few_calls_until_unknown();
}

// Every operation of the own disk behind an append that holds.
TEST(LeaderWithAFullDisk, LeadsNoMoreWhenItsOwnJournalCannotKeepAGroupThatHolds) {
  std::size_t unknown = 0;
  for (std::uint64_t at = 1; at < 24; ++at) {
    SCOPED_TRACE(at);
    SimCluster cluster(2);
    SimMember* const leader = cluster.wait_for_leader();
    ASSERT_NE(leader, nullptr);
    ASSERT_EQ(cluster.write(*leader), Said::yes);
    const std::uint64_t fails = leader->disk().operations() + at / 2;
    leader->disk().inject([=](std::uint64_t number, const std::string&) -> std::optional<Error> {
      if (number != fails) return std::nullopt;
      return Error{at % 2 == 0 ? Errc::no_space : Errc::io_error, "injected"};
    });
    const Said said = leader->commit(
        {[](const engine::State& base) { return testing::import_topology(base, "large", 100); }});
    leader->disk().inject({});
    ASSERT_NE(said, Said::no) << "the shared log has it";
    if (said == Said::unknown) {
      ++unknown;
      EXPECT_FALSE(leader->leads());
      EXPECT_FALSE(leader->member().lease().held());
    }
    cluster.heal();
    cluster.check();
    EXPECT_EQ(leader->imports().count("large.xml"), 1U);
  }
  EXPECT_GT(unknown, 5U);
}

TEST_F(LeaderTest, AnswersAGroupWithoutChangesOnlyUnderItsLease) {
  EXPECT_TRUE(leader_->store().confirm());
  fate_of("renew_lease", CallFate::lost);
  EXPECT_FALSE(leader_->store().confirm());
  cluster_.log().decide({});
  cluster_.clock().advance(seconds(10));
  other_->step();
  const Status confirmed = leader_->store().confirm();
  ASSERT_FALSE(confirmed);
  EXPECT_EQ(confirmed.error().code, Errc::unavailable);
}

}  // namespace
}  // namespace netml::wal::test
