// Texts of bytes as to_hex (engine/base/sha256.hpp) writes them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace netml {

inline std::optional<std::byte> hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<std::byte>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<std::byte>(digit - 'a' + 10);
  return std::nullopt;
}

// False when `text` has another length, or anything but digits and lower-case letters.
template <std::size_t Size>
bool parse_hex(std::string_view text, std::array<std::byte, Size>& out) {
  if (text.size() != 2 * Size) return false;
  for (std::size_t i = 0; i < Size; ++i) {
    const auto high = hex_digit(text[2 * i]);
    const auto low = hex_digit(text[2 * i + 1]);
    if (!high || !low) return false;
    out[i] = *high << 4 | *low;
  }
  return true;
}

}  // namespace netml
