// Goal: what was mistyped finds what was meant, and what is something else finds nothing. Method:
// words as they are typed.
#include "engine/base/nearest_word.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace netml {
namespace {

constexpr std::array<std::string_view, 9> kWords{"import",           "export",    "status",
                                                 "source",           "restore",   "repair",
                                                 "IMPORT_DAYS_KEPT", "--dry-run", "show"};

TEST(NearestWord, IsFoundWhereLettersAreMistakenLeftOutAddedOrSwapped) {
  const std::array<std::pair<const char*, const char*>, 9> typed{
      {{"imprt", "import"},
       {"ipmort", "import"},
       {"exporrt", "export"},
       {"sourse", "source"},
       {"stat", "status"},
       {"--dryrun", "--dry-run"},
       {"--dry_run", "--dry-run"},
       {"import-day-kept", "IMPORT_DAYS_KEPT"},
       {"shwo", "show"}}};
  for (const auto& [word, meant] : typed) {
    ASSERT_TRUE(nearest_word(word, kWords).has_value()) << word;
    EXPECT_EQ(*nearest_word(word, kWords), meant);
  }
}

TEST(NearestWord, IsNoneWhereNothingIsNear) {
  for (const std::string_view word : {"", "x", "delete", "im", "--all", "frobnicate"})
    EXPECT_EQ(nearest_word(word, kWords), std::nullopt) << word;
  EXPECT_EQ(nearest_word("import", {}), std::nullopt);
  EXPECT_EQ(nearest_word(std::string(1'000'000, 'i'), kWords), std::nullopt);
}

TEST(NearestWord, IsTheFirstOfThoseThatAreAsNear) {
  constexpr std::array<std::string_view, 2> kEqual{"cat", "car"};
  EXPECT_EQ(nearest_word("cax", kEqual), "cat");
}

TEST(NearestWord, StandsInAMessage) {
  EXPECT_EQ(did_you_mean("imprt", kWords), " (did you mean import?)");
  EXPECT_EQ(did_you_mean("frobnicate", kWords), "");
  struct Named {
    std::string name;
  };
  const std::vector<Named> named{{"cat"}, {"dog"}};
  EXPECT_EQ(did_you_mean("dgo", words_of(named, &Named::name)), " (did you mean dog?)");
}

}  // namespace
}  // namespace netml
