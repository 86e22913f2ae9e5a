// Goal: a pipeline hands over every item once and in order, and ends at the first failure.
#include "engine/base/pipeline.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace netml {
namespace {

enum class Cores { one, two };

class Pipeline : public ::testing::TestWithParam<Cores> {
 protected:
  Parallel& parallel() {
    if (GetParam() == Cores::one) return inline_;
    if (helper_ == nullptr) helper_ = std::make_unique<HelperThreads>();
    return *helper_;
  }
  // 1, 2, ... up to `last`, then an error if `failing`.
  auto counting(int last, bool failing = false) {
    return [this, last, failing]() -> Result<std::optional<int>> {
      if (next_ < last) return std::optional<int>(++next_);
      if (failing) return fail(Errc::corruption, "the source failed");
      return std::optional<int>();
    };
  }

  InlineParallel inline_;
  std::unique_ptr<HelperThreads> helper_;
  int next_ = 0;
};

TEST_P(Pipeline, HandsOverEveryItemInOrder) {
  std::vector<int> taken;
  const Status status = run_pipeline<int>(parallel(), counting(1000), [&](int item) -> Status {
    taken.push_back(item);
    return {};
  });
  ASSERT_TRUE(status);
  ASSERT_EQ(taken.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], i + 1);
}

TEST_P(Pipeline, TakesNothingFromAnEmptySource) {
  const Status status = run_pipeline<int>(parallel(), counting(0), [](int) -> Status {
    return fail(Errc::internal, "there is no item to take");
  });
  EXPECT_TRUE(status);
}

TEST_P(Pipeline, StopsTheProducerWhenTheConsumerFails) {
  const Status status =
      run_pipeline<int>(parallel(), counting(1'000'000'000), [](int item) -> Status {
        if (item == 20) return fail(Errc::conflict, "enough");
        return {};
      });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "enough");
  EXPECT_LT(next_, 100);
}

TEST_P(Pipeline, GivesWhatWasMadeBeforeTheProducerFailed) {
  int taken = 0;
  const Status status = run_pipeline<int>(parallel(), counting(30, true), [&](int) -> Status {
    ++taken;
    return {};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "the source failed");
  EXPECT_EQ(taken, 30);
}

TEST_P(Pipeline, TurnsItemsIntoOthersBetweenTwoStages) {
  std::vector<std::string> taken;
  const Status status = run_pipeline<int, std::string>(
      parallel(), counting(300),
      [](int item) -> Result<std::string> { return std::to_string(item); },
      [&](std::string item) -> Status {
        taken.push_back(std::move(item));
        return {};
      });
  ASSERT_TRUE(status);
  ASSERT_EQ(taken.size(), 300U);
  EXPECT_EQ(taken.front(), "1");
  EXPECT_EQ(taken.back(), "300");
}

TEST_P(Pipeline, EndsAllStagesWhenTheMiddleOneFails) {
  const auto refuse = [](int item) -> Result<std::string> {
    if (item == 20) return fail(Errc::corruption, "no good");
    return std::string();
  };
  int taken = 0;
  const Status status = run_pipeline<int, std::string>(parallel(), counting(1'000'000'000), refuse,
                                                       [&](const std::string&) -> Status {
                                                         ++taken;
                                                         return {};
                                                       });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "no good");
  EXPECT_EQ(taken, 19);
  EXPECT_LT(next_, 100);
}

TEST_P(Pipeline, EndsAllStagesWhenTheLastOneFails) {
  const Status status = run_pipeline<int, int>(
      parallel(), counting(1'000'000'000), [](int item) -> Result<int> { return item; },
      [](int item) -> Status {
        if (item == 20) return fail(Errc::conflict, "enough");
        return {};
      });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "enough");
  EXPECT_LT(next_, 100);
}

// As the allocator does.
TEST_P(Pipeline, EndsAllStagesWhenOneThrows) {
  const auto through = [&](int thrower) {
    next_ = 0;
    const auto stage = [thrower](int number, int item) {
      if (thrower == number && item == 20) throw std::bad_alloc();
    };
    const auto produce = counting(1'000'000'000);
    return run_pipeline<int, int>(
        parallel(),
        [&]() -> Result<std::optional<int>> {
          stage(0, next_);
          return produce();
        },
        [&](int item) -> Result<int> {
          stage(1, item);
          return item;
        },
        [&](int item) -> Status {
          stage(2, item);
          return {};
        });
  };
  for (int thrower = 0; thrower < 3; ++thrower) {
    EXPECT_THROW(static_cast<void>(through(thrower)), std::bad_alloc) << thrower;
    EXPECT_LT(next_, 100);
  }
}

INSTANTIATE_TEST_SUITE_P(OnOneAndTwoCores, Pipeline, ::testing::Values(Cores::one, Cores::two),
                         [](const auto& cores) {
                           return cores.param == Cores::one ? "OneCore" : "TwoCores";
                         });

}  // namespace
}  // namespace netml
