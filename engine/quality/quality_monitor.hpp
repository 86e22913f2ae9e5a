// What is wrong with one version of a map after another: as inspect() finds it, but only what a
// change may have made better or worse is looked at again. That is each record that changed; links
// of a node that did, or whose place is doubtful now, or no more; what such a record belonged to or
// belongs to; nodes that have their first owner in common with one that moved; and records that
// have a name, an identifier, a circuit or a port in common with one.
//
// Of each record it knows which checks have a finding; inspect() says more of them.
//
// Failure: none. Time: the first version that of inspect(), and so for all their dates when `now`
// is another one; each further version what the two do not share, and what is listed above: the
// places of one owner's nodes are gone through all together. Memory: 8 bytes for each record in a
// block of kBlock that has findings; 28 for each node with a place; 8 to 16 for each name and
// topology of a node, each circuit and port; 400 for each topology. The version that was taken last
// stays. Thread: its owner.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/graph/persistent_vector.hpp"
#include "engine/graph/record_sets.hpp"
#include "engine/quality/key_index.hpp"
#include "engine/quality/score.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

class QualityMonitor {
 public:
  // `countries` must outlive it.
  explicit QualityMonitor(const Countries& countries) : countries_(countries) {}

  // The first version, or any other one, which costs least if it has much in common with the last.
  void take(const Graph& next, Instant now);
  // How many records differ from the version taken last: memory for each is needed to take it.
  std::size_t count_differences(const Graph& next) const;

  // ---- on the version taken last ----
  const Tallies& tallies() const { return tallies_; }
  CheckSet findings(RecordId id) const;
  std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kBlock = 128;
  // By RecordId. What a node's neighbours say of its place is apart from what it says itself.
  using Findings = PersistentVector<CheckSet, kBlock>;
  struct KnownNeighbourhood {
    Neighbourhood all;
    std::vector<RecordId> far;  // of whom something was found
  };
  struct Moves;
  using CompareRecords = void(const Graph&, Records, const Report&);

  void check_dates(const Inspection& map);
  void check_records(const Inspection& map, Records changed);
  void check_neighbourhoods(const Graph& next, Records changed, const Findings& before);
  void check_neighbourhood_of(const Graph& next, KnownNeighbourhood& known);
  void check_identifiers(const Graph& next, Records changed);
  void check_associations_around(const Inspection& map, Records changed);
  void check_links(const Inspection& map, Records changed, const Findings& before);
  void compare(KeyIndex& index, CompareRecords* check, CheckSet theme, const Graph& next,
               Records changed);
  void count(const Graph& next, Records changed, const Findings& before);

  void replace(RecordId id, CheckSet theme, CheckSet found);
  void add(RecordId id, CheckSet found) { findings_.mutable_at(id.value) |= found; }

  const Countries& countries_;
  Graph last_;
  Instant now_;
  Findings findings_;
  RecordMap<KnownNeighbourhood> neighbourhoods_;  // by their owner
  KeyIndex names_{add_name_keys, KeyIndex::RestsOn::keys};
  KeyIndex circuits_{add_circuit_keys, KeyIndex::RestsOn::keys};
  KeyIndex ports_{add_port_keys, KeyIndex::RestsOn::records};
  Tallies tallies_;
};

// Of one map alone.
Tallies tally(const Inspection& map);

}  // namespace netml::engine
