// States of the past, made from the nearest checkpoint and the journal after it, with all the
// checks of a start: chain, counts, digests (docs/audit.md).
//
// Thread: any (`parallel` is used by the call alone). The data directory is only read.
#pragma once

#include <functional>
#include <optional>

#include "engine/base/parallel.hpp"
#include "engine/base/work_now.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/journal.hpp"
#include "wal/journal/journal_view.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct PastState {
  engine::StatePtr state;
  Head head;  // of the journal there
};

// Called before more memory is taken on the way to a state: about how many bytes it will be in all.
// An error ends that.
using TakeMemory = std::function<Status(std::uint64_t bytes)>;

// The state after the transaction `lsn`; 0 is the empty one. Nothing above the head of `view` is
// seen. Errc::not_found for an LSN above the head, or of a transaction that was aborted and so left
// no state; Errc::corruption; what `take` gives. Reported are transactions after the checkpoint.
Result<PastState> state_at(Storage& data, const JournalView& view, Lsn lsn, Parallel& parallel,
                           const TakeMemory& take = {}, const ReportWork& report = {});

// A transaction as it was applied, whole.
struct PastTransaction {
  const engine::Transaction& transaction;
  const engine::StatePtr& before;
  const engine::StatePtr& after;  // its LSN is the transaction's
};

// Calls visit() for each transaction committed after `from` up to `last`, in order, and returns
// what it leads to. `from` is a state with its head, as state_at() gives it.
Result<PastState> replay_from(Storage& data, const JournalView& view, const PastState& from,
                              Lsn last, Parallel& parallel,
                              const std::function<void(const PastTransaction&)>& visit);

// The same for whoever may stop after any of them: each is read when it is asked for. Nothing
// behind the last, which is at the head of `view`. Used by one thread at a time; `data` outlives
// it.
struct ReplayedTransaction {
  engine::Transaction transaction;
  engine::StatePtr before;
  engine::StatePtr after;
};
using NextTransaction = std::function<Result<std::optional<ReplayedTransaction>>()>;
Result<NextTransaction> transactions_after(Storage& data, const JournalView& view,
                                           const PastState& from, TakeMemory take = {});

}  // namespace netml::wal
