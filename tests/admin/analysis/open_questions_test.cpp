// Goal: nobody keeps the server busy with what everybody may ask for (docs/site.md, "The map").
#include <gtest/gtest.h>

#include "tests/admin/support/open_site.hpp"

namespace netml::admin::web {
namespace {

using testing::Browser;
using testing::OpenSite;
using testing::Reply;

// Asks for further answers while those before are being made, and counts how many were.
Result<KeptAnswers::Answer> ask(KeptAnswers& answers, std::size_t at_once, std::size_t& made) {
  return answers.get(std::to_string(at_once), [&]() -> Result<std::string> {
    ++made;
    if (at_once > 1) NETML_TRY_VOID(ask(answers, at_once - 1, made));
    return std::string("made");
  });
}

TEST(KeptAnswers, AreMadeByAFewAtOnce) {
  MemoryBudget memory;
  KeptAnswers answers(memory);
  std::size_t made = 0;
  EXPECT_TRUE(ask(answers, KeptAnswers::kMadeAtOnce, made).has_value());
  EXPECT_EQ(made, KeptAnswers::kMadeAtOnce);
  KeptAnswers others(memory);
  made = 0;
  const auto refused = ask(others, KeptAnswers::kMadeAtOnce + 1, made);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_EQ(made, KeptAnswers::kMadeAtOnce) << "the last was not begun";
  EXPECT_TRUE(ask(others, 1, made).has_value()) << "the others have ended";
}

TEST(KeptAnswers, AreMadeOnce) {
  MemoryBudget memory;
  KeptAnswers answers(memory);
  int made = 0;
  const auto get = [&](const std::string& key) {
    return *answers.get(key, [&]() -> Result<std::string> {
      ++made;
      return key;
    });
  };
  const KeptAnswers::Answer first = get("a");
  EXPECT_EQ(get("b"), get("b"));
  EXPECT_EQ(get("a"), first);
  EXPECT_EQ(made, 2);
}

TEST(KeptAnswers, ForgetTheOldestAndKeepTheLargestAlone) {
  MemoryBudget memory;
  KeptAnswers answers(memory);
  int made = 0;
  const auto get = [&](const std::string& key, std::size_t bytes) {
    return answers.get(key, [&]() -> Result<std::string> {
      ++made;
      return std::string(bytes, 'x');
    });
  };
  ASSERT_TRUE(get("small", 10).has_value());
  ASSERT_TRUE(get("large", 40 << 20).has_value());
  ASSERT_TRUE(get("large", 40 << 20).has_value());
  EXPECT_EQ(made, 2);
  ASSERT_TRUE(get("small", 10).has_value());
  EXPECT_EQ(made, 3) << "it had to go for the large one";
}

TEST(KeptAnswers, ThatFailAreNotKept) {
  MemoryBudget memory;
  KeptAnswers answers(memory);
  const auto failed = answers.get(
      "a", [] { return Result<std::string>(fail(Errc::internal, "could not be made")); });
  EXPECT_FALSE(failed.has_value());
  EXPECT_TRUE(answers.get("a", [] { return Result<std::string>("made"); }).has_value());
}

// While as many as may be look at the past, others come back later.
TEST(OpenQuestions, AreRefusedWithATimeToComeBack) {
  OpenSite site;
  site.add_account("ada", engine::Role::admin);
  std::size_t made = 0;
  Result<KeptAnswers::Answer> inner = fail(Errc::internal, "not asked");
  Reply refused;
  const auto busy = site.site().outages.get("a", [&]() -> Result<std::string> {
    inner = site.site().outages.get("b", [&]() -> Result<std::string> {
      ++made;
      refused = Browser(site).post("map/what-if");
      return std::string("b");
    });
    return std::string("a");
  });
  EXPECT_EQ(made, 1U);
  EXPECT_TRUE(busy.has_value() && inner.has_value());
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.code(), "unavailable");
  EXPECT_EQ(refused.headers.get("Retry-After"), "2");
  EXPECT_EQ(Browser(site).post("map/what-if").status, 200);
}

}  // namespace
}  // namespace netml::admin::web
