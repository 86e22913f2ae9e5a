#include "wal/postgres/detail/payload.hpp"

#include <fmt/format.h>

namespace netml::wal::postgres {

Result<Payload> PayloadCodec::pack(std::span<const std::byte> piece) {
  buffer_.resize(BlockPacker::bytes_max(piece.size()));
  NETML_TRY(const std::size_t size, packer_.pack(piece, buffer_));
  if (!is_worth_packing(piece.size(), size)) return Payload{false, piece};
  return Payload{true, std::span(buffer_).first(size)};
}

Result<std::vector<std::byte>> PayloadCodec::unpack(const Payload& payload, std::uint64_t bytes) {
  if (bytes > kSharedPieceBytesMax || (!payload.compressed && payload.bytes.size() != bytes))
    return fail(Errc::corruption, fmt::format("the database has a piece of {} bytes that says {}",
                                              payload.bytes.size(), bytes));
  if (!payload.compressed) return std::vector(payload.bytes.begin(), payload.bytes.end());
  std::vector<std::byte> out(bytes);
  NETML_TRY_VOID(unpacker_.unpack(payload.bytes, out));
  return out;
}

}  // namespace netml::wal::postgres
