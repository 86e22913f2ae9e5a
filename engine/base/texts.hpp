// Texts taken apart: of protocols, files and command lines. Letters are those of ASCII.
//
// Thread: any (pure functions).
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace netml {

// Nothing unless the whole text is a number that the type can hold.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view text, int base = 10) {
  Integer number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, base);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

// Of a hexadecimal digit; -1 when it is none.
inline int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

inline char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), lower_letter);
  return lower;
}
inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_letter, lower_letter);
}

// Without the blanks and tabs around it.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// What stands before `separator`, which is taken off the text with it; all where there is none.
inline std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view item = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), item.size() + 1));
  return item;
}

}  // namespace netml
