// One random history of a node, and of the plain map beside it: imports, edits, rules, undos of
// anything, also of undos, plans that are applied sooner or later, retention, copies of the past,
// backups and restores. After each step the node must hold what the map holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace netml::test {

// What differs, and the steps that led there; nothing when all agrees. The same seed is the same
// history.
std::optional<std::string> run_history(std::uint64_t seed);

}  // namespace netml::test
