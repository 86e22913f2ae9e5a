#include "wal/format/data_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/sha256.hpp"
#include "wal/format/manifest.hpp"

namespace netml::wal {

namespace {

constexpr std::array kDirectories{kJournalDirectory, kCheckpointDirectory, kUploadDirectory,
                                  kQuarantineDirectory, kTemporaryDirectory};

// A random identity in the form of RFC 4122, version 4.
NodeUuid make_uuid(Random& random) {
  NodeUuid node;
  random.fill(node.bytes);
  node.bytes[6] = (node.bytes[6] & std::byte{0x0f}) | std::byte{0x40};
  node.bytes[8] = (node.bytes[8] & std::byte{0x3f}) | std::byte{0x80};
  return node;
}

Status make_if_absent(Storage& parent, std::string_view name) {
  Status made = parent.make_directory(name);
  if (!made && made.error().code != Errc::conflict) return made;
  return {};
}

// Empties a directory of files; used on what nobody was notified of.
Status remove_files(Storage& directory) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, directory.list());
  for (const DirectoryEntry& entry : entries)
    if (!entry.directory) NETML_TRY_VOID(directory.unlink(entry.name));
  return {};
}

}  // namespace

Status create_data_directory(Storage& parent, std::string_view name, Random& random,
                             DataMode mode) {
  const std::string temporary = temporary_name(name);
  NETML_TRY_VOID(make_if_absent(parent, temporary));
  {
    NETML_TRY(const std::unique_ptr<Storage> data, parent.open_directory(temporary));
    NETML_TRY_VOID(remove_files(*data));  // of an attempt that a crash ended
    NETML_TRY_VOID(initialise(*data, random, mode));
  }
  NETML_TRY_VOID(parent.rename(temporary, name));
  return parent.sync();
}

Result<bool> is_new(Storage& data) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, data.list());
  for (const DirectoryEntry& entry : entries) {
    if (!entry.directory) {
      if (entry.name == kLockFile || entry.name.ends_with(kTemporarySuffix)) continue;
      return false;
    }
    if (std::ranges::find(kDirectories, entry.name) == kDirectories.end()) return false;
    NETML_TRY(const std::unique_ptr<Storage> directory, data.open_directory(entry.name));
    NETML_TRY(const std::vector<DirectoryEntry> inside, directory->list());
    if (!inside.empty()) return false;
  }
  return true;
}

Result<bool> is_foreign(Storage& data) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, data.list());
  for (const DirectoryEntry& entry : entries) {
    const bool journal = entry.directory && entry.name == kJournalDirectory;
    if (journal || is_manifest_name(entry.name)) return false;
  }
  NETML_TRY(const bool fresh, is_new(data));
  return !fresh;
}

Status make_parts(Storage& data) {
  for (const std::string_view name : kDirectories) NETML_TRY_VOID(make_if_absent(data, name));
  return data.sync();
}

Status save_first_manifests(Storage& data, Manifest manifest) {
  for (manifest.generation = 1; manifest.generation <= 2; ++manifest.generation)
    NETML_TRY_VOID(save_manifest(data, manifest));
  return {};
}

Status initialise(Storage& data, Random& random, DataMode mode) {
  NETML_TRY_VOID(make_parts(data));
  Manifest manifest;
  manifest.node = make_uuid(random);
  manifest.test_mode = mode == DataMode::test;
  manifest.clean_stop = true;
  return save_first_manifests(data, std::move(manifest));
}

Result<DataDirectory> open_data_directory(Storage& data) {
  DataDirectory directory;
  directory.root = &data;
  NETML_TRY(directory.journal, data.open_directory(kJournalDirectory));
  NETML_TRY(directory.checkpoints, data.open_directory(kCheckpointDirectory));
  NETML_TRY(directory.uploads, data.open_directory(kUploadDirectory));
  NETML_TRY(directory.quarantine, data.open_directory(kQuarantineDirectory));
  NETML_TRY(directory.temporary, data.open_directory(kTemporaryDirectory));
  return directory;
}

Status remove_unfinished(DataDirectory& data) {
  NETML_TRY_VOID(remove_files(*data.temporary));
  for (Storage* directory : {data.root, data.journal.get(), data.checkpoints.get(),
                             data.uploads.get(), data.quarantine.get()})
    NETML_TRY_VOID(remove_temporary_files(*directory));
  return {};
}

Status keep_upload(DataDirectory& data, std::string_view name, const Sha256& hash, StoredAs how) {
  {
    NETML_TRY(const std::unique_ptr<File> file, data.temporary->open(name, OpenMode::write));
    NETML_TRY_VOID(file->sync());
  }
  NETML_TRY_VOID(data.temporary->move_to(name, *data.uploads, stored_name(hash, how)));
  return data.uploads->sync();
}

Result<std::unique_ptr<File>> open_upload(DataDirectory& data, const Sha256& hash) {
  return open_stored(*data.uploads, hash);
}

Result<std::size_t> remove_uploads(DataDirectory& data,
                                   const std::function<bool(const std::string& hash)>& wanted) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, data.uploads->list());
  std::size_t removed = 0;
  for (const DirectoryEntry& entry : entries) {
    if (entry.directory || entry.name.ends_with(kTemporarySuffix) ||
        wanted(std::string(hash_in_name(entry.name))))
      continue;
    NETML_TRY_VOID(data.uploads->unlink(entry.name));
    ++removed;
  }
  if (removed != 0) NETML_TRY_VOID(data.uploads->sync());
  return removed;
}

// ---- the lock ----

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
