// Who would own what nobody owns: by the ends of a link, by its topology, or by all else there.
//
// Ownership: refers to the graph, which must outlive it. Thread: its owner (it remembers what it
// found).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/graph/record_sets.hpp"

namespace netml::engine {

// Without the global institution, which stands for nobody.
std::vector<RecordId> true_owners(const Graph& graph, RecordId record);

class OwnerSearch {
 public:
  explicit OwnerSearch(const Graph& graph) : graph_(graph) {}

  enum class Reason : std::uint8_t { ends, topology, rest };
  struct Found {
    RecordId owner;
    Reason reason = Reason::topology;
    RecordId topology = {};   // that says so
    std::uint64_t owned = 0;  // nodes and links of it that are the owner's: all that have one
  };
  // Nothing where nobody suggests itself, or several do.
  std::optional<Found> owner_for(RecordId record);

 private:
  std::optional<Found> owner_of_ends(RecordId link) const;
  std::optional<Found> owner_of_topologies(RecordId element);
  // The topology's own owner, else that of the nearest one above it that has one, else who owns
  // all nodes and links in it that have an owner.
  const std::optional<Found>& owner_of_topology(RecordId topology);
  std::optional<Found> owner_of_rest(RecordId topology) const;

  const Graph& graph_;
  RecordMap<std::optional<Found>> of_topologies_;
};

}  // namespace netml::engine
