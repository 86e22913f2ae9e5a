// The store: the state of the node, the journal it is a function of, and the order of the steps
// that make a change durable (docs/requirements/durability-and-security.md, sections 1.3 to 1.6). A
// deterministic core for one thread; Writer gives it a thread of its own.
//
//   append() any number of times, each onto the private next version, so that the second
//   transaction of a group sees the first; then sync(). Only then does head() move, and only then
//   may anybody be told. If the sync fails, the private version is dropped.
//
// A write error latches: `no_space` until resume() finds room again, `failed` until a restart.
// Reading head() goes on in both. Thread: its owner; states and storage may be used by any.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/ed25519.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/random.hpp"
#include "engine/base/time.hpp"
#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/manifest.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/journal_writer.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct StoreOptions {
  JournalOptions journal;
  // For large transactions and checkpoints; must outlive the store. None: all on one thread.
  Parallel* parallel = nullptr;
  DataMode mode = DataMode::normal;               // of a data directory that is created now
  std::size_t checkpoints_kept = 2;               // recovery bases; at least 2 (K5)
  std::uint64_t checkpoint_bytes = 256ULL << 20;  // K6
  std::chrono::nanoseconds checkpoint_interval = std::chrono::minutes(15);  // K6
  std::uint64_t ballast_bytes = 64ULL << 20;                                // E3; 0 = none
  // E3: the floor; on a small disk, a twentieth of it.
  std::uint64_t free_bytes_min = 1ULL << 30;
  std::optional<Ed25519Seed> signing_key = {};  // signs every checkpoint and published state
};

enum class WriteState : std::uint8_t {
  writable,
  no_space,  // the disk is full, or memory is short; left by itself when there is room (E1, E4)
  failed,    // an error whose consequences nobody knows; until restart (E2)
};

// What a store holds at one moment.
struct LiveView {
  Manifest manifest;
  Head head;               // durable
  engine::StatePtr state;  // there
};

// A state and its own place in the chain.
struct Version {
  engine::StatePtr state;
  Head head;
};

class Store : private SegmentListener {
 public:
  // `data` is locked by the caller, and new (see is_new) or a data directory. Recovers, and puts
  // right what a crash left; a directory found as it was left is not changed. All arguments must
  // outlive the store.
  // On a full disk the store opens in state no_space, so that the data can be read: what a crash
  // left is put right when there is room.
  static Result<std::unique_ptr<Store>> open(Storage& data, const Clock& clock, Random& random,
                                             const StoreOptions& options);
  ~Store() override;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // ---- what is durable ----
  const engine::StatePtr& head() const { return head_.state; }
  const Head& head_hash() const { return head_.head; }
  const Version& head_version() const { return head_; }

  // ---- writing ----
  // What the next transaction is planned on.
  const engine::StatePtr& next() const { return next_.state; }
  // Both of the next two. Errc::corruption when the transaction does not fit next(): nothing is
  // changed then. Errc::too_large; Errc::no_space, unavailable (no memory) or io_error when the
  // journal cannot be written: then all since the last sync is undone, except what head() shows.
  Result<Lsn> append(const engine::Transaction& transaction);
  // Appends its frames and makes the version after it: at the same time, if it is large.
  Result<engine::State> append_effects(const engine::Transaction& transaction);
  // The frame that makes it count; next() is `after` from here on.
  Result<Lsn> append_commit(const engine::Transaction& transaction, engine::State after);

  // Both of the next two: makes what was appended durable and head() the state after it.
  Status sync();
  Status sync_frames();
  // To next() if the journal holds all of it durably; else nothing moves.
  void advance_head();
  // For when nothing more is queued: one frame that tells how far the journal is durable (J6).
  Status watermark();

  WriteState write_state() const { return write_state_; }
  const std::string& write_error() const { return write_error_; }
  // In state no_space: writable again if there is room.
  Status resume();

  // ---- checkpoints ----
  // What a checkpoint would be taken of now. Any thread may then write_checkpoint() into
  // checkpoint_storage(), with parallel().
  CheckpointSource checkpoint_source() const;
  Storage& checkpoint_storage() { return *data_.checkpoints; }
  Parallel& parallel() { return parallel_; }
  bool checkpoint_due() const;
  // Postpones the next one, whatever became of this one.
  void checkpoint_tried();
  Status install_checkpoint(const CheckpointFiles& files);
  // All of the above at once.
  Status checkpoint();

  // Keeps the state of `files` as a published one (K2), for an item of the catalog to name by its
  // LSN. One that no item came to name is given up at the next of these calls, or at the start.
  Status publish(const CheckpointFiles& files);
  // As if the key had been in the options. A checkpoint is signed before it counts; one that
  // cannot be signed fails.
  void sign_with(const Ed25519Seed& key) { signing_key_ = key; }
  // Gives up the published states that no item names any more.
  Status release_published();
  Result<Checkpoint> read_published(Lsn lsn);

  // Says in the manifest that the segments are in the archive, then deletes them here.
  Status archive(const ArchivedSegments& moved);

  // ---- the rest ----
  // Syncs, takes a checkpoint if there is anything new, and marks a clean stop. The store must not
  // be written to afterwards. Where there is no room for a checkpoint, the next start needs none
  // either.
  Status close();
  Status keep_upload(std::string_view name, const Sha256& hash);
  // Where uploads are spooled.
  Storage& temporary_storage() { return *data_.temporary; }
  Storage& upload_storage() { return *data_.uploads; }
  const Manifest& manifest() const { return manifest_; }
  LiveView live_view() const { return {manifest_, head_.head, head_.state}; }
  const RecoveryReport& recovery() const { return report_; }
  std::uint64_t journal_bytes() const;  // of all segments, as far as they are used

 private:
  Store(Storage& data, const Clock& clock, const StoreOptions& options);
  Status recover_data(Random& random);
  Status settle(Recovered recovered);
  Status settle_cut_off(Recovered& recovered);
  Status rewrite_cut_off(Recovered& recovered);
  Status settle_waiting();
  Status check_settled() const;
  Status cut(const EarlierSegment& segment);
  Status cut_earlier();
  Result<engine::State> append_small(const engine::Transaction& transaction);
  Result<engine::State> append_large(const engine::Transaction& transaction);
  Status abort_open(const std::string& reason);
  Status check_writable() const;
  template <class Call>
  auto latching(Call&& call) -> decltype(call());
  Error latch(Error error);
  Status segment_started(const SegmentStarted& started,
                         const std::optional<SegmentSealed>& sealed) override;
  Status save(Manifest next);
  Status delete_unreferenced();
  void delete_left(const Manifest& replaced);
  void add_checkpoint(Manifest& manifest, const CheckpointFiles& files,
                      bool CheckpointEntry::* role) const;
  void drop_old_checkpoints(Manifest& manifest) const;
  void drop_unnamed_published(Manifest& manifest) const;
  void check_published();
  Status delete_archived();
  Status sign(const CheckpointFiles& files);
  bool has_room(const Space& space) const;
  Status make_ballast();
  Result<bool> has_ballast();
  Status fill_ballast(const std::string& name);
  void drop_ballast();

  const Clock& clock_;
  const StoreOptions options_;
  InlineParallel inline_;
  Parallel& parallel_;
  Storage& root_;
  DataDirectory data_;
  RecoveryReport report_;

  Manifest manifest_;
  std::optional<Manifest> previous_manifest_;
  bool manifest_stale_ = false;  // it does not know the segment in use
  std::optional<EarlierSegment> earlier_;
  std::unique_ptr<JournalWriter> journal_;
  std::unique_ptr<Recovered> cut_off_;  // its tail waits for room; null: nothing does

  Version head_;  // durable
  Version next_;  // private
  bool unsynced_ = false;
  std::optional<Ed25519Seed> signing_key_;
  WriteState write_state_ = WriteState::writable;
  std::string write_error_;

  Lsn checkpoint_lsn_;
  std::uint64_t checkpoint_bytes_ = 0;  // appended by this run then
  std::chrono::nanoseconds checkpoint_time_{};
};

}  // namespace netml::wal
