// The transactions of the journal, one after another, with the versions before and after each.
//
// Thread: any; all work is done on the calling thread, and none waits for the writer.
#pragma once

#include <functional>

#include "admin/node/node.hpp"

namespace netml::admin {

// Calls visit() for each transaction committed after `from`, which is a state as the node gives it,
// up to `last`, in order, until it fails. Errc::unavailable where the memory for one is taken;
// Errc::too_large where all takes longer than a minute; what reading the journal gives.
Status each_transaction(Node& node, const wal::PastState& from, Lsn last,
                        const std::function<Status(const wal::ReplayedTransaction&)>& visit);

}  // namespace netml::admin
