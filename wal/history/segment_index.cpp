#include "wal/history/segment_index.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {

constexpr std::uint64_t kIndexMagic = 0x315844494c4d544e;  // "NTMLIDX1"
constexpr std::uint32_t kIndexVersion = 1;
constexpr std::size_t kIndexVersionAt = 8;
constexpr std::size_t kIndexCrcAt = 12;
constexpr std::size_t kIndexNodeAt = 16;
constexpr std::size_t kIndexNumberAt = 32;
constexpr std::size_t kIndexChainAt = 40;
constexpr std::size_t kIndexFirstLsnAt = 72;
constexpr std::size_t kIndexOpenAt = 80;
constexpr std::size_t kIndexCountsAt = 88;
constexpr std::size_t kHeaderBytes = 120;

std::uint32_t header_crc(std::span<const std::byte> bytes) {
  std::array<std::byte, kHeaderBytes> header;
  std::memcpy(header.data(), bytes.data(), header.size());
  store(std::span<std::byte>(header), kIndexCrcAt, std::uint32_t{});
  return crc32c(header);
}

class Encoder {
 public:
  Encoder() : bytes_(kHeaderBytes) {}

  template <class Item>
  void section(const std::vector<Item>& items) {
    store(std::span(bytes_), kIndexCountsAt + sections_++ * sizeof(std::uint32_t),
          static_cast<std::uint32_t>(items.size()));
    const auto content = std::as_bytes(std::span(items));
    bytes_.insert(bytes_.end(), content.begin(), content.end());
    const std::uint32_t crc = crc32c(content);
    bytes_.resize(bytes_.size() + sizeof crc);
    store(std::span(bytes_), bytes_.size() - sizeof crc, crc);
  }
  std::span<std::byte> header() { return std::span(bytes_).first(kHeaderBytes); }
  std::vector<std::byte> finish() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t sections_ = 0;
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class Item>
  bool section(std::vector<Item>& items) {
    const auto count =
        load<std::uint32_t>(bytes_, kIndexCountsAt + sections_++ * sizeof(std::uint32_t));
    const std::uint64_t size = std::uint64_t{count} * sizeof(Item);
    if (bytes_.size() - at_ < size + sizeof(std::uint32_t)) return false;
    const auto content = bytes_.subspan(at_, size);
    at_ += size;
    if (load<std::uint32_t>(bytes_, at_) != crc32c(content)) return false;
    at_ += sizeof(std::uint32_t);
    items.resize(count);
    if (count != 0) std::memcpy(items.data(), content.data(), content.size());
    return true;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = kHeaderBytes;
  std::size_t sections_ = 0;
};

bool same_segment(std::span<const std::byte> bytes, const SegmentIdentity& identity) {
  return std::ranges::equal(bytes.subspan(kIndexNodeAt, identity.node.bytes.size()),
                            identity.node.bytes) &&
         load<std::uint64_t>(bytes, kIndexNumberAt) == identity.number.value &&
         std::ranges::equal(bytes.subspan(kIndexChainAt, identity.chain.size()), identity.chain);
}

}  // namespace

std::uint64_t identifier_hash(std::string_view identifier) {
  return XXH3_64bits(identifier.data(), identifier.size());
}

std::string segment_index_name(SegmentNumber number) {
  return fmt::format("{:010}.index", number.value);
}

std::vector<std::byte> encode_segment_index(const SegmentIndex& index,
                                            const SegmentIdentity& identity) {
  Encoder encoder;
  encoder.section(index.transactions);
  encoder.section(index.records);
  encoder.section(index.identifiers);
  encoder.section(index.topologies);
  encoder.section(index.imports);
  const std::span<std::byte> header = encoder.header();
  store(header, 0, kIndexMagic);
  store(header, kIndexVersionAt, kIndexVersion);
  std::ranges::copy(identity.node.bytes, header.subspan(kIndexNodeAt).begin());
  store(header, kIndexNumberAt, identity.number.value);
  std::ranges::copy(identity.chain, header.subspan(kIndexChainAt).begin());
  store(header, kIndexFirstLsnAt, index.first_lsn.value);
  store(header, kIndexOpenAt, index.open);
  store(header, kIndexCrcAt, header_crc(header));
  return encoder.finish();
}

std::optional<SegmentIndex> decode_segment_index(std::span<const std::byte> bytes,
                                                 const SegmentIdentity& identity) {
  if (bytes.size() < kHeaderBytes || load<std::uint64_t>(bytes, 0) != kIndexMagic ||
      load<std::uint32_t>(bytes, kIndexCrcAt) != header_crc(bytes) ||
      load<std::uint32_t>(bytes, kIndexVersionAt) != kIndexVersion ||
      !same_segment(bytes, identity))
    return std::nullopt;
  SegmentIndex index;
  index.first_lsn = Lsn{load<std::uint64_t>(bytes, kIndexFirstLsnAt)};
  index.open = load<std::uint32_t>(bytes, kIndexOpenAt);
  Decoder decoder(bytes);
  const bool whole = decoder.section(index.transactions) && decoder.section(index.records) &&
                     decoder.section(index.identifiers) && decoder.section(index.topologies) &&
                     decoder.section(index.imports) && decoder.at_end();
  if (!whole) return std::nullopt;
  return index;
}

}  // namespace netml::wal
