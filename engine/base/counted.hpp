// How many of something, in words for people: "1 topology", "2 topologies".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace netml {

inline std::string counted(std::uint64_t count, std::string_view singular) {
  std::string noun(singular);
  if (count != 1) noun = noun.ends_with('y') ? noun.substr(0, noun.size() - 1) + "ies" : noun + 's';
  return fmt::format("{} {}", count, noun);
}

}  // namespace netml
