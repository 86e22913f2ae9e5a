// The last chunk of a checkpoint file.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/time.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/journal.hpp"

namespace netml::wal {

struct BodySection {
  std::uint64_t offset = 0;  // in the file
  std::uint64_t bytes = 0;
  bool operator==(const BodySection&) const = default;
};

// Where the sections of a graph's body are (docs/format/checkpoint.md), and what proves them.
struct GraphBody {
  std::vector<BodySection> sections;
  std::uint32_t piece_bytes = 0;
  std::vector<std::uint32_t> checksums;  // CRC32C of each piece
  std::vector<RecordId> mains;
  engine::Digest number_digest;
  bool operator==(const GraphBody&) const = default;
};

struct Footer {
  Head head;
  Lsn state_lsn;
  WallTime effective_time;
  engine::Digest digest;  // of this file's part of the state
  std::uint64_t chunks = 0;
  std::vector<std::uint64_t> counts;  // records by kind, or entries by table
  RecordId next_id;
  RecordNumber next_number;
  std::vector<std::uint64_t> next_entries;  // by table
  std::optional<GraphBody> body;            // of a graph since version 4
  bool operator==(const Footer&) const = default;
};

Status encode(const Footer& footer, MessageScratch& scratch, const PayloadConsumer& consume);
Result<Footer> decode_footer(std::span<const std::byte> payload);

}  // namespace netml::wal
