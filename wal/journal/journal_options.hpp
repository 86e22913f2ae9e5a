// How a journal is written.
#pragma once

#include <cstdint>

#include "wal/format/format.hpp"
#include "wal/storage/zstd_block.hpp"

namespace netml::wal {

struct JournalOptions {
  std::uint64_t segment_bytes = format::kSegmentBytes;
  int compression_level = kCompressionLevel;  // of large transactions; 0 = none
  bool compresses_small = false;              // those of few records, too: for tests
};

}  // namespace netml::wal
