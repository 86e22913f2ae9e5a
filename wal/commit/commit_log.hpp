// The commit log: the journal, the versions it leads to, and what becomes of an error.
//
//   append_effects() and append_commit() any number of times, each onto next(), which nobody else
//   sees, so that the second transaction of a group sees the first; then sync(), then
//   advance_head(). Only then may anybody be notified. If the sync fails, next() is head() again.
//
// In a cluster (a GroupLog is given) frames wait in memory until confirm() has them in the shared
// log; only then do they come into the own journal. While another member leads, take_shared() puts
// its frames there instead.
//
// A write error latches: `no_space` until resume() finds room again, `failed` until a restart.
// Reading head() goes on in both. Thread: its owner; versions may be used by any.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/base/guarded.hpp"
#include "engine/base/parallel.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/commit/group_log.hpp"
#include "wal/commit/reserve.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/journal/journal_writer.hpp"

namespace netml::wal {

class HeldGroup;
class Replay;
struct Frame;

enum class WriteState : std::uint8_t {
  writable,
  no_space,  // the disk is full, or memory is short; left by itself when there is room (E1, E4)
  failed,    // an error whose consequences nobody knows; until restart (E2)
};

// A state and its own place in the chain.
struct Version {
  engine::StatePtr state;
  Head head;
};

class CommitLog {
 public:
  // All must outlive it. `group_log` is null for a node alone.
  CommitLog(DataDirectory& data, Reserve& reserve, Parallel& parallel, GroupLog* group_log);
  ~CommitLog();
  CommitLog(const CommitLog&) = delete;
  CommitLog& operator=(const CommitLog&) = delete;

  // First of all: goes on where recovery came to, and writes again what a crash cut off. Where
  // there is no room even in the reserve, the state is no_space and the data are there to be read.
  Status start(Recovered& recovered, const JournalOptions& options, SegmentListener& listener);
  // Once `recovered` is needed for nothing else: what could not be written again waits for room.
  void keep_cut_off(Recovered recovered);

  const Version& head() const { return head_; }  // durable
  const Version& next() const { return next_; }  // what the next transaction is planned on

  // Appends its frames and makes the version after it: at the same time, if it is large.
  // Errc::corruption when it does not fit next(): nothing is changed then. Errc::too_large;
  // Errc::no_space, unavailable (no memory) or io_error when the journal cannot be written: then
  // all since the last sync is undone, except what the head has come to.
  Result<engine::State> append_effects(const engine::Transaction& transaction);
  // The frame that makes it count; next() is `after` from here on. Errors as above.
  Result<Lsn> append_commit(const engine::Transaction& transaction, engine::State after);
  // One frame that tells how far the journal is durable (J6).
  Status append_watermark();
  // Of a group, before its answers: into the shared log and from there into the own journal, where
  // there is one; then sync(). Without success nothing may be called the newest:
  // Errc::unavailable where the group is refused, Errc::outcome_unknown.
  Status confirm();
  // In a cluster: whether this member may plan transactions. Errc::unavailable.
  Status check_leads() const { return group_log_ == nullptr ? Status() : group_log_->may_write(); }
  bool in_cluster() const { return group_log_ != nullptr; }
  // The own journal alone.
  Status sync();
  // Whether that has anything to do.
  bool unsynced() const { return unsynced_; }
  // To next() if the journal holds all of it durably; else nothing moves.
  void advance_head();

  // ---- following ----
  // Is given the effects of a transaction before it is put into the journal.
  using BeforeCommit = std::function<Status(const engine::Transaction&)>;
  // What comes next are the frames of a group behind `before`, from its first one on.
  // Errc::conflict when the own journal has another history there.
  Status begin_following(const Head& before);
  // A verified frame of the shared log: into the journal, unless it is there; applied when it is
  // the last of its transaction. Frames of transactions that next() has are compared only.
  // Errc::conflict when this is another history. After an error, begin_following().
  Status take_shared(const Frame& frame, const BeforeCommit& before);
  // What is appended next follows next(). Errc::unavailable when nothing can be written, or the
  // journal holds a part of what follows.
  Status begin_leading();
  // Whether the journal holds nothing behind head(), not even a part of a transaction.
  bool ends_at_head() const { return journal_->next() == Position::after(head_.head.lsn); }

  // Seals the segment in use. Nothing must be appended afterwards.
  Result<std::optional<SegmentSealed>> seal_last();

  WriteState write_state() const { return write_state_; }
  const std::string& write_error() const { return write_error_; }
  // In state no_space: writable again if there is room.
  Status resume();
  // After resume(): a transaction that the error cut in two is closed, durably.
  Status abort_open(const std::string& reason);
  // Nothing may be built on what a crash cut off while that waits for room.
  Status check_resolved() const { return cut_off_ == nullptr ? Status() : check_writable(); }
  // `call` writes what the journal rests on: if it fails, nothing more can be written.
  template <class Call>
  auto latching(Call&& call) -> decltype(call()) {
    auto result = guarded(call);
    if (!result) return tl::make_unexpected(latch(std::move(result).error()));
    return result;
  }

  Lsn durable() const { return journal_->durable(); }
  std::uint64_t segment_bytes() const { return journal_->segment_bytes(); }
  std::uint64_t bytes_appended() const { return journal_->bytes_appended(); }

 private:
  Status rewrite_cut_off(Recovered& recovered);
  Status resolve_waiting();
  Status put_effects(const engine::Transaction& transaction);
  Status share_group();
  Status put_held(const Append& group);
  Status check_same_history(const Position& next, const Sha256& chain) const;
  void forget_unconfirmed();
  Result<engine::State> append_small(const engine::Transaction& transaction);
  Result<engine::State> append_large(const engine::Transaction& transaction);
  Status append_abort(const std::string& reason);
  Status check_writable() const;
  Error latch(Error error);

  DataDirectory& data_;
  Reserve& reserve_;
  Parallel& parallel_;
  std::unique_ptr<JournalWriter> journal_;
  GroupLog* const group_log_;
  std::unique_ptr<HeldGroup> held_;     // in a cluster
  std::unique_ptr<Replay> following_;   // the open transaction of the shared log
  std::unique_ptr<Recovered> cut_off_;  // its tail waits for room; null: nothing does

  Version head_;
  Version next_;
  bool unsynced_ = false;
  WriteState write_state_ = WriteState::writable;
  std::string write_error_;
};

}  // namespace netml::wal
