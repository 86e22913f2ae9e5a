#include "wal/commit/commit_log.hpp"

#include <optional>

#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_encoder.hpp"

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

// ---- opening ----

// In the reserve, if there is no other room (E1).
Status CommitLog::start(Recovered& recovered, const JournalOptions& options,
                        SegmentListener& listener) {
  journal_ = std::make_unique<JournalWriter>(*data_.journal, options, recovered.start, listener);
  head_ = next_ = {recovered.state, recovered.head};
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
  Status resolved = resolve_tail(data_, recovered, *journal_);
  head_.head = next_.head = recovered.head;
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
  const Lsn lsn = journal_->next_lsn();
  NETML_TRY(State state, guarded([&] { return engine::apply(*next_.state, transaction, lsn); }));
  unsynced_ = true;
  NETML_TRY_VOID(latching([&] { return journal_->append_effects(transaction); }));
  return state;
}

// Applied while it is written; one that does not fit is closed with an ABORT frame.
Result<State> CommitLog::append_large(const Transaction& transaction) {
  const Lsn lsn = journal_->next_lsn();
  std::optional<Result<State>> state;
  unsynced_ = true;
  NETML_TRY_VOID(latching([&]() -> Status {
    std::optional<Status> appended;
    const State& base = *next_.state;
    parallel_.run_both(
        [&] { appended = journal_->append_effects(transaction, parallel_); },
        [&] { state = guarded([&] { return engine::apply(base, transaction, lsn); }); });
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
    NETML_TRY(const Lsn lsn, journal_->append_commit(transaction, state->digest()));
    advance_head();
    next_ = {std::move(state), {lsn, journal_->chain()}};
    return lsn;
  });
}

Status CommitLog::append_abort(const std::string& reason) {
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
  if (!journal_->transaction_open()) return {};
  unsynced_ = true;
  NETML_TRY_VOID(append_abort(reason));
  NETML_TRY_VOID(sync());
  advance_head();
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
