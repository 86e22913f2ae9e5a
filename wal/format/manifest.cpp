#include "wal/format/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "wal/format/format.hpp"
#include "wal/format/message.hpp"
#include "wal/schema/wal.capnp.h"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {

constexpr std::size_t kManifestMagicAt = 0;
constexpr std::size_t kManifestVersionAt = 8;
constexpr std::size_t kManifestOldestReaderAt = 10;
constexpr std::size_t kManifestPayloadBytesAt = 16;
constexpr std::size_t kManifestPayloadCrcAt = 20;
constexpr std::size_t kManifestHeaderCrcAt = 28;

constexpr std::array<std::string_view, 2> kNames{"manifest-0", "manifest-1"};

// Generous, with the tag of a list.
constexpr std::size_t kManifestRootWords = 64;
constexpr std::size_t kCheckpointWords = 48;
constexpr std::size_t kSegmentWords = 24;
constexpr std::size_t kAbsentFileWords = 8;

std::size_t words_of(const Manifest& manifest) {
  std::size_t words = kManifestRootWords + manifest.segments.size() * kSegmentWords +
                      manifest.absent_files.size() * kAbsentFileWords;
  for (const CheckpointEntry& entry : manifest.checkpoints)
    words += kCheckpointWords + text_words(entry.graph.name.size()) +
             text_words(entry.catalog.name.size());
  for (const std::string& archive : manifest.archives) words += 1 + text_words(archive.size());
  return words;
}

void encode(const FileReference& file, schema::FileReference::Builder out) {
  put_bytes<&schema::FileReference::Builder::initName>(out, file.name);
  out.setBytes(file.bytes);
  put_bytes<&schema::FileReference::Builder::initSha256>(out, file.sha256);
}

void encode(const CheckpointEntry& entry, schema::Checkpoint::Builder out) {
  out.setLsn(entry.lsn.value);
  encode(entry.graph, out.initGraph());
  encode(entry.catalog, out.initCatalog());
  out.setRecoveryBase(entry.recovery_base);
  out.setPublished(entry.published);
  out.setCreatedAt(entry.created_at.microseconds);
  out.setFormat(entry.format);
}

void encode(const SegmentEntry& entry, schema::Segment::Builder out) {
  out.setNumber(entry.number.value);
  out.setFirstLsn(entry.first_lsn.value);
  out.setSealed(entry.sealed);
  out.setBytes(entry.bytes);
  put_bytes<&schema::Segment::Builder::initChainHash>(out, entry.chain);
  if (entry.archive == 0) return;
  out.setArchive(entry.archive);
  put_bytes<&schema::Segment::Builder::initSha256>(out, entry.sha256);
}

void encode(const AbsentFile& file, schema::AbsentFile::Builder out) {
  put_bytes<&schema::AbsentFile::Builder::initSha256>(out, file.sha256);
  out.setWhy(static_cast<std::uint8_t>(file.why));
}

void encode(const Manifest& manifest, schema::Manifest::Builder out) {
  put_bytes<&schema::Manifest::Builder::initNode>(out, manifest.node.bytes);
  out.setGeneration(manifest.generation);
  out.setIncarnation(manifest.incarnation);
  out.setDurableLsn(manifest.durable.value);
  out.setCleanStop(manifest.clean_stop);
  out.setTestMode(manifest.test_mode);
  auto checkpoints = out.initCheckpoints(static_cast<unsigned>(manifest.checkpoints.size()));
  for (unsigned i = 0; i < checkpoints.size(); ++i) encode(manifest.checkpoints[i], checkpoints[i]);
  auto segments = out.initSegments(static_cast<unsigned>(manifest.segments.size()));
  for (unsigned i = 0; i < segments.size(); ++i) encode(manifest.segments[i], segments[i]);
  if (!manifest.absent_files.empty()) {
    auto files = out.initAbsentFiles(static_cast<unsigned>(manifest.absent_files.size()));
    for (unsigned i = 0; i < files.size(); ++i) encode(manifest.absent_files[i], files[i]);
  }
  if (manifest.archives.empty()) return;
  auto archives = out.initArchives(static_cast<unsigned>(manifest.archives.size()));
  for (unsigned i = 0; i < archives.size(); ++i) {
    const std::string& path = manifest.archives[i];
    copy_bytes(archives.init(i, static_cast<unsigned>(path.size())), path.data(), path.size());
  }
}

Result<FileReference> decode(schema::FileReference::Reader in) {
  FileReference file{std::string(view(in.getName())), in.getBytes(), {}};
  NETML_TRY(file.sha256, read_hash(in.getSha256()));
  return file;
}

Result<CheckpointEntry> decode(schema::Checkpoint::Reader in) {
  CheckpointEntry entry;
  entry.lsn = Lsn{in.getLsn()};
  NETML_TRY(entry.graph, decode(in.getGraph()));
  NETML_TRY(entry.catalog, decode(in.getCatalog()));
  entry.recovery_base = in.getRecoveryBase();
  entry.published = in.getPublished();
  entry.created_at = WallTime{in.getCreatedAt()};
  entry.format = std::max(in.getFormat(), format::kVersion1);
  return entry;
}

Result<SegmentEntry> decode(schema::Segment::Reader in) {
  SegmentEntry entry{
      SegmentNumber{in.getNumber()}, Lsn{in.getFirstLsn()}, in.getSealed(), in.getBytes(), {}};
  NETML_TRY(entry.chain, read_hash(in.getChainHash()));
  entry.archive = in.getArchive();
  if (entry.archive != 0) {
    NETML_TRY(entry.sha256, read_hash(in.getSha256()));
  }
  return entry;
}

Result<Manifest> decode(schema::Manifest::Reader in) {
  Manifest manifest;
  const auto node = in.getNode();
  if (node.size() != manifest.node.bytes.size())
    return fail(Errc::corruption, "the node's identity has not 16 bytes");
  std::memcpy(manifest.node.bytes.data(), node.begin(), node.size());
  manifest.generation = in.getGeneration();
  manifest.incarnation = in.getIncarnation();
  manifest.durable = Lsn{in.getDurableLsn()};
  manifest.clean_stop = in.getCleanStop();
  manifest.test_mode = in.getTestMode();
  for (const auto item : in.getArchives()) manifest.archives.emplace_back(view(item));
  for (const auto item : in.getAbsentFiles()) {
    AbsentFile file{{}, static_cast<AbsentBecause>(item.getWhy())};
    NETML_TRY(file.sha256, read_hash(item.getSha256()));
    manifest.absent_files.push_back(file);
  }
  for (const auto item : in.getCheckpoints()) {
    NETML_TRY(CheckpointEntry entry, decode(item));
    manifest.checkpoints.push_back(std::move(entry));
  }
  for (const auto item : in.getSegments()) {
    NETML_TRY(const SegmentEntry entry, decode(item));
    if (entry.archive > manifest.archives.size())
      return fail(Errc::corruption, "a segment is in an archive without a name");
    manifest.segments.push_back(entry);
  }
  return manifest;
}

bool has_sound_header(std::span<const std::byte> bytes) {
  return bytes.size() >= format::kManifestHeaderBytes &&
         load<std::uint32_t>(bytes, kManifestHeaderCrcAt) ==
             crc32c(bytes.first(kManifestHeaderCrcAt)) &&
         load<std::uint64_t>(bytes, kManifestMagicAt) == format::kManifestMagic;
}

// A newer version wrote here. What it left of an older one does not tell what the data are now, so
// it is no substitute, as it is for a damaged one.
bool is_of_newer_version(std::span<const std::byte> bytes) {
  return has_sound_header(bytes) &&
         load<std::uint16_t>(bytes, kManifestOldestReaderAt) > format::kVersion;
}

}  // namespace

tl::unexpected<Error> written_by_newer(std::string_view path, std::uint16_t oldest_reader) {
  return fail(Errc::newer_version,
              fmt::format("{}: written by a newer version; the oldest that reads it has format {}, "
                          "this program has format {}",
                          path, oldest_reader, format::kVersion));
}

std::uint16_t oldest_reader(const Manifest& manifest) {
  return manifest.archives.empty() ? manifest.format : std::max(manifest.format, format::kVersion2);
}

const CheckpointEntry* find_published(const std::vector<CheckpointEntry>& checkpoints, Lsn lsn) {
  const auto found = std::ranges::find_if(checkpoints, [&](const CheckpointEntry& entry) {
    return entry.published && entry.lsn == lsn;
  });
  return found == checkpoints.end() ? nullptr : &*found;
}

bool names_file(const std::vector<CheckpointEntry>& checkpoints, std::string_view file) {
  return std::ranges::any_of(checkpoints, [&](const CheckpointEntry& entry) {
    return entry.graph.name == file || entry.catalog.name == file;
  });
}

const char* absence_text(AbsentBecause why) {
  return why == AbsentBecause::retention ? "gone by retention" : "left out of a backup";
}

const AbsentFile* find_absent(const Manifest& manifest, const Sha256& file) {
  const auto found = std::ranges::lower_bound(manifest.absent_files, file, {}, &AbsentFile::sha256);
  return found == manifest.absent_files.end() || found->sha256 != file ? nullptr : &*found;
}

std::vector<std::byte> encode_manifest(const Manifest& manifest) {
  MessageScratch scratch;
  const auto fill = [&](schema::Manifest::Builder out) { encode(manifest, out); };
  const std::uint16_t version = oldest_reader(manifest);
  return scratch.build<schema::Manifest>(
      words_of(manifest), fill, [&](std::span<const std::byte> payload) {
        std::vector<std::byte> bytes(format::kManifestHeaderBytes);
        const std::span<std::byte> out(bytes);
        store(out, kManifestMagicAt, format::kManifestMagic);
        store(out, kManifestVersionAt, version);
        store(out, kManifestOldestReaderAt, version);
        store(out, kManifestPayloadBytesAt, static_cast<std::uint32_t>(payload.size()));
        store(out, kManifestPayloadCrcAt, crc32c(payload));
        store(out, kManifestHeaderCrcAt, crc32c(out.first(kManifestHeaderCrcAt)));
        bytes.insert(bytes.end(), payload.begin(), payload.end());
        return bytes;
      });
}

Result<Manifest> decode_manifest(std::span<const std::byte> bytes, std::string_view path) {
  const auto damaged = [&](const char* what) {
    return fail(Errc::corruption, fmt::format("{}: {}", path, what));
  };
  if (bytes.size() < format::kManifestHeaderBytes) return damaged("the header is cut off");
  if (!has_sound_header(bytes)) return damaged("the header is damaged");
  if (is_of_newer_version(bytes))
    return written_by_newer(path, load<std::uint16_t>(bytes, kManifestOldestReaderAt));
  const std::span<const std::byte> payload = bytes.subspan(format::kManifestHeaderBytes);
  if (load<std::uint32_t>(bytes, kManifestPayloadBytesAt) != payload.size())
    return damaged("the length is wrong");
  if (load<std::uint32_t>(bytes, kManifestPayloadCrcAt) != crc32c(payload))
    return damaged("the content is damaged");
  // The reader wants its words aligned.
  std::vector<std::uint64_t> words(payload.size() / sizeof(std::uint64_t));
  const std::span<std::byte> aligned = std::as_writable_bytes(std::span(words));
  std::ranges::copy(payload.first(aligned.size()), aligned.begin());
  NETML_TRY(Manifest manifest,
            read_message<schema::Manifest>(
                std::as_bytes(std::span(words)),
                [](schema::Manifest::Reader in) -> Result<Manifest> { return decode(in); }));
  // Version 2 is version 1 with archives.
  const auto version = load<std::uint16_t>(bytes, kManifestVersionAt);
  manifest.format = version < format::kVersion3 ? format::kVersion1 : version;
  return manifest;
}

Result<std::optional<LoadedManifest>> load_manifest(Storage& data) {
  std::optional<LoadedManifest> loaded;
  std::optional<Error> unreadable;
  for (const std::string_view name : kNames) {
    const auto bytes = read_file(data, name, format::kManifestBytesMax);
    if (!bytes && bytes.error().code == Errc::not_found) continue;
    const std::string path = fmt::format("{}/{}", data.path(), name);
    Result<Manifest> one =
        bytes ? decode_manifest(*bytes, path) : tl::make_unexpected(bytes.error());
    if (!one) {
      if (one.error().code == Errc::newer_version)
        return tl::make_unexpected(std::move(one).error());
      unreadable = std::move(one).error();
      continue;
    }
    if (!loaded) {
      loaded = LoadedManifest{std::move(*one), std::nullopt, {}};
    } else if (one->generation > loaded->manifest.generation) {
      loaded->previous = std::exchange(loaded->manifest, std::move(*one));
    } else {
      loaded->previous = std::move(*one);
    }
  }
  if (!loaded && unreadable)
    return fail(Errc::corruption, fmt::format("no manifest can be read: {}", unreadable->message));
  if (loaded && unreadable)
    loaded->warnings.push_back(fmt::format("started from the other manifest, generation {}: {}",
                                           loaded->manifest.generation, unreadable->message));
  return loaded;
}

bool is_manifest_name(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end();
}

std::string_view manifest_name(std::uint64_t generation) {
  return kNames[generation % kNames.size()];
}

Status save_manifest(Storage& data, const Manifest& manifest) {
  return replace_file(data, manifest_name(manifest.generation), encode_manifest(manifest));
}

}  // namespace netml::wal
