#include "engine/graph/persistent_vector.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

namespace netml::engine {
namespace {

using Numbers = PersistentVector<std::uint64_t, 8>;

TEST(PersistentVector, HoldsDefaultsWhereNothingWasSet) {
  Numbers numbers;
  numbers.resize(1000000);
  EXPECT_EQ(numbers.at(999999), 0U);
  EXPECT_LT(numbers.memory_bytes(), 10000U);
}

RC_GTEST_PROP(PersistentVector, FindsWhereTwoVersionsDiffer, ()) {
  using Changes = std::vector<std::pair<std::size_t, std::uint64_t>>;
  const auto changes = rc::gen::container<Changes>(rc::gen::pair(
      rc::gen::inRange<std::size_t>(0, 10000), rc::gen::inRange<std::uint64_t>(0, 3)));
  Numbers before;
  before.resize(*rc::gen::inRange<std::size_t>(0, 10000));
  for (const auto& [index, value] : *changes)
    if (index < before.size()) before.set(index, value);
  Numbers after = before;
  after.resize(10000);
  for (const auto& [index, value] : *changes) after.set(index, value);
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < after.size(); ++i)
    if ((i < before.size() ? before.at(i) : 0U) != after.at(i)) expected.push_back(i);
  std::vector<std::size_t> found;
  before.for_each_difference(after, [&](std::size_t index) { found.push_back(index); });
  RC_ASSERT(found == expected);
}

RC_GTEST_PROP(PersistentVector, KeepsEveryVersionApart, ()) {
  Numbers current;
  std::vector<std::uint64_t> model;
  std::vector<std::pair<Numbers, std::vector<std::uint64_t>>> versions;
  const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, std::uint64_t>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, 10000), rc::gen::arbitrary<std::uint64_t>()));
  for (const auto& [index, value] : changes) {
    if (index >= model.size()) {
      model.resize(index + 1);
      current.resize(index + 1);
    }
    model[index] = value;
    current.set(index, value);
    if (value % 4 == 0) versions.emplace_back(current, model);
  }
  versions.emplace_back(current, model);
  for (const auto& [version, expected] : versions) {
    RC_ASSERT(version.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) RC_ASSERT(version.at(i) == expected[i]);
  }
}

TEST(PersistentVector, ReleasesALeafWhoseItemsAreAllCleared) {
  Numbers numbers;
  numbers.resize(64);
  numbers.set(40, 1);
  const std::size_t with_leaf = numbers.memory_bytes();
  numbers.set(40, 0);
  numbers.release_if_empty(40);
  EXPECT_LT(numbers.memory_bytes(), with_leaf);
  EXPECT_EQ(numbers.at(40), 0U);
}

}  // namespace
}  // namespace netml::engine
