// A file that was compressed piece by piece while it arrived (docs/format/stored-files.md): each
// piece a Zstandard frame of its own, then a table of them. It is read here and there without
// unpacking what lies before, and `zstd -d` unpacks it, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wal/storage/aligned_memory.hpp"
#include "wal/storage/storage.hpp"
#include "wal/storage/zstd_block.hpp"

namespace netml::wal {

struct PackedPiece {
  std::uint64_t at = 0;          // in the file
  std::uint64_t content_at = 0;  // in what the file holds
  std::uint32_t bytes = 0;
  std::uint32_t content_bytes = 0;
  std::uint32_t crc = 0;  // of the bytes
};

// Reads parts of what a file holds; remembers the piece that it unpacked last. Thread: its owner.
class PackedPieces {
 public:
  // Fills `out` from `offset` on; returns how many bytes there were before the end.
  // Errc::corruption when a piece is not what its entry says.
  Result<std::size_t> read(File& file, std::span<const PackedPiece> pieces, std::uint64_t offset,
                           std::span<std::byte> out);

 private:
  Status unpack(File& file, const PackedPiece& piece, std::span<std::byte> out);

  BlockUnpacker unpacker_;
  AlignedMemory packed_;
  AlignedMemory content_;
  std::optional<std::uint64_t> content_at_;  // of the piece that `content_` holds
};

// Writes one. Pieces are gathered and written by whole pages, past the page cache where they are
// many. Nothing is synced. Thread: one at a time.
class PackedWriter {
 public:
  static constexpr std::size_t kContentBytesMax = 1 << 20;  // of a piece
  static constexpr std::size_t kMemoryBytes = 3 << 20;      // about what a writer takes

  // `file` is empty and outlives the writer.
  PackedWriter(File& file, int level);

  // The next piece, of 1 to kContentBytesMax bytes.
  Status add(std::span<const std::byte> content);
  // The same where that is worth it; else false, and nothing is done.
  Result<bool> add_if_smaller(std::span<const std::byte> content);
  // The table. Nothing is added behind it.
  Status finish();
  // Of what was added.
  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> out);

 private:
  Result<std::size_t> pack(std::span<const std::byte> content);
  Status take(std::span<const std::byte> content, std::size_t bytes);
  Status write_pages();
  Status write_all();
  std::uint64_t end() const { return buffer_at_ + filled_; }

  File& file_;
  BlockPacker packer_;
  AlignedMemory buffer_;
  std::uint64_t buffer_at_ = 0;  // in the file, a multiple of a page
  std::size_t filled_ = 0;
  bool all_written_ = true;
  std::vector<PackedPiece> pieces_;
  PackedPieces reader_;
};

// What a PackedWriter has finished, as if it were not compressed: read() and size() are those of
// the content. Read-only. Errc::corruption when the table is damaged; a damaged piece is found when
// it is read.
Result<std::unique_ptr<File>> open_packed(std::unique_ptr<File> compressed);

}  // namespace netml::wal
