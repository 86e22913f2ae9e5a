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
  void set_number(RecordId id, RecordNumber number);
  // See Renumbering; returns how many members got a number. Flushes.
  std::uint64_t renumber(RecordId topology, RecordNumber first);
  void set_next(RecordId id, RecordNumber number);
  // The same, lower than they are: for a graph of its own, in whose past nothing else was.
  void restart(RecordId id, RecordNumber number);

  // Brings edges and indexes up to date with the records put so far.
  void flush();

  Graph finish() &&;
  // The same on two cores, for many changes.
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
  void flush_ids();
  void update_crowded(std::span<const std::uint32_t> hashes);

  Graph graph_;
  KeyChanges incoming_;
  KeyChanges by_id_;
  KeyChanges copies_;
};

}  // namespace netml::engine
