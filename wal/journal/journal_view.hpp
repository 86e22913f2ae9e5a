// What readers of the past need to know of a data directory: whose it is, how far its journal
// counts, and where whole states lie. A running node can tell it without waiting for its writer.
//
// Thread: any (a value).
#pragma once

#include <vector>

#include "wal/format/journal.hpp"
#include "wal/format/manifest.hpp"

namespace netml::wal {

struct JournalView {
  NodeUuid node;
  Head head;  // durable: nothing above it is seen
  // In any order. One that is deleted meanwhile is passed over.
  std::vector<CheckpointEntry> checkpoints;
};

}  // namespace netml::wal
