// Texts are looked through in blocks: what one holds, and where, does not matter.
#include "codecs/netml/bulk/markup_cursor.hpp"

#include <gtest/gtest.h>

#include <string>

namespace netml::codecs {
namespace {

constexpr std::size_t kLengthMax = 200;  // several blocks and parts of blocks

TEST(PlainText, HoldsWhateverTheLength) {
  for (std::size_t length = 0; length < kLengthMax; ++length) {
    EXPECT_TRUE(is_plain_text(std::string(length, 'a')));
    EXPECT_TRUE(is_plain_text(std::string(length, '\n')));
    std::string text;
    while (text.size() < length) text += "\xc3\xa9\t\xe2\x82\xac \xf0\x9f\x8c\x90";
    EXPECT_TRUE(is_plain_text(text));
  }
}

TEST(PlainText, HoldsWhereverACharacterOfSeveralBytesIs) {
  for (const std::string_view character : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\x90"})
    for (std::size_t place = 0; place < kLengthMax; ++place) {
      std::string text(kLengthMax, 'a');
      text.insert(place, character);
      EXPECT_TRUE(is_plain_text(text)) << place;
    }
}

TEST(PlainText, IsRefusedWhereverAByteIsWrong) {
  using namespace std::string_view_literals;
  for (const std::string_view wrong :
       {"\0"sv, "\x01"sv, "\x1f"sv, "\x80"sv, "\xc3"sv, "\xe2\x82"sv, "\xed\xa0\x80"sv,
        "\xef\xbf\xbe"sv, "\xef\xbf\xbf"sv, "\xff"sv})
    for (std::size_t place = 0; place <= kLengthMax; ++place)
      for (const std::string_view around : {"a"sv, "\xc3\xa9"sv}) {
        std::string text;
        for (std::size_t i = 0; i < kLengthMax; ++i) {
          if (i == place) text += wrong;
          text += around;
        }
        if (place == kLengthMax) text += wrong;
        EXPECT_FALSE(is_plain_text(text)) << place;
      }
}

}  // namespace
}  // namespace netml::codecs
