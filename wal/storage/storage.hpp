// The seam between the journal and the operating system. Production runs on PosixStorage, fault
// tests on a simulated disk; the code above is the same.
//
// A Storage is one directory; names are single path components. An error keeps the text of errno
// and the path; its code says what to do:
//   no_space     ENOSPC, EDQUOT
//   not_found    no such file or directory
//   conflict     exists already, or is locked by another process
//   denied       no permission, or a read-only file system
//   unavailable  no descriptor or memory is left; may pass
//   io_error     anything else, and every failed sync
//
// Thread: a Storage any; a File one thread at a time, but read() of one that was mapped any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/result.hpp"
#include "wal/storage/mapping.hpp"

namespace netml::wal {

class File {
 public:
  virtual ~File() = default;

  // Fills `bytes` from `offset`; returns how many there were before the end of the file.
  virtual Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> bytes) = 0;
  // Writes all of `bytes`, or fails; then part of it may be written.
  virtual Status write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  // Takes room on the disk for the first `bytes`; what was not written of them reads as zeros.
  virtual Status reserve(std::uint64_t bytes);
  virtual Status truncate(std::uint64_t size) = 0;
  virtual Result<std::uint64_t> size() = 0;
  // All of it as it is now; at an address that is a multiple of 4096. Unless the system can map the
  // file, a copy.
  virtual Result<std::shared_ptr<const Mapping>> map();
  // fdatasync: content and length are durable when it succeeds. After a failure it must not be
  // called again for this file.
  virtual Status sync_data() = 0;
  // fsync: the same, with all metadata.
  virtual Status sync() = 0;
  // For messages.
  virtual const std::string& path() const = 0;
};

// Held until destroyed. The file stays.
class FileLock {
 public:
  virtual ~FileLock() = default;
  // Replaces what the file says about its holder.
  virtual Status describe(std::string_view holder) = 0;
};

struct Space {
  std::uint64_t free_bytes = 0;  // for this user
  std::uint64_t total_bytes = 0;
  bool network_file_system = false;  // locks and syncs may not be what they seem
};

struct DirectoryEntry {
  std::string name;
  bool directory = false;
  bool operator==(const DirectoryEntry&) const = default;
};

enum class OpenMode : std::uint8_t {
  read,          // must exist
  write,         // must exist
  create_new,    // must not exist
  create_empty,  // made, or emptied
};

class Storage {
 public:
  virtual ~Storage() = default;

  virtual Result<std::unique_ptr<File>> open(std::string_view name, OpenMode mode) = 0;
  // A directory in this one; it must exist.
  virtual Result<std::unique_ptr<Storage>> open_directory(std::string_view name) = 0;
  // A directory anywhere, by its path; it must exist. Links on the way are followed.
  virtual Result<std::unique_ptr<Storage>> open_elsewhere(const std::string& path) = 0;
  virtual Status make_directory(std::string_view name) = 0;
  // Within this directory; replaces what has the new name.
  virtual Status rename(std::string_view from, std::string_view to) = 0;
  // Takes a file of this directory into `target`, replacing what has the new name.
  virtual Status move_to(std::string_view from, Storage& target, std::string_view to) = 0;
  virtual Status unlink(std::string_view name) = 0;
  // Sorted by name, without "." and "..".
  virtual Result<std::vector<DirectoryEntry>> list() = 0;
  // fsync of the directory: names that came, went or changed are durable when it succeeds.
  virtual Status sync() = 0;
  virtual Result<Space> space() = 0;
  // Creates the file if needed. Errc::conflict with the holder's description if it is held.
  virtual Result<std::unique_ptr<FileLock>> lock(std::string_view name) = 0;
  // Together with others that only read; the file must exist. Errc::conflict as above.
  virtual Result<std::unique_ptr<FileLock>> lock_for_reading(std::string_view name) = 0;
  // Fails when others could tamper with the directory: not ours, or writable by group or others.
  virtual Status check_private() = 0;
  // Fails when others could read the file.
  virtual Status check_secret(std::string_view name) = 0;
  virtual const std::string& path() const = 0;
};

// ---- what follows is made of the above ----

// The whole file; Errc::too_large beyond `bytes_max`.
Result<std::vector<std::byte>> read_file(Storage& storage, std::string_view name,
                                         std::uint64_t bytes_max);

// Replaces `name` by `bytes`, atomically and durably: written under a temporary name, synced, read
// back and compared, renamed, directory synced.
Status replace_file(Storage& storage, std::string_view name, std::span<const std::byte> bytes);

// Names with this ending are unfinished files, removed at the next start.
inline constexpr std::string_view kTemporarySuffix = ".tmp";
std::string temporary_name(std::string_view name);
Status remove_temporary_files(Storage& storage);

// Fails with Errc::corruption unless all of `bytes` could be read.
Status read_exactly(File& file, std::uint64_t offset, std::span<std::byte> bytes);
// Of the first `bytes`; Errc::corruption when there are fewer.
Result<Sha256> hash_file(File& file, std::uint64_t bytes);
Result<Sha256> hash_file(File& file, std::uint64_t bytes, Parallel& parallel);
// Writes zeros from the beginning on.
Status fill_with_zeros(File& file, std::uint64_t bytes);

// Copies a file to a directory that has none of its name; durable with the next sync of that.
Status copy_file(Storage& from, Storage& to, std::string_view name);
// The first `bytes` of it, then zeros up to `length`.
Status copy_beginning(Storage& from, Storage& to, std::string_view name, std::uint64_t bytes,
                      std::uint64_t length);

}  // namespace netml::wal
