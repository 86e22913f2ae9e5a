#include "wal/commit/commit_log.hpp"

#include <optional>

#include "wal/commit/held_group.hpp"
#include "wal/commit/incoming_group.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/journal/replay.hpp"

namespace netml::wal {

using engine::State;
using engine::Transaction;

namespace {
// Below this, handing work to another thread costs more than it saves.
constexpr std::size_t kLargeTransaction = 2000;

// A full disk and a lack of memory can be waited for.
bool may_pass(const Error& error) {
  return error.code == Errc::no_space || error.code == Errc::unavailable;
}
}  // namespace

CommitLog::CommitLog(DataDirectory& data, Reserve& reserve, Parallel& parallel, GroupLog* group_log)
    : data_(data), reserve_(reserve), parallel_(parallel), group_log_(group_log) {}

CommitLog::~CommitLog() = default;

// ---- opening ----

// In the reserve, if there is no other room (E1).
Status CommitLog::start(Recovered& recovered, const JournalOptions& options,
                        SegmentListener& listener) {
  journal_ = std::make_unique<JournalWriter>(*data_.journal, options, recovered.start, listener);
  head_ = next_ = {recovered.state, recovered.head};
  if (in_cluster())
    held_ = std::make_unique<HeldGroup>(recovered.start.node, recovered.head, *data_.temporary,
                                        HeldGroup::Options{options});
  if (recovered.tail == nullptr) return {};
  Status resolved = rewrite_cut_off(recovered);
  const auto full = [&] { return !resolved && resolved.error().code == Errc::no_space; };
  if (full() && recovered.tail != nullptr) {
    reserve_.give_up();
    resolved = rewrite_cut_off(recovered);
  }
  if (!full()) return resolved;
  write_state_ = WriteState::no_space;
  write_error_ = resolved.error().message;
  recovered.report.warnings.push_back("nothing can be written until there is room: " +
                                      write_error_);
  return recovered.tail == nullptr ? Status() : keep_tail_in_place(data_, recovered);
}

void CommitLog::keep_cut_off(Recovered recovered) {
  if (recovered.tail != nullptr) cut_off_ = std::make_unique<Recovered>(std::move(recovered));
}

Status CommitLog::rewrite_cut_off(Recovered& recovered) {
  // What the shared log has is never aborted: the rest of it comes from there.
  const auto open = in_cluster() ? JournalWriter::Open::stays : JournalWriter::Open::aborted;
  Status resolved = resolve_tail(data_, recovered, *journal_, open);
  head_.head = next_.head = recovered.head;
  if (held_ != nullptr) held_->begin(head_.head);
  return resolved;
}

// In state no_space, when there seems to be room.
Status CommitLog::resolve_waiting() {
  if (cut_off_ == nullptr) return {};
  std::unique_ptr<Recovered> recovered = std::move(cut_off_);
  Status resolved = guarded([&] { return rewrite_cut_off(*recovered); });
  if (recovered->tail != nullptr) cut_off_ = std::move(recovered);
  if (resolved) return resolved;
  write_error_ = resolved.error().message;
  if (!may_pass(resolved.error())) write_state_ = WriteState::failed;
  return resolved;
}

// ---- appending ----

Result<State> CommitLog::append_effects(const Transaction& transaction) {
  NETML_TRY_VOID(check_writable());
  NETML_TRY_VOID(check_encodable(EffectsView::of(transaction)));
  NETML_TRY_VOID(check_encodable(transaction.provenance));
  const bool large = transaction.records.size() >= kLargeTransaction;
  return large ? append_large(transaction) : append_small(transaction);
}

// Applied first: a transaction that does not fit leaves no trace.
Result<State> CommitLog::append_small(const Transaction& transaction) {
  const Lsn lsn = next_.head.lsn.next();
  NETML_TRY(State state, guarded([&] { return engine::apply(*next_.state, transaction, lsn); }));
  unsynced_ = true;
  NETML_TRY_VOID(latching([&] { return put_effects(transaction); }));
  return state;
}

Status CommitLog::put_effects(const Transaction& transaction) {
  if (held_ != nullptr) return held_->append_effects(transaction);
  return journal_->append_effects(transaction);
}

// Applied while it is written; one that does not fit is closed with an ABORT frame, or taken out
// of the group again.
Result<State> CommitLog::append_large(const Transaction& transaction) {
  const Lsn lsn = next_.head.lsn.next();
  std::optional<Result<State>> state;
  unsynced_ = true;
  NETML_TRY_VOID(latching([&]() -> Status {
    std::optional<Status> appended;
    const State& base = *next_.state;
    parallel_.run_both(
        [&] {
          appended = held_ != nullptr ? held_->append_effects(transaction, parallel_)
                                      : journal_->append_effects(transaction, parallel_);
        },
        [&] { state = guarded([&] { return engine::apply(base, transaction, lsn, parallel_); }); });
    NETML_ASSERT(state && appended);
    return *std::move(appended);
  }));
  if (!*state) NETML_TRY_VOID(append_abort(state->error().message));
  return *std::move(state);
}

Result<Lsn> CommitLog::append_commit(const Transaction& transaction, State after) {
  unsynced_ = true;
  return latching([&]() -> Result<Lsn> {
    auto state = std::make_shared<const State>(std::move(after));
    NETML_TRY(const Lsn lsn, held_ != nullptr
                                 ? held_->append_commit(transaction, state->digest())
                                 : journal_->append_commit(transaction, state->digest()));
    advance_head();
    next_ = {std::move(state), {lsn, held_ != nullptr ? held_->chain() : journal_->chain()}};
    return lsn;
  });
}

Status CommitLog::append_abort(const std::string& reason) {
  if (held_ != nullptr) {
    held_->drop_open();
    return {};
  }
  const Lsn lsn = journal_->next_lsn();
  NETML_TRY_VOID(latching([&] { return journal_->append_abort(reason); }));
  advance_head();
  next_.head = {lsn, journal_->chain()};
  return {};
}

Status CommitLog::append_watermark() {
  NETML_TRY_VOID(check_writable());
  unsynced_ = true;
  return latching([&] { return journal_->append_watermark(); });
}

Status CommitLog::confirm() {
  if (group_log_ != nullptr) NETML_TRY_VOID(share_group());
  return sync();
}

// No frame is in the own journal before all of them are in the shared one: a start would go on
// from it. Where the own journal cannot be written after that, the group is history all the same,
// and comes back as another member's would.
Status CommitLog::share_group() {
  if (held_->empty()) return group_log_->confirm();
  NETML_TRY_VOID(check_writable());
  Result<Append> group = guarded([&] { return held_->append(); });
  if (!group) return tl::make_unexpected(latch(std::move(group).error()));
  if (Status shared = group_log_->append(*group, held_->files()); !shared) {
    forget_unconfirmed();
    return shared;
  }
  unsynced_ = true;
  const Status kept = latching([&]() -> Status {
    NETML_TRY_VOID(put_held(*group));
    return journal_->sync();
  });
  if (!kept) {
    group_log_->fell_behind(kept.error());
    return fail(Errc::outcome_unknown,
                "the change counts, but this member could not keep it: " + kept.error().message);
  }
  unsynced_ = false;
  held_->begin(next_.head);
  return {};
}

Status CommitLog::put_held(const Append& group) {
  IncomingGroup frames(held_->node(), group.before, group.after);
  for (const std::span<const std::byte> piece : group.pieces)
    NETML_TRY_VOID(
        frames.add(piece, [&](const Frame& frame) { return journal_->append_again(frame); }));
  return frames.finish();
}

void CommitLog::forget_unconfirmed() {
  next_ = head_;
  unsynced_ = false;
  held_->begin(head_.head);
}

Status CommitLog::sync() {
  NETML_TRY_VOID(check_writable());
  if (!unsynced_) return {};
  NETML_TRY_VOID(latching([&] { return journal_->sync(); }));
  unsynced_ = false;
  return {};
}

// A new segment, too, is begun when all before it is durable: the head may have to move before
// another version takes the place of the next one, and before what is not durable is undone.
void CommitLog::advance_head() {
  if (journal_->durable() >= next_.head.lsn) head_ = next_;
}

Result<std::optional<SegmentSealed>> CommitLog::seal_last() {
  return latching([&] { return journal_->seal_last(); });
}

Status CommitLog::abort_open(const std::string& reason) {
  if (in_cluster() || !journal_->transaction_open()) return {};
  unsynced_ = true;
  NETML_TRY_VOID(append_abort(reason));
  NETML_TRY_VOID(sync());
  advance_head();
  return {};
}

// ---- following ----

Status CommitLog::begin_following(const Head& before) {
  if (before.lsn > next_.head.lsn)
    return fail(Errc::corruption,
                "the shared log skips what follows LSN " + std::to_string(next_.head.lsn.value));
  following_ = std::make_unique<Replay>(next_.state);
  return check_same_history(Position::after(before.lsn), before.chain);
}

Status CommitLog::begin_leading() {
  NETML_TRY_VOID(check_writable());
  if (!ends_at_head()) return fail(Errc::unavailable, "a transaction has not come as a whole yet");
  following_.reset();
  held_->begin(next_.head);
  return {};
}

// A hash covers all before it, so the last place that both have says whether they are one history.
Status CommitLog::check_same_history(const Position& next, const Sha256& chain) const {
  const bool other = (next == journal_->next() && chain != journal_->chain()) ||
                     (next == Position::after(next_.head.lsn) && chain != next_.head.chain);
  if (!other) return {};
  return fail(Errc::conflict, "the histories differ: the own journal has another LSN " +
                                  std::to_string(next_.head.lsn.value) + " than the shared log");
}

// The COMMIT frame comes last: what it leads to must be what it says before it is in the journal,
// or no start would go on from it.
Status CommitLog::take_shared(const Frame& frame, const BeforeCommit& before) {
  NETML_TRY_VOID(check_writable());
  const FrameHeader& header = frame.header;
  if (header.position < journal_->next())
    NETML_TRY_VOID(check_same_history(header.next(), frame.hash));
  if (header.position.lsn <= next_.head.lsn) return {};
  if (following_ == nullptr) return fail(Errc::unavailable, "the group must be read again");
  if (header.is(format::FrameKind::commit)) NETML_TRY_VOID(before(following_->open()));
  NETML_TRY_VOID(guarded([&] { return following_->add(frame); }));
  if (!(header.position < journal_->next())) {
    unsynced_ = true;
    NETML_TRY_VOID(latching([&] { return journal_->append_again(frame); }));
  }
  advance_head();
  if (header.last()) next_ = {following_->state(), {header.position.lsn, frame.hash}};
  return {};
}

// ---- errors ----

Status CommitLog::check_writable() const {
  switch (write_state_) {
    case WriteState::writable:
      return {};
    case WriteState::no_space:
      return fail(Errc::unavailable, "read-only until there is room: " + write_error_);
    case WriteState::failed:
      return fail(Errc::unavailable, "read-only until restart: " + write_error_);
  }
  NETML_ASSERT(false);
}

// What was not synced is undone. After an error that does not pass, nobody knows what is on the
// disk, and asking again may hide the loss.
Error CommitLog::latch(Error error) {
  advance_head();
  following_.reset();
  if (held_ != nullptr) held_->begin(head_.head);
  next_ = head_;
  unsynced_ = false;
  write_error_ = error.message;
  write_state_ = WriteState::failed;
  if (!may_pass(error)) return error;
  if (error.code == Errc::no_space) reserve_.give_up();
  if (Status rewound = guarded([&] { return journal_->rewind(); }); !rewound)
    write_error_.append("; ").append(rewound.error().message);
  else
    write_state_ = WriteState::no_space;
  return error;
}

Status CommitLog::resume() {
  if (write_state_ != WriteState::no_space) return check_writable();
  NETML_TRY(const bool room, reserve_.has_room());
  if (!room) return check_writable();
  NETML_TRY_VOID(reserve_.make());  // also the probe
  NETML_TRY_VOID(resolve_waiting());
  write_state_ = WriteState::writable;
  return {};
}

}  // namespace netml::wal
