// The indexes of all segments, found or made when they are wanted and kept from one question to the
// next (docs/audit.md).
//
// Thread: any.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "wal/history/segment_index.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

class SegmentIndexer;
struct SegmentHeader;

class JournalIndex {
 public:
  enum class Keep : std::uint8_t { in_files, in_memory };

  // `data` is the data directory; it must outlive this. `in_files`: it may be written, by its owner
  // alone.
  JournalIndex(Storage& data, Keep keep);
  ~JournalIndex();
  JournalIndex(const JournalIndex&) = delete;
  JournalIndex& operator=(const JournalIndex&) = delete;

  // What an index is wanted of: a segment up to a position, which is its end when `chain` says what
  // the chain of hashes is there.
  struct Wanted {
    const SegmentHeader& header;
    Position until;
    std::optional<Sha256> chain;
  };

  // Where transactions lie, and nothing else. May go beyond `until`. Errc::corruption.
  Result<std::shared_ptr<const SegmentIndex>> places(Storage& journal, const Wanted& wanted);
  // All of it. May go beyond `until`. Errc::corruption.
  Result<std::shared_ptr<const SegmentIndex>> changes(Storage& journal, const Wanted& wanted);
  // Makes the file of a closed segment if there is none of its name. Errc::corruption.
  Status prepare(Storage& journal, const Wanted& wanted);
  // What is wrong with the file of a closed segment; empty when it is right, or there is none. One
  // that is wrong is not used, and made again when it is wanted.
  std::string finding(const Wanted& wanted) const;

 private:
  using Indexers = std::map<SegmentNumber, std::unique_ptr<SegmentIndexer>>;
  // Errc::not_found when there is no file; any other error when it is of no use.
  Result<std::shared_ptr<const SegmentIndex>> load(const SegmentIdentity& identity) const;
  void save(const SegmentIndex& index, const SegmentIdentity& identity);

  Storage& data_;
  const Keep keep_;
  // Apart, because places are found at once and changes are not.
  std::mutex places_mutex_;
  Indexers places_;  // guarded by places_mutex_
  std::mutex changes_mutex_;
  Indexers changes_;  // guarded by changes_mutex_; of closed segments only where there are no files
};

}  // namespace netml::wal
