// The store: an open data directory. What opens it puts its three parts together: the commit log,
// the set of checkpoints and the reserve for a full disk. A deterministic core for one thread;
// Writer gives it a thread of its own. Thread: its owner; states and storage may be used by any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/parallel.hpp"
#include "engine/base/random.hpp"
#include "engine/base/time.hpp"
#include "wal/commit/checkpoint_set.hpp"
#include "wal/commit/commit_log.hpp"
#include "wal/commit/reserve.hpp"
#include "wal/commit/store_options.hpp"

namespace netml::wal {

// How far the file that the state of this start lies in is known to hold what was written. A state
// that was decoded is proved.
struct StartProof {
  enum class Step : std::uint8_t { proved, under_way, damaged } step = Step::proved;
  std::shared_ptr<const GraphFile> file;  // tells how far; null = it was decoded
};

// What a store holds at one moment.
struct LiveView {
  Manifest manifest;
  Head head;               // durable
  engine::StatePtr state;  // there
};

class Store {
 public:
  // `data` is locked by the caller, and new (see is_new) or a data directory. Recovers, and puts
  // right what a crash left; a directory found as it was left is not changed. All arguments must
  // outlive the store.
  // On a full disk the store opens in state no_space, so that the data can be read: what a crash
  // left is put right when there is room.
  static Result<std::unique_ptr<Store>> open(Storage& data, const Clock& clock, Random& random,
                                             const StoreOptions& options);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  CommitLog& log() { return log_; }
  CheckpointSet& checkpoints() { return checkpoints_; }
  const CheckpointSet& checkpoints() const { return checkpoints_; }

  const engine::StatePtr& head() const { return log_.head().state; }  // durable
  const Head& head_hash() const { return log_.head().head; }
  const Clock& clock() const { return clock_; }
  const engine::StatePtr& next() const { return log_.next().state; }

  // Both steps of the log. Nobody may be notified before sync(); in a cluster, confirm().
  Result<Lsn> append(const engine::Transaction& transaction);
  // As CommitLog::confirm(), and head() is the state after it.
  Status confirm();
  // Makes what was appended durable and head() the state after it.
  Status sync();
  // For when nothing more is queued: see CommitLog.
  Status watermark() { return log_.append_watermark(); }

  WriteState write_state() const { return log_.write_state(); }
  const std::string& write_error() const { return log_.write_error(); }
  // In state no_space: writable again if there is room.
  Status resume();

  Status checkpoint() { return checkpoints_.take(); }
  // What the state of this start lies in while it is not proved; else null. Any thread may prove
  // it, and the store's then says what came of it: damage ends writing until a start that does
  // without it.
  const std::shared_ptr<const GraphFile>& unproved() const { return unproved_; }
  Status note_proof(Status proof);
  // The same of damage that somebody met who looked at a state, ahead of the proof.
  Status note_looked();
  // As far as it is known.
  StartProof start_proof() const;
  const Manifest& manifest() const { return checkpoints_.manifest(); }
  LiveView live_view() const { return {manifest(), head_hash(), head()}; }
  const RecoveryReport& recovery() const { return report_; }

  Status keep_upload(std::string_view name, const Sha256& hash, StoredAs how = StoredAs::itself);

  // Syncs, takes a checkpoint if there is anything new, and marks a clean stop. The store must not
  // be written to afterwards. Where there is no room for a checkpoint, the next start needs none
  // either.
  Status close();

 private:
  Store(Storage& data, const Clock& clock, const StoreOptions& options);
  Status recover_data(Random& random);
  Status resolve(Recovered recovered);

  const Clock& clock_;
  const StoreOptions options_;
  std::shared_ptr<const GraphFile> graph_file_;  // first: records of every state may lie in it
  std::shared_ptr<const GraphFile> unproved_;
  bool damaged_ = false;  // what was not proved
  InlineParallel inline_;
  Parallel& parallel_;
  Storage& root_;
  DataDirectory data_;
  Reserve reserve_;
  CommitLog log_;
  CheckpointSet checkpoints_;
  RecoveryReport report_;
};

}  // namespace netml::wal
