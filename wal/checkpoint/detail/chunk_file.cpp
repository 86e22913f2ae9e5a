#include "wal/checkpoint/detail/chunk_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "wal/storage/bytes.hpp"
#include "wal/storage/crc32c.hpp"

namespace netml::wal {

namespace {

// File header.
constexpr std::size_t kMagicAt = 0;
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kOldestReaderAt = 10;
constexpr std::size_t kPartAt = 12;
constexpr std::size_t kNodeAt = 16;
constexpr std::size_t kLsnAt = 32;
constexpr std::size_t kFileCrcAt = format::kCheckpointHeaderBytes - sizeof(std::uint32_t);

// Chunk header.
constexpr std::size_t kChunkMagicAt = 0;
constexpr std::size_t kChunkCrcAt = 4;
constexpr std::size_t kPayloadBytesAt = 8;
constexpr std::size_t kPayloadCrcAt = 12;
constexpr std::size_t kIndexAt = 16;
constexpr std::size_t kKindAt = 20;

// Trailer.
constexpr std::size_t kLastChunkAt = 0;
constexpr std::size_t kTrailerMagicAt = 8;
constexpr std::size_t kTrailerCrcAt = 12;

// A footer is as long as what it lists, which grows with the graph.
constexpr std::size_t payload_bytes_max(format::ChunkKind kind) {
  return kind == format::ChunkKind::footer ? std::numeric_limits<std::uint32_t>::max()
                                           : format::kPayloadBytesMax;
}

constexpr std::size_t kHashBytes = sizeof(Sha256);
constexpr std::size_t kChunkWindowBytes = 4 << 20;

using HeaderBlock = std::array<std::byte, format::kCheckpointHeaderBytes>;
using ChunkBlock = std::array<std::byte, format::kChunkHeaderBytes>;

HeaderBlock encode_header(const ChunkFileHeader& header) {
  HeaderBlock block{};
  const std::span<std::byte> out(block);
  store(out, kMagicAt, format::kCheckpointMagic);
  store(out, kVersionAt, header.format);
  store(out, kOldestReaderAt, header.format);
  store(out, kPartAt, static_cast<std::uint8_t>(header.part));
  std::ranges::copy(header.node.bytes, out.subspan(kNodeAt).begin());
  store(out, kLsnAt, header.lsn.value);
  store(out, kFileCrcAt, crc32c(out.first(kFileCrcAt)));
  return block;
}

// Over the place in the file, then the header without its own checksum.
std::uint32_t chunk_crc(const ChunkFileHeader& file, std::uint64_t offset,
                        std::span<const std::byte> block) {
  std::array<std::byte, 40> seed{};
  std::ranges::copy(file.node.bytes, seed.begin());
  store(std::span(seed), 16, file.lsn.value);
  store(std::span(seed), 24, offset);
  store(std::span(seed), 32, static_cast<std::uint8_t>(file.part));
  std::uint32_t crc = crc32c(seed);
  crc = crc32c(block.first(kChunkCrcAt), crc);
  return crc32c(block.subspan(kPayloadBytesAt), crc);
}

Status check_header(std::span<const std::byte> block, const ChunkFileHeader& expected,
                    const std::string& path) {
  if (load<std::uint32_t>(block, kFileCrcAt) != crc32c(block.first(kFileCrcAt)) ||
      load<std::uint64_t>(block, kMagicAt) != format::kCheckpointMagic)
    return fail(Errc::corruption, fmt::format("{}: offset 0: the header is damaged", path));
  if (const auto oldest = load<std::uint16_t>(block, kOldestReaderAt); oldest > format::kVersion)
    return written_by_newer(path, oldest);
  ChunkFileHeader as_written = expected;
  as_written.format = load<std::uint16_t>(block, kVersionAt);
  const HeaderBlock wanted = encode_header(as_written);
  if (!std::ranges::equal(block.subspan(kPartAt), std::span(wanted).subspan(kPartAt)))
    return fail(Errc::corruption,
                fmt::format("{}: offset 0: the header is that of another file", path));
  return {};
}

}  // namespace

// ---- writing ----

Result<ChunkFileWriter> ChunkFileWriter::create(Storage& directory, std::string name,
                                                const ChunkFileHeader& header) {
  ChunkFileWriter writer(directory, std::move(name), header);
  NETML_TRY(writer.file_, directory.open(temporary_name(writer.name_), OpenMode::create_empty));
  writer.hasher_ = std::make_unique<Sha256Hasher>();
  NETML_TRY_VOID(writer.put(encode_header(header)));
  return writer;
}

Status ChunkFileWriter::append(format::ChunkKind kind, std::span<const std::byte> payload) {
  NETML_ASSERT(payload.size() <= payload_bytes_max(kind));
  ChunkBlock block{};
  const std::span<std::byte> out(block);
  last_chunk_ = offset_;
  store(out, kChunkMagicAt, format::kChunkMagic);
  store(out, kPayloadBytesAt, static_cast<std::uint32_t>(payload.size()));
  store(out, kPayloadCrcAt, crc32c(payload));
  store(out, kIndexAt, chunks_);
  store(out, kKindAt, static_cast<std::uint8_t>(kind));
  store(out, kChunkCrcAt, chunk_crc(header_, offset_, out));
  NETML_TRY_VOID(put(block));
  ++chunks_;
  return put(payload);
}

Status ChunkFileWriter::append_trailer() {
  std::array<std::byte, format::kTrailerBytes> block{};
  const std::span<std::byte> out(block);
  store(out, kLastChunkAt, last_chunk_);
  store(out, kTrailerMagicAt, format::kTrailerMagic);
  store(out, kTrailerCrcAt, crc32c(out.first(kTrailerCrcAt)));
  return put(block);
}

Status ChunkFileWriter::put(std::span<const std::byte> bytes) {
  hasher_->add(bytes);
  return write(bytes);
}

Status ChunkFileWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kBufferBytes - buffered_));
    std::ranges::copy(part, buffer_.bytes().subspan(buffered_).begin());
    buffered_ += part.size();
    offset_ += part.size();
    bytes = bytes.subspan(part.size());
    if (buffered_ == kBufferBytes) NETML_TRY_VOID(flush());
  }
  return {};
}

Status ChunkFileWriter::flush() {
  NETML_TRY_VOID(file_->write(offset_ - buffered_, buffer_.bytes().first(buffered_)));
  buffered_ = 0;
  return {};
}

Result<FileReference> ChunkFileWriter::finish(Parallel& parallel) {
  const Sha256 hash = hasher_->finish();
  NETML_TRY_VOID(write(std::as_bytes(std::span(hash))));
  NETML_TRY_VOID(flush());
  NETML_TRY_VOID(file_->sync());
  file_.reset();
  FileReference reference{name_, offset_, hash};
  NETML_TRY_VOID(verify_chunk_file(*directory_, temporary_name(name_), reference, parallel));
  NETML_TRY_VOID(directory_->rename(temporary_name(name_), name_));
  NETML_TRY_VOID(directory_->sync());
  return reference;
}

// ---- reading ----

Result<ChunkFileReader> ChunkFileReader::open(Storage& directory, const FileReference& reference,
                                              const ChunkFileHeader& expected) {
  NETML_TRY(std::unique_ptr<File> file, directory.open(reference.name, OpenMode::read));
  NETML_TRY(const std::uint64_t size, file->size());
  if (size != reference.bytes || size < format::kCheckpointHeaderBytes + kHashBytes)
    return fail(Errc::corruption, fmt::format("{}: has {} bytes, but was written with {}",
                                              file->path(), size, reference.bytes));
  HeaderBlock block;
  NETML_TRY_VOID(read_exactly(*file, 0, block));
  NETML_TRY_VOID(check_header(block, expected, file->path()));
  ChunkFileHeader header = expected;
  header.format = load<std::uint16_t>(block, kVersionAt);
  return ChunkFileReader(std::move(file), header, size - kHashBytes);
}

Status ChunkFileReader::skip_body() {
  const auto damaged = [&] {
    return fail(Errc::corruption, fmt::format("{}: the trailer is damaged", path()));
  };
  std::array<std::byte, format::kTrailerBytes> block{};
  if (end_ < offset_ + block.size()) return damaged();
  end_ -= block.size();
  NETML_TRY_VOID(read_exactly(*file_, end_, block));
  const std::span<const std::byte> in(block);
  if (load<std::uint32_t>(in, kTrailerMagicAt) != format::kTrailerMagic ||
      load<std::uint32_t>(in, kTrailerCrcAt) != crc32c(in.first(kTrailerCrcAt)))
    return damaged();
  const auto last_chunk = load<std::uint64_t>(in, kLastChunkAt);
  if (last_chunk < offset_ || last_chunk > end_) return damaged();
  offset_ = last_chunk;
  return {};
}

Result<std::optional<Chunk>> ChunkFileReader::next() {
  if (offset_ == end_) return std::optional<Chunk>();
  const auto damaged = [&](const char* what) {
    return fail(Errc::corruption, fmt::format("{}: offset {}: {}", path(), offset_, what));
  };
  if (end_ - offset_ < format::kChunkHeaderBytes) return damaged("the chunk is cut off");
  NETML_TRY(const auto in, bytes_at(offset_, format::kChunkHeaderBytes));
  if (load<std::uint32_t>(in, kChunkMagicAt) != format::kChunkMagic ||
      load<std::uint32_t>(in, kChunkCrcAt) != chunk_crc(header_, offset_, in) ||
      load<std::uint32_t>(in, kIndexAt) != chunks_)
    return damaged("the chunk's header is damaged");
  const auto kind = load<std::uint8_t>(in, kKindAt);
  if (kind > static_cast<std::uint8_t>(format::ChunkKind::footer))
    return fail(Errc::newer_version,
                fmt::format("{}: offset {}: a chunk kind that this program does not know: written "
                            "by a newer version",
                            path(), offset_));
  const std::uint64_t size = load<std::uint32_t>(in, kPayloadBytesAt);
  if (size > end_ - offset_ - format::kChunkHeaderBytes || size % sizeof(std::uint64_t) != 0)
    return damaged("the chunk is cut off");
  const auto payload_crc = load<std::uint32_t>(in, kPayloadCrcAt);
  NETML_TRY(const auto payload, bytes_at(offset_ + format::kChunkHeaderBytes, size));
  if (crc32c(payload) != payload_crc) return damaged("the chunk is damaged");
  offset_ += format::kChunkHeaderBytes + size;
  ++chunks_;
  Chunk chunk{static_cast<format::ChunkKind>(kind), std::vector<std::uint64_t>(size / 8)};
  std::memcpy(chunk.words.data(), payload.data(), size);
  return std::optional<Chunk>(std::move(chunk));
}

// Reads ahead, from the beginning of a page on.
Result<std::span<const std::byte>> ChunkFileReader::bytes_at(std::uint64_t offset,
                                                             std::size_t size) {
  if (offset + size > window_begin_ + window_bytes_ || offset < window_begin_) {
    const std::uint64_t begin = offset / kDirectAlignment * kDirectAlignment;
    const std::size_t wanted = std::max<std::size_t>(kChunkWindowBytes, offset + size - begin);
    if (window_.bytes().size() < wanted) window_ = AlignedMemory(wanted);
    window_begin_ = begin;
    NETML_TRY(window_bytes_, file_->read(begin, window_.bytes().first(wanted)));
    if (offset + size > begin + window_bytes_)
      return fail(Errc::corruption,
                  fmt::format("{}: is cut off at {} bytes", path(), begin + window_bytes_));
  }
  return std::span<const std::byte>(window_.bytes()).subspan(offset - window_begin_, size);
}

Status verify_chunk_file(Storage& directory, std::string_view name, const FileReference& reference,
                         Parallel& parallel) {
  NETML_TRY(const std::unique_ptr<File> file, directory.open(name, OpenMode::read));
  NETML_TRY(const std::uint64_t size, file->size());
  if (size != reference.bytes || size < kHashBytes)
    return fail(Errc::corruption, fmt::format("{}: has {} bytes, but was written with {}",
                                              file->path(), size, reference.bytes));
  NETML_TRY(const Sha256 hash, hash_file(*file, size - kHashBytes, parallel));
  Sha256 stored;
  NETML_TRY_VOID(read_exactly(*file, size - kHashBytes, stored));
  if (hash != stored || hash != reference.sha256)
    return fail(Errc::corruption,
                fmt::format("{}: the SHA-256 of the content is not the one it was written with",
                            file->path()));
  return {};
}

}  // namespace netml::wal
