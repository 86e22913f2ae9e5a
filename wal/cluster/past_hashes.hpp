// The chain hashes of the own journal, for tokens that name an older place than memory holds.
// Anybody may send one of those, with any LSN: so where transactions lie is found out once for each
// segment, and from then on a question costs the reading of one frame.
// Thread: any (locks).
#pragma once

#include <mutex>
#include <optional>

#include "wal/history/journal_reader.hpp"

namespace netml::wal {

class PastHashes {
 public:
  // `data` is the data directory; it must outlive this.
  explicit PastHashes(Storage& data) : data_(data), index_(data, JournalIndex::Keep::in_memory) {}

  // At `lsn`, which is not beyond the head of `view`. Errc::not_found before the journal begins.
  Result<Sha256> at(Lsn lsn, const JournalView& view);

 private:
  std::mutex mutex_;
  Storage& data_;
  JournalIndex index_;
  std::optional<JournalReader> reader_;
};

}  // namespace netml::wal
