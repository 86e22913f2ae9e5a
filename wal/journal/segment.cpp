#include "wal/journal/segment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wal/format/manifest.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {
constexpr std::size_t kSegmentMagicAt = 0;
constexpr std::size_t kSegmentVersionAt = 8;
constexpr std::size_t kSegmentOldestReaderAt = 10;
constexpr std::size_t kSegmentIncarnationAt = 12;
constexpr std::size_t kSegmentNodeAt = 16;
constexpr std::size_t kSegmentNumberAt = 32;
constexpr std::size_t kSegmentFirstLsnAt = 40;
constexpr std::size_t kSegmentFirstOrdinalAt = 48;
constexpr std::size_t kSegmentPreviousChainAt = 56;
constexpr std::size_t kSegmentBytesAt = 88;
constexpr std::size_t kSegmentCrcAt = format::kSegmentHeaderBytes - sizeof(std::uint32_t);

constexpr std::string_view kNameEnding = ".journal";
constexpr std::size_t kLsnDigits = 20;
constexpr std::size_t kNumberDigits = 10;
constexpr std::size_t kNameLength = kLsnDigits + 1 + kNumberDigits + kNameEnding.size();
}  // namespace

std::vector<std::byte> encode_segment_header(const SegmentHeader& header) {
  std::vector<std::byte> block(format::kSegmentHeaderBytes);
  const std::span<std::byte> out(block);
  store(out, kSegmentMagicAt, format::kSegmentMagic);
  store(out, kSegmentVersionAt, header.format);
  store(out, kSegmentOldestReaderAt, header.format);
  store(out, kSegmentIncarnationAt, header.incarnation);
  std::ranges::copy(header.node.bytes, out.subspan(kSegmentNodeAt).begin());
  store(out, kSegmentNumberAt, header.number.value);
  store(out, kSegmentFirstLsnAt, header.first.lsn.value);
  store(out, kSegmentFirstOrdinalAt, header.first.ordinal);
  std::ranges::copy(header.previous_chain, out.subspan(kSegmentPreviousChainAt).begin());
  store(out, kSegmentBytesAt, header.bytes);
  store(out, kSegmentCrcAt, crc32c(out.first(kSegmentCrcAt)));
  return block;
}

Result<SegmentHeader> decode_segment_header(std::span<const std::byte> block,
                                            std::string_view path) {
  if (block.size() < format::kSegmentHeaderBytes)
    return fail(Errc::corruption, fmt::format("{}: offset 0: the segment header is cut off at {} "
                                              "bytes",
                                              path, block.size()));
  block = block.first(format::kSegmentHeaderBytes);
  if (load<std::uint32_t>(block, kSegmentCrcAt) != crc32c(block.first(kSegmentCrcAt)) ||
      load<std::uint64_t>(block, kSegmentMagicAt) != format::kSegmentMagic)
    return fail(Errc::corruption, fmt::format("{}: offset 0: the segment header is damaged", path));
  const auto oldest_reader = load<std::uint16_t>(block, kSegmentOldestReaderAt);
  if (oldest_reader > format::kVersion) return written_by_newer(path, oldest_reader);
  SegmentHeader header;
  header.format = load<std::uint16_t>(block, kSegmentVersionAt);
  header.incarnation = load<std::uint32_t>(block, kSegmentIncarnationAt);
  std::ranges::copy(block.subspan(kSegmentNodeAt, header.node.bytes.size()),
                    header.node.bytes.begin());
  header.number = SegmentNumber{load<std::uint64_t>(block, kSegmentNumberAt)};
  header.first.lsn = Lsn{load<std::uint64_t>(block, kSegmentFirstLsnAt)};
  header.first.ordinal = load<std::uint64_t>(block, kSegmentFirstOrdinalAt);
  std::ranges::copy(block.subspan(kSegmentPreviousChainAt, header.previous_chain.size()),
                    header.previous_chain.begin());
  header.bytes = load<std::uint64_t>(block, kSegmentBytesAt);
  return header;
}

std::string segment_name(Lsn first, SegmentNumber number) {
  return fmt::format("{:020}-{:010}{}", first.value, number.value, kNameEnding);
}

bool is_segment_name(std::string_view name) {
  const auto digits = [](std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  return name.size() == kNameLength && name.ends_with(kNameEnding) && name[kLsnDigits] == '-' &&
         digits(name.substr(0, kLsnDigits)) && digits(name.substr(kLsnDigits + 1, kNumberDigits));
}

Result<SegmentHeader> read_segment_header(Storage& journal, std::string_view name) {
  NETML_TRY(const std::unique_ptr<File> file, journal.open(name, OpenMode::read));
  std::vector<std::byte> block(format::kSegmentHeaderBytes);
  NETML_TRY(const std::size_t count, file->read(0, block));
  return decode_segment_header(std::span(block).first(count), file->path());
}

Result<Segment> Segment::read(Storage& journal, std::string_view name, std::uint64_t bytes_max) {
  NETML_TRY(const std::unique_ptr<File> file, journal.open(name, OpenMode::read));
  Segment segment;
  segment.name_ = name;
  segment.path_ = file->path();
  NETML_TRY(const std::uint64_t size, file->size());
  segment.memory_ = AlignedMemory(std::min(size, bytes_max));
  segment.whole_ = size <= bytes_max;
  // Less when the writer cuts the file meanwhile to what counts of it.
  NETML_TRY(segment.size_, file->read(0, segment.memory_.bytes()));
  NETML_TRY(segment.header_, decode_segment_header(segment.bytes(), segment.path_));
  return segment;
}

std::optional<FrameHeader> Segment::header_at(std::uint64_t offset) const {
  if (offset > size_ || size_ - offset < format::kFrameHeaderBytes) return std::nullopt;
  return decode_frame_header(from(offset).first<format::kFrameHeaderBytes>(),
                             FramePlace{header_.node, header_.number, offset});
}

std::optional<Frame> Segment::frame_at(std::uint64_t offset) const {
  const std::optional<FrameHeader> header = header_at(offset);
  if (!header || !header->is_possible() || size_ - offset < frame_bytes(header->payload_bytes))
    return std::nullopt;
  Frame frame{*header,
              offset,
              from(offset + format::kFrameHeaderBytes).first(header->payload_bytes),
              {},
              {}};
  if (crc32c(frame.payload) != header->payload_crc) return std::nullopt;
  std::ranges::copy(from(frame.end() - format::kFrameHashBytes).first(format::kFrameHashBytes),
                    frame.hash.begin());
  return frame;
}

bool Segment::ends_at(std::uint64_t offset) const {
  return offset >= size_ || all_zero(from(offset));
}

std::optional<Lsn> Segment::durable_after(std::uint64_t offset) const {
  std::optional<Lsn> highest;
  for (std::uint64_t at = offset; at < size_; at += format::kPayloadAlignment)
    if (const std::optional<FrameHeader> header = header_at(at))
      highest = std::max(highest.value_or(Lsn{}), header->durable);
  return highest;
}

std::optional<Frame> Segment::frame_after(std::uint64_t offset) const {
  for (std::uint64_t at = offset; at < size_; at += format::kPayloadAlignment)
    if (const std::optional<Frame> frame = frame_at(at)) return frame;
  return std::nullopt;
}

// ---- the segments of a journal ----

namespace {

Status check_neighbours(Storage& journal, const SegmentHeader& before, const SegmentHeader& after) {
  const auto refuse = [&](const char* what) {
    return fail(Errc::corruption, fmt::format("{}: {} between {} and {}", journal.path(), what,
                                              segment_name(before), segment_name(after)));
  };
  if (after.number == before.number) return refuse("two segments with one number:");
  if (after.number.value != before.number.value + 1) return refuse("a segment is missing");
  if (after.first < before.first) return refuse("the order of LSNs is broken");
  return {};
}

}  // namespace

Result<std::vector<SegmentHeader>> list_segments(Storage& journal, const NodeUuid& node,
                                                 std::optional<SegmentNumber> last) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, journal.list());
  std::vector<SegmentHeader> segments;
  for (const DirectoryEntry& entry : entries) {
    if (entry.directory || !is_segment_name(entry.name)) continue;
    NETML_TRY(const SegmentHeader header, read_segment_header(journal, entry.name));
    if (last && header.number > *last) continue;
    if (!(header.node == node))
      return fail(Errc::corruption,
                  fmt::format("{}/{}: belongs to node {}, not to {}", journal.path(), entry.name,
                              to_string(header.node), to_string(node)));
    if (segment_name(header) != entry.name)
      return fail(Errc::corruption, fmt::format("{}/{}: is a copy of {}", journal.path(),
                                                entry.name, segment_name(header)));
    segments.push_back(header);
  }
  std::ranges::sort(segments, {}, &SegmentHeader::number);
  for (std::size_t i = 1; i < segments.size(); ++i)
    NETML_TRY_VOID(check_neighbours(journal, segments[i - 1], segments[i]));
  return segments;
}

std::vector<SegmentHeader> segments_after(const std::vector<SegmentHeader>& segments, Lsn lsn) {
  const Position wanted = Position::after(lsn);
  auto first = segments.begin();
  for (auto it = segments.begin(); it != segments.end() && it->first <= wanted; ++it) first = it;
  return {first, segments.end()};
}

}  // namespace netml::wal
