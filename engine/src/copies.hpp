// Copies of elements from other topologies (import.md, section 7), as they are once a plan has
// settled: which records they could stand for, and whether one of them is left.
#pragma once

#include <vector>

#include "engine/src/workspace.hpp"

namespace netml::engine {

// What a record says of itself when several share an identifier; the higher wins.
enum class Standing : std::uint8_t {
  copy_of_others,  // of several that are here; of one, it gives way to it
  lone_copy,       // what it is a copy of is not here
  original,
};
Standing standing_of(Workspace& workspace, RecordId record);

// Other records of the copy's kind and identifier that belong to a topology it names.
std::vector<RecordId> originals_of(Workspace& workspace, RecordId copy);

// Copies of exactly one original give way to it: institutions, then nodes, the oldest first, until
// nothing changes any more.
void resolve_copies(Workspace& workspace);

}  // namespace netml::engine
