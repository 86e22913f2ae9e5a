// How good the map of each topology is: what inspect() finds, counted, and a score of 0 to 100
// (docs/quality.md, "The score").
//
// Thread: any (values and pure functions).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/quality/checks.hpp"
#include "engine/quality/inspect.hpp"

namespace netml::engine {

// What was looked at, and what was found.
struct Tally {
  std::array<std::uint64_t, kKindCount> records{};
  std::array<std::uint64_t, kCheckCount> findings{};

  Tally& operator+=(const Tally& other);
  // Of the records that the check looks at.
  std::uint64_t looked_at(Check check) const;
  // What the check takes of the score: its points where a tenth of its records or more have it, and
  // less in proportion.
  double lost(Check check) const;
  // 100 less what the checks take.
  double score() const;
};

struct TopologyTally {
  RecordId topology;
  Tally tally;
};

// What belongs to several topologies counts in each, and once in the whole.
struct Tallies {
  Tally whole;
  std::vector<TopologyTally> topologies;  // ascending

  const Tally& of(RecordId topology) const;  // which must be one of them
  // Of the topology and all below it.
  Tally below(const Graph& graph, RecordId topology) const;
};
// Time and memory: as of inspect(), and 400 bytes for each topology.
Tallies tally(const Inspection& map);

}  // namespace netml::engine
