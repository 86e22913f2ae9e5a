// What --json calls the members of an answer, where the API calls them otherwise: scripts rely on
// the names that version 0.1 gave them, and the tables that commands print are made of the same.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace netml::admin::cli {

struct FormerName {
  enum class Value : std::uint8_t {
    same,
    time,          // "2024-03-01T12:00:00Z" was "2024-03-01T12:00:00+00:00"
    code,          // "not-found" was "not_found"
    lines,         // "a\nb" was ["a", "b"]
    milliseconds,  // 0.25 was 250, and null was 0
  };
  std::string_view name;
  std::string_view former;
  Value value = Value::same;
};
using FormerNames = std::span<const FormerName>;

// The same JSON with the former names, in objects at any depth. Members that are not named stay.
Result<std::string> with_former_names(std::string_view json, FormerNames names);
// The same, of the outermost object or list of objects alone.
Result<std::string> with_former_outer_names(std::string_view json, FormerNames names);

}  // namespace netml::admin::cli
