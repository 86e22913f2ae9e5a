// The segments of a journal: names, header blocks, frames, and which ones there are (rules J1 and
// J2; docs/format/journal.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wal/format/format.hpp"
#include "wal/format/frame.hpp"
#include "wal/format/journal.hpp"
#include "wal/storage/aligned_memory.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct SegmentHeader {
  NodeUuid node;
  std::uint32_t incarnation = 0;
  SegmentNumber number;
  Position first;           // of its first frame
  Sha256 previous_chain{};  // before its first frame
  std::uint64_t bytes = 0;  // of the file, until it is sealed or superseded
  std::uint16_t format = format::kVersion;
  bool operator==(const SegmentHeader&) const = default;
};

std::vector<std::byte> encode_segment_header(const SegmentHeader& header);
// `path` is for the message. Errc::corruption; Errc::newer_version for one that a newer program
// wrote.
Result<SegmentHeader> decode_segment_header(std::span<const std::byte> block,
                                            std::string_view path);

// "00000000000000000001-0000000001.journal": the first LSN, then the number, because one large
// transaction may fill several segments.
std::string segment_name(Lsn first, SegmentNumber number);
inline std::string segment_name(const SegmentHeader& header) {
  return segment_name(header.first.lsn, header.number);
}
bool is_segment_name(std::string_view name);

struct Frame {
  FrameHeader header;
  std::uint64_t offset = 0;
  std::span<const std::byte> payload;  // into the segment
  Sha256 hash{};                       // as stored
  Sha256 payload_hash{};               // set by JournalWalk
  std::uint64_t end() const { return offset + frame_bytes(payload.size()); }
};

// A segment in memory, or the beginning of one. Its payloads lie at multiples of 8 bytes.
// Thread: any (immutable).
class Segment {
 public:
  static constexpr std::uint64_t kWhole = ~std::uint64_t{0};
  // At most `bytes_max` of it, which are at least a header block.
  static Result<Segment> read(Storage& journal, std::string_view name,
                              std::uint64_t bytes_max = kWhole);

  const SegmentHeader& header() const { return header_; }
  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  // Whether the file has nothing more.
  bool whole() const { return whole_; }
  std::span<const std::byte> from(std::uint64_t offset) const { return bytes().subspan(offset); }

  // The frame at `offset` if header and payload are what their checksums say.
  std::optional<Frame> frame_at(std::uint64_t offset) const;
  // Nothing but zeros, or nothing at all, from `offset` on: where a log ends that was not torn.
  bool ends_at(std::uint64_t offset) const;
  // The highest durable LSN that a frame after `offset` speaks of, whatever lies between.
  std::optional<Lsn> durable_after(std::uint64_t offset) const;
  // The first frame after `offset`, whatever lies between.
  std::optional<Frame> frame_after(std::uint64_t offset) const;

 private:
  std::span<const std::byte> bytes() const { return memory_.bytes().first(size_); }
  std::optional<FrameHeader> header_at(std::uint64_t offset) const;

  std::string name_;
  std::string path_;
  SegmentHeader header_;
  AlignedMemory memory_;
  std::uint64_t size_ = 0;
  bool whole_ = true;
};

// Reads the header block alone.
Result<SegmentHeader> read_segment_header(Storage& journal, std::string_view name);

// ---- the segments of a journal, as found in its directory ----

// Headers of all segments, ascending and consecutive. Errc::corruption when one is missing, of
// another node, there twice, or unreadable. With `last`, those up to that number: later ones may be
// coming into being.
Result<std::vector<SegmentHeader>> list_segments(Storage& journal, const NodeUuid& node,
                                                 std::optional<SegmentNumber> last = std::nullopt);

// The segments from the one on that holds the frame after `lsn`.
std::vector<SegmentHeader> segments_after(const std::vector<SegmentHeader>& segments, Lsn lsn);

}  // namespace netml::wal
