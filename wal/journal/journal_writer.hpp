// Writes the journal: frames into segments, the chain of hashes, rotation, the durable mark
// (rules J1 to J7 and S2; docs/format/journal.md).
//
// A transaction is append_effects() any number of times, then append_commit() or append_abort().
// Nothing counts before sync() returned success. An error of code `unavailable` means the disk is
// full: rewind() reverts what was not synced, and writing can go on when there is room again.
// After any other error the writer must not be used any more.
//
// Frames are encoded, checksummed, hashed and written one by one, or a few at a time: memory does
// not grow with the transaction. Thread: its owner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/parallel.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/format.hpp"
#include "wal/format/journal.hpp"
#include "wal/journal/journal_options.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct Frame;
struct FramePayload;
class FrameWriter;

// Where a journal is to be continued.
struct JournalStart {
  NodeUuid node;
  std::uint32_t incarnation = 1;
  SegmentNumber last_segment;  // 0 = none yet
  Position next;
  Sha256 chain{};                // before `next`
  Lsn durable;                   // every transaction up to here is known to be on the disk
  std::uint64_t open_bytes = 0;  // payload of the transaction that is open, if one is
};

struct SegmentStarted {
  SegmentNumber number;
  Lsn first_lsn;
};
struct SegmentSealed {
  std::uint64_t bytes = 0;
  Sha256 chain{};
};

// Called when a segment has its final name, before the first frame is added to it. `sealed` is the
// one before it, if this writer wrote that.
class SegmentListener {
 public:
  virtual ~SegmentListener() = default;
  virtual Status segment_started(const SegmentStarted& started,
                                 const std::optional<SegmentSealed>& sealed) = 0;
  // That what is written next has to have: of the data directory.
  virtual std::uint16_t format() const { return format::kVersion; }
  // What follows cannot be written in less than `format`; durable when it succeeds.
  virtual Status raise_format(std::uint16_t /*format*/) { return {}; }
};

class JournalWriter {
 public:
  // Nothing is written before the first append. `journal` and `listener` must outlive the writer.
  JournalWriter(Storage& journal, const JournalOptions& options, const JournalStart& start,
                SegmentListener& listener);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  Status append_effects(const engine::Transaction& transaction);
  // The same, encoding on one core what is compressed, checksummed, hashed and written on another.
  Status append_effects(const engine::Transaction& transaction, Parallel& parallel);
  // Closes the transaction; `after` describes the state it leads to.
  Result<Lsn> append_commit(const engine::Transaction& transaction, const engine::Digest& after);
  Status append_abort(const std::string& reason);
  // A frame that was made before, elsewhere: the one at next(), its hashes checked to go on there.
  Status append_again(const Frame& frame);
  bool transaction_open() const;

  Status sync();
  // One frame that says how far the journal is durable; needs a sync() of its own.
  Status append_watermark();

  // Puts frames of an earlier run, the first at the start's `next`, into a segment of this run,
  // closing an open transaction with an ABORT frame, or leaving it open for the rest of it to
  // follow; durable when it succeeds.
  enum class Open : std::uint8_t { aborted, stays };
  Status rewrite(const std::vector<Frame>& frames, Open open, const std::string& abort_reason);

  // Seals the segment in use, durably; all of it is synced before. The next append begins another
  // one. Nothing when no segment is in use.
  Result<std::optional<SegmentSealed>> seal_last();

  // Back to the last sync: the frames since are zeroed on the disk, durably. A transaction may
  // still be open then, because part of it is in a sealed segment: abort it first of all.
  Status rewind();

  // Of the next frame.
  const Position& next() const;
  // Of the next transaction, or of the open one.
  Lsn next_lsn() const { return next().lsn; }
  Lsn last_closed() const { return Lsn{next_lsn().value - 1}; }
  Lsn durable() const { return durable_; }
  Sha256 chain() const;
  // Of the segment in use; 0 before the first append.
  std::uint64_t segment_bytes() const { return file_ == nullptr ? 0 : offset_; }
  // In this run, with all headers, as if nothing were compressed: what a start would apply.
  std::uint64_t bytes_appended() const { return bytes_appended_; }

 private:
  friend class FrameWriter;  // this is a sink for it
  struct Work;               // what needs heavy headers: frames in their order, scratch memory
  struct SyncPoint;          // where rewind() leads

  std::uint16_t format() const { return listener_.format(); }
  Status raise_format(std::uint16_t format) { return listener_.raise_format(format); }
  Status make_room(std::uint64_t bytes);
  Status start_segment(std::uint64_t bytes, const std::function<Status()>& fill);
  Status begin_segment(std::unique_ptr<File> file, std::uint64_t size,
                       std::optional<SegmentSealed>& sealed, const std::function<Status()>& fill);
  Result<std::unique_ptr<File>> prepare_file(std::uint64_t size);
  Status seal();
  Status put_aside(const FramePayload& payload);
  Status put(const FramePayload& payload, const Sha256& hash);
  Status flush();
  Status flush_whole_pages();
  void mark_synced();

  Storage& journal_;
  SegmentListener& listener_;
  const JournalOptions options_;
  const NodeUuid node_;
  const std::uint32_t incarnation_;
  const std::unique_ptr<Work> work_;

  std::unique_ptr<File> file_;  // the segment in use; none before the first append
  SegmentNumber segment_;
  Position first_;  // of the segment
  std::uint64_t segment_size_ = 0;
  std::uint64_t segment_frames_ = 0;

  std::vector<std::byte> buffer_;  // frames not yet written
  std::uint64_t offset_ = 0;       // where the next frame goes, behind the buffer
  std::uint64_t written_end_ = 0;  // the file may hold something other than zeros up to here

  Lsn durable_;
  std::uint64_t bytes_appended_ = 0;
};

}  // namespace netml::wal
