// Text in other encodings as UTF-8: the same wherever it is cut.
#include "codecs/netml/bulk/text_decoder.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "engine/base/utf8.hpp"
#include "tests/codecs/netml_text.hpp"

namespace netml::codecs {
namespace {

// Nothing where a piece is refused or the end is missing.
std::optional<std::string> decoded(TextEncoding encoding, std::string_view bytes,
                                   std::size_t piece_bytes = std::string_view::npos) {
  TextDecoder decoder(encoding);
  std::string text;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece_bytes, bytes.size())))
    if (!decoder.append(bytes.substr(0, piece_bytes), text)) return std::nullopt;
  return decoder.complete() ? std::optional(text) : std::nullopt;
}

// Each character that Unicode has, with runs of ASCII between some.
std::string every_character() {
  std::string text;
  for (std::uint32_t character = 0; character < 0x110000; ++character) {
    if (character >= 0xd800 && character < 0xe000) continue;
    append_utf8(text, character);
    if (character % 1'000 == 0) text.append(character / 1'000 % 200, 'a');
  }
  return text;
}

TEST(TextDecoder, KnowsEveryCharacterOfUtf16) {
  const std::string text = every_character();
  EXPECT_EQ(decoded(TextEncoding::utf16_little, test::in_utf16(text, false)), text);
  EXPECT_EQ(decoded(TextEncoding::utf16_big, test::in_utf16(text, true), 777), text);
}

TEST(TextDecoder, KnowsEveryCharacterOfLatin1AndAscii) {
  std::string bytes;
  std::string text;
  for (unsigned character = 0; character < 0x100; ++character) {
    bytes += static_cast<char>(character);
    append_utf8(text, character);
  }
  EXPECT_EQ(decoded(TextEncoding::latin1, bytes), text);
  EXPECT_EQ(decoded(TextEncoding::ascii, bytes), std::nullopt);
  EXPECT_EQ(decoded(TextEncoding::ascii, bytes.substr(0, 0x80)), text.substr(0, 0x80));
}

TEST(TextDecoder, DoesNotDependOnWhereItsPiecesEnd) {
  std::string text(70, 'a');
  text.append("\u00e9\U0001f600\u20ac").append(70, 'b').append("\U0010ffff").append(33, 'c');
  for (const bool big : {false, true}) {
    const std::string bytes = test::in_utf16(text, big);
    for (std::size_t piece_bytes = 1; piece_bytes < 200; ++piece_bytes)
      EXPECT_EQ(
          decoded(big ? TextEncoding::utf16_big : TextEncoding::utf16_little, bytes, piece_bytes),
          text);
  }
}

TEST(TextDecoder, RefusesHalvesOfCharacters) {
  const auto big = [](std::string_view bytes) {
    return decoded(TextEncoding::utf16_big, bytes, 1);
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(big("\xd8\x3d\xde\x00"sv), "\U0001f600");
  EXPECT_EQ(big("\xd8\x3d"sv), std::nullopt);
  EXPECT_EQ(big("\xd8\x3d\xde"sv), std::nullopt);
  EXPECT_EQ(big("\0"sv), std::nullopt);
  EXPECT_EQ(big("\xd8\x3d\0a"sv), std::nullopt);
  EXPECT_EQ(big("\xd8\x3d\xd8\x3d"sv), std::nullopt);
  EXPECT_EQ(big("\xde\0\0a"sv), std::nullopt);
  EXPECT_EQ(big("\xde\0\xde\0"sv), std::nullopt);
}

}  // namespace
}  // namespace netml::codecs
