// Several records that are one: which of them is kept, which others become a part of it, and why
// the rest does not.
//
// Thread: any (pure functions); a set of duplicates its owner's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/graph/record_sets.hpp"
#include "engine/quality/inspect.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// Records in groups, by pairs that are duplicates of each other.
class Duplicates {
 public:
  void join(RecordId a, RecordId b);
  // All that the record is joined with, itself among them, in no order.
  const std::vector<RecordId>& group_of(RecordId record) const;
  // The same for all of a group.
  std::size_t place_of(RecordId record) const { return places_.at(record); }

 private:
  std::size_t place_for(RecordId record);

  RecordMap<std::size_t> places_;  // into groups_
  std::vector<std::vector<RecordId>> groups_;
};

struct Merge {
  RecordId kept;
  std::string reason;            // why that one: "which owns most, 12"
  std::vector<RecordId> merged;  // ascending
  struct Left {
    RecordId record;
    std::string reason;
  };
  std::vector<Left> left;
};
// Originals are kept before copies of them, then that which most refers to, then the oldest. What
// contradicts the one that is kept is left: another place, country or end.
Merge choose_merge(const Inspection& map, Check check, std::span<const RecordId> group);

// Whatever refers to those that are merged refers to the one that is kept. It belongs to their
// topologies and owners, too, and has their properties, and the fields that it has not itself.
void apply_merge(Workspace& workspace, const Merge& merge);

}  // namespace netml::engine
