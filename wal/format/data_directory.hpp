// The data directory: its parts, how it is made and locked, and the files kept beside the journal.
//
//   LOCK                    who has it
//   manifest-0, manifest-1  what belongs to it
//   ballast                 space for when the disk is full
//   journal/                segments
//   checkpoints/            whole states
//   uploads/                files that were imported, by SHA-256 (wal/format/stored_files.hpp)
//   index/                  derived from segments; made when it is wanted
//   quarantine/             bytes that recovery set aside
//   tmp/                    unfinished uploads; emptied at every start
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/ids.hpp"
#include "engine/base/random.hpp"
#include "engine/base/time.hpp"
#include "wal/format/manifest.hpp"
#include "wal/format/stored_files.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

inline constexpr std::string_view kLockFile = "LOCK";
inline constexpr std::string_view kBallastFile = "ballast";
inline constexpr std::string_view kJournalDirectory = "journal";
inline constexpr std::string_view kCheckpointDirectory = "checkpoints";
inline constexpr std::string_view kUploadDirectory = "uploads";
inline constexpr std::string_view kQuarantineDirectory = "quarantine";
inline constexpr std::string_view kTemporaryDirectory = "tmp";

struct DataDirectory {
  Storage* root = nullptr;  // not owned
  std::unique_ptr<Storage> journal;
  std::unique_ptr<Storage> checkpoints;
  std::unique_ptr<Storage> uploads;
  std::unique_ptr<Storage> quarantine;
  std::unique_ptr<Storage> temporary;
};

enum class DataMode : std::uint8_t { normal, test };  // test: may be flushed (L5)

// Makes the directory `name` in `parent`, complete or not at all: under another name first.
Status create_data_directory(Storage& parent, std::string_view name, Random& random,
                             DataMode mode = DataMode::normal);

// Whether `data` is empty, or holds only what an interrupted initialise() leaves. A directory that
// holds anything else, or that cannot be read, is not new.
Result<bool> is_new(Storage& data);

// Whether `data` is something else's directory: not new, and without a trace of a data directory.
Result<bool> is_foreign(Storage& data);

// The directories of a data directory; not the manifests, without which it is none.
Status make_parts(Storage& data);
// Its first manifests: two of one content, so that from the first moment one of them may be lost.
Status save_first_manifests(Storage& data, Manifest manifest);

// Builds a data directory in `data`, which is new; the manifest comes last.
Status initialise(Storage& data, Random& random, DataMode mode = DataMode::normal);

Result<DataDirectory> open_data_directory(Storage& data);

// Removes what a crash left unfinished: everything in tmp/, and temporary files elsewhere.
Status remove_unfinished(DataDirectory& data);

// Moves the file `name` of tmp/ to uploads/, under the SHA-256 of its content. It is durable there
// when this succeeds; only then may a transaction name it.
Status keep_upload(DataDirectory& data, std::string_view name, const Sha256& hash,
                   StoredAs how = StoredAs::itself);
// For reading. Errc::not_found when it is not kept (any more).
Result<std::unique_ptr<File>> open_upload(DataDirectory& data, const Sha256& hash);
// Removes the stored files whose SHA-256, in hexadecimal, is not wanted; how many.
Result<std::size_t> remove_uploads(DataDirectory& data,
                                   const std::function<bool(const std::string& hash)>& wanted);

// ---- the lock that keeps a data directory to one process (rule L1) ----
// The file LOCK is never deleted: a new one could be locked beside the old.

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
