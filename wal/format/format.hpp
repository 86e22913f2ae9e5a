// The constants of the files in the data directory: what writer, reader and docs/format/ share.
// Nothing else belongs here. All numbers on disk are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace netml::wal::format {

// The version of a file is also that of the oldest program that can read it. What a data directory
// has is said by its manifest, and all that is written there has it (docs/format/README.md).
inline constexpr std::uint16_t kVersion1 = 1;
inline constexpr std::uint16_t kVersion2 = 2;  // manifests of version 1 with archived segments
inline constexpr std::uint16_t kVersion3 = 3;  // records may have more fields than sixteen
inline constexpr std::uint16_t kVersion4 = 4;  // graphs used where they lie, compressed effects
inline constexpr std::uint16_t kVersion = kVersion4;

// ---- journal segments (docs/format/journal.md) ----
inline constexpr std::uint64_t kSegmentMagic = 0x314e524a4c4d544e;  // "NTMLJRN1"
inline constexpr std::size_t kSegmentHeaderBytes = 4096;
inline constexpr std::uint64_t kSegmentBytes = 64ULL << 20;

// What a disk loses at once. A watermark begins in another sector than the frames it vouches for.
inline constexpr std::size_t kSectorBytes = 512;

inline constexpr std::uint32_t kFrameMagic = 0x4d52464e;  // "NFRM"
inline constexpr std::size_t kFrameHeaderBytes = 48;
inline constexpr std::size_t kFrameHashBytes = 32;
inline constexpr std::size_t kPayloadAlignment = 8;
inline constexpr std::size_t kPayloadBytesMax = 4U << 20;

enum class FrameKind : std::uint8_t {
  effects = 1,     // part of a transaction
  commit = 2,      // the last frame of a transaction that counts
  abort = 3,       // the last frame of a transaction that does not
  watermark = 16,  // how far the journal is known to be durable; no place in the order
  seal = 17,       // the last frame of a full segment; no place in the order
};

// Frame flags.
inline constexpr std::uint8_t kFirstOfTransaction = 1;
inline constexpr std::uint8_t kLastOfTransaction = 2;
inline constexpr std::uint8_t kCompressed = 4;  // EFFECTS only, since version 4

// Before the frame of Zstandard in a compressed payload: bytes of the content, bytes of the frame.
inline constexpr std::size_t kPackedHeaderBytes = 8;

// ---- checkpoints (docs/format/checkpoint.md) ----
inline constexpr std::uint64_t kCheckpointMagic = 0x31504b434c4d544e;  // "NTMLCKP1"
inline constexpr std::size_t kCheckpointHeaderBytes = 64;
inline constexpr std::uint32_t kChunkMagic = 0x4b4e4843;  // "CHNK"
inline constexpr std::size_t kChunkHeaderBytes = 32;

// Of a graph since version 4: what lies between its header and its footer is checked by pieces of
// so many bytes: few, since a start looks at single records that lie far apart, as those of all
// topologies do.
inline constexpr std::size_t kBodyPieceBytes = 16U << 10;
inline constexpr std::size_t kBodyAlignment = 8;            // of each section
inline constexpr std::uint32_t kTrailerMagic = 0x4c52544e;  // "NTRL"
inline constexpr std::size_t kTrailerBytes = 16;

enum class ChunkKind : std::uint8_t {
  effects = 1,  // records with their numbers, or catalog entries
  footer = 2,   // the last chunk
};

// What a checkpoint file holds.
enum class CheckpointPart : std::uint8_t {
  graph = 1,    // may be published
  catalog = 2,  // private: tokens, settings, import records
};

// ---- manifest (docs/format/manifest.md) ----
inline constexpr std::uint64_t kManifestMagic = 0x3146494e4d4d544e;  // "NTMMNIF1"
inline constexpr std::size_t kManifestHeaderBytes = 32;
inline constexpr std::size_t kManifestBytesMax = 64U << 20;

}  // namespace netml::wal::format
