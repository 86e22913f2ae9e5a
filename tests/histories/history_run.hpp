// One random history of a node, and of the plain map beside it: imports, edits, rules, undos of
// anything, also of undos, plans that are applied sooner or later, retention, copies of the past,
// checkpoints, restarts, backups and restores. After each step the node must hold what the map
// holds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace netml::test {

struct StepCount {
  std::uint64_t done = 0;
  std::uint64_t refused = 0;  // as the map says that it must be
};
using StepCounts = std::map<std::string, StepCount>;

struct HistoryOutcome {
  std::string reported;                   // each step and what it changed
  std::optional<std::string> difference;  // nothing when all agrees
};

// The same seed is the same history. Adds to `counts`.
HistoryOutcome run_history(std::uint64_t seed, StepCounts& counts);

}  // namespace netml::test
