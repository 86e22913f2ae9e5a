#include "wal/journal/archive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/sha256.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/zstd_file.hpp"

namespace netml::wal {

namespace {

constexpr std::string_view kHashSuffix = ".sha256";

class Packing {
 public:
  Packing(Storage& journal, Storage& archive) : journal_(journal), archive_(archive) {}

  // Completes the entry; afterwards the segment is durable in the archive. What may follow the
  // bytes that count, since a crash came before it was cut off, stays behind.
  Status run(SegmentEntry& entry) {
    const std::string name = segment_name(entry.first_lsn, entry.number);
    NETML_TRY(const std::unique_ptr<File> segment, journal_.open(name, OpenMode::read));
    NETML_TRY(const std::uint64_t bytes, segment->size());
    if (!entry.sealed) entry.bytes = bytes;  // nobody noted how much of it counts
    if (bytes < entry.bytes)
      return fail(Errc::corruption, fmt::format("{}: the file has {} bytes, the manifest knows {}",
                                                segment->path(), bytes, entry.bytes));
    NETML_TRY(const bool there, is_there(entry, *segment));
    if (!there) NETML_TRY_VOID(write(entry, *segment));
    NETML_TRY(entry.sha256, hash_file(*segment, entry.bytes));
    const std::string line = fmt::format("{}  {}\n", to_hex(entry.sha256), name);
    return replace_file(archive_, name + std::string(kHashSuffix), std::as_bytes(std::span(line)));
  }

  Result<std::uint64_t> compressed_bytes(const SegmentEntry& entry) {
    NETML_TRY(const auto file, archive_.open(compressed_name(entry), OpenMode::read));
    return file->size();
  }

 private:
  // From an attempt that a crash ended before the manifest said so.
  Result<bool> is_there(const SegmentEntry& entry, File& segment) {
    auto compressed = archive_.open(compressed_name(entry), OpenMode::read);
    if (!compressed && compressed.error().code == Errc::not_found) return false;
    if (!compressed) return tl::unexpected(compressed.error());
    const auto file = unpacked(*std::move(compressed), entry.bytes);
    const Result<Sha256> archived = hash_file(*file, entry.bytes);
    NETML_TRY(const Sha256 here, hash_file(segment, entry.bytes));
    if (archived && *archived == here) return true;
    return fail(Errc::conflict,
                fmt::format("{} is there already, with other content: name a directory that no "
                            "other node archives to; nothing was moved",
                            file->path()));
  }

  Status write(const SegmentEntry& entry, File& segment) {
    const std::string name = compressed_name(entry);
    const std::string temporary = temporary_name(name);
    Sha256 compressed_hash;
    {
      NETML_TRY(const auto file, archive_.open(temporary, OpenMode::create_empty));
      NETML_TRY(compressed_hash, pack(segment, entry.bytes, *file));
      NETML_TRY_VOID(file->sync());
    }
    NETML_TRY(auto again, archive_.open(temporary, OpenMode::read));
    const auto file = unpacked(std::move(again), entry.bytes);
    NETML_TRY(const Sha256 read_back, hash_file(*file, entry.bytes));
    if (read_back != compressed_hash)
      return fail(Errc::io_error, fmt::format("{}: what was written reads back differently; the "
                                              "segment stays where it is",
                                              file->path()));
    NETML_TRY_VOID(archive_.rename(temporary, name));
    return archive_.sync();
  }

  Storage& journal_;
  Storage& archive_;
};

}  // namespace

std::string compressed_name(const SegmentEntry& entry) {
  return segment_name(entry.first_lsn, entry.number) + ".zst";
}

std::vector<SegmentEntry> archivable_segments(const Manifest& manifest) {
  std::vector<Lsn> bases;
  for (const CheckpointEntry& entry : manifest.checkpoints)
    if (entry.recovery_base) bases.push_back(entry.lsn);
  if (bases.size() < 2) return {};
  const Lsn oldest = *std::ranges::min_element(bases);
  std::vector<SegmentEntry> segments;
  for (std::size_t i = 0; i + 1 < manifest.segments.size(); ++i) {
    const SegmentEntry& entry = manifest.segments[i];
    if (manifest.segments[i + 1].first_lsn > oldest) break;
    if (entry.archive == 0) segments.push_back(entry);
  }
  return segments;
}

Result<ArchivedSegments> pack_segments(Storage& data, const Manifest& manifest,
                                       const std::string& path, const ReportWork& report) {
  NETML_TRY(const auto journal, data.open_directory(kJournalDirectory));
  NETML_TRY(const auto archive, data.open_elsewhere(path));
  ArchivedSegments compressed;
  compressed.directory = path;
  Packing packing(*journal, *archive);
  const std::vector<SegmentEntry> wanted = archivable_segments(manifest);
  compressed.segments.reserve(wanted.size());
  for (SegmentEntry entry : wanted) {
    if (report)
      report({.unit = WorkUnit::files, .done = compressed.segments.size(), .total = wanted.size()});
    NETML_TRY_VOID(packing.run(entry));
    NETML_TRY(const std::uint64_t bytes, packing.compressed_bytes(entry));
    compressed.bytes += entry.bytes;
    compressed.compressed_bytes += bytes;
    compressed.segments.push_back(entry);
  }
  return compressed;
}

}  // namespace netml::wal
