// What a store can be opened with.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "engine/base/ed25519.hpp"
#include "engine/base/parallel.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/journal/journal_writer.hpp"
#include "wal/storage/zstd_block.hpp"

namespace netml::wal {

class GroupLog;

struct StoreOptions {
  JournalOptions journal;
  int stored_file_level = kCompressionLevel;  // of files that are kept; 0 = none
  // For large transactions and checkpoints; must outlive the store. None: all on one thread.
  Parallel* parallel = nullptr;
  DataMode mode = DataMode::normal;               // of a data directory that is created now
  std::size_t checkpoints_kept = 2;               // recovery bases; at least 2 (K5)
  std::uint64_t checkpoint_bytes = 256ULL << 20;  // K6
  std::chrono::nanoseconds checkpoint_interval = std::chrono::minutes(15);  // K6
  std::uint64_t ballast_bytes = 64ULL << 20;                                // E3; 0 = none
  // E3: the floor; on a small disk, a twentieth of it.
  std::uint64_t free_bytes_min = 1ULL << 30;
  // The largest checkpoint that is proved before it is shown; a larger one while it is.
  std::uint64_t proved_bytes = 16ULL << 20;
  // Of a member of a cluster; must outlive the store. None: a node alone.
  GroupLog* group_log = nullptr;
  std::optional<Ed25519Seed> signing_key = {};  // signs every checkpoint and published state
};

}  // namespace netml::wal
