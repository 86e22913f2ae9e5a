// From a data directory to the state it holds: newest good checkpoint, then the journal behind it
// (docs/requirements/durability-and-security.md, section 1.5). Reading changes nothing; what a
// crash left behind is put right by Store::open.
//
// What a crash can leave is repaired, damage is refused: Errc::corruption, with file, offset, LSN,
// last good LSN, what follows, and the choices there are.
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/transaction/state.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/manifest.hpp"
#include "wal/journal/journal_writer.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

// For the caller to print; nothing here logs.
struct RecoveryReport {
  bool created = false;        // a new data directory
  bool clean_stop = false;     // the last run ended in order
  Lsn checkpoint;              // started from; 0 = from the beginning
  Lsn head;                    // last transaction closed
  Lsn durable;                 // highest LSN known to have been durable
  std::uint64_t replayed = 0;  // transactions
  std::uint64_t aborted = 0;
  std::uint64_t journal_bytes = 0;      // read
  std::uint64_t rewritten_frames = 0;   // above the durable mark, written again
  std::uint64_t quarantined_bytes = 0;  // of a torn tail
  std::string damage;                   // when reading only: what stands after the head
  std::vector<std::string> notes;       // what a crash left, and was put right
  std::vector<std::string> warnings;    // what an administrator should look at
  std::chrono::nanoseconds duration{};
};

// A segment that an earlier run wrote last, and how much of it counts.
struct EarlierSegment {
  std::string name;
  std::uint64_t bytes = 0;
  Sha256 chain{};
};

// What stands in the last segment above the durable mark.
struct JournalTail {
  std::shared_ptr<const Segment> segment;  // the frames point into it
  std::vector<Frame> frames;
  std::uint64_t open_frames = 0;  // of a transaction without end
  std::uint64_t open_bytes = 0;
  std::uint64_t torn_offset = 0;  // where frames end and something else begins
  bool torn = false;
};

struct Recovered {
  Manifest manifest;
  std::optional<Manifest> previous_manifest;
  engine::StatePtr state;
  Head head;
  JournalStart start;                       // where writing goes on: at the tail, if there is one
  std::optional<EarlierSegment> earlier;    // the last segment, cut before the tail
  std::vector<EarlierSegment> not_yet_cut;  // of which a crash left too much
  std::unique_ptr<JournalTail> tail;        // to be written again; null = nothing to do
  bool checkpoint_wanted = false;           // the newest one is bad
  RecoveryReport report;
  // Where records of `state` lie: must outlive every pointer to one. Null when they were decoded.
  std::shared_ptr<const GraphFile> graph_file;
  bool proved = true;  // else graph_file->prove() is still to be done
};

enum class OnDamage : std::uint8_t {
  refuse,
  stop,  // the state before the damage, which the report names: for reading only
};

struct RecoveryOptions {
  OnDamage on_damage = OnDamage::refuse;
  // The largest checkpoint that is proved before it is used; a larger one that turns out to be
  // damaged, or refused by the disk, where the journal needs it is not used.
  std::uint64_t proved_bytes = std::numeric_limits<std::uint64_t>::max();
};

Result<Recovered> recover(DataDirectory& data, const Clock& clock, Parallel& parallel,
                          const RecoveryOptions& options = {});

// Copies the bytes of a torn tail to quarantine/ and writes the good frames above the durable mark
// again: after a kill or a failed sync they may exist only in the page cache, marked clean.
// `writer` was made from `recovered.start`. Errc::no_space leaves everything as it was while there
// is a tail, so that it may be tried again; without one only the manifest could not be written.
// A transaction that was cut off is aborted, or stays open where the rest of it can be had.
Status resolve_tail(DataDirectory& data, Recovered& recovered, JournalWriter& writer,
                    JournalWriter::Open open = JournalWriter::Open::aborted);

// For when there is no room for that: the same frames in their old place, durable.
Status keep_tail_in_place(DataDirectory& data, const Recovered& recovered);

// ---- looking only ----

// A data directory as it lies there: nothing in it is written, made or removed, so that it may be
// damaged, or on a medium that cannot be written (rule E4). Thread: any, once it is open
// (immutable).
struct ReadOnlyData {
  DataDirectory directory;
  Manifest manifest;
  engine::StatePtr state;
  Head head;
  std::uint64_t journal_bytes = 0;              // of all segments, as far as they are used
  RecoveryReport report;                        // `damage`: why the state is not the newest one
  std::shared_ptr<const GraphFile> graph_file;  // see Recovered
};

// The state before any damage: Errc::corruption only when nothing can be shown. `data` must
// outlive the result.
Result<ReadOnlyData> open_read_only(Storage& data, const Clock& clock, Parallel& parallel);

}  // namespace netml::wal
