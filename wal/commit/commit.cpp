// The write path: what becomes of the changes that wait, from the plan of each to its answer.
#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/base/guarded.hpp"
#include "wal/commit/writer.hpp"

namespace netml::wal {

namespace {
// What became of a change that was not kept, for who waits for it.
Error lost(const Error& error) {
  const bool unknown = error.code == Errc::outcome_unknown;
  return {unknown ? error.code : Errc::unavailable, error.message};
}
}  // namespace

// Runs on the writer's thread, the only one that moves the log. The changes that came during the
// sync before are one group and share one sync. The order of these lines is the durability
// argument: a change counts when it is synced (S1), and nobody sees it or is notified before (S2).
void Writer::commit(std::deque<Change> group) {
  CommitLog& log = store_->log();
  // After a full disk or a lack of memory there may be room again. If not, the log is as it was,
  // and each change below is refused with the reason.
  if (log.write_state() == WriteState::no_space) std::ignore = store_->resume();

  // A plan that throws is a defect of that plan, or there is no memory: the others go on.
  for (Change& change : group) {
    change.planned_on = log.next().head.lsn;
    change.lsn = guarded([&]() -> Result<Lsn> {
      // Asked for each: one before it may have met an error that ends writing.
      if (log.write_state() != WriteState::writable)
        return fail(Errc::unavailable, "read-only: " + log.write_error());
      NETML_TRY_VOID(log.check_leads());  // of a cluster's members, only one may
      // On the newest version, which no reader sees yet, since that is what this one will follow.
      NETML_TRY(const engine::Transaction transaction, change.plan(*log.next().state));
      if (transaction.empty()) return change.planned_on;  // there is nothing to make durable
      // Its frames are written while the version after it is made: for a large one, both take long.
      NETML_TRY(engine::State after, log.append_effects(transaction));
      // The COMMIT frame comes last: without it, a restart leaves out all the others.
      return log.append_commit(transaction, std::move(after));
    });
  }

  // Once for the whole group: the shared log of a cluster, the own journal, the disk. If it fails,
  // the log forgets what it has not made durable.
  const bool unsynced = log.unsynced();
  const auto began = store_->clock().steady();
  const Status confirmed = log.confirm();
  if (unsynced && confirmed && options_.after_sync)
    options_.after_sync(store_->clock().steady() - began);
  log.advance_head();
  const Version& head = log.head();  // durable; after a failed sync, one from before it

  // A plan may have met damage of the map; then nothing more is built on it.
  if (!store_->note_looked()) put_off_damaged(group);

  // Readers before answers: who is answered finds the change there.
  publish_version(head);
  // Only a failed sync loses versions. A refusal, too, holds only while its version is kept, and in
  // a cluster only if that is the newest.
  const bool newest = confirmed || !log.in_cluster();
  const auto holds = [&](const Change& change) {
    return newest && change.lsn.value_or(change.planned_on) <= head.head.lsn;
  };
  count_group(std::ranges::count_if(
      group, [&](const Change& change) { return change.lsn.has_value() && holds(change); }));
  for (Change& change : group) {
    if (!holds(change))
      change.answer.set(tl::make_unexpected(lost(confirmed.error())));
    else if (change.lsn)
      change.answer.set(Committed{*change.lsn, head.state});
    else
      change.answer.set(tl::make_unexpected(std::move(change.lsn).error()));
  }
  // Who only listens comes last.
  if (options_.after_commit) options_.after_commit();
}

}  // namespace netml::wal
