// Goal: whatever the network, the database, the machines and the disks do, in any order: each
// acknowledged change is in the history once, no refused one is, and all members have one history.
// Method: members over the model, with faults from a seed at every call and every operation of the
// disks; in the end all heals, and what clients were answered is held against what is there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "tests/wal/cluster/sim_cluster.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::milliseconds;
using testing::CrashPattern;
using testing::SimSharedLog;

constexpr int kSteps = 120;

// NETML_CLUSTER_SEED and NETML_CLUSTER_HISTORIES run others, or more.
std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Counts {
  std::uint64_t yes = 0;
  std::uint64_t no = 0;
  std::uint64_t unknown = 0;
  std::uint64_t crashes = 0;
  std::uint64_t full_disks = 0;
  std::uint64_t fail_overs = 0;
  std::uint64_t cut = 0;        // starts with a part of a transaction
  std::uint64_t forgotten = 0;  // the log began later in the end
};

class RandomHistory {
 public:
  RandomHistory(std::uint64_t seed, Counts& counts)
      : random_(seed), cluster_(2 + seed % 2, seed), counts_(counts) {
    cluster_.restart_with(
        [](MembershipOptions& options) { options.keep = std::chrono::seconds(5); });
    cluster_.pass(3);  // all have reported: nothing is forgotten that one of them lacks
    cluster_.log().decide(testing::random_fates(seed, seed % 3 == 0 ? 0 : 10));
  }

  void run() {
    for (int i = 0; i < kSteps && !::testing::Test::HasFailure(); ++i) step();
    cluster_.heal();
    cluster_.check();
    SimMember* const leader = cluster_.wait_for_leader();
    ASSERT_NE(leader, nullptr);
    EXPECT_EQ(cluster_.write(*leader), Said::yes);
    cluster_.pass(2);
    cluster_.check();
    if (!cluster_.log().connect()->read_from({}, 1)) ++counts_.forgotten;
  }

 private:
  std::uint64_t below(std::uint64_t choices) { return random_() % choices; }
  SimMember& any() { return cluster_[below(cluster_.size())]; }

  void step() {
    SimMember& member = any();
    switch (below(24)) {
      case 0:
        return crash(member);
      case 1:
        return fill_disk(member);
      case 2:
        return fail_over();
      case 3:
        return cluster_.log().set_standby(SimSharedLog::Standby::stalled);
      case 4:
        return cluster_.log().set_standby(SimSharedLog::Standby::synchronous);
      case 5:
        return cluster_.log().deliver_delayed();
      case 6:
        return cluster_.clock().advance(std::chrono::seconds(below(8)));
      case 7:
        return interrupt(member);
      case 8:  // long enough for a leader to forget something
        return cluster_.clock().advance(std::chrono::hours(1));
      default:
        return go_on(member);
    }
  }

  void go_on(SimMember& member) {
    cluster_.clock().advance(milliseconds(below(700)));
    if (!member.running()) {
      if (member.start() && !member.store().log().ends_at_head()) ++counts_.cut;
      return;
    }
    member.step();
    if (below(3) == 0) return;
    for (std::size_t i = 0; i < cluster_.size(); ++i)
      if (cluster_[i].leads()) count(cluster_.write(cluster_[i], 1 + below(3)));
  }

  void count(Said said) {
    counts_.yes += said == Said::yes ? 1 : 0;
    counts_.no += said == Said::no ? 1 : 0;
    counts_.unknown += said == Said::unknown ? 1 : 0;
  }

  void crash(SimMember& member) {
    if (below(2) == 0) return member.kill();
    member.crash({CrashPattern::Kind::random, random_()});
    ++counts_.crashes;
  }

  // Some operations from now on find no room, in the middle of a group, say.
  void fill_disk(SimMember& member) {
    const std::uint64_t first = member.disk().operations() + below(12);
    const std::uint64_t last = first + below(6);
    const Error error = below(4) == 0 ? Error{Errc::io_error, "the disk is broken"}
                                      : Error{Errc::no_space, "the disk is full"};
    member.disk().inject(
        [=](std::uint64_t number, const std::string& what) -> std::optional<Error> {
          if (number < first || number > last || what.starts_with("fsync")) return std::nullopt;
          return error;
        });
    ++counts_.full_disks;
  }

  // The machine stops at an operation: what it was doing is cut there.
  void interrupt(SimMember& member) {
    if (!member.running()) return;
    const std::uint64_t at = member.disk().operations() + 1 + below(20);
    const std::uint64_t pattern = random_();
    std::optional<testing::SimDisk> left;
    member.disk().observe([&](std::uint64_t number, const std::string&) {
      if (number == at) left = member.disk().crashed({CrashPattern::Kind::random, pattern});
    });
    // Nobody hears what it says after that.
    for (int i = 0; i < 3 && !left; ++i) {
      member.step();
      if (!left && member.leads())
        count(cluster_.write(member, 1 + below(3), [&] { return !left.has_value(); }));
    }
    member.disk().observe({});
    if (!left) return;
    member.replace(*std::move(left));
    ++counts_.crashes;
  }

  void fail_over() {
    cluster_.log().fail_over();
    ++counts_.fail_overs;
  }

  std::mt19937_64 random_;
  SimCluster cluster_;
  Counts& counts_;
};

TEST(RandomCluster, WhatWasAcknowledgedIsThereOnceAndWhatWasRefusedIsNot) {
  Counts counts;
  const std::uint64_t first = number_from_environment("NETML_CLUSTER_SEED", 1);
  const std::uint64_t histories = number_from_environment("NETML_CLUSTER_HISTORIES", 200);
  for (std::uint64_t seed = first; seed < first + histories && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RandomHistory(seed, counts).run();
  }
  if (histories < 200) return;
  // That there was anything to prove.
  EXPECT_GT(counts.yes, 1000U);
  EXPECT_GT(counts.no, 100U);
  EXPECT_GT(counts.unknown, 10U);
  EXPECT_GT(counts.crashes, 100U);
  EXPECT_GT(counts.full_disks, 100U);
  EXPECT_GT(counts.fail_overs, 100U);
  EXPECT_GT(counts.cut, 0U);
  EXPECT_GT(counts.forgotten, 50U);
}

}  // namespace
}  // namespace netml::wal::test
