// Walks over the frames of consecutive segments in the one order, checking each: place, checksums,
// order, chain. What recovery, verification and replay share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wal/format/packed_payload.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

// Where the walk stopped in the last segment.
struct WalkEnd {
  std::uint64_t offset = 0;
  std::uint64_t counted = 0;  // after the last frame in the order
  bool torn = false;          // something other than zeros follows
  bool cut = false;           // the file is shorter than it was made, which no crash can do
  std::string reason;         // what is wrong with the frame there
};

// A segment that still holds more than what counts of it.
struct CutSegment {
  std::string name;
  SegmentNumber number;
  std::uint64_t bytes = 0;    // up to where it is understood, with a seal
  std::uint64_t counted = 0;  // up to the last frame in the order, as a seal may not be durable
  Sha256 chain{};             // after it
};

// A frame that has a place in the order, and what the walk knows behind it. It keeps the segment
// that the frame's payload points into.
struct WalkStep {
  Frame frame;
  std::shared_ptr<const Segment> segment;
  bool in_last_segment = false;
  Position position;  // after the frame
  Sha256 chain{};     // after the frame
  Sha256 chain_before{};
  Lsn durable;  // the highest durable LSN that a frame up to here spoke of
  // Of a compressed frame, where that was asked for and could be done.
  std::shared_ptr<const OwnedPayload> unpacked = nullptr;
  // Of the frame, for Replay::add().
  std::span<const std::byte> content() const {
    return unpacked == nullptr ? std::span<const std::byte>() : bytes_of(*unpacked);
  }
};

// How the last segment is read, of which most is zeros while it is in use.
enum class LastSegment : std::uint8_t {
  whole,      // at once: for whoever walks to its end
  by_pieces,  // its beginning, and more as the walk comes to it: for whoever stops before
};

// Thread: its owner.
class JournalWalk {
 public:
  // `segments`: consecutive, ascending, not empty, all of `node`. The first one's header is
  // believed about where the walk starts.
  JournalWalk(Storage& journal, const NodeUuid& node, std::vector<SegmentHeader> segments,
              LastSegment last = LastSegment::whole);

  // The next frame that has a place in the order. Nothing at the end of the last segment, whether
  // torn or not: see end(). Errc::corruption for damage that no crash can leave: in a segment that
  // is not the last, or by a newer version.
  Result<std::optional<WalkStep>> next();
  // The same, unpacked for whoever replays what is above `base` on another core. What cannot be
  // unpacked is left to the replay, which knows whether it counts.
  Result<std::optional<WalkStep>> next_unpacked(Lsn base = {});

  // After the frame that next() returned last.
  const Position& position() const { return position_; }
  const Sha256& chain() const { return chain_.head(); }
  const Segment& segment() const { return *segment_; }
  // The highest durable LSN that a frame spoke of so far.
  Lsn durable() const { return durable_; }
  const WalkEnd& end() const { return end_; }
  const std::vector<CutSegment>& cuts() const { return cuts_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  // The last segment, for what points into it.
  const std::shared_ptr<const Segment>& shared_segment() const { return segment_; }

 private:
  bool in_last_segment() const { return index_ + 1 == segments_.size(); }
  Status enter_segment();
  Status read_segment(std::uint64_t bytes_max);
  Result<std::optional<Frame>> frame_here();
  bool segment_done() const;
  void skip_asides();
  Status leave_segment(std::string reason);
  Result<std::string> check(Frame& frame);
  std::string check_aside(const Frame& frame) const;

  Storage& journal_;
  const NodeUuid node_;
  const std::vector<SegmentHeader> segments_;
  const LastSegment last_;
  std::size_t index_ = 0;
  std::shared_ptr<const Segment> segment_;
  std::uint64_t offset_ = 0;
  std::uint64_t counted_ = 0;  // up to the last frame in the order
  bool sealed_ = false;
  bool done_ = false;
  Position position_;
  Chain chain_;
  PayloadUnpacker unpacker_;
  Lsn durable_;
  WalkEnd end_;
  std::vector<CutSegment> cuts_;
  std::uint64_t bytes_read_ = 0;
};

// "PATH: offset 4096: damage at LSN 7 (last good LSN 6): REASON; FOLLOWS"
tl::unexpected<Error> damage(const Segment& segment, std::uint64_t offset, Lsn lsn,
                             std::string_view reason);
// What does not fit in the frame there, as its reader says: damage, unless a newer version wrote
// it.
tl::unexpected<Error> misfit(const Segment& segment, std::uint64_t offset, Lsn lsn,
                             const Error& reason);

// Errc::newer_version when this program does not know such frames. `path`: of the segment.
Status check_known(std::string_view path, const FrameHeader& header, std::uint64_t offset);

}  // namespace netml::wal
