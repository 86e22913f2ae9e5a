// The manifest: which checkpoints and segments make up the data directory (rule K4;
// docs/format/manifest.md). Two generations lie side by side; either alone is enough to start, and
// no file is deleted that one of them names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "wal/format/format.hpp"
#include "wal/format/journal.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// Errc::newer_version: of a file that programs from format `oldest_reader` on can read.
tl::unexpected<Error> written_by_newer(std::string_view path, std::uint16_t oldest_reader);

struct FileReference {
  std::string name;
  std::uint64_t bytes = 0;
  Sha256 sha256{};
  bool operator==(const FileReference&) const = default;
};

// One file format, two roles that have nothing to do with each other (K2).
struct CheckpointEntry {
  Lsn lsn;
  FileReference graph;
  FileReference catalog;       // private (K3)
  bool recovery_base = false;  // automatic
  bool published = false;      // an administrator's act: kept while an item names its LSN
  WallTime created_at;
  std::uint16_t format = format::kVersion;  // of the files
  std::uint64_t bytes() const { return graph.bytes + catalog.bytes; }
  bool operator==(const CheckpointEntry&) const = default;
};

struct SegmentEntry {
  SegmentNumber number;
  Lsn first_lsn;
  bool sealed = false;
  std::uint64_t bytes = 0;    // sealed or archived: of the file
  Sha256 chain{};             // sealed: after its last frame
  std::uint16_t archive = 0;  // 0: in journal/; else in archives[archive - 1]
  Sha256 sha256{};            // archived: of the file, unpacked
  bool operator==(const SegmentEntry&) const = default;
};

// A file of uploads/ that the catalog names and that is rightly not there: no damage.
enum class AbsentBecause : std::uint8_t {
  retention = 0,  // it had been removed where the directory was copied from
  left_out = 1,   // it was missing where a backup was made, and the backup was wanted all the same
};
// "gone by retention" or the like
const char* absence_text(AbsentBecause why);
struct AbsentFile {
  Sha256 sha256{};
  AbsentBecause why = AbsentBecause::retention;
  bool operator==(const AbsentFile&) const = default;
};

struct Manifest {
  // Of all that is written into the directory. Older files in it keep theirs.
  std::uint16_t format = format::kVersion;
  NodeUuid node;
  std::uint64_t generation = 0;
  std::uint32_t incarnation = 0;             // of the last start that wrote
  Lsn durable;                               // known when it was written
  bool clean_stop = false;                   // nothing was written after it
  bool test_mode = false;                    // created in test mode (L5)
  std::vector<CheckpointEntry> checkpoints;  // newest first
  std::vector<SegmentEntry> segments;    // ascending; the last is in use, or sealed by a clean stop
  std::vector<std::string> archives;     // directories that segments were moved to
  std::vector<AbsentFile> absent_files;  // ascending by hash
  bool operator==(const Manifest&) const = default;
};

// That of the oldest program which can open the directory: one that does not know archived segments
// must not.
std::uint16_t oldest_reader(const Manifest& manifest);

// The published one at `lsn`; null when there is none.
const CheckpointEntry* find_published(const std::vector<CheckpointEntry>& checkpoints, Lsn lsn);

// Whether one of them has the file of this name.
bool names_file(const std::vector<CheckpointEntry>& checkpoints, std::string_view file);

// Null when it should be there.
const AbsentFile* find_absent(const Manifest& manifest, const Sha256& file);

std::vector<std::byte> encode_manifest(const Manifest& manifest);
// Errc::corruption, Errc::newer_version; `path` is for the message.
Result<Manifest> decode_manifest(std::span<const std::byte> bytes, std::string_view path);

struct LoadedManifest {
  Manifest manifest;
  std::optional<Manifest> previous;   // the other generation, if it can be read
  std::vector<std::string> warnings;  // what is wrong with the other one
};

// The newer of the two that can be read; nothing when there is none at all. Errc::corruption when
// there are some but none can be read, Errc::newer_version when one is of a newer version.
Result<std::optional<LoadedManifest>> load_manifest(Storage& data);

bool is_manifest_name(std::string_view name);
// Of the file that a generation is in.
std::string_view manifest_name(std::uint64_t generation);

// Writes `manifest` over the older of the two, durably.
Status save_manifest(Storage& data, const Manifest& manifest);

}  // namespace netml::wal
