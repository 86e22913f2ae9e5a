// One frame of the journal, to the byte (rules J3, J4 and J5; docs/format/journal.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/sha256.hpp"
#include "wal/format/format.hpp"
#include "wal/format/journal.hpp"

namespace netml::wal {

struct FrameHeader {
  std::uint32_t payload_bytes = 0;
  std::uint32_t payload_crc = 0;
  std::uint8_t kind = 0;  // a format::FrameKind, or one that a newer program knows
  std::uint8_t flags = 0;
  std::uint16_t version = format::kVersion;
  std::uint32_t incarnation = 0;
  Position position;
  Lsn durable;  // highest LSN known synced when the frame was built

  bool is(format::FrameKind wanted) const { return kind == static_cast<std::uint8_t>(wanted); }
  // Watermarks and seals have no place in the one order and are not in the chain.
  bool in_order() const {
    return !is(format::FrameKind::watermark) && !is(format::FrameKind::seal);
  }
  bool last() const { return (flags & format::kLastOfTransaction) != 0; }
  bool compressed() const { return (flags & format::kCompressed) != 0; }
  bool may_be_compressed() const {
    return is(format::FrameKind::effects) && version >= format::kVersion4;
  }
  // Where the next one in the order belongs.
  Position next() const {
    return last() ? Position::after(position.lsn) : Position{position.lsn, position.ordinal + 1};
  }
  // Whether a payload may be as long as it says.
  bool is_possible() const {
    return payload_bytes % format::kPayloadAlignment == 0 &&
           payload_bytes <= format::kPayloadBytesMax;
  }
  bool operator==(const FrameHeader&) const = default;
};

// Where a frame is. Its checksum starts from this, so a frame in the wrong place is no frame.
struct FramePlace {
  NodeUuid node;
  SegmentNumber segment;
  std::uint64_t offset = 0;
};

using FrameHeaderBytes = std::span<std::byte, format::kFrameHeaderBytes>;
using ConstFrameHeaderBytes = std::span<const std::byte, format::kFrameHeaderBytes>;

void encode_frame_header(const FrameHeader& header, const FramePlace& place, FrameHeaderBytes out);
// Nothing when magic number or checksum are wrong.
std::optional<FrameHeader> decode_frame_header(ConstFrameHeaderBytes bytes,
                                               const FramePlace& place);

// Of the whole frame: header, payload, hash.
constexpr std::uint64_t frame_bytes(std::uint64_t payload_bytes) {
  return format::kFrameHeaderBytes + payload_bytes + format::kFrameHashBytes;
}

// A payload in memory of its own, aligned as payloads must be.
using OwnedPayload = std::vector<std::uint64_t>;
inline std::span<const std::byte> bytes_of(const OwnedPayload& payload) {
  return std::as_bytes(std::span(payload));
}

// The chain of hashes. Thread: its owner.
class Chain {
 public:
  // Before the first frame of a data directory.
  static Sha256 origin(const NodeUuid& node);

  explicit Chain(const Sha256& head) : head_(head) {}

  const Sha256& head() const { return head_; }
  void reset(const Sha256& head) { head_ = head; }
  Sha256 hash_payload(std::span<const std::byte> payload) { return hasher_.hash(payload); }
  // The head after a frame with this header and payload hash.
  Sha256 next(const FrameHeader& header, const Sha256& payload_hash);

 private:
  Sha256Hasher hasher_;
  Sha256 head_;
};

}  // namespace netml::wal
