#include "wal/journal/frame_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wal/journal/journal_walk.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {
constexpr std::size_t kFrameWindowBytes = 128 << 10;
}

Result<FrameFile> FrameFile::open(Storage& journal, const SegmentHeader& header) {
  NETML_TRY(std::unique_ptr<File> file, journal.open(segment_name(header), OpenMode::read));
  return FrameFile(journal, std::move(file), header);
}

// Up to `size` bytes; fewer at the end of the file. Whoever goes backwards gets a window that lies
// before the offset.
Result<std::span<const std::byte>> FrameFile::read(std::uint64_t offset, std::size_t size) {
  const auto within = [&] {
    return offset >= window_at_ && offset + size <= window_at_ + window_bytes_;
  };
  if (!within()) {
    const std::size_t wanted = std::max(kFrameWindowBytes, size);
    const std::uint64_t end = offset + size;
    const bool backwards = offset < window_at_;
    window_at_ = !backwards ? offset : end > wanted ? end - wanted : 0;
    window_.resize((wanted + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    NETML_TRY(window_bytes_, file_->read(window_at_, std::as_writable_bytes(std::span(window_))));
  }
  const auto bytes = std::as_bytes(std::span(window_)).first(window_bytes_);
  const std::uint64_t at = offset - window_at_;
  if (at >= bytes.size()) return std::span<const std::byte>();
  return bytes.subspan(at, std::min(size, bytes.size() - at));
}

Result<std::optional<FrameHeader>> FrameFile::header_at(std::uint64_t offset) {
  NETML_TRY(const auto bytes, read(offset, format::kFrameHeaderBytes));
  if (bytes.size() < format::kFrameHeaderBytes) return std::nullopt;
  const auto header = decode_frame_header(bytes.first<format::kFrameHeaderBytes>(),
                                          FramePlace{header_.node, header_.number, offset});
  if (!header || !header->is_possible()) return std::nullopt;
  NETML_TRY_VOID(check_known(file_->path(), *header, offset));
  return header;
}

Result<PlacedHeader> FrameFile::next(ScanPoint& point) {
  while (true) {
    NETML_TRY(const std::optional<FrameHeader> header, header_at(point.offset));
    if (!header) return damaged(point.offset, point.position.lsn, "the frame is damaged");
    if (header->position != point.position)
      return damaged(point.offset, point.position.lsn,
                     fmt::format("the frame is LSN {} frame {}", header->position.lsn.value,
                                 header->position.ordinal));
    const PlacedHeader found{*header, point.offset};
    point.offset += frame_bytes(header->payload_bytes);
    if (!header->in_order()) continue;
    point.position = header->next();
    return found;
  }
}

// The hash before it stands at the end of the frame before it, whichever that is.
Result<Frame> FrameFile::frame(std::uint64_t offset, Lsn lsn) {
  const std::uint64_t before = offset == format::kSegmentHeaderBytes ? 0 : format::kFrameHashBytes;
  NETML_TRY_VOID(read(offset - before, before + format::kFrameHeaderBytes));  // in one window
  NETML_TRY(const std::optional<FrameHeader> header, header_at(offset));
  if (!header || header->position.lsn != lsn) return damaged(offset, lsn, "the frame is damaged");
  const std::uint64_t size = frame_bytes(header->payload_bytes);
  NETML_TRY(const auto window, read(offset - before, before + size));
  if (window.size() < before + size) return damaged(offset, lsn, "the frame is cut off");
  Frame frame{*header,
              offset,
              window.subspan(before + format::kFrameHeaderBytes, header->payload_bytes),
              {},
              {}};
  if (crc32c(frame.payload) != header->payload_crc)
    return damaged(offset, lsn, "the frame is damaged");
  std::ranges::copy(window.last(format::kFrameHashBytes), frame.hash.begin());
  // Of a transaction the last frame's is shown to people, as its head.
  if (header->last() && !continues(frame, window.first(before)))
    return damaged(offset, lsn, "the chain of hashes is broken");
  const auto content = unpacker_.content(frame.header, frame.payload);
  if (!content) return damaged(offset, lsn, content.error().message);
  frame.payload = *content;
  return frame;
}

bool FrameFile::continues(const Frame& frame, std::span<const std::byte> hash_before) const {
  Chain chain(header_.previous_chain);
  if (!hash_before.empty()) {
    Sha256 previous;
    std::ranges::copy(hash_before, previous.begin());
    chain.reset(previous);
  }
  return chain.next(frame.header, chain.hash_payload(frame.payload)) == frame.hash;
}

// The whole segment is read to tell what follows.
tl::unexpected<Error> FrameFile::damaged(std::uint64_t offset, Lsn lsn,
                                         std::string_view reason) const {
  const Result<Segment> segment = Segment::read(*journal_, segment_name(header_));
  if (!segment) return tl::unexpected(segment.error());
  return damage(*segment, offset, lsn, reason);
}

}  // namespace netml::wal
