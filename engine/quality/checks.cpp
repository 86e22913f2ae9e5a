#include "engine/quality/checks.hpp"

#include <algorithm>

namespace netml::engine {

std::optional<Check> check_named(std::string_view name) {
  const auto found = std::ranges::find(kChecks, name, &CheckDescription::name);
  if (found == kChecks.end()) return std::nullopt;
  return found->check;
}

}  // namespace netml::engine
