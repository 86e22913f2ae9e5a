#include "wal/history/journal_index.hpp"

#include <fmt/format.h>

#include <limits>

#include "wal/history/detail/segment_indexer.hpp"

namespace netml::wal {

namespace {

// More would hold much of a long journal in memory.
constexpr std::size_t kChangesKept = 4;

Result<std::shared_ptr<const SegmentIndex>> extended(
    std::map<SegmentNumber, std::unique_ptr<SegmentIndexer>>& indexers, Storage& journal,
    const JournalIndex::Wanted& wanted, IndexDepth depth) {
  std::unique_ptr<SegmentIndexer>& indexer = indexers[wanted.header.number];
  if (!indexer) indexer = std::make_unique<SegmentIndexer>(wanted.header, depth);
  if (indexer->position() < wanted.until) {
    NETML_TRY(FrameFile file, FrameFile::open(journal, wanted.header));
    NETML_TRY_VOID(indexer->extend(file, wanted.until));
  }
  return indexer->index();
}

SegmentIdentity identity_of(const JournalIndex::Wanted& wanted) {
  NETML_ASSERT(wanted.chain.has_value());
  return {wanted.header.node, wanted.header.number, *wanted.chain};
}

}  // namespace

JournalIndex::JournalIndex(Storage& data, Keep keep) : data_(data), keep_(keep) {}
JournalIndex::~JournalIndex() = default;

Result<std::shared_ptr<const SegmentIndex>> JournalIndex::places(Storage& journal,
                                                                 const Wanted& wanted) {
  const std::lock_guard lock(places_mutex_);
  return extended(places_, journal, wanted, IndexDepth::places);
}

Result<std::shared_ptr<const SegmentIndex>> JournalIndex::changes(Storage& journal,
                                                                  const Wanted& wanted) {
  const std::lock_guard lock(changes_mutex_);
  if (!wanted.chain) return extended(changes_, journal, wanted, IndexDepth::changes);
  const SegmentIdentity identity = identity_of(wanted);
  if (!changes_.contains(wanted.header.number))
    if (auto loaded = load(identity)) return loaded;
  NETML_TRY(auto index, extended(changes_, journal, wanted, IndexDepth::changes));
  save(*index, identity);
  // The oldest first: the newest are asked for more often.
  if (changes_.size() > kChangesKept) changes_.erase(changes_.begin());
  return index;
}

Status JournalIndex::prepare(Storage& journal, const Wanted& wanted) {
  NETML_ASSERT(wanted.chain.has_value());
  if (keep_ == Keep::in_memory) return {};
  const auto directory = data_.open_directory(kIndexDirectory);
  const std::string name = segment_index_name(wanted.header.number);
  if (directory && (*directory)->open(name, OpenMode::read)) return {};
  NETML_TRY_VOID(changes(journal, wanted));
  return {};
}

std::string JournalIndex::finding(const Wanted& wanted) const {
  const auto loaded = load(identity_of(wanted));
  if (loaded || loaded.error().code == Errc::not_found) return {};
  return loaded.error().message;
}

Result<std::shared_ptr<const SegmentIndex>> JournalIndex::load(
    const SegmentIdentity& identity) const {
  NETML_TRY(const auto directory, data_.open_directory(kIndexDirectory));
  const std::string name = segment_index_name(identity.number);
  NETML_TRY(const auto bytes,
            read_file(*directory, name, std::numeric_limits<std::uint32_t>::max()));
  if (auto index = decode_segment_index(bytes, identity))
    return std::make_shared<const SegmentIndex>(std::move(*index));
  return fail(Errc::corruption,
              fmt::format("{}/{}: it is not the index of that segment, so it is not used",
                          directory->path(), name));
}

// A file that cannot be written is made again when it is wanted: nothing is lost but time.
void JournalIndex::save(const SegmentIndex& index, const SegmentIdentity& identity) {
  if (keep_ == Keep::in_memory) return;
  static_cast<void>(data_.make_directory(kIndexDirectory).has_value());  // there already, as a rule
  const auto directory = data_.open_directory(kIndexDirectory);
  if (!directory) return;
  const Status saved = replace_file(**directory, segment_index_name(identity.number),
                                    encode_segment_index(index, identity));
  if (saved) changes_.erase(identity.number);
}

}  // namespace netml::wal
