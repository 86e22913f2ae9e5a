#include "engine/graph/ordered_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace netml::engine {
namespace {

std::vector<std::uint64_t> keys_of(const OrderedSet& set, std::uint64_t first = 0,
                                   std::uint64_t last = ~std::uint64_t{0}) {
  std::vector<std::uint64_t> keys;
  set.visit_range(first, last, [&](std::uint64_t key) {
    keys.push_back(key);
    return true;
  });
  return keys;
}

TEST(OrderedSet, IsEmptyAtFirst) {
  const OrderedSet set;
  EXPECT_EQ(set.size(), 0U);
  EXPECT_FALSE(set.contains(0));
  EXPECT_TRUE(keys_of(set).empty());
}

TEST(OrderedSet, KeepsTheGreatestKey) {
  OrderedSet set;
  EXPECT_TRUE(set.insert(~std::uint64_t{0}));
  EXPECT_TRUE(set.insert(0));
  EXPECT_EQ(keys_of(set), (std::vector<std::uint64_t>{0, ~std::uint64_t{0}}));
}

TEST(OrderedSet, FindsTheLastKeyOfARange) {
  OrderedSet set;
  EXPECT_EQ(set.last_in(0, ~std::uint64_t{0}), std::nullopt);
  std::set<std::uint64_t> model;
  // Keys go again, so that inner nodes know smaller ones than they hold.
  for (std::uint64_t i = 0; i < 20000; ++i) set.insert(i * 7919 % 20011 * 3);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uint64_t key = i * 7919 % 20011 * 3;
    if (key / 600 % 3 != 1 && i % 5 != 0)
      set.erase(key);
    else
      model.insert(key);
  }
  for (std::uint64_t first = 0; first < 60100; first += 97)
    for (const std::uint64_t width : {0, 1, 50, 700, 5000}) {
      auto after = model.upper_bound(first + width);
      const bool found = after != model.begin() && *std::prev(after) >= first;
      EXPECT_EQ(set.last_in(first, first + width),
                found ? std::optional(*std::prev(after)) : std::nullopt);
    }
}

TEST(OrderedSet, StopsVisitingWhenToldTo) {
  OrderedSet set;
  for (std::uint64_t key = 0; key < 1000; ++key) set.insert(key);
  int visited = 0;
  set.visit_range(10, 900, [&](std::uint64_t) { return ++visited < 5; });
  EXPECT_EQ(visited, 5);
}

// A small key space makes inserts meet removals; thousands of steps build and empty several levels.
RC_GTEST_PROP(OrderedSet, AgreesWithStdSetThroughAnyChanges, ()) {
  OrderedSet set;
  std::set<std::uint64_t> model;
  const auto space = *rc::gen::inRange<std::uint64_t>(10, 5000);
  const auto steps = *rc::gen::inRange<int>(0, 4000);
  std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto grow_percent = *rc::gen::element(30U, 50U, 90U);
  for (int i = 0; i < steps; ++i) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t key = (seed >> 33) % space;
    if ((seed >> 20) % 100 < grow_percent)
      RC_ASSERT(set.insert(key) == model.insert(key).second);
    else
      RC_ASSERT(set.erase(key) == (model.erase(key) == 1));
  }
  RC_ASSERT(set.size() == model.size());
  RC_ASSERT(keys_of(set) == std::vector<std::uint64_t>(model.begin(), model.end()));
  const std::uint64_t low = space / 3;
  const std::uint64_t high = space / 2;
  RC_ASSERT(keys_of(set, low, high) ==
            std::vector<std::uint64_t>(model.lower_bound(low), model.upper_bound(high)));
}

RC_GTEST_PROP(OrderedSet, InsertsSortedKeysAsOneByOne, ()) {
  const auto first =
      *rc::gen::container<std::set<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 100000));
  auto more =
      *rc::gen::container<std::set<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 100000));
  for (const std::uint64_t key : first) more.erase(key);
  OrderedSet set;
  for (const std::uint64_t key : first) set.insert(key);
  set.insert_sorted(std::vector<std::uint64_t>(more.begin(), more.end()));
  std::set<std::uint64_t> all = first;
  all.insert(more.begin(), more.end());
  RC_ASSERT(keys_of(set) == std::vector<std::uint64_t>(all.begin(), all.end()));
  RC_ASSERT(set.size() == all.size());
}

// Few of many keys change it in place, many write it anew.
RC_GTEST_PROP(OrderedSet, ChangesSortedKeysAsOneByOne, ()) {
  const auto count = *rc::gen::inRange<std::uint64_t>(0, 5000);
  std::set<std::uint64_t> model;
  for (std::uint64_t key = 0; key < count; ++key) model.insert(model.end(), 3 * key);
  const auto some = rc::gen::container<std::set<std::uint64_t>>(
      rc::gen::inRange<std::uint64_t>(0, 3 * count + 10));
  const auto gone = *some;  // also some that are not there
  auto come = *some;
  std::erase_if(come, [&](std::uint64_t key) { return model.contains(key) || gone.contains(key); });
  OrderedSet set;
  set.insert_sorted(std::vector<std::uint64_t>(model.begin(), model.end()));
  const OrderedSet before = set;
  const auto keys_before = keys_of(before);
  set.change_sorted(std::vector<std::uint64_t>(gone.begin(), gone.end()),
                    std::vector<std::uint64_t>(come.begin(), come.end()));
  for (const std::uint64_t key : gone) model.erase(key);
  model.insert(come.begin(), come.end());
  RC_ASSERT(keys_of(set) == std::vector<std::uint64_t>(model.begin(), model.end()));
  RC_ASSERT(set.size() == model.size());
  RC_ASSERT(keys_of(before) == keys_before);
}

TEST(OrderedSet, LeavesCopiesAsTheyWere) {
  OrderedSet set;
  std::vector<std::uint64_t> keys(100000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i * 2;
  set.insert_sorted(keys);
  const OrderedSet before = set;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    set.insert(i * 200 + 1);
    set.erase(i * 100);
  }
  EXPECT_EQ(keys_of(before), keys);
  EXPECT_EQ(set.size(), keys.size());
  EXPECT_TRUE(set.contains(1));
  EXPECT_FALSE(before.contains(1));
}

TEST(OrderedSet, SharesWhatACopyDidNotChange) {
  OrderedSet set;
  std::vector<std::uint64_t> keys(100000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = i;
  set.insert_sorted(keys);
  OrderedSet copy = set;
  copy.insert(1000000);
  EXPECT_LE(copy.memory_bytes(), set.memory_bytes() + 8192);
  EXPECT_EQ(set.size(), 100000U);
}

TEST(OrderedSet, GivesMemoryBackWhenKeysGo) {
  OrderedSet set;
  for (std::uint64_t key = 0; key < 50000; ++key) set.insert(key);
  const std::size_t full = set.memory_bytes();
  for (std::uint64_t key = 0; key < 50000; ++key)
    if (key % 100 != 0) set.erase(key);
  EXPECT_LT(set.memory_bytes(), full / 10);
  for (std::uint64_t key = 0; key < 50000; key += 100) set.erase(key);
  EXPECT_EQ(set.size(), 0U);
  EXPECT_EQ(set.memory_bytes(), 0U);
}

}  // namespace
}  // namespace netml::engine
