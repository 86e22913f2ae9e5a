#include "wal/checkpoint/detail/graph_body_writer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "engine/base/pipeline.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {

constexpr std::size_t kBlockBytes = 256U << 10;

std::span<std::byte> append(std::vector<std::byte>& block, std::size_t bytes) {
  block.resize(block.size() + bytes);
  return std::span(block).last(bytes);
}

void append(std::vector<std::byte>& block, std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, append(block, bytes.size()).begin());
}
void append(std::vector<std::byte>& block, std::span<const std::uint64_t> values) {
  append(block, std::as_bytes(values));
}

// Adds the leaf that begins with item `id`, if it is stored as it is; how many items it has, or 0.
template <class Vector>
std::uint32_t add_stored_leaf(std::vector<std::byte>& block, const Vector& vector,
                              std::uint32_t id) {
  constexpr std::uint32_t kItems = std::tuple_size_v<typename Vector::Items>;
  if (id % kItems != 0) return 0;
  const auto stored = vector.stored_bytes(id / kItems);
  if (stored) append(block, *stored);
  return stored ? kItems : 0;
}

std::size_t place(GraphSection section) {
  return static_cast<std::size_t>(section) - static_cast<std::size_t>(GraphSection::edge_keys);
}

// The checksum of each piece, whatever blocks they come in.
class PieceChecksums {
 public:
  void add(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const auto part = bytes.first(std::min(bytes.size(), format::kBodyPieceBytes - in_piece_));
      crc_ = crc32c(part, crc_);
      in_piece_ += part.size();
      if (in_piece_ == format::kBodyPieceBytes) end_piece();
      bytes = bytes.subspan(part.size());
    }
  }
  std::vector<std::uint32_t> finish() && {
    if (in_piece_ > 0) end_piece();
    return std::move(checksums_);
  }

 private:
  void end_piece() {
    checksums_.push_back(crc_);
    crc_ = 0;
    in_piece_ = 0;
  }

  std::vector<std::uint32_t> checksums_;
  std::uint32_t crc_ = 0;
  std::size_t in_piece_ = 0;
};

}  // namespace

std::optional<std::vector<std::byte>> GraphBodyEncoder::next() {
  Block block;
  block.reserve(kBlockBytes + kBlockBytes / 4);
  while (block.size() < kBlockBytes && sections_.size() <= kGraphSections) {
    if (sections_.empty()) sections_.push_back({offset_, 0});
    if (!add_part(block)) break;
    BodySection& done = sections_.back();
    done.bytes = offset_ + block.size() - done.offset;
    append(block, (format::kBodyAlignment - block.size() % format::kBodyAlignment) %
                      format::kBodyAlignment);
    sections_.push_back({offset_ + block.size(), 0});
    id_ = 0;
    key_ = 0;
    keys_ = 0;
  }
  if (block.empty()) {
    sections_.resize(kGraphSections);
    return std::nullopt;
  }
  offset_ += block.size();
  return block;
}

bool GraphBodyEncoder::add_part(Block& block) {
  const auto section = static_cast<GraphSection>(sections_.size() - 1);
  switch (section) {
    case GraphSection::records:
      return add_records(block);
    case GraphSection::record_offsets:
      append(block, record_offsets_);
      return true;
    case GraphSection::kinds:
      return add_kinds(block);
    case GraphSection::numbers:
      return add_numbers(block);
    case GraphSection::edge_keys:
    case GraphSection::id_keys:
    case GraphSection::crowded_ids:
    case GraphSection::copy_keys:
      return add_keys(block, section);
    default:
      append(block, firsts_[place(section) - kKeySections]);
      return true;
  }
}

// What did not change since it was stored is copied as it lies there: nothing of it is taken into
// memory that stays, as a look at it would.
bool GraphBodyEncoder::add_records(Block& block) {
  const std::uint64_t begin = sections_.back().offset;
  const std::uint32_t end = graph_.next_id().value;
  while (id_ < end && block.size() < kBlockBytes) {
    if (id_ % kRecordsOfLeaf == 0) record_offsets_.push_back(offset_ + block.size() - begin);
    if (const std::uint32_t stored = add_stored_leaf(block, graph_.stored_records(), id_)) {
      id_ += stored;
      continue;
    }
    const RecordId id{id_++};
    if (!graph_.contains(id)) continue;
    const engine::Attributes& attributes = graph_.attributes(id);
    attributes.store(append(block, attributes.stored_bytes()));
    const engine::Relations& relations = graph_.relations(id);
    relations.store(append(block, relations.stored_bytes()));
  }
  if (id_ < end) return false;
  record_offsets_.push_back(offset_ + block.size() - begin);
  return true;
}

bool GraphBodyEncoder::add_kinds(Block& block) {
  const std::uint32_t end = graph_.next_id().value;
  while (id_ < end && block.size() < kBlockBytes) {
    if (const std::uint32_t stored = add_stored_leaf(block, graph_.stored_kinds(), id_)) {
      id_ += stored;
      continue;
    }
    const RecordId id{id_++};
    const unsigned entry = graph_.contains(id) ? static_cast<unsigned>(graph_.kind(id)) + 1 : 0;
    block.push_back(static_cast<std::byte>(entry));
  }
  return id_ == end;
}

bool GraphBodyEncoder::add_numbers(Block& block) {
  const std::uint32_t end = graph_.next_id().value;
  while (id_ < end && block.size() < kBlockBytes) {
    if (const std::uint32_t stored = add_stored_leaf(block, graph_.stored_numbers(), id_))
      id_ += stored;
    else
      append(block, std::array{graph_.number(RecordId{id_++}).value});
  }
  return id_ == end;
}

bool GraphBodyEncoder::add_keys(Block& block, GraphSection section) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  while (block.size() < kBlockBytes) {
    const auto run = keys_of(graph_, section).run(key_, kLast);
    if (run.keys.empty()) return true;
    for (const std::uint64_t key : run.keys)
      if (keys_++ % engine::OrderedSet::Source::kLeafKeys == 0)
        firsts_[place(section)].push_back(key);
    append(block, run.keys);
    if (run.keys.back() == kLast) return true;
    key_ = run.keys.back() + 1;
  }
  return false;
}

// A block is laid out while the one before is hashed and one before that is written.
Result<GraphBody> write_graph_body(ChunkFileWriter& file, const engine::Graph& graph,
                                   Parallel& parallel) {
  using Block = std::vector<std::byte>;
  GraphBodyEncoder encoder(graph, file.offset());
  PieceChecksums checksums;
  NETML_TRY_VOID((run_pipeline<Block, Block>(
      parallel, [&]() -> Result<std::optional<Block>> { return encoder.next(); },
      [&](Block block) -> Result<Block> {
        checksums.add(block);
        file.hash_body(block);
        return block;
      },
      [&](const Block& block) { return file.write_body(block); })));
  GraphBody body;
  body.sections = std::move(encoder).sections();
  body.piece_bytes = format::kBodyPieceBytes;
  body.checksums = std::move(checksums).finish();
  body.mains = graph.mains();
  body.number_digest = graph.number_digest();
  return body;
}

}  // namespace netml::wal
