// What a limit that refuses something says of itself. Limits are set by name with --limit.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace netml {

// "WHAT: above xml_depth_max (1000); raise it with --limit xml_depth_max=N"
inline std::string beyond_limit(std::string_view what, std::string_view name, std::uint64_t value) {
  return fmt::format("{0}: above {1} ({2}); raise it with --limit {1}=N", what, name, value);
}

}  // namespace netml
