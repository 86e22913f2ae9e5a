// What differs between two graphs, as a reader of their exports would see it: elements are matched
// by kind and identifier, and their associations compared by identifier. So an element that was
// deleted and made again with the same content does not differ, and one whose content changed
// meanwhile is changed. Record numbers and origins, which no export shows, do not count.
//
// Where several elements of one kind share an identifier, each is matched with the record that it
// is or was, and those left over in the order of their identity.
//
// Thread: any (immutable once it is made).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/graph.hpp"
#include "engine/transaction/element_name.hpp"
#include "engine/transaction/field_change.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

struct ElementDifference {
  Kind kind = Kind::topology;
  std::string identifier;
  std::string name;  // afterwards; before, of one that is gone
  RecordId before;   // none: only in the graph after
  RecordId after;    // none: only in the graph before
  // Those that differ; of one that is new or gone, all it has. Associations are identifiers:
  // topologies and owners ascending, ends as they are.
  std::vector<FieldChange> fields;
};

class Difference {
 public:
  struct Pair {
    RecordId before;
    RecordId after;
  };

  // `topology`: only the topology of this identifier and what belongs to it in either graph; empty
  // = all. Keeps both graphs.
  Difference(Graph before, Graph after, std::string_view topology = {});

  // Only these elements, at the cost of them alone.
  Difference(Graph before, Graph after, std::vector<ElementName> elements);

  // Elements that differ, by kind and identifier.
  std::size_t size() const { return pairs_.size(); }
  bool empty() const { return pairs_.empty(); }
  // Values are made when they are asked for, so a large difference takes little memory.
  ElementDifference at(std::size_t index) const;
  // The records of that element alone.
  const Pair& records(std::size_t index) const { return pairs_[index]; }
  const ChangeCounts& counts(Kind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  ChangeCounts counts() const;  // of all kinds

 private:
  struct Candidate;

  std::vector<Candidate> candidates(std::string_view topology) const;
  std::vector<Candidate> candidates(std::vector<ElementName> elements) const;
  void match_all(std::vector<Candidate> found);
  std::vector<bool> renamed() const;
  bool same_record(RecordId id, const std::vector<bool>& renamed) const;
  void match(std::vector<Candidate>::const_iterator begin,
             std::vector<Candidate>::const_iterator end);
  bool reads_alike(RecordId before, RecordId after) const;
  void add(RecordId before, RecordId after);

  Graph before_;
  Graph after_;
  std::vector<Pair> pairs_;
  std::array<ChangeCounts, kKindCount> counts_{};
};

}  // namespace netml::engine
