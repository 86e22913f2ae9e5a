#include "wal/format/packed_payload.hpp"

#include <fmt/format.h>

#include <cstring>

#include "wal/format/format.hpp"
#include "wal/storage/bytes.hpp"

namespace netml::wal {

namespace {

constexpr std::size_t kContentBytesAt = 0;
constexpr std::size_t kPackedBytesAt = 4;
static_assert(kPackedBytesAt + sizeof(std::uint32_t) == format::kPackedHeaderBytes);

// With what is in front of the frame of Zstandard, and the zeros behind it.
constexpr std::size_t stored_bytes(std::size_t compressed) {
  constexpr std::size_t kRest = format::kPayloadAlignment - 1;
  return (format::kPackedHeaderBytes + compressed + kRest) / format::kPayloadAlignment *
         format::kPayloadAlignment;
}

constexpr bool may_be_a_payload(std::uint64_t bytes) {
  return bytes != 0 && bytes % format::kPayloadAlignment == 0 && bytes <= format::kPayloadBytesMax;
}

}  // namespace

Result<std::optional<std::span<const std::byte>>> PayloadPacker::pack(
    std::span<const std::byte> payload) {
  if (payload.empty()) return std::nullopt;
  packed_.resize(stored_bytes(BlockPacker::bytes_max(payload.size())) / sizeof(std::uint64_t));
  const std::span<std::byte> out = std::as_writable_bytes(std::span(packed_));
  NETML_TRY(const std::size_t compressed,
            packer_.pack(payload, out.subspan(format::kPackedHeaderBytes)));
  const std::size_t bytes = stored_bytes(compressed);
  if (!is_worth_packing(payload.size(), bytes)) return std::nullopt;
  store(out, kContentBytesAt, static_cast<std::uint32_t>(payload.size()));
  store(out, kPackedBytesAt, static_cast<std::uint32_t>(compressed));
  const std::size_t end = format::kPackedHeaderBytes + compressed;
  std::memset(out.data() + end, 0, bytes - end);
  return std::span<const std::byte>(out.first(bytes));
}

std::uint64_t content_bytes(const FrameHeader& header, std::span<const std::byte> payload) {
  if (!header.compressed() || payload.size() < format::kPackedHeaderBytes) return payload.size();
  const auto bytes = load<std::uint32_t>(payload, kContentBytesAt);
  return may_be_a_payload(bytes) ? bytes : payload.size();
}

Result<std::span<const std::byte>> PayloadUnpacker::content(const FrameHeader& header,
                                                            std::span<const std::byte> payload) {
  if (!header.compressed()) return payload;
  NETML_TRY_VOID(unpack_into(header, payload, content_));
  return bytes_of(content_);
}

Result<OwnedPayload> PayloadUnpacker::unpack(const FrameHeader& header,
                                             std::span<const std::byte> payload) {
  OwnedPayload out;
  NETML_TRY_VOID(unpack_into(header, payload, out));
  return out;
}

Status PayloadUnpacker::unpack_into(const FrameHeader& header, std::span<const std::byte> payload,
                                    OwnedPayload& out) {
  if (!header.may_be_compressed())
    return fail(Errc::corruption, "a frame is compressed that cannot be");
  if (payload.size() < format::kPackedHeaderBytes)
    return fail(Errc::corruption, "the compressed payload is cut off");
  const auto bytes = load<std::uint32_t>(payload, kContentBytesAt);
  const auto compressed = load<std::uint32_t>(payload, kPackedBytesAt);
  if (!may_be_a_payload(bytes) || compressed > payload.size() ||
      stored_bytes(compressed) != payload.size() ||
      !all_zero(payload.subspan(format::kPackedHeaderBytes + compressed)))
    return fail(Errc::corruption, fmt::format("the compressed payload says that {} bytes hold {}",
                                              compressed, bytes));
  out.resize(bytes / sizeof(std::uint64_t));
  return unpacker_.unpack(payload.subspan(format::kPackedHeaderBytes, compressed),
                          std::as_writable_bytes(std::span(out)));
}

}  // namespace netml::wal
