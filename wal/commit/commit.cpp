// The write path: what becomes of the changes that wait, from plan to answer.
#include <algorithm>
#include <utility>

#include "engine/base/guarded.hpp"
#include "wal/commit/writer.hpp"

namespace netml::wal {

// The order of these lines is the durability argument (S1, S2): what readers see and what anybody
// is told is on the disk. Changes that came during the last sync are one group, and share the next.
void Writer::commit(std::deque<Change> group) {
  CommitLog& log = store_->log();
  // A disk that was full, or memory that was short, may have room again.
  if (log.write_state() == WriteState::no_space) static_cast<void>(store_->resume().has_value());

  for (Change& change : group)
    // A plan that throws is a defect of that plan, or there is no memory: the others go on.
    change.lsn = guarded([&]() -> Result<Lsn> {
      if (log.write_state() != WriteState::writable)
        return fail(Errc::unavailable, "read-only: " + log.write_error());
      // On the newest version, which no reader sees yet: the second of a group sees the first.
      NETML_TRY(const engine::Transaction transaction, change.plan(*log.next().state));
      if (transaction.empty()) return log.next().state->lsn;  // there is nothing to make durable
      // Its frames are written while the version after it is made: for a large one, both take long.
      NETML_TRY(engine::State after, log.append_effects(transaction));
      // Without the COMMIT frame, a restart leaves out all the others.
      return log.append_commit(transaction, std::move(after));
    });

  // Once for all of them: until it succeeds, what was written may be lost.
  const Status synced = log.sync();
  // To the newest version that is durable: where the sync failed, that is one from before it.
  log.advance_head();
  const Version& head = log.head();

  // Readers before answers: who is answered finds the change there.
  publish_version(head);
  const auto durable = [&](const Change& change) {
    return change.lsn.has_value() && *change.lsn <= head.head.lsn;
  };
  count_group(std::ranges::count_if(group, durable));
  // Nobody before the sync, not even with a refusal: it may rest on what was not durable.
  for (Change& change : group)
    if (durable(change))
      change.answer.set(Committed{*change.lsn, head.state});
    else if (!change.lsn)
      change.answer.set(tl::make_unexpected(std::move(change.lsn).error()));
    else
      change.answer.set(
          fail(Errc::unavailable, synced ? log.write_error() : synced.error().message));
}

}  // namespace netml::wal
