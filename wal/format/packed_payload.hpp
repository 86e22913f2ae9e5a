// Payloads of EFFECTS frames compressed with Zstandard, and back (docs/format/journal.md).
// Checksums and hashes are those of what is stored; COMMIT counts it, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/result.hpp"
#include "wal/format/frame.hpp"
#include "wal/storage/zstd_block.hpp"

namespace netml::wal {

// Thread: its owner.
class PayloadPacker {
 public:
  explicit PayloadPacker(int level) : packer_(level, BlockPacker::Checksum::none) {}

  // What a frame with the flag kCompressed holds for `payload`, valid until the next call. Nothing
  // where that would not be smaller by a fifth.
  Result<std::optional<std::span<const std::byte>>> pack(std::span<const std::byte> payload);

 private:
  BlockPacker packer_;
  OwnedPayload packed_;
};

// How long the payload of a frame is, unpacked. What a damaged one says is never above the limit of
// payloads.
std::uint64_t content_bytes(const FrameHeader& header, std::span<const std::byte> payload);

// Thread: its owner.
class PayloadUnpacker {
 public:
  // The payload, unpacked where it is compressed; valid until the next call, and no longer than
  // `payload`. Errc::corruption; no more memory is taken than a payload may have.
  Result<std::span<const std::byte>> content(const FrameHeader& header,
                                             std::span<const std::byte> payload);
  // The same of one that is compressed, in memory of its own.
  Result<OwnedPayload> unpack(const FrameHeader& header, std::span<const std::byte> payload);

 private:
  Status unpack_into(const FrameHeader& header, std::span<const std::byte> payload,
                     OwnedPayload& out);

  BlockUnpacker unpacker_;
  OwnedPayload content_;
};

}  // namespace netml::wal
