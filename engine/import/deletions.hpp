// How much an import would delete of what there was, and the guard against mass deletion (rule N7;
// decision 36): a file that is valid and nearly empty, sent by mistake, must not empty a map.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/import/plan_import.hpp"

namespace netml::engine {

struct Deletions {
  std::uint64_t deleted = 0;   // elements whose identifier nothing has afterwards
  std::uint64_t supplied = 0;  // elements of the topologies that the file contains, and these
  bool operator==(const Deletions&) const = default;
};
// `before` is the graph that it was planned on. Costs what these topologies hold.
Deletions count_deletions(const Graph& before, const ImportPlan& plan);

// Whether there is anything to count.
bool deletes_records(const ImportPlan& plan);

struct MassDeletionGuard {
  std::uint64_t count_max = 0;    // of elements; 0 = off
  std::uint64_t percent_max = 0;  // of what is supplied, from kDeletionPercentFrom on; 0 = off

  bool off() const { return count_max == 0 && percent_max == 0; }
};
// A few of a few is no disaster.
inline constexpr std::uint64_t kDeletionPercentFrom = 20;

// Why the guard holds the import: "it would delete 30 of 40 elements, ..."; nothing when it goes
// on.
std::optional<std::string> held_because(const Deletions& deletions, const MassDeletionGuard& guard);

}  // namespace netml::engine
