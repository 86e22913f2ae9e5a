// Makes the next version of a graph from the one before: the only code that changes a Graph.
// It keeps everything derived from the records true: edges, indexes, counts, digest.
//
// Reads of graph() see records and numbers at once; edges and indexes only after flush().
// Thread: its owner.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine {

// A topology whose members get numbers from `first` on (Renumbering says which members, and in
// which order).
struct MemberNumbers {
  RecordId topology;
  RecordNumber first;
};

class GraphChanges {
 public:
  explicit GraphChanges(Graph base) : graph_(std::move(base)) {}

  const Graph& graph() const { return graph_; }

  // How many records are about to be created, and how many associations these start: what is noted
  // of them until flush() takes its place once, instead of moving as it grows.
  void expect(std::size_t created, std::size_t associations);

  // Creates, replaces or (empty record) removes. Identities beyond next_id are allowed and raise
  // it.
  void put(RecordId id, Record record);
  // Other attributes, by identity, for records that are there: of the same kind, and main where
  // those were. Null: none. Takes them. Of what throws no version can be made any more.
  void put_attributes(std::span<AttributesPtr> attributes, Parallel& parallel);
  void set_number(RecordId id, RecordNumber number);
  // One topology after the other; returns how many members each has. Flushes.
  std::vector<std::uint64_t> renumber(std::span<const MemberNumbers> topologies,
                                      Parallel& parallel);
  void set_next(RecordId id, RecordNumber number);
  // The same, lower than they are: for a graph of its own, in whose past nothing else was.
  void restart(RecordId id, RecordNumber number);

  // Brings edges and indexes up to date with the records put so far; on two cores for many.
  void flush();
  void flush(Parallel& parallel);

  Graph finish() &&;
  Graph finish(Parallel& parallel) &&;

 private:
  // What is to be taken out of and put into one ordered set.
  struct KeyChanges {
    std::vector<std::uint64_t> removed;
    std::vector<std::uint64_t> added;
    void apply_to(OrderedSet& set);
  };

  void put_edges(RecordId id, const Record& before, const Record& after);
  void note_keys(RecordId id, const Record& record, std::vector<std::uint64_t> KeyChanges::* list);
  void update_mains(RecordId id, const Record& before, const Record& after);
  std::vector<RecordId> numbered_members(RecordId topology) const;
  void flush_ids();
  void update_crowded(std::span<const std::uint32_t> hashes);

  Graph graph_;
  KeyChanges incoming_;
  KeyChanges by_id_;
  KeyChanges copies_;
};

}  // namespace netml::engine
