#include "wal/checkpoint/detail/graph_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/unreadable.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

using engine::Attributes;
using engine::Relations;

namespace {
constexpr std::size_t kKeysOfLeaf = engine::OrderedSet::Source::kLeafKeys;
constexpr const char* kOutOfOrder = "the keys are not in their order";

bool ascend(std::span<const std::uint64_t> keys) {
  return std::ranges::adjacent_find(keys, std::ranges::greater_equal()) == keys.end();
}
}  // namespace

MappedBody::MappedBody(std::unique_ptr<File> file, std::shared_ptr<const Mapping> mapping,
                       Range range, GraphBody body, std::size_t identities)
    : file_(std::move(file)),
      mapping_(std::move(mapping)),
      range_(range),
      body_(std::move(body)),
      identities_(identities),
      good_(body_.checksums.size()) {}

Result<std::shared_ptr<const MappedBody>> MappedBody::open(std::unique_ptr<File> file, Range range,
                                                           GraphBody body, RecordId next_id) {
  if (body.piece_bytes != format::kBodyPieceBytes)  // before a piece has room
    return fail(Errc::corruption,
                fmt::format("{}: the footer is wrong about pieces", file->path()));
  NETML_TRY(std::shared_ptr<const Mapping> mapping, file->map());
  if (mapping->bytes().size() < range.end)
    return fail(Errc::corruption, fmt::format("{}: is cut off", file->path()));
  std::shared_ptr<const MappedBody> opened(
      new MappedBody(std::move(file), std::move(mapping), range, std::move(body), next_id.value));
  NETML_TRY_VOID(opened->check_layout());
  return opened;
}

// The checksum of the footer says that it is what was written; this, that what was written cannot
// lead outside of the file.
Status MappedBody::check_layout() const {
  const auto wrong = [&](const char* what) {
    return fail(Errc::corruption,
                fmt::format("{}: the footer is wrong about {}", file_->path(), what));
  };
  if (body_.checksums.size() != leaves_of(range_.end - range_.begin, body_.piece_bytes))
    return wrong("pieces");
  if (body_.sections.size() != kGraphSections) return wrong("sections");
  std::uint64_t begin = range_.begin;
  for (const BodySection& section : body_.sections) {
    if (section.offset != begin || begin > range_.end || section.bytes > range_.end - begin)
      return wrong("the place of a section");
    begin += leaves_of(section.bytes, format::kBodyAlignment) * format::kBodyAlignment;
  }
  if (begin != range_.end) return wrong("the end of the sections");
  if (size(GraphSection::kinds) != identities_ ||
      size(GraphSection::numbers) != identities_ * sizeof(std::uint64_t) ||
      size(GraphSection::record_offsets) !=
          (leaves_of(identities_, kRecordsOfLeaf) + 1) * sizeof(std::uint64_t))
    return wrong("the number of identities");
  for (const GraphSection section : {GraphSection::edge_keys, GraphSection::id_keys,
                                     GraphSection::crowded_ids, GraphSection::copy_keys})
    if (size(section) % sizeof(std::uint64_t) != 0 ||
        size(firsts_of(section)) != leaves_of(keys(section), kKeysOfLeaf) * sizeof(std::uint64_t))
      return wrong("the number of keys");
  return {};
}

void MappedBody::throw_damaged(GraphSection section, std::uint64_t offset, const char* what) const {
  throw_unreadable({Errc::corruption, fmt::format("{}: offset {}: {}", file_->path(),
                                                  place(section).offset + offset, what)});
}

// What the disk refused may pass; damage stays.
void MappedBody::throw_unreadable(Error error) const {
  if (error.code == Errc::corruption) {
    const std::lock_guard lock(damage_mutex_);
    if (!damage_) damage_ = error;
  }
  throw UnreadableError(std::move(error));
}

Status MappedBody::looked() const {
  const std::lock_guard lock(damage_mutex_);
  return damage_ ? Status(tl::make_unexpected(*damage_)) : Status();
}

// ---- bytes ----

std::span<const std::byte> MappedBody::bytes(GraphSection section, std::uint64_t offset,
                                             std::size_t bytes) const {
  const BodySection& within = place(section);
  if (offset > within.bytes || bytes > within.bytes - offset)
    throw_damaged(section, offset, "leads outside of its section");
  const std::uint64_t begin = within.offset + offset;
  if (bytes > 0) {
    const std::uint64_t last = (begin + bytes - 1 - range_.begin) / body_.piece_bytes;
    for (std::uint64_t piece = (begin - range_.begin) / body_.piece_bytes; piece <= last; ++piece)
      check_piece(piece);
  }
  return mapping_->bytes().subspan(begin, bytes);
}

std::span<const std::uint64_t> MappedBody::numbers(GraphSection section, std::size_t first,
                                                   std::size_t count) const {
  const auto in = bytes(section, first * sizeof(std::uint64_t), count * sizeof(std::uint64_t));
  return {reinterpret_cast<const std::uint64_t*>(in.data()), count};
}

void MappedBody::check_piece(std::size_t piece) const {
  if (!good_[piece].load(std::memory_order_acquire)) check(piece);
}

// Read, not touched: what the disk refuses is an error, where a touch would be the end. Two may do
// so with one piece at a time: whoever looks must not wait for the proof, which always reads.
void MappedBody::check(std::size_t piece) const {
  std::array<std::byte, format::kBodyPieceBytes> buffer;
  const std::uint64_t offset = range_.begin + std::uint64_t{piece} * body_.piece_bytes;
  const auto part =
      std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), range_.end - offset));
  if (Status read = read_exactly(*file_, offset, part); !read)
    throw_unreadable(std::move(read).error());
  if (crc32c(part) != body_.checksums[piece])
    throw_unreadable(
        {Errc::corruption, fmt::format("{}: offset {}: the bytes are not those that were written",
                                       file_->path(), offset)});
  if (!good_[piece].exchange(true, std::memory_order_acq_rel))
    checked_.fetch_add(1, std::memory_order_relaxed);
}

// ---- leaves ----

std::span<const std::byte> MappedBody::records(std::size_t leaf) const {
  constexpr auto kSection = GraphSection::records;
  const auto offsets = numbers(GraphSection::record_offsets, leaf, 2);
  if (offsets[1] < offsets[0] || offsets[0] % format::kBodyAlignment != 0)
    throw_damaged(kSection, offsets[0], "no leaf begins here");
  return bytes(kSection, offsets[0], offsets[1] - offsets[0]);
}

void MappedBody::read(std::size_t leaf, engine::Graph::Records::Items& items, Use use) const {
  std::span<const std::byte> rest = records(leaf);
  const std::size_t first = leaf * kRecordsOfLeaf;
  const std::size_t count = std::min(kRecordsOfLeaf, identities_ - first);
  const auto kinds = bytes(GraphSection::kinds, first, count);
  const auto damaged = [&] {
    const auto in_file = static_cast<std::uint64_t>(rest.data() - mapping_->bytes().data());
    throw_damaged(GraphSection::records, in_file - place(GraphSection::records).offset,
                  "this is no record");
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = std::to_integer<unsigned>(kinds[i]);
    if (entry == 0) continue;
    engine::Record record;
    record.attributes = Attributes::in_place(rest);
    if (!record || static_cast<unsigned>(record.kind()) + 1 != entry ||
        record.attributes->stored_bytes() > rest.size())
      damaged();
    rest = rest.subspan(record.attributes->stored_bytes());
    record.relations = Relations::in_place(rest);
    if (record.relations == nullptr || record.relations->stored_bytes() > rest.size()) damaged();
    rest = rest.subspan(record.relations->stored_bytes());
    if (use == Use::copied) record = {record.attributes->copy(), record.relations->copy()};
    items[i] = std::move(record);
  }
  if (!rest.empty()) damaged();
}

void MappedBody::read(std::size_t leaf, engine::Graph::Kinds::Items& items) const {
  const std::size_t first = leaf * items.size();
  const auto kinds = bytes(GraphSection::kinds, first, std::min(items.size(), identities_ - first));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    items[i] = std::to_integer<std::uint8_t>(kinds[i]);
    if (items[i] > kKindCount) throw_damaged(GraphSection::kinds, first + i, "this is no kind");
  }
}

void MappedBody::read(std::size_t leaf, engine::Graph::Numbers::Items& items) const {
  const std::size_t first = leaf * items.size();
  const auto in =
      numbers(GraphSection::numbers, first, std::min(items.size(), identities_ - first));
  std::ranges::transform(in, items.begin(), [](std::uint64_t n) { return RecordNumber{n}; });
}

std::span<const std::uint64_t> MappedBody::first_keys(GraphSection section) const {
  const GraphSection firsts = firsts_of(section);
  const auto in = numbers(firsts, 0, keys(firsts));
  if (!ascend(in)) throw_damaged(firsts, 0, kOutOfOrder);
  return in;
}

std::span<const std::uint64_t> MappedBody::keys(GraphSection section, std::size_t leaf) const {
  const std::size_t first = leaf * kKeysOfLeaf;
  const auto in = numbers(section, first, std::min(kKeysOfLeaf, keys(section) - first));
  const bool last = first + in.size() == keys(section);
  const auto firsts = numbers(firsts_of(section), leaf, last ? 1 : 2);
  if (in.front() != firsts.front() || !ascend(in) || (!last && in.back() >= firsts.back()))
    throw_damaged(section, first * sizeof(std::uint64_t), kOutOfOrder);
  return in;
}

}  // namespace netml::wal
