// Planning what polls leave in the catalog: batches, their records, and what was found out about
// peers (docs/requirements/polling-and-publishing.md, sections 5 and 15); and changes of the
// sources that are polled, as engine/edit/plan_edit.hpp plans those of other entries.
//
// Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

// A batch with a pending record for each source, in their order; it becomes number
// poll_batches.next_number(), its records those from poll_records.next_number() on. The oldest
// finished batches beyond `kept_max` go, with their records and the import records of these.
Transaction plan_poll_batch(const State& state, PollBatch batch,
                            std::span<const std::uint64_t> sources, std::size_t kept_max);

// The record's new value; nothing when the record is gone.
void set_poll_record(Transaction& transaction, const State& state, std::uint64_t number,
                     PollRecord record);
// Nothing when the source is gone; in the place of what the transaction has of it already.
void set_peer_state(Transaction& transaction, const State& state, std::uint64_t source,
                    PeerState peer);
// A held poll was applied as a plan: its file is what the peer's topology now is, below `parent`.
// Nothing when the poll's record, or its source, is gone.
void learn_applied_plan(Transaction& transaction, const State& state, const KeptPlan& plan,
                        RecordId root, RecordId parent);

// The batch has ended; a record of it that is not final ends as aborted, with this message. Changes
// nothing when the batch is gone.
Transaction plan_poll_batch_finish(const State& state, std::uint64_t number,
                                   std::uint64_t milliseconds, std::string_view message);
// With its records. Errc::not_found when there is none.
Result<Transaction> plan_poll_batch_delete(const State& state, std::uint64_t number);

// Batches that are not finished, and their records, end as aborted, with this message.
Transaction plan_open_polls_close(const State& state, Instant now, std::string_view message);

// The overall status of a batch: aborted when one of its records is, complete when all are, and
// when there are none; pending otherwise.
PollStatus overall_status(std::span<const PollRecord> records);

// ---- sources ----

// Errc::conflict when a source of that name exists.
Result<Transaction> plan_source_create(const State& state, PollingSource source);
// The source's new value takes the place of the one that is stored, and the schedule waits for it
// no more; nothing changes when they are equal. Errc::not_found when there is none; Errc::conflict
// when another one has the new name.
Result<Transaction> plan_source_update(const State& state, std::uint64_t number,
                                       PollingSource source);
// With its poll records. Errc::not_found when there is none.
Result<Transaction> plan_source_delete(const State& state, std::string_view name);

}  // namespace netml::engine
