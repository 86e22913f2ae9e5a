// The write path: what becomes of the changes that wait, from plan to answer.
#include <algorithm>
#include <utility>

#include "engine/base/guarded.hpp"
#include "wal/commit/writer.hpp"

namespace netml::wal {

// The order of these lines is the durability argument (S1, S2): a change is written, synced, the
// head, published, answered. All that wait are one group and share one sync.
void Writer::commit(std::deque<Change> group) {
  // A disk that was full, or memory that was short, may have room again.
  if (store_->write_state() == WriteState::no_space)
    static_cast<void>(store_->resume().has_value());

  for (Change& change : group)
    // A plan that throws is a defect of that plan, or there is no memory: the others go on.
    change.lsn = guarded([&]() -> Result<Lsn> {
      if (store_->write_state() != WriteState::writable)
        return fail(Errc::unavailable, "read-only: " + store_->write_error());
      // On the newest version, which nobody else sees yet: the second of a group sees the first.
      NETML_TRY(const engine::Transaction transaction, change.plan(*store_->next()));
      if (transaction.empty()) return store_->next()->lsn;  // there is nothing to make durable
      // Its frames are written while the next version is made: both take long for a large one.
      NETML_TRY(engine::State version, store_->append_effects(transaction));
      // Without this frame, a restart leaves the transaction out.
      return store_->append_commit(transaction, std::move(version));
    });

  // Once for all of them: a sync takes longer than anything before it.
  const Status synced = store_->sync_frames();

  // To what is durable now: the newest version or, if the sync failed, one before the group.
  store_->advance_head();
  const Version& head = store_->head_version();

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
          fail(Errc::unavailable, synced ? store_->write_error() : synced.error().message));
}

}  // namespace netml::wal
