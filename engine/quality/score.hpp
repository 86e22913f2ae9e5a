// How good the map of each topology is: what is found, counted, and a score of 0 to 100
// (docs/quality.md, "The score").
//
// Thread: any (values and pure functions).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/quality/checks.hpp"

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
  // A record of that kind and what was found of it: once more, or once less for -1.
  void count(Kind kind, CheckSet found, int times);
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
  // A record with what was found of it. Its topologies must be there.
  void add(const Graph& graph, RecordId id, CheckSet found) { count(graph, id, found, 1); }
  void remove(const Graph& graph, RecordId id, CheckSet found) { count(graph, id, found, -1); }
  void add_topology(RecordId topology);  // or nothing where it is there
  // Of the topology and all below it.
  Tally below(const Graph& graph, RecordId topology) const;

 private:
  void count(const Graph& graph, RecordId id, CheckSet found, int times);
};
}  // namespace netml::engine
