// Goal: what a member counts on is the lease that it has, though two of its threads take it at
// once.
#include "wal/cluster/lease_keeper.hpp"

#include <gtest/gtest.h>

#include "tests/support/sim_shared_log.hpp"
#include "tests/wal/cluster/passing_log.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::seconds;

TEST(LeaseKeeper, CountsOnTheLaterOfTwoLeases) {
  testing::ManualClock clock;
  testing::SimSharedLog model(clock, {});
  const auto log = model.connect();
  LeaseKeeper keeper(clock, "alpha#1", seconds(3));
  OvertakenLog overtaken(model.connect(),
                         [&] { EXPECT_EQ(keeper.take(*log, Epoch{1}).outcome, Outcome::done); });
  EXPECT_EQ(keeper.take(overtaken, Epoch{}).outcome, Outcome::done);
  EXPECT_EQ(keeper.held(), Epoch{2});
  EXPECT_EQ(keeper.renew(*log).outcome, Outcome::done);
}

}  // namespace
}  // namespace netml::wal::test
