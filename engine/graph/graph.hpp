// The graph: all records and their typed associations, as one immutable version.
//
// Vertices are records, named by their RecordId. Edges are the associations that records start
// (Relations); their type follows from the kinds at both ends:
//
//   topology -> topology          child of
//   element  -> topology          member of
//   topology, node, link -> institution   owned by
//   link     -> node              ends at
//
// A version shares with its predecessor all that did not change: records sit in a persistent
// vector, incoming edges and the index by identifier are persistent ordered sets. Copying a Graph
// is cheap; changing the copy clones only the parts it touches.
// engine/analysis/network.hpp shows its nodes and links to Boost.Graph's algorithms.
//
// Thread: a const Graph any (immutable); GraphChanges are made by its single owner.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/ids.hpp"
#include "engine/graph/ordered_set.hpp"
#include "engine/graph/persistent_vector.hpp"
#include "engine/graph/record.hpp"

namespace netml::engine {

struct StoredGraph;

// The keys of a graph's ordered sets (record_keys.hpp).
inline std::uint64_t edge_key(RecordId target, RecordId source) {
  return std::uint64_t{target.value} << 32 | source.value;
}
std::uint32_t id_hash(Kind kind, std::string_view id);

class Graph {
 public:
  using Records = PersistentVector<Record, 64>;
  // The kind of each record, from 1: whoever follows edges asks for it far more often than for
  // anything else of a record.
  using Kinds = PersistentVector<std::uint8_t, 512>;
  using Numbers = PersistentVector<RecordNumber, 512>;

  Graph() = default;
  explicit Graph(StoredGraph stored);

  // ---- records ----
  bool contains(RecordId id) const { return kind_entry(id) != 0; }
  // The record's value; an empty Record when there is none.
  Record record(RecordId id) const;
  // As record(), without touching reference counts: valid while this Graph lives. The record must
  // exist.
  const Attributes& attributes(RecordId id) const;
  const Relations& relations(RecordId id) const;
  Kind kind(RecordId id) const;
  RecordNumber number(RecordId id) const;

  // ---- finding ----
  // All records of a kind with this identifier, ascending by RecordId. Usually none or one.
  std::vector<RecordId> find(Kind kind, std::string_view id) const;
  // Whether `candidate` is the only one of them. Cheaper than find() where one can be guessed.
  bool is_only(RecordId candidate, Kind kind, std::string_view id) const;
  // The only or newest (largest number) of them; none if there is none.
  RecordId find_newest(Kind kind, std::string_view id) const;
  // Visits candidates ascending by RecordId until `visit` returns false; allocates nothing.
  template <class Visit>
  void for_each_with_id(Kind kind, std::string_view id, Visit&& visit) const;
  // Records of one kind that share an identifier, in groups of two or more, each ascending; groups
  // by their first record. Costs the number of such records, whatever the size of the graph.
  std::vector<std::vector<RecordId>> duplicates(Kind kind) const;
  bool has_duplicates() const { return crowded_.size() != 0; }
  // Linear in the number of identities ever given (8 bytes each).
  RecordId find_by_number(RecordNumber number) const;

  // ---- associations ----
  // Records whose associations lead to `target`, ascending by RecordId: members and children of a
  // topology, what an institution owns, links ending at a node. `RecordId{}` as the target gives
  // the topologies without parent.
  template <class Visit>
  void for_each_referrer(RecordId target, Visit&& visit) const;
  std::vector<RecordId> referrers(RecordId target) const;
  // How many they are, or up to 512 more: costs the hundredth part of a visit.
  std::size_t referrers_about(RecordId target) const {
    return incoming_.size_about(edge_key(target, RecordId{0}),
                                edge_key(target, RecordId{0xffffffff}));
  }
  // The same for walks that stop and go on later: the next ones after a referrer, as keys that hold
  // it in their lower half.
  OrderedSet::Run referrers_after(RecordId target, RecordId referrer) const {
    return incoming_.run(edge_key(target, referrer) + 1, edge_key(target, RecordId{0xffffffff}));
  }
  std::vector<RecordId> members(RecordId topology, Kind kind) const;
  std::vector<RecordId> children(RecordId topology) const;  // none = top level

  // ---- the whole ----
  template <class Visit>
  void for_each_record(Visit&& visit) const;  // ascending by RecordId
  // Those of a kind, ascending by RecordId: looks at the kind of every record, and at nothing else.
  template <class Visit>
  void for_each_of(Kind kind, Visit&& visit) const;
  // Records whose value differs in `other`, ascending; numbers do not count. Costs what the two
  // versions do not share.
  template <class Visit>
  void for_each_difference(const Graph& other, Visit&& visit) const;
  std::uint64_t count(Kind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  std::uint64_t size() const;
  const std::vector<RecordId>& mains() const { return mains_; }  // topologies marked main
  // Elements carrying `!-from_topology`, ascending.
  std::vector<RecordId> copies() const;
  RecordId next_id() const { return next_id_; }
  RecordNumber next_number() const { return next_number_; }
  // Of records and their numbers.
  Digest digest() const {
    Digest sum = content_digest_;
    return sum += number_digest_;
  }
  // Of the records alone: what an export shows.
  Digest content_digest() const { return content_digest_; }
  // Of this process; what lies in a mapped checkpoint does not count. Costs a look at each block of
  // records and keys; what is counted as it comes and goes is a part of it and costs nothing.
  std::size_t memory_bytes() const;
  std::size_t counted_bytes() const {
    return record_bytes_ + records_.taken_bytes() + kinds_.taken_bytes() + numbers_.taken_bytes();
  }

  // The keys behind find() and the associations, ascending, for whoever stores a graph: the
  // referrer in the lower half, the target in the upper one; the identity in the lower half, a hash
  // of kind and identifier in the upper one; hashes of identifiers that more than one record of a
  // kind has; identities.
  const OrderedSet& edge_keys() const { return incoming_; }
  const OrderedSet& id_keys() const { return by_id_; }
  const OrderedSet& crowded_ids() const { return crowded_; }
  const OrderedSet& copy_keys() const { return copies_; }
  Digest number_digest() const { return number_digest_; }
  // For whom, too: leaves that are as they were stored.
  const Records& stored_records() const { return records_; }
  const Kinds& stored_kinds() const { return kinds_; }
  const Numbers& stored_numbers() const { return numbers_; }

 private:
  friend class GraphChanges;

  // Of the record's place in kinds_; 0 = no record.
  std::uint8_t kind_entry(RecordId id) const {
    return id.value < kinds_.size() ? kinds_.at(id.value) : std::uint8_t{0};
  }
  // visit(records sharing kind and identifier, ascending).
  template <class Visit>
  void for_each_duplicate(Visit&& visit) const;

  Records records_;
  Kinds kinds_;
  Numbers numbers_;
  OrderedSet incoming_;  // edge_key(target, source)
  OrderedSet by_id_;     // id_hash << 32 | RecordId
  OrderedSet crowded_;   // id hashes of identifiers that more than one record of a kind has
  OrderedSet copies_;    // RecordId
  std::vector<RecordId> mains_;
  std::array<std::uint64_t, kKindCount> counts_{};
  RecordId next_id_{1};
  RecordNumber next_number_{1};
  Digest content_digest_;
  Digest number_digest_;
  std::size_t record_bytes_ = 0;  // of attributes and relations, for memory_bytes()
};

// A version that is stored: what a Graph made over it is, and where it takes the rest from when it
// is asked for.
struct StoredGraph {
  std::shared_ptr<const Graph::Records::Source> records;
  std::shared_ptr<const Graph::Kinds::Source> kinds;  // stored as they are, a byte each
  std::shared_ptr<const Graph::Numbers::Source> numbers;
  std::shared_ptr<const OrderedSet::Source> edge_keys;
  std::shared_ptr<const OrderedSet::Source> id_keys;
  std::shared_ptr<const OrderedSet::Source> crowded_ids;
  std::shared_ptr<const OrderedSet::Source> copy_keys;
  std::vector<RecordId> mains;
  std::array<std::uint64_t, kKindCount> counts{};
  RecordId next_id{1};
  RecordNumber next_number{1};
  Digest content_digest;
  Digest number_digest;
  std::size_t record_bytes = 0;  // that `records` allocates for attributes and relations
};

inline Kind Graph::kind(RecordId id) const {
  const std::uint8_t entry = kind_entry(id);
  NETML_ASSERT(entry != 0);
  return static_cast<Kind>(entry - 1);
}

template <class Visit>
void Graph::for_each_with_id(Kind kind, std::string_view id, Visit&& visit) const {
  const std::uint64_t first = std::uint64_t{id_hash(kind, id)} << 32;
  by_id_.visit_range(first, first | 0xffffffff, [&](std::uint64_t key) {
    const RecordId candidate{static_cast<std::uint32_t>(key)};
    const Attributes& found = attributes(candidate);
    if (found.kind() != kind || found.id() != id) return true;  // another id of the same hash
    return static_cast<bool>(visit(candidate));
  });
}

template <class Visit>
void Graph::for_each_referrer(RecordId target, Visit&& visit) const {
  incoming_.visit_range(edge_key(target, RecordId{0}), edge_key(target, RecordId{0xffffffff}),
                        [&](std::uint64_t key) {
                          visit(RecordId{static_cast<std::uint32_t>(key)});
                          return true;
                        });
}

template <class Visit>
void Graph::for_each_record(Visit&& visit) const {
  for (RecordId id{1}; id < next_id_; ++id.value)
    if (contains(id)) visit(id);
}

template <class Visit>
void Graph::for_each_of(Kind kind, Visit&& visit) const {
  const int entry = static_cast<int>(kind) + 1;
  for (std::size_t leaf = 0; leaf < kinds_.leaf_count(); ++leaf) {
    const void* begin = nullptr;
    if (const auto stored = kinds_.stored_bytes(leaf))
      begin = stored->data();
    else if (const Kinds::Items* items = kinds_.leaf(leaf))
      begin = items->data();
    if (begin == nullptr) continue;
    constexpr std::size_t kItems = std::tuple_size_v<Kinds::Items>;
    const auto* const first = static_cast<const std::uint8_t*>(begin);
    for (std::size_t i = 0; i < kItems; ++i) {
      const void* found = std::memchr(first + i, entry, kItems - i);
      if (found == nullptr) break;
      i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - first);
      visit(RecordId{static_cast<std::uint32_t>(leaf * kItems + i)});
    }
  }
}

template <class Visit>
void Graph::for_each_difference(const Graph& other, Visit&& visit) const {
  records_.for_each_difference(other.records_, [&](std::size_t index) {
    visit(RecordId{static_cast<std::uint32_t>(index)});
  });
}

}  // namespace netml::engine
