// Copies of elements from other topologies (docs/requirements/importing.md, section 7), as they are
// once a plan has resolved: which records they could stand for, and whether one of them is left.
#pragma once

#include <vector>

#include "engine/graph/record_sets.hpp"
#include "engine/transaction/workspace.hpp"

namespace netml::engine {

// What a record says of itself when several share an identifier; the higher wins.
enum class Standing : std::uint8_t {
  copy_of_others,  // of several that are here; of one, it gives way to it
  lone_copy,       // what it is a copy of is not here
  original,
};

// The records of one kind and identifier, by the topologies they belong to: one element may be
// copied in as many topologies as there are. Thread: its owner.
class Namesakes {
 public:
  // `workspace` must outlive it.
  Namesakes(Workspace& workspace, Kind kind, std::string_view id);

  const std::vector<RecordId>& records() const { return records_; }  // ascending
  // Others of these, still there, that belong to a topology which the copy names.
  std::vector<RecordId> originals_of(RecordId copy);
  Standing standing_of(RecordId record);

 private:
  Workspace& workspace_;
  std::vector<RecordId> records_;
  RecordMap<std::vector<RecordId>> holders_;
};

// Copies of exactly one original give way to it: institutions, then nodes, the oldest first, until
// nothing changes any more.
void resolve_copies(Workspace& workspace);

}  // namespace netml::engine
