// The lock that keeps a data directory to one process (rule L1). The file LOCK is never deleted: a
// new one could be locked beside the old.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/time.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct LockHolder {
  std::uint64_t pid = 0;
  WallTime started;
  std::string version;
};

// Held until the result is destroyed. Errc::conflict, naming the holder, when another process has
// it: whether that one answers is for the caller to find out.
Result<std::unique_ptr<FileLock>> lock_data_directory(Storage& data, const LockHolder& holder);

// For a process that only reads, together with others of that kind. None when the file LOCK is
// missing: then nobody has ever opened the directory for writing.
Result<std::unique_ptr<FileLock>> lock_for_reading(Storage& data);

}  // namespace netml::wal
