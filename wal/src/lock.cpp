#include "wal/lock.hpp"

#include <fmt/format.h>

#include "wal/data_directory.hpp"

namespace netml::wal {

Result<std::unique_ptr<FileLock>> lock_data_directory(Storage& data, const LockHolder& holder) {
  NETML_TRY(std::unique_ptr<FileLock> lock, data.lock(kLockFile));
  NETML_TRY_VOID(
      lock->describe(fmt::format("process {}, version {}, since {}\n", holder.pid, holder.version,
                                 format_instant(holder.started.instant()))));
  return lock;
}

}  // namespace netml::wal
