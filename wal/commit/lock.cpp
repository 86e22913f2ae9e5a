#include "wal/commit/lock.hpp"

#include <fmt/format.h>

#include "wal/format/data_directory.hpp"

namespace netml::wal {

Result<std::unique_ptr<FileLock>> lock_data_directory(Storage& data, const LockHolder& holder) {
  NETML_TRY(std::unique_ptr<FileLock> lock, data.lock(kLockFile));
  Status described =
      lock->describe(fmt::format("process {}, version {}, since {}\n", holder.pid, holder.version,
                                 format_instant(holder.started.instant())));
  // It is for messages only: a full disk keeps nobody from the data.
  if (!described && described.error().code != Errc::no_space)
    return tl::make_unexpected(std::move(described).error());
  return lock;
}

Result<std::unique_ptr<FileLock>> lock_for_reading(Storage& data) {
  auto lock = data.lock_for_reading(kLockFile);
  if (!lock && lock.error().code == Errc::not_found) return nullptr;
  return lock;
}

}  // namespace netml::wal
