#include "wal/history/detail/segment_indexer.hpp"

#include <algorithm>
#include <limits>

#include "wal/format/message.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

// Notes what one EFFECTS frame speaks of.
class FrameChanges {
 public:
  FrameChanges(SegmentIndex& index, std::uint32_t frame) : index_(index), frame_(frame) {}

  Status take(schema::Effects::Reader in) {
    for (const auto record : in.getRecords()) take(record);
    for (const auto renumbering : in.getRenumberings()) topology(renumbering.getTopology());
    for (const auto import : in.getImports())
      index_.imports.push_back({static_cast<std::uint32_t>(import.getNumber()), frame_});
    return {};
  }

 private:
  void take(schema::RecordChange::Reader change) {
    index_.records.push_back({change.getId(), frame_});
    const bool update = change.getAction() == schema::Action::UPDATE;
    const bool has_before = change.getAction() != schema::Action::CREATE;
    const bool has_after = change.getAction() != schema::Action::DELETE;
    if (has_before) part(change.getId(), change.getBefore(), update);
    if (has_after) part(change.getId(), change.getAfter(), update);
  }
  void part(std::uint32_t record, schema::RecordPart::Reader part, bool update) {
    if (!update || (part.getFields() & schema::FIELD_ID) != 0)
      index_.identifiers.push_back({identifier_hash(view(part.getId())), record, frame_});
    if (part.getKind() == schema::RecordKind::TOPOLOGY) topology(record);
    for (const std::uint32_t id : part.getTopologies()) topology(id);
  }
  // Most members of a frame belong to the same topology.
  void topology(std::uint32_t id) {
    const NumberPlace place{id, frame_};
    if (index_.topologies.empty() || index_.topologies.back() != place)
      index_.topologies.push_back(place);
  }

  SegmentIndex& index_;
  const std::uint32_t frame_;
};

template <class Item>
void sort_tail(std::vector<Item>& items, std::size_t sorted) {
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(sorted);
  std::sort(middle, items.end());
  std::inplace_merge(items.begin(), middle, items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

SegmentIndexer::SegmentIndexer(const SegmentHeader& header, IndexDepth depth)
    : depth_(depth),
      point_{.position = header.first},
      index_(std::make_shared<SegmentIndex>()),
      readers_(std::make_shared<std::atomic<std::size_t>>(0)) {
  index_->first_lsn = header.first.lsn;
}

std::shared_ptr<const SegmentIndex> SegmentIndexer::index() const {
  readers_->fetch_add(1, std::memory_order_relaxed);
  return {index_.get(), [index = index_, readers = readers_](const SegmentIndex*) {
            readers->fetch_sub(1, std::memory_order_release);
          }};
}

Status SegmentIndexer::extend(FrameFile& file, Position until) {
  if (point_.position >= until) return {};
  if (readers_->load(std::memory_order_acquire) > 0) {
    index_ = std::make_shared<SegmentIndex>(*index_);
    readers_ = std::make_shared<std::atomic<std::size_t>>(0);
  }
  const std::size_t records = index_->records.size();
  const std::size_t identifiers = index_->identifiers.size();
  const std::size_t topologies = index_->topologies.size();
  const std::size_t imports = index_->imports.size();
  Status done = read(file, until);
  sort_tail(index_->records, records);
  sort_tail(index_->identifiers, identifiers);
  sort_tail(index_->topologies, topologies);
  sort_tail(index_->imports, imports);
  return done;
}

Status SegmentIndexer::read(FrameFile& file, Position until) {
  while (point_.position < until) {
    ScanPoint point = point_;
    NETML_TRY(const PlacedHeader frame, file.next(point));
    NETML_TRY_VOID(add(file, frame));
    point_ = point;
  }
  return {};
}

Status SegmentIndexer::add(FrameFile& file, const PlacedHeader& frame) {
  if (frame.offset > std::numeric_limits<std::uint32_t>::max())
    return fail(Errc::too_large, "the segment is too large for an index");
  const auto offset = static_cast<std::uint32_t>(frame.offset);
  const FrameHeader& header = frame.header;
  if (header.position.ordinal == 0) first_ = offset;
  if (depth_ == IndexDepth::changes && header.is(format::FrameKind::effects)) {
    NETML_TRY(const Frame whole, file.frame(frame.offset, header.position.lsn));
    FrameChanges changes(*index_, offset);
    NETML_TRY_VOID(read_message<schema::Effects>(
        whole.payload, [&](schema::Effects::Reader in) { return changes.take(in); }));
  }
  index_->open = header.last() ? 0 : first_;
  if (!header.last()) return {};
  index_->transactions.push_back({first_, offset});
  first_ = 0;
  return {};
}

}  // namespace netml::wal
