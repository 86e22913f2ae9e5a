// The frames of one segment, read where they are wanted: headers alone to hop over, whole ones to
// look into. Unlike Segment it does not hold the file in memory, and unlike JournalWalk it does not
// follow the chain of hashes, of which it checks the links that people are shown.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "wal/format/packed_payload.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

// Where reading has come to.
struct ScanPoint {
  std::uint64_t offset = format::kSegmentHeaderBytes;
  Position position;
};

// A frame in the order, of which the header alone was read.
struct PlacedHeader {
  FrameHeader header;
  std::uint64_t offset = 0;
};

// Thread: its owner. `journal` must outlive it.
class FrameFile {
 public:
  static Result<FrameFile> open(Storage& journal, const SegmentHeader& header);

  const SegmentHeader& header() const { return header_; }

  // The next frame in the order, and `point` moved behind it. Errc::corruption unless the frame
  // that belongs at `point` is there, Errc::newer_version.
  Result<PlacedHeader> next(ScanPoint& point);
  // The whole frame at `offset`, checked, with its payload unpacked where it is compressed; valid
  // until the next call. It must be of `lsn`.
  // Errc::corruption, Errc::newer_version.
  Result<Frame> frame(std::uint64_t offset, Lsn lsn);

 private:
  FrameFile(Storage& journal, std::unique_ptr<File> file, const SegmentHeader& header)
      : journal_(&journal), file_(std::move(file)), header_(header) {}
  Result<std::span<const std::byte>> read(std::uint64_t offset, std::size_t size);
  // Nothing where it is damaged. Errc::newer_version.
  Result<std::optional<FrameHeader>> header_at(std::uint64_t offset);
  bool continues(const Frame& frame, std::span<const std::byte> hash_before) const;
  tl::unexpected<Error> damaged(std::uint64_t offset, Lsn lsn, std::string_view reason) const;

  Storage* journal_;
  std::unique_ptr<File> file_;
  SegmentHeader header_;
  std::vector<std::uint64_t> window_;  // aligned, as payloads must be
  std::uint64_t window_at_ = 0;
  std::size_t window_bytes_ = 0;  // of it that was read
  PayloadUnpacker unpacker_;
};

}  // namespace netml::wal
