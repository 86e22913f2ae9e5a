// What is read from the data directory: payloads as they are, since whoever makes a backup manually
// makes its checksums fit, and files with checksums put right and not.
#include <cstring>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/mapped_graph.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/checkpoint/detail/chunk_file.hpp"
#include "wal/checkpoint/recovery.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/effects_decoder.hpp"
#include "wal/format/footer_codec.hpp"
#include "wal/format/packed_payload.hpp"
#include "wal/journal/segment.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/upkeep/backup.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using engine::State;
using fuzz::Target;
using testing::SimDisk;
using testing::TransactionBuilder;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// As a frame gives it to decoders: whole words, aligned.
class Payload {
 public:
  explicit Payload(std::string_view input) : words_(input.size() / sizeof(std::uint64_t)) {
    if (!words_.empty())
      std::memcpy(words_.data(), input.data(), words_.size() * sizeof(std::uint64_t));
  }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)); }

 private:
  std::vector<std::uint64_t> words_;
};

// A directory with some of everything.
class Samples {
 public:
  Samples() {
    node_.options().signing_key = Ed25519Seed{};
    auto store = *node_.open();
    for (const char* name : {"a", "b"})
      add(*store, testing::import_topology(*store->next(), name, 6));
    TransactionBuilder builder(*store->next());
    builder.rename(RecordId{2}, "another name");
    builder.token("client");
    builder.account("ann");
    builder.ruleset("rules");
    builder.rule("first", 1);
    builder.import_record("map.xml");
    add(*store, builder.finish());
    NETML_ASSERT(store->checkpoint().has_value());
    state_ = store->head();
    TransactionBuilder edit(*store->next());
    edit.rename(RecordId{3}, "later");
    add(*store, edit.finish());
    NETML_ASSERT(store->close().has_value());
    gather_payloads();
  }

  const SimDisk& disk() { return node_.disk(); }
  const engine::StatePtr& state() const { return state_; }
  const std::vector<std::string>& payloads() const { return payloads_; }
  // The path of the first file whose path begins so.
  std::string path(std::string_view beginning, std::string_view end = "") {
    for (const std::string& file : node_.disk().files())
      if (file.starts_with(beginning) && file.ends_with(end)) return file;
    NETML_ASSERT(false);
  }
  std::string content(const std::string& path) { return text_of(node_.disk().content(path)); }

 private:
  static void add(Store& store, const engine::Transaction& transaction) {
    NETML_ASSERT(commit(store, transaction).has_value());
  }
  void gather_payloads() {
    const auto journal = *node_.root().open_directory("journal");
    const std::vector<DirectoryEntry> entries = *journal->list();
    for (const DirectoryEntry& entry : entries) {
      const Segment segment = *Segment::read(*journal, entry.name);
      for (auto frame = segment.frame_at(format::kSegmentHeaderBytes); frame;
           frame = segment.frame_at(frame->end()))
        payloads_.push_back(text_of(frame->payload));
    }
    const auto store = *node_.open();
    const auto checkpoints = *node_.root().open_directory("checkpoints");
    for (const CheckpointEntry& entry : store->manifest().checkpoints) {
      auto file = *ChunkFileReader::open(
          *checkpoints, entry.catalog,
          {format::CheckpointPart::catalog, store->manifest().node, entry.lsn});
      while (const auto chunk = *file.next()) payloads_.push_back(text_of(chunk->payload()));
    }
  }

  Node node_;
  engine::StatePtr state_;
  std::vector<std::string> payloads_;
};

void decode_effects(const engine::StatePtr& base, std::string_view input) {
  const Payload payload(input);
  engine::Transaction transaction = TransactionBuilder(*base).finish();
  EffectsDecoder decoder;
  if (!decoder.decode(payload.bytes(), base->graph, transaction)) return;
  static_cast<void>(engine::apply(*base, transaction, base->lsn.next()).has_value());
}

void decode_others(std::string_view input) {
  const Payload payload(input);
  static_cast<void>(decode_commit(payload.bytes()).has_value());
  static_cast<void>(decode_abort(payload.bytes()).has_value());
  static_cast<void>(decode_seal(payload.bytes()).has_value());
  static_cast<void>(decode_footer(payload.bytes()).has_value());
  FrameHeader header;
  header.kind = static_cast<std::uint8_t>(format::FrameKind::effects);
  header.flags = format::kCompressed;
  static_cast<void>(PayloadUnpacker().content(header, payload.bytes()).has_value());
}

// Of the header, and of every frame up to the first that has no sensible length.
void put_checksums_right(std::vector<std::byte>& segment) {
  if (segment.size() < format::kSegmentHeaderBytes) return;
  const std::span<std::byte> all(segment);
  constexpr std::size_t kCrcAt = format::kSegmentHeaderBytes - sizeof(std::uint32_t);
  store(all, kCrcAt, crc32c(all.first(kCrcAt)));
  FramePlace place{};
  std::ranges::copy(all.subspan(16, 16), place.node.bytes.begin());
  place.segment = SegmentNumber{load<std::uint64_t>(all, 32)};
  for (std::uint64_t at = format::kSegmentHeaderBytes;
       at + format::kFrameHeaderBytes <= segment.size();) {
    FrameHeader header;
    header.payload_bytes = load<std::uint32_t>(all, at + 8);
    if (header.payload_bytes > segment.size() - at - format::kFrameHeaderBytes) return;
    header.payload_crc = crc32c(all.subspan(at + format::kFrameHeaderBytes, header.payload_bytes));
    header.kind = load<std::uint8_t>(all, at + 16);
    header.flags = load<std::uint8_t>(all, at + 17);
    header.version = load<std::uint16_t>(all, at + 18);
    header.incarnation = load<std::uint32_t>(all, at + 20);
    header.position = {Lsn{load<std::uint64_t>(all, at + 24)}, load<std::uint64_t>(all, at + 32)};
    header.durable = Lsn{load<std::uint64_t>(all, at + 40)};
    place.offset = at;
    encode_frame_header(header, place, all.subspan(at).first<format::kFrameHeaderBytes>());
    at += frame_bytes(header.payload_bytes);
  }
}

void open_with(const SimDisk& disk, const std::string& path, std::vector<std::byte> content) {
  Node node(disk.crashed({testing::CrashPattern::Kind::all, 0}));
  node.disk().content(path) = std::move(content);
  InlineParallel parallel;
  static_cast<void>(verify(node.root(), parallel).has_value());
  static_cast<void>(open_read_only(node.root(), node.clock(), parallel).has_value());
  static_cast<void>(node.open().has_value());
}

void open_with_journal(const SimDisk& disk, const std::string& path, std::string_view input) {
  std::vector<std::byte> content = bytes_of(input);
  content.resize(std::max<std::size_t>(content.size(), 1));
  open_with(disk, path, content);
  put_checksums_right(content);
  open_with(disk, path, std::move(content));
}

void decode_manifests(std::string_view input) {
  std::vector<std::byte> bytes = bytes_of(input);
  static_cast<void>(decode_manifest(bytes, "manifest").has_value());
  if (bytes.size() < format::kManifestHeaderBytes) return;
  const std::span<std::byte> all(bytes);
  const auto payload = all.subspan(format::kManifestHeaderBytes);
  store(all, 16, static_cast<std::uint32_t>(payload.size()));
  store(all, 20, crc32c(payload));
  store(all, 28, crc32c(all.first(28)));
  static_cast<void>(decode_manifest(bytes, "manifest").has_value());
}

void restore_from(std::string_view input) {
  Node source;
  const auto file = *source.root().open("backup", OpenMode::create_new);
  NETML_ASSERT(file->write(0, std::as_bytes(std::span(input))).has_value());
  Node into;
  InlineParallel parallel;
  static_cast<void>(restore(*file, into.root(), parallel).has_value());
}

std::string a_backup(Samples& samples) {
  Node node(samples.disk().crashed({testing::CrashPattern::Kind::all, 0}));
  const auto store = *node.open();
  DataDirectory data = *open_data_directory(node.root());
  const auto backup = *Backup::start(data, store->live_view());
  std::string all;
  for (auto piece = *backup->next(); !piece.empty(); piece = *backup->next()) all += text_of(piece);
  return all;
}

std::vector<Target> targets(Samples& samples) {
  const engine::StatePtr state = samples.state();
  const engine::StatePtr empty = std::make_shared<const State>();
  const std::string segment = samples.path("journal/");
  const std::string graph = samples.path("checkpoints/", ".graph");
  const std::string catalog = samples.path("checkpoints/", ".catalog");
  const std::string manifest = samples.path("manifest-");
  const SimDisk& disk = samples.disk();
  return {
      {"effects",
       samples.payloads(),
       {},
       [=](std::string_view input) {
         decode_effects(state, input);
         decode_effects(empty, input);
       }},
      {"commit", samples.payloads(), {}, decode_others},
      {"journal",
       {samples.content(segment)},
       {},
       [=, &disk](std::string_view input) { open_with_journal(disk, segment, input); }},
      {"checkpoint",
       {samples.content(graph), samples.content(catalog)},
       {},
       [=, &disk](std::string_view input) {
         open_with(disk, graph, bytes_of(input));
         open_with(disk, catalog, bytes_of(input));
       }},
      {"manifest",
       {samples.content(manifest)},
       {},
       [=, &disk](std::string_view input) {
         decode_manifests(input);
         open_with(disk, manifest, bytes_of(input));
       }},
      {"signatures",
       {samples.content("signatures")},
       {"\n", " ", "netml-checkpoint-1 "},
       [=, &disk](std::string_view input) {
         static_cast<void>(parse_signatures(input).size());
         open_with(disk, "signatures", bytes_of(input));
       }},
      {"backup", {a_backup(samples)}, {"../", "journal/", "SHA256SUMS"}, restore_from},
  };
}

}  // namespace
}  // namespace netml::wal::test

int main(int argc, char** argv) {
  netml::wal::test::Samples samples;
  std::vector<netml::fuzz::Target> targets = netml::wal::test::targets(samples);
  for (netml::fuzz::Target& target : netml::wal::test::mapped_graph_targets())
    targets.push_back(std::move(target));
  return netml::fuzz::run_program(argc, argv, targets);
}
