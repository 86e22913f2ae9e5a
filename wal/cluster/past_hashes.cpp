#include "wal/cluster/past_hashes.hpp"

namespace netml::wal {

// Opening reads the beginning of every segment, so it is done again only for what came since, or
// where segments have moved.
Result<Sha256> PastHashes::at(Lsn lsn, const JournalView& view) {
  const std::lock_guard lock(mutex_);
  if (reader_ && lsn <= reader_->head())
    if (const Result<HistoryEntry> entry = reader_->entry(lsn)) return entry->chain;
  reader_.reset();
  NETML_TRY(reader_, JournalReader::open(data_, view, index_));
  NETML_TRY(const HistoryEntry entry, reader_->entry(lsn));
  return entry.chain;
}

}  // namespace netml::wal
