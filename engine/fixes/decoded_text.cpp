#include "engine/fixes/decoded_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/base/character_entities.hpp"
#include "engine/base/utf8.hpp"
#include "engine/base/utf8_characters.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

// What Windows-1252 has in the place of U+0080 to U+009F; 0: that itself.
constexpr std::array<std::uint32_t, 32> kWindows{
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

// The byte that a program showed as this character.
std::optional<char> byte_of(std::uint32_t character) {
  if (character <= 0xff) return static_cast<char>(character);
  const auto found = std::ranges::find(kWindows, character);
  if (found == kWindows.end()) return std::nullopt;
  return static_cast<char>(0x80 + (found - kWindows.begin()));
}

// One reading is possible where every character stands for a byte, and all bytes are UTF-8.
std::optional<std::string> as_bytes_of_utf8(std::string_view text) {
  if (!is_utf8(text)) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<char> byte = byte_of(take_character(text, at));
    if (!byte) return std::nullopt;
    bytes.push_back(*byte);
  }
  if (!is_utf8(bytes)) return std::nullopt;
  return bytes;
}

bool is_printed(std::uint32_t character) {
  return character >= 0x20 && (character < 0x7f || character >= 0xa0) &&
         (character < 0xd800 || character >= 0xe000) && character < 0xfffd;
}

}  // namespace

std::optional<std::string> decoded(std::string_view garbled) {
  std::string text = without_entities(garbled, is_printed);
  if (is_garbled(text)) {
    std::optional<std::string> bytes = as_bytes_of_utf8(text);
    if (!bytes) return std::nullopt;
    text = *std::move(bytes);
  }
  if (text == garbled || is_garbled(text)) return std::nullopt;
  return text;
}

}  // namespace netml::engine
