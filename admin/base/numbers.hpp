// Integers in texts of clients.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace netml::admin {

// Nothing unless the whole text is a number that the type can hold.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

}  // namespace netml::admin
