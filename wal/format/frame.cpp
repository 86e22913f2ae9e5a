#include "wal/format/frame.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "engine/base/hex.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {
constexpr std::size_t kFrameMagicAt = 0;
constexpr std::size_t kFrameHeaderCrcAt = 4;
constexpr std::size_t kFramePayloadBytesAt = 8;
constexpr std::size_t kFramePayloadCrcAt = 12;
constexpr std::size_t kFrameKindAt = 16;
constexpr std::size_t kFrameFlagsAt = 17;
constexpr std::size_t kFrameVersionAt = 18;
constexpr std::size_t kFrameIncarnationAt = 20;
constexpr std::size_t kFrameLsnAt = 24;
constexpr std::size_t kFrameOrdinalAt = 32;
constexpr std::size_t kFrameDurableAt = 40;
static_assert(kFrameDurableAt + sizeof(std::uint64_t) == format::kFrameHeaderBytes);

// Over the place, then the header without its own checksum.
std::uint32_t header_crc(ConstFrameHeaderBytes bytes, const FramePlace& place) {
  std::array<std::byte, 32> seed;
  std::memcpy(seed.data(), place.node.bytes.data(), place.node.bytes.size());
  store(std::span(seed), 16, place.segment.value);
  store(std::span(seed), 24, place.offset);
  std::uint32_t crc = crc32c(seed);
  crc = crc32c(bytes.first(kFrameHeaderCrcAt), crc);
  return crc32c(bytes.subspan(kFramePayloadBytesAt), crc);
}
}  // namespace

void encode_frame_header(const FrameHeader& header, const FramePlace& place, FrameHeaderBytes out) {
  store(out, kFrameMagicAt, format::kFrameMagic);
  store(out, kFramePayloadBytesAt, header.payload_bytes);
  store(out, kFramePayloadCrcAt, header.payload_crc);
  store(out, kFrameKindAt, header.kind);
  store(out, kFrameFlagsAt, header.flags);
  store(out, kFrameVersionAt, header.version);
  store(out, kFrameIncarnationAt, header.incarnation);
  store(out, kFrameLsnAt, header.position.lsn.value);
  store(out, kFrameOrdinalAt, header.position.ordinal);
  store(out, kFrameDurableAt, header.durable.value);
  store(out, kFrameHeaderCrcAt, header_crc(out, place));
}

std::optional<FrameHeader> decode_frame_header(ConstFrameHeaderBytes bytes,
                                               const FramePlace& place) {
  if (load<std::uint32_t>(bytes, kFrameMagicAt) != format::kFrameMagic) return std::nullopt;
  if (load<std::uint32_t>(bytes, kFrameHeaderCrcAt) != header_crc(bytes, place))
    return std::nullopt;
  FrameHeader header;
  header.payload_bytes = load<std::uint32_t>(bytes, kFramePayloadBytesAt);
  header.payload_crc = load<std::uint32_t>(bytes, kFramePayloadCrcAt);
  header.kind = load<std::uint8_t>(bytes, kFrameKindAt);
  header.flags = load<std::uint8_t>(bytes, kFrameFlagsAt);
  header.version = load<std::uint16_t>(bytes, kFrameVersionAt);
  header.incarnation = load<std::uint32_t>(bytes, kFrameIncarnationAt);
  header.position.lsn = Lsn{load<std::uint64_t>(bytes, kFrameLsnAt)};
  header.position.ordinal = load<std::uint64_t>(bytes, kFrameOrdinalAt);
  header.durable = Lsn{load<std::uint64_t>(bytes, kFrameDurableAt)};
  return header;
}

Sha256 Chain::origin(const NodeUuid& node) {
  constexpr std::string_view kDomain = "netml journal";
  Sha256Hasher hasher;
  hasher.add(std::as_bytes(std::span(kDomain)));
  return hasher.hash(node.bytes);
}

Sha256 Chain::next(const FrameHeader& header, const Sha256& payload_hash) {
  std::array<std::byte, 20> fields;
  store(std::span(fields), 0, header.position.lsn.value);
  store(std::span(fields), 8, header.position.ordinal);
  store(std::span(fields), 16, header.kind);
  store(std::span(fields), 17, header.flags);
  store(std::span(fields), 18, header.version);
  hasher_.add(head_);
  hasher_.add(fields);
  return hasher_.hash(payload_hash);
}

std::string to_string(const Head& head) {
  return fmt::format("{}:{}", head.lsn.value, to_hex(head.chain));
}

std::optional<Head> parse_head(std::string_view text) {
  Head head;
  const char* const end = text.data() + text.size();
  const auto lsn = std::from_chars(text.data(), end, head.lsn.value);
  const std::string_view rest(lsn.ptr, static_cast<std::size_t>(end - lsn.ptr));
  if (lsn.ec != std::errc() || !rest.starts_with(':') || !parse_hex(rest.substr(1), head.chain))
    return std::nullopt;
  return head;
}

std::string to_string(const NodeUuid& node) {
  const std::string hex = to_hex(node.bytes);
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

}  // namespace netml::wal
