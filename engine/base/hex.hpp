// Texts of bytes as to_hex (engine/base/sha256.hpp) writes them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/base/texts.hpp"

namespace netml {

// False when `text` has another length, or anything but digits and lower-case letters.
template <std::size_t Size>
bool parse_hex(std::string_view text, std::array<std::byte, Size>& out) {
  if (text.size() != 2 * Size) return false;
  const auto digit = [](char c) { return c >= 'A' && c <= 'F' ? -1 : hex_value(c); };
  for (std::size_t i = 0; i < Size; ++i) {
    const int high = digit(text[2 * i]);
    const int low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = static_cast<std::byte>(high << 4 | low);
  }
  return true;
}

}  // namespace netml
