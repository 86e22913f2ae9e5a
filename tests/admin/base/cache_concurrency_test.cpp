// Goal: asked for by many threads, a value is made once, and only so many wait.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "admin/base/cache.hpp"

namespace netml::admin {
namespace {

using Numbers = Cache<std::uint64_t, std::uint64_t>;

std::uint64_t eight(const std::uint64_t&) {
  return 8;
}

// The one that makes it goes on when as many as may wait do so, which those that are refused show.
TEST(CacheConcurrency, AValueIsMadeOnceForAllWhoWait) {
  constexpr std::size_t kAsking = 12;
  constexpr std::size_t kWaiting = 5;
  MemoryBudget memory;
  Numbers numbers(memory, {.waiting_max = kWaiting}, eight);
  std::latch refusals(kAsking - 1 - kWaiting);
  std::atomic<std::size_t> made{0};
  std::atomic<std::size_t> given{0};
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < kAsking; ++i)
    threads.emplace_back([&] {
      const auto number = numbers.get(7, [&]() -> Result<Numbers::Pointer> {
        ++made;
        refusals.wait();
        return std::make_shared<const std::uint64_t>(49);
      });
      if (number)
        given += **number == 49 ? 1 : 0;
      else
        refusals.count_down();
    });
  threads.clear();
  EXPECT_EQ(made, 1U);
  EXPECT_EQ(given, kWaiting + 1);
}

TEST(CacheConcurrency, WhoWaitsLearnsOfAFailure) {
  MemoryBudget memory;
  Numbers numbers(memory, {.waiting_max = 1}, eight);
  std::latch refused(1);
  std::atomic<int> failures{0};
  const auto ask = [&] {
    const auto number = numbers.get(7, [&]() -> Result<Numbers::Pointer> {
      refused.wait();
      return fail(Errc::internal, "could not be made");
    });
    if (number) return;
    if (number.error().code == Errc::unavailable)
      refused.count_down();
    else
      ++failures;
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(ask);
  threads.clear();
  EXPECT_EQ(failures, 2) << "the one that made it, and the one that waited";
  EXPECT_EQ(numbers.bytes(), 0U);
}

TEST(CacheConcurrency, StaysWithinItsBoundsWhileAllGoOn) {
  MemoryBudget memory({1'000, "a test"});
  Numbers numbers(memory, {.values_max = 20, .bytes_max = 100, .making_max = 100}, eight);
  std::vector<std::jthread> threads;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    threads.emplace_back([&, seed] {
      for (std::uint64_t i = 0; i < 5'000; ++i) {
        const std::uint64_t key = (i * 7 + seed * 13) % 31;
        const auto number = numbers.get(key, [&]() -> Result<Numbers::Pointer> {
          return std::make_shared<const std::uint64_t>(key);
        });
        EXPECT_TRUE(!number || **number == key);
        EXPECT_LE(numbers.bytes(), 100U);
        if (i % 97 == 0) numbers.erase_if([&](std::uint64_t each) { return each % 3 == 0; });
        if (i % 501 == 0) static_cast<void>(memory.reserve(MemoryUse::imports, 950).has_value());
      }
    });
  threads.clear();
  numbers.clear();
  EXPECT_EQ(memory.report().used, 0U);
}

}  // namespace
}  // namespace netml::admin
