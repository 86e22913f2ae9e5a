// Goal: a text cut anywhere is judged as the whole text is.
#include "engine/base/utf8.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace netml {
namespace {

// 1 to 4 bytes, and the borders of each length.
const std::vector<std::string> kWellFormed{"",
                                           "plain",
                                           "\xc2\x80\xdf\xbf",
                                           "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
                                           "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
                                           "mixed \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x90 text"};
const std::vector<std::string> kMalformed{"\x80",              // a continuation alone
                                          "\xc3",              // cut off
                                          "a\xe2\x82",         // cut off
                                          "\xf0\x9f\x8c",      // cut off
                                          "\xc0\xaf",          // overlong
                                          "\xe0\x80\xaf",      // overlong
                                          "\xf0\x80\x80\xaf",  // overlong
                                          "\xed\xa0\x80",      // a surrogate
                                          "\xf4\x90\x80\x80",  // above the last code point
                                          "\xf5\x80\x80\x80",
                                          "\xff",
                                          "a\xc3z",
                                          "\xe2\x82z",
                                          "\xf0\x9f\x8cz",
                                          "z\xe2\x28\xa1"};

TEST(Utf8, JudgesWholeTexts) {
  for (const std::string& text : kWellFormed) EXPECT_TRUE(is_utf8(text));
  for (const std::string& text : kMalformed) EXPECT_FALSE(is_utf8(text));
}

TEST(Utf8, JudgesTextsInPiecesAlike) {
  for (const auto* texts : {&kWellFormed, &kMalformed})
    for (const std::string& text : *texts)
      for (std::size_t first = 0; first <= text.size(); ++first)
        for (std::size_t second = first; second <= text.size(); ++second) {
          Utf8Checker checker;
          checker.push(std::string_view(text).substr(0, first));
          checker.push(std::string_view(text).substr(first, second - first));
          checker.push(std::string_view(text).substr(second));
          EXPECT_EQ(checker.finish(), is_utf8(text)) << first << " " << second;
        }
}

TEST(Utf8, JudgesTextsByteByByteAlike) {
  for (const auto* texts : {&kWellFormed, &kMalformed})
    for (const std::string& text : *texts) {
      Utf8Checker checker;
      for (const char c : text) checker.push(std::string_view(&c, 1));
      EXPECT_EQ(checker.finish(), is_utf8(text));
    }
}

TEST(Utf8, TellsAtOnceWhatCannotBecomeWellFormed) {
  Utf8Checker checker;
  EXPECT_TRUE(checker.push("ok \xe2"));
  EXPECT_FALSE(checker.push("("));
  EXPECT_FALSE(checker.push("\x82\xac"));
  EXPECT_FALSE(checker.finish());
}

}  // namespace
}  // namespace netml
