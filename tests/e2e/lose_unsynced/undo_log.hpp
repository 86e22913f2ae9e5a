// What lose_unsynced.cpp writes down and lost_writes.cpp reverts: one record before each change
// of a file or name, and one after each sync. A record is this header, two names and the bytes.
#pragma once

#include <cstdint>

namespace netml::e2e::undo {

// Variables of the watched process: the directory to watch, and the folder of the log.
inline constexpr const char* kDataVariable = "LOSE_UNSYNCED_DATA";
inline constexpr const char* kLogVariable = "LOSE_UNSYNCED_LOG";

inline constexpr const char* kLogName = "log";
// Beside the log, a file `<inode>` is another name of each file that was touched, so that it can be
// found again and its number is not given to another.

enum class What : std::uint32_t {
  bytes,   // `bytes` stood at `offset` of a file of `size` bytes
  create,  // `file` gets `name` in `directory`
  unlink,  // and loses it
  rename,  // `name` in `directory` becomes `target` in `target_directory`; `replaced` was there
  synced,  // all that stands in the log before `offset` and concerns `file` is durable
};

struct Record {
  What what = What::bytes;
  std::uint32_t name_bytes = 0;
  std::uint32_t target_bytes = 0;
  std::uint32_t bytes = 0;
  std::uint64_t file = 0;  // inodes
  std::uint64_t directory = 0;
  std::uint64_t target_directory = 0;
  std::uint64_t replaced = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

}  // namespace netml::e2e::undo
