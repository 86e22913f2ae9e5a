// Pieces of memory compressed with Zstandard, each a frame of its own, and back.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/base/result.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace netml::wal {

// Why this one: docs/decisions/010-compression.md; 0 stands for none.
inline constexpr int kCompressionLevel = -3;

// What saves less is not worth unpacking.
constexpr bool is_worth_packing(std::size_t content_bytes, std::size_t packed_bytes) {
  return packed_bytes <= content_bytes - content_bytes / 5;
}

// Thread: its owner.
class BlockPacker {
 public:
  // With a checksum of its content in each frame, for what has no other.
  enum class Checksum : bool { none, content };
  BlockPacker(int level, Checksum checksum);

  // How long a frame can get.
  static std::size_t bytes_max(std::size_t content_bytes);
  // Into `out`, of at least bytes_max(); how many bytes it took.
  Result<std::size_t> pack(std::span<const std::byte> content, std::span<std::byte> out);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

// Makes what it needs when it is first used. Thread: its owner.
class BlockUnpacker {
 public:
  // Fills `out`. Errc::corruption unless `compressed` is one frame, and no more, that says that it
  // holds so many bytes and does. Takes no memory by what the frame says.
  Status unpack(std::span<const std::byte> compressed, std::span<std::byte> out);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
};

}  // namespace netml::wal
