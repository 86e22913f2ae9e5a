// The commit log: the journal, the versions it leads to, and what becomes of an error.
//
//   append_effects() and append_commit() any number of times, each onto next(), which nobody else
//   sees, so that the second transaction of a group sees the first; then sync(), then
//   advance_head(). Only then may anybody be notified. If the sync fails, next() is head() again.
//
// A write error latches: `no_space` until resume() finds room again, `failed` until a restart.
// Reading head() goes on in both. Thread: its owner; versions may be used by any.
#pragma once

#include <memory>
#include <string>

#include "engine/base/guarded.hpp"
#include "engine/base/parallel.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/commit/reserve.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/journal/journal_writer.hpp"

namespace netml::wal {

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
  // All must outlive it.
  CommitLog(DataDirectory& data, Reserve& reserve, Parallel& parallel)
      : data_(data), reserve_(reserve), parallel_(parallel) {}

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
  Status sync();
  // Whether that has anything to do.
  bool unsynced() const { return unsynced_; }
  // To next() if the journal holds all of it durably; else nothing moves.
  void advance_head();
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
  Result<engine::State> append_small(const engine::Transaction& transaction);
  Result<engine::State> append_large(const engine::Transaction& transaction);
  Status append_abort(const std::string& reason);
  Status check_writable() const;
  Error latch(Error error);

  DataDirectory& data_;
  Reserve& reserve_;
  Parallel& parallel_;
  std::unique_ptr<JournalWriter> journal_;
  std::unique_ptr<Recovered> cut_off_;  // its tail waits for room; null: nothing does

  Version head_;
  Version next_;
  bool unsynced_ = false;
  WriteState write_state_ = WriteState::writable;
  std::string write_error_;
};

}  // namespace netml::wal
