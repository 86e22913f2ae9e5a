#include "wal/journal_reader.hpp"

#include <fmt/format.h>

#include "wal/data_directory.hpp"
#include "wal/manifest.hpp"
#include "wal/src/commit_codec.hpp"
#include "wal/src/journal_directory.hpp"
#include "wal/src/journal_walk.hpp"

namespace netml::wal {

namespace {

Result<HistoryEntry> entry_of(const Frame& frame) {
  HistoryEntry entry;
  entry.lsn = frame.header.position.lsn;
  entry.chain = frame.hash;
  entry.committed = frame.header.is(format::FrameKind::commit);
  if (!entry.committed) {
    NETML_TRY(Abort abort, decode_abort(frame.payload));
    entry.abort_reason = std::move(abort.reason);
    return entry;
  }
  NETML_TRY(Commit commit, decode_commit(frame.payload));
  entry.provenance = std::move(commit.provenance);
  entry.counts = commit.counts;
  entry.digest = commit.digest;
  return entry;
}

}  // namespace

Status read_history(Storage& data, Lsn first, Lsn last,
                    const std::function<bool(const HistoryEntry&)>& visit) {
  NETML_TRY(const std::optional<LoadedManifest> loaded, load_manifest(data));
  if (!loaded) return fail(Errc::corruption, data.path() + ": there is no manifest");
  NETML_TRY(const std::unique_ptr<Storage> journal, data.open_directory(kJournalDirectory));
  const NodeUuid& node = loaded->manifest.node;
  NETML_TRY(const std::vector<SegmentHeader> all, list_segments(*journal, node));
  const Lsn before{first.value == 0 ? 0 : first.value - 1};
  std::vector<SegmentHeader> segments = segments_after(all, before);
  if (segments.empty()) return {};
  JournalWalk walk(*journal, node, std::move(segments));
  while (true) {
    NETML_TRY(const std::optional<WalkStep> step, walk.next());
    if (!step) return {};
    const FrameHeader& header = step->frame.header;
    const Lsn lsn = header.position.lsn;
    if (last.value != 0 && lsn > last) return {};
    if (lsn < first || (header.flags & format::kLastOfTransaction) == 0) continue;
    NETML_TRY(const HistoryEntry entry, entry_of(step->frame));
    if (!visit(entry)) return {};
  }
}

}  // namespace netml::wal
