// What is known of the newest map is a cache: accounted for, and forgotten when somebody needs the
// memory.
#include "admin/analysis/newest_quality.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <tuple>

#include "engine/quality/countries.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::admin::web {
namespace {

using engine::Graph;

constexpr Instant kToday{1'700'000'000};
constexpr std::uint64_t kMebibyte = 1 << 20;

// Nobody owns its nodes, and no link leads to them.
Graph map_of(int nodes) {
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  for (int i = 0; i < nodes; ++i) builder.node("urn:n" + std::to_string(i), {topology}, {});
  return builder.build();
}

class NewestQualityTest : public ::testing::Test {
 protected:
  std::uint64_t isolated(const Graph& graph) {
    std::uint64_t count = 0;
    const auto use = [&](const engine::Tallies& tallies) {
      count = tallies.whole.findings[static_cast<std::size_t>(engine::Check::node_isolated)];
    };
    EXPECT_TRUE(quality.ask(graph, countries, kToday, use));
    return count;
  }
  std::uint64_t cached() const {
    return budget.report().by_use[static_cast<std::size_t>(MemoryUse::caches)];
  }

  engine::Countries countries;
  MemoryBudget budget{MemoryLimit{.bytes = 16 * kMebibyte, .origin = "a test"}};
  NewestQuality quality{budget};
};

TEST_F(NewestQualityTest, CostsNothingUntilSomebodyAsks) {
  EXPECT_EQ(cached(), 0U);
  EXPECT_EQ(isolated(map_of(3)), 3U);
  EXPECT_GT(cached(), 0U);
}

TEST_F(NewestQualityTest, IsForgottenWhenTheMemoryIsNeededAndFoundAnew) {
  EXPECT_EQ(isolated(map_of(1'000)), 1'000U);
  {
    const auto reserved = budget.reserve(MemoryUse::imports, 16 * kMebibyte);
    ASSERT_TRUE(reserved.has_value());
    EXPECT_EQ(cached(), 0U);
    const auto nobody = [](const engine::Tallies&) { FAIL(); };
    EXPECT_FALSE(quality.ask(map_of(2'000), countries, kToday, nobody));
  }
  EXPECT_EQ(isolated(map_of(3'000)), 3'000U);
  EXPECT_GT(cached(), 0U);
}

// Only what is to be looked at needs memory, and taking it empties other caches than this one.
TEST_F(NewestQualityTest, NeedsLittleForASmallChange) {
  const Graph before = map_of(10'000);
  EXPECT_EQ(isolated(before), 10'000U);
  engine::GraphChanges changes(before);
  changes.put(RecordId{5}, {});
  const auto reserved = budget.reserve(MemoryUse::imports, 16 * kMebibyte - cached() - 1'000);
  ASSERT_TRUE(reserved.has_value());
  EXPECT_EQ(isolated(std::move(changes).finish()), 9'999U);
}

TEST_F(NewestQualityTest, ForgetsWhatItWasAboutWhenLookingFails) {
  EXPECT_EQ(isolated(map_of(3)), 3U);
  const auto fail = [](const engine::Tallies&) { throw std::bad_alloc(); };
  EXPECT_THROW(std::ignore = quality.ask(map_of(4), countries, kToday, fail), std::bad_alloc);
  EXPECT_EQ(cached(), 0U);
  EXPECT_EQ(isolated(map_of(5)), 5U);
}

}  // namespace
}  // namespace netml::admin::web
