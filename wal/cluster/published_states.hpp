// The states that the catalog names as published: their files are each member's own, written by the
// leader when somebody publishes, and by a follower when it has the transaction that names one.
// Thread: the store's.
#pragma once

#include "wal/commit/store.hpp"

namespace netml::wal {

// Writes those that the head names and the manifest lacks, from the own journal. `data`: the
// directory of the store.
Status keep_published_states(Store& store, Storage& data);

}  // namespace netml::wal
