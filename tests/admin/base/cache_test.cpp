// Goal: one cache that is bounded in values, bytes and work, and gives its memory back.
#include "admin/base/cache.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>

namespace netml::admin {
namespace {

using Texts = Cache<std::string, std::string>;

class CachedTexts : public ::testing::Test {
 protected:
  // Texts of so many bytes, counted in `made`.
  auto making(std::size_t bytes) {
    return [this, bytes]() -> Result<Texts::Pointer> {
      ++made;
      return std::make_shared<const std::string>(bytes, 'x');
    };
  }
  // Asks for further texts while those before are being made.
  Result<Texts::Pointer> ask(Texts& texts, std::size_t at_once) {
    return texts.get(std::to_string(at_once), [&, at_once]() -> Result<Texts::Pointer> {
      if (at_once > 1) NETML_TRY_VOID(ask(texts, at_once - 1));
      return making(1)();
    });
  }
  std::uint64_t used() const { return memory.report().used; }

  MemoryBudget memory{{1'000, "a test"}};
  int made = 0;
};

TEST_F(CachedTexts, AreMadeOnce) {
  Texts texts(memory, {}, &std::string::size);
  const auto first = texts.get("a", making(1));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(*texts.get("b", making(1)), *texts.get("b", making(1)));
  EXPECT_EQ(*texts.get("a", making(1)), *first);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(texts.find("a"), *first);
  EXPECT_EQ(texts.find("c"), nullptr);
}

TEST_F(CachedTexts, AreCountedWhenTheyAreLookedUp) {
  CacheCounts counts;
  Texts texts(memory, {.counted = &counts}, &std::string::size);
  ASSERT_TRUE(texts.get("a", making(1)).has_value());
  ASSERT_TRUE(texts.get("a", making(1)).has_value());
  EXPECT_EQ(texts.find("b"), nullptr);
  EXPECT_NE(texts.find("a"), nullptr);
  EXPECT_EQ(counts.hits.value(), 2U);
  EXPECT_EQ(counts.misses.value(), 2U);
}

TEST_F(CachedTexts, GoWhenTheyWereNotUsedForTheLongestTime) {
  Texts texts(memory, {.values_max = 2}, &std::string::size);
  for (const char* key : {"a", "b", "a", "c"})
    EXPECT_TRUE(texts.get(key, making(1)).has_value()) << key;
  EXPECT_NE(texts.find("a"), nullptr);
  EXPECT_EQ(texts.find("b"), nullptr);
  EXPECT_EQ(texts.bytes(), 2U);
}

TEST_F(CachedTexts, AreBoundedInBytesButTheLastOneStays) {
  Texts texts(memory, {.bytes_max = 100}, &std::string::size);
  ASSERT_TRUE(texts.get("small", making(60)).has_value());
  ASSERT_TRUE(texts.get("other", making(40)).has_value());
  EXPECT_EQ(texts.bytes(), 100U);
  ASSERT_TRUE(texts.get("large", making(300)).has_value());
  EXPECT_EQ(texts.bytes(), 300U);
  EXPECT_EQ(texts.find("small"), nullptr);
  ASSERT_TRUE(texts.get("large", making(300)).has_value());
  EXPECT_EQ(made, 3);
}

TEST_F(CachedTexts, AreAccountedForAndGivenUpForWhoNeedsTheMemory) {
  {
    Texts texts(memory, {}, &std::string::size);
    const auto held = texts.get("a", making(700));
    EXPECT_EQ(used(), 700U);
    const auto needed = memory.reserve(MemoryUse::imports, 800);
    ASSERT_TRUE(needed.has_value());
    EXPECT_EQ(texts.find("a"), nullptr);
    EXPECT_EQ((*held)->size(), 700U) << "who has it keeps it";
    ASSERT_TRUE(texts.get("b", making(300)).has_value());
    EXPECT_EQ(texts.find("b"), nullptr) << "there is no memory to store it";
    EXPECT_TRUE(texts.get("c", making(200)).has_value());
    EXPECT_NE(texts.find("c"), nullptr);
  }
  EXPECT_EQ(used(), 0U);
}

TEST_F(CachedTexts, AreReplacedAndErased) {
  Texts texts(memory, {}, &std::string::size);
  const auto put = [&](const std::string& key, std::size_t bytes) {
    texts.store(key, std::make_shared<const std::string>(bytes, 'x'));
  };
  put("a 1", 10);
  put("a 1", 20);
  EXPECT_EQ(texts.bytes(), 20U);
  put("a 2", 30);
  put("b 1", 40);
  texts.erase_if([](const std::string& key) { return key.starts_with("a"); });
  EXPECT_EQ(texts.bytes(), 40U);
  texts.erase("b 1");
  texts.erase("b 1");
  EXPECT_EQ(texts.bytes(), 0U);
  put("c", 50);
  texts.clear();
  EXPECT_EQ(texts.find("c"), nullptr);
  put("d", 10);
  put("d", 2'000);
  EXPECT_EQ(texts.find("d"), nullptr) << "neither the old one nor what does not fit";
  EXPECT_EQ(used(), 0U);
}

TEST_F(CachedTexts, AreMadeByAFewAtOnce) {
  Texts texts(memory, {.making_max = 2, .busy = "busy"}, &std::string::size);
  EXPECT_TRUE(ask(texts, 2).has_value());
  EXPECT_EQ(made, 2);
  Texts others(memory, {.making_max = 2, .busy = "busy"}, &std::string::size);
  const auto refused = ask(others, 3);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_EQ(refused.error().message, "busy");
  EXPECT_EQ(made, 2) << "the last was not begun";
  EXPECT_TRUE(ask(others, 1).has_value()) << "the others have ended";
}

TEST_F(CachedTexts, ThatFailAreNotStored) {
  Texts texts(memory, {.making_max = 1}, &std::string::size);
  const auto failed = texts.get(
      "a", []() -> Result<Texts::Pointer> { return fail(Errc::internal, "could not be made"); });
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().message, "could not be made");
  const auto thrown = texts.get("a", []() -> Result<Texts::Pointer> { throw std::bad_alloc(); });
  ASSERT_FALSE(thrown.has_value());
  EXPECT_TRUE(is_out_of_memory(thrown.error()));
  EXPECT_TRUE(texts.get("a", making(1)).has_value());
}

}  // namespace
}  // namespace netml::admin
