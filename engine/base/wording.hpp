// Wording that messages share: how many of something, and what a limit that refuses something says
// of itself. Limits are set by name with --limit.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace netml {

// "1 topology", "2 topologies".
inline std::string counted(std::uint64_t count, std::string_view singular) {
  std::string noun(singular);
  if (count != 1) noun = noun.ends_with('y') ? noun.substr(0, noun.size() - 1) + "ies" : noun + 's';
  return fmt::format("{} {}", count, noun);
}

// A bound with the name by which it is set; one without a name is fixed.
struct NamedLimit {
  // Not explicit: a fixed bound is written as a number.
  NamedLimit(std::uint64_t fixed) : value(fixed) {}
  NamedLimit(std::string_view name_, std::uint64_t value_) : value(value_), name(name_) {}

  std::uint64_t value;
  std::string_view name;  // lives as long as the program
};

// "WHAT: above xml_depth_max (1000); raise it with --limit xml_depth_max=N"
inline std::string beyond_limit(std::string_view what, const NamedLimit& limit) {
  if (limit.name.empty()) return fmt::format("{}: above {}", what, limit.value);
  return fmt::format("{0}: above {1} ({2}); raise it with --limit {1}=N", what, limit.name,
                     limit.value);
}
inline std::string beyond_limit(std::string_view what, std::string_view name, std::uint64_t value) {
  return beyond_limit(what, NamedLimit(name, value));
}

// The name in such a text, also in the middle of another; empty: it speaks of none.
inline std::string_view limit_in(std::string_view text) {
  constexpr std::string_view kOption = " it with --limit ";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_";
  const std::size_t found = text.find(kOption);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + kOption.size());
  const std::size_t end = text.find_first_not_of(kLetters);
  return end != text.npos && text[end] == '=' ? text.substr(0, end) : std::string_view();
}

// "WHAT: below transfer_bytes_per_second_min (1024); lower it with --limit ...", of a least value.
inline std::string below_limit(std::string_view what, std::string_view name, std::uint64_t value) {
  return fmt::format("{0}: below {1} ({2}); lower it with --limit {1}=N", what, name, value);
}

}  // namespace netml
