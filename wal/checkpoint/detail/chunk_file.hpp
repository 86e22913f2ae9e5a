// The container of a checkpoint: a header, chunks with checksums, and the SHA-256 of all of it
// (rule K1; docs/format/checkpoint.md).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/base/sha256.hpp"
#include "wal/format/format.hpp"
#include "wal/format/manifest.hpp"
#include "wal/storage/aligned_memory.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

struct ChunkFileHeader {
  format::CheckpointPart part = format::CheckpointPart::graph;
  NodeUuid node;
  Lsn lsn;
  std::uint16_t format = format::kVersion;  // when it is written; a reader takes any that it knows
};

// Writes under a temporary name; the file has its name when finish() succeeded.
// Thread: its owner.
class ChunkFileWriter {
 public:
  static Result<ChunkFileWriter> create(Storage& directory, std::string name,
                                        const ChunkFileHeader& header);

  // Before any chunk: what is not in chunks. Each block is hashed and written, both in order; one
  // thread may hash while another writes.
  void hash_body(std::span<const std::byte> block) { hasher_->add(block); }
  Status write_body(std::span<const std::byte> block) { return write(block); }
  Status append(format::ChunkKind kind, std::span<const std::byte> payload);
  // After the last chunk, if there is a body: where that chunk is.
  Status append_trailer();
  std::uint32_t chunks() const { return chunks_; }
  std::uint64_t offset() const { return offset_; }  // of what is appended next
  // Synced, read back and verified, renamed, directory synced (S3).
  Result<FileReference> finish(Parallel& parallel);

 private:
  // Whole pages from the beginning of the file on: written as they are, past the page cache.
  static constexpr std::size_t kBufferBytes = 1 << 20;

  ChunkFileWriter(Storage& directory, std::string name, const ChunkFileHeader& header)
      : directory_(&directory), name_(std::move(name)), header_(header), buffer_(kBufferBytes) {}
  Status put(std::span<const std::byte> bytes);
  Status write(std::span<const std::byte> bytes);
  Status flush();

  Storage* directory_;
  std::string name_;
  ChunkFileHeader header_;
  std::unique_ptr<File> file_;
  std::unique_ptr<Sha256Hasher> hasher_;
  AlignedMemory buffer_;
  std::size_t buffered_ = 0;  // bytes
  std::uint64_t offset_ = 0;  // behind them
  std::uint64_t last_chunk_ = 0;
  std::uint32_t chunks_ = 0;
};

struct Chunk {
  format::ChunkKind kind = format::ChunkKind::effects;
  std::vector<std::uint64_t> words;  // the payload, aligned
  std::span<const std::byte> payload() const { return std::as_bytes(std::span(words)); }
};

// Thread: its owner.
class ChunkFileReader {
 public:
  // Checks the header against `expected` and the size against `reference`.
  static Result<ChunkFileReader> open(Storage& directory, const FileReference& reference,
                                      const ChunkFileHeader& expected);
  // The next chunk; nothing after the last. Errc::corruption, Errc::newer_version.
  Result<std::optional<Chunk>> next();
  // Goes on behind the body, whose bytes are those before offset().
  Status skip_body();
  std::uint16_t format() const { return header_.format; }
  std::uint64_t offset() const { return offset_; }
  const std::string& path() const { return file_->path(); }
  // When all chunks were read.
  std::unique_ptr<File> take_file() && { return std::move(file_); }

 private:
  ChunkFileReader(std::unique_ptr<File> file, const ChunkFileHeader& header, std::uint64_t end)
      : file_(std::move(file)), header_(header), end_(end) {}

  // Bytes of the file, valid until the next call.
  Result<std::span<const std::byte>> bytes_at(std::uint64_t offset, std::size_t size);

  std::unique_ptr<File> file_;
  AlignedMemory window_;  // what was read last
  std::uint64_t window_begin_ = 0;
  std::size_t window_bytes_ = 0;
  ChunkFileHeader header_;
  std::uint64_t offset_ = format::kCheckpointHeaderBytes;
  std::uint64_t end_;  // of the chunks
  std::uint32_t chunks_ = 0;
};

// Recomputes the SHA-256 of a file and compares it with the one it ends with and with `reference`.
Status verify_chunk_file(Storage& directory, std::string_view name, const FileReference& reference,
                         Parallel& parallel);

}  // namespace netml::wal
