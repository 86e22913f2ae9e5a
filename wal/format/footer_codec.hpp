// The last chunk of a checkpoint file.
#pragma once

#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/time.hpp"
#include "wal/format/effects_encoder.hpp"
#include "wal/format/journal.hpp"

namespace netml::wal {

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
  bool operator==(const Footer&) const = default;
};

Status encode(const Footer& footer, MessageScratch& scratch, const PayloadConsumer& consume);
Result<Footer> decode_footer(std::span<const std::byte> payload);

}  // namespace netml::wal
