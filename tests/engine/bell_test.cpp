// Goal: nobody who waits misses a change, and nobody is called who does not wait any more.
#include "engine/base/bell.hpp"

#include <gtest/gtest.h>

namespace netml {
namespace {

TEST(Bell, WakesOnceWhoeverWaits) {
  Bell bell;
  int first = 0;
  int second = 0;
  const Bell::Waiting one = bell.wait(bell.rung(), [&] { ++first; });
  const Bell::Waiting other = bell.wait(bell.rung(), [&] { ++second; });
  EXPECT_EQ(first + second, 0);
  bell.ring();
  bell.ring();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}

TEST(Bell, WakesAtOnceWhoMissedIt) {
  Bell bell;
  const std::uint64_t before = bell.rung();
  bell.ring();
  int woken = 0;
  const Bell::Waiting late = bell.wait(before, [&] { ++woken; });
  EXPECT_EQ(woken, 1);
  bell.ring();
  EXPECT_EQ(woken, 1);
}

TEST(Bell, LeavesAloneWhoWaitsNoMore) {
  Bell bell;
  int woken = 0;
  {
    const Bell::Waiting waiting = bell.wait(bell.rung(), [&] { ++woken; });
  }
  bell.ring();
  EXPECT_EQ(woken, 0);
}

}  // namespace
}  // namespace netml
