// Reads the journal as a history: who changed how much, when and why. Values come from the COMMIT
// frames alone, so no state is needed. What `netml log` stands on.
#pragma once

#include <functional>

#include "engine/transaction.hpp"
#include "wal/journal.hpp"
#include "wal/storage.hpp"

namespace netml::wal {

struct HistoryEntry {
  Lsn lsn;
  bool committed = true;  // else aborted: it never counted
  std::string abort_reason;
  engine::Provenance provenance;  // of committed ones, as is what follows
  engine::ChangeCounts counts;
  engine::Digest digest;  // of the state afterwards
  Sha256 chain{};         // after its last frame
};

// Calls visit(entry) for each closed transaction from `first` on, ascending, until it returns
// false or the journal ends; up to `last` (Lsn{0}: all that can be read). `data` is the data
// directory; nothing in it is changed, so a running node does not mind. Errc::corruption when
// damage stands between.
Status read_history(Storage& data, Lsn first, Lsn last,
                    const std::function<bool(const HistoryEntry&)>& visit);

}  // namespace netml::wal
