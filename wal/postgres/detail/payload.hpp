// Pieces as the database keeps them: compressed where that takes a fifth off, each by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wal/shared/shared_log.hpp"
#include "wal/storage/zstd_block.hpp"

namespace netml::wal::postgres {

struct Payload {
  bool compressed = false;
  std::span<const std::byte> bytes;
};

// Thread: its owner.
class PayloadCodec {
 public:
  // Good until the next call, and as long as `piece`.
  Result<Payload> pack(std::span<const std::byte> piece);
  // Errc::corruption unless it is one of `bytes` bytes.
  Result<std::vector<std::byte>> unpack(const Payload& payload, std::uint64_t bytes);

 private:
  BlockPacker packer_{kCompressionLevel, BlockPacker::Checksum::content};
  BlockUnpacker unpacker_;
  std::vector<std::byte> buffer_;
};

}  // namespace netml::wal::postgres
