// The journal in its order: segment after segment, frame after frame, each checked before it is
// given out (its checksum, its place in the order, its link in the chain of hashes). The walk ends
// at the first thing that does not fit. In a segment that another follows this is damage; in the
// last one the walk only says where and how it ended, because what that means depends on what was
// promised, which recovery knows.
#include "wal/journal/journal_walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wal/format/commit_codec.hpp"

namespace netml::wal {

using format::FrameKind;

namespace {

constexpr std::uint64_t kFirstPieceBytes = 256 << 10;
constexpr std::uint64_t kPieceGrowth = 4;

std::string what_follows(const Segment& segment, std::uint64_t offset) {
  const std::optional<Frame> frame = segment.frame_after(offset);
  if (!frame) return "no good frame follows in this file";
  return fmt::format("a good frame of LSN {} follows at offset {}",
                     frame->header.position.lsn.value, frame->offset);
}

bool known(const FrameHeader& header) {
  return header.is(FrameKind::effects) || header.is(FrameKind::commit) ||
         header.is(FrameKind::abort) || header.is(FrameKind::watermark) ||
         header.is(FrameKind::seal);
}

}  // namespace

tl::unexpected<Error> damage(const Segment& segment, std::uint64_t offset, Lsn lsn,
                             std::string_view reason) {
  return fail(Errc::corruption,
              fmt::format("{}: offset {}: damage at LSN {} (last good LSN {}): {}; {}",
                          segment.path(), offset, lsn.value, lsn.value - 1, reason,
                          what_follows(segment, offset + format::kPayloadAlignment)));
}

tl::unexpected<Error> misfit(const Segment& segment, std::uint64_t offset, Lsn lsn,
                             const Error& reason) {
  if (reason.code != Errc::newer_version) return damage(segment, offset, lsn, reason.message);
  return fail(reason.code, fmt::format("{}: offset {}: LSN {}: {}", segment.path(), offset,
                                       lsn.value, reason.message));
}

Status check_known(std::string_view path, const FrameHeader& header, std::uint64_t offset) {
  if (known(header) && header.version <= format::kVersion) return {};
  return fail(Errc::newer_version,
              fmt::format("{}: offset {}: a frame of kind {}, version {}: written by a newer "
                          "version, the oldest that reads it has a format above {}",
                          path, offset, header.kind, header.version, format::kVersion));
}

JournalWalk::JournalWalk(Storage& journal, const NodeUuid& node,
                         std::vector<SegmentHeader> segments, LastSegment last)
    : journal_(journal),
      node_(node),
      segments_(std::move(segments)),
      last_(last),
      position_(segments_.front().first),
      chain_(segments_.front().previous_chain) {}

Result<std::optional<WalkStep>> JournalWalk::next() {
  while (!done_) {
    if (segment_ == nullptr) NETML_TRY_VOID(enter_segment());
    if (segment_done()) {
      NETML_TRY_VOID(leave_segment("it is missing"));
      continue;
    }
    NETML_TRY(std::optional<Frame> frame, frame_here());
    if (!frame) {
      NETML_TRY_VOID(leave_segment("the frame is damaged"));
      continue;
    }
    NETML_TRY(std::string reason, check(*frame));
    if (!reason.empty()) {
      NETML_TRY_VOID(leave_segment(std::move(reason)));
      continue;
    }
    durable_ = std::max(durable_, frame->header.durable);
    offset_ = frame->end();
    sealed_ = frame->header.is(FrameKind::seal);
    // Watermarks and seals tell of the journal and are no part of the history: they move neither
    // the position nor the chain.
    if (!frame->header.in_order()) continue;
    counted_ = offset_;
    const Sha256 chain_before = chain_.head();
    // The hash was checked to follow from the one before, so taking it over is the same as going
    // on.
    chain_.reset(frame->hash);
    position_ = frame->header.next();
    return WalkStep{*frame,        segment_,     in_last_segment(), position_,
                    chain_.head(), chain_before, durable_};
  }
  return std::nullopt;
}

Result<std::optional<WalkStep>> JournalWalk::next_unpacked(Lsn base) {
  NETML_TRY(std::optional<WalkStep> step, next());
  if (!step) return step;
  const Frame& frame = step->frame;
  if (!frame.header.compressed() || frame.header.position.lsn <= base) return step;
  auto unpacked = unpacker_.unpack(frame.header, frame.payload);
  if (unpacked) step->unpacked = std::make_shared<const OwnedPayload>(*std::move(unpacked));
  return step;
}

Status JournalWalk::enter_segment() {
  const SegmentHeader& header = segments_[index_];
  const bool by_pieces = in_last_segment() && last_ == LastSegment::by_pieces;
  NETML_TRY_VOID(read_segment(by_pieces ? kFirstPieceBytes : Segment::kWhole));
  // Both, because a segment of another history may begin at the same LSN.
  if (header.first != position_ || header.previous_chain != chain_.head())
    return fail(Errc::corruption,
                fmt::format("{}: offset 0: the segment begins at LSN {} frame {} and does not "
                            "continue the one before it, which ends at LSN {} frame {}",
                            segment_->path(), header.first.lsn.value, header.first.ordinal,
                            position_.lsn.value, position_.ordinal));
  offset_ = counted_ = format::kSegmentHeaderBytes;
  sealed_ = false;
  return {};
}

Status JournalWalk::read_segment(std::uint64_t bytes_max) {
  const SegmentHeader& header = segments_[index_];
  NETML_TRY(Segment segment, Segment::read(journal_, segment_name(header), bytes_max));
  segment_ = std::make_shared<const Segment>(std::move(segment));
  bytes_read_ += segment_->size();
  if (segment_->header() == header && header.node == node_) return {};
  return fail(Errc::corruption,
              fmt::format("{}: offset 0: the header belongs to another file", segment_->path()));
}

// Steps that were returned keep the shorter piece that they point into.
Result<std::optional<Frame>> JournalWalk::frame_here() {
  std::optional<Frame> frame = segment_->frame_at(offset_);
  while (!frame && !segment_->whole()) {
    NETML_TRY_VOID(read_segment(segment_->size() * kPieceGrowth));
    frame = segment_->frame_at(offset_);
  }
  return frame;
}

// A segment ends where the next one begins, whatever it still holds: recovery may have written
// its tail again into a new segment. The last one ends after its seal.
bool JournalWalk::segment_done() const {
  if (in_last_segment()) return sealed_;
  return position_ >= segments_[index_ + 1].first;
}

Status JournalWalk::leave_segment(std::string reason) {
  if (in_last_segment()) {
    done_ = true;
    // A segment is filled to its full length before it is used, so one that is shorter lost its
    // end.
    const bool cut = !sealed_ && segment_->size() < segment_->header().bytes;
    end_ = {offset_, counted_, !segment_->ends_at(offset_), cut, std::move(reason)};
    return {};
  }
  if (position_ != segments_[index_ + 1].first)
    return damage(*segment_, offset_, position_.lsn, reason);
  skip_asides();
  if (segment_->size() > offset_)
    cuts_.push_back(
        {segment_->name(), segment_->header().number, offset_, counted_, chain_.head()});
  ++index_;
  segment_.reset();
  return {};
}

// A segment may be left before what follows its last frame in the order was looked at.
void JournalWalk::skip_asides() {
  while (true) {
    const std::optional<Frame> frame = segment_->frame_at(offset_);
    if (!frame || frame->header.in_order() || frame->header.position != position_ ||
        !check_aside(*frame).empty())
      return;
    offset_ = frame->end();
  }
}

// Empty when the frame is the one that must come here; else what is wrong with it.
Result<std::string> JournalWalk::check(Frame& frame) {
  NETML_TRY_VOID(check_known(segment_->path(), frame.header, offset_));
  if (frame.header.position != position_)
    return fmt::format("the frame is LSN {} frame {}", frame.header.position.lsn.value,
                       frame.header.position.ordinal);
  if (frame.header.compressed() && !frame.header.may_be_compressed())
    return std::string("the frame is compressed, which it cannot be");
  if (!frame.header.in_order()) return check_aside(frame);
  frame.payload_hash = chain_.hash_payload(frame.payload);
  if (chain_.next(frame.header, frame.payload_hash) != frame.hash)
    return std::string("the chain of hashes is broken");
  return std::string();
}

std::string JournalWalk::check_aside(const Frame& frame) const {
  // It repeats the hash, so one that was left by an older writer at this place is not taken.
  if (frame.hash != chain_.head()) return "the frame repeats another hash than the chain's";
  if (!frame.header.is(FrameKind::seal)) return {};
  const Result<Seal> seal = decode_seal(frame.payload);
  if (!seal || seal->bytes != frame.end()) return "the seal is not at the end it speaks of";
  return {};
}

}  // namespace netml::wal
