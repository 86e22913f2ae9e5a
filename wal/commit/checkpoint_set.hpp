// What the manifest names: checkpoints, as recovery bases and as published states, and the
// segments of the journal, here and in archives (rules K2 to K6). A file is
// deleted when neither generation of the manifest names it.
// Thread: the store's; write() by any.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "engine/base/time.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/commit/commit_log.hpp"
#include "wal/commit/store_options.hpp"
#include "wal/format/manifest.hpp"
#include "wal/journal/archive.hpp"

namespace netml::wal {

class CheckpointSet : public SegmentListener {
 public:
  // All must outlive it.
  CheckpointSet(DataDirectory& data, const CommitLog& log, const Clock& clock, Parallel& parallel,
                const StoreOptions& options)
      : data_(data),
        log_(log),
        clock_(clock),
        parallel_(parallel),
        options_(options),
        signing_key_(options.signing_key) {}

  // First of all: takes over the manifest, deletes what a crash left unnamed, and cuts what it left
  // too long.
  Status start(Recovered& recovered);
  // Once the log has started: warns of published items that have lost their states.
  void check_published(RecoveryReport& report);

  Storage& storage() { return *data_.checkpoints; }
  const Manifest& manifest() const { return manifest_; }
  std::uint64_t journal_bytes() const;  // of all segments, as far as they are used

  // ---- checkpoints ----
  // What a checkpoint would be taken of now. Any thread may then write() it.
  CheckpointSource source() const;
  Result<CheckpointFiles> write(const CheckpointSource& source) const {
    return write_checkpoint(*data_.checkpoints, source, parallel_);
  }
  // A directory of an older format goes over to ours with this: a start alone, without changes,
  // leaves it to the program that wrote it (L3).
  Status install(const CheckpointFiles& files);
  // All of the above at once.
  Status take();
  // One that turned out to be damaged: no start uses it any more, in whatever role it was kept.
  Status reject(Lsn lsn);
  bool has_head() const { return log_.head().head.lsn == newest_; }
  bool due() const;
  // Postpones the next one, whatever became of this one.
  void note_tried();
  // As if the key had been in the options. A checkpoint is signed before it counts; one that
  // cannot be signed fails.
  void sign_with(const Ed25519Seed& key) { signing_key_ = key; }

  // ---- published states ----
  // Keeps the state of `files` as a published one (K2), for an item of the catalog to name by its
  // LSN. One that no item came to name is given up at the next of these calls, or at the start.
  Status publish(const CheckpointFiles& files);
  // Gives up the published states that no item names any more.
  Status release_published();

  // ---- the rest of the manifest ----
  // Says in the manifest that the segments are in the archive, then deletes them here.
  Status archive(const ArchivedSegments& moved);
  // If a file of uploads/ is there again, it will be missed from now on.
  Status note_upload(const Sha256& hash);
  Status note_clean_stop(const std::optional<SegmentSealed>& sealed);
  // If it does not know the segment in use, because it could not be written then.
  Status save_stale();
  Status segment_started(const SegmentStarted& started,
                         const std::optional<SegmentSealed>& sealed) override;
  std::uint16_t format() const override { return manifest_.format; }
  Status raise_format(std::uint16_t format) override;

 private:
  Status save(Manifest next);
  void delete_left(const Manifest& replaced);
  Status delete_unreferenced();
  Status cut(const EarlierSegment& segment);
  Status cut_earlier();
  Status sign(const CheckpointFiles& files) const;
  void add_checkpoint(Manifest& manifest, const CheckpointFiles& files,
                      bool CheckpointEntry::* role) const;
  void drop_old_checkpoints(Manifest& manifest) const;
  void drop_unnamed_published(Manifest& manifest) const;
  Status delete_archived();

  DataDirectory& data_;
  const CommitLog& log_;
  const Clock& clock_;
  Parallel& parallel_;
  const StoreOptions& options_;
  std::optional<Ed25519Seed> signing_key_;

  Manifest manifest_;
  std::optional<Manifest> previous_manifest_;
  bool stale_ = false;  // it does not know the segment in use
  std::optional<EarlierSegment> earlier_;

  Lsn newest_;
  std::uint64_t bytes_then_ = 0;  // appended by this run when a checkpoint was tried last
  std::chrono::nanoseconds time_then_{};
};

}  // namespace netml::wal
