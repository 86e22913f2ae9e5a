// Which source of polls a topology belongs to, and what of others a map may not change
// (docs/polling.md): a peer says what its network is, not what somebody else's is.
//
// A topology belongs to the source whose map brought it first. One that came in another way is the
// node's own, and so is one whose source was deleted. An element belongs to whom the oldest of its
// topologies belongs to.
//
// Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/import/plan_import.hpp"

namespace netml::engine {

class TopologyOwners {
 public:
  explicit TopologyOwners(const State& state);

  // The number of the source; 0 = the node's own.
  std::uint64_t of(RecordId topology) const;
  // Of what has the value `record` in the graph.
  std::uint64_t of(RecordId id, const Record& record) const;

 private:
  const Graph& graph_;
  std::unordered_map<RecordId, std::uint64_t> first_;  // by topology
  std::unordered_map<RecordId, std::uint64_t> roots_;  // of peers that tell no topologies
};

// What a map would change of one topology that belongs to others.
struct ForeignTopology {
  RecordId topology;          // none: elements without one
  std::uint64_t owner = 0;    // the number of a source; 0 = the node itself
  std::uint64_t changed = 0;  // elements, and the topology itself; 0: the map has it as it is
};

// All of them, ascending, for a map of `source`; 0 = an import that is no poll. `before` is the
// state that it was planned on. That an element also belongs to something of the source's own is no
// change of it: networks share what lies between them.
std::vector<ForeignTopology> foreign_topologies(const State& before, const ImportPlan& plan,
                                                std::uint64_t source);

// Why the source's authority does not suffice: "it would change 3 elements of ..."; nothing when it
// does, or when the source is gone.
std::optional<std::string> beyond_authority(const State& before, const ImportPlan& plan,
                                            std::uint64_t source);

// What belongs to the source after `transaction`, ascending: what does already and stays, and the
// topologies that the transaction creates.
std::vector<RecordId> topologies_with(const State& before, const Transaction& transaction,
                                      std::uint64_t source);

// Files that no longer stand, since the transaction changes what they brought, are not known as
// imported any more, so that the next poll of their sources imports them again. Those of `source`
// stay.
void forget_overwritten(Transaction& transaction, const State& before, std::uint64_t source);

}  // namespace netml::engine
