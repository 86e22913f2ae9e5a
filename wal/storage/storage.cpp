#include "wal/storage/storage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/sha256.hpp"
#include "wal/storage/aligned_memory.hpp"
#include "wal/storage/bytes.hpp"

namespace netml::wal {

namespace {
constexpr std::size_t kReadBytes = 4 << 20;  // few calls, past the page cache

class CopiedFile final : public Mapping {
 public:
  explicit CopiedFile(AlignedMemory memory) : memory_(std::move(memory)) {}
  std::span<const std::byte> bytes() const override { return memory_.bytes(); }

 private:
  AlignedMemory memory_;
};
}  // namespace

Result<std::shared_ptr<const Mapping>> File::map() {
  NETML_TRY(const std::uint64_t bytes, size());
  AlignedMemory memory(bytes);
  NETML_TRY_VOID(read_exactly(*this, 0, memory.bytes()));
  return std::shared_ptr<const Mapping>(std::make_shared<CopiedFile>(std::move(memory)));
}

Status File::reserve(std::uint64_t bytes) {
  return fill_with_zeros(*this, bytes);
}

Result<std::vector<std::byte>> read_file(Storage& storage, std::string_view name,
                                         std::uint64_t bytes_max) {
  NETML_TRY(const std::unique_ptr<File> file, storage.open(name, OpenMode::read));
  NETML_TRY(const std::uint64_t size, file->size());
  if (size > bytes_max)
    return fail(Errc::too_large, fmt::format("{} has {} bytes, more than the limit of {}",
                                             file->path(), size, bytes_max));
  std::vector<std::byte> bytes(size);
  NETML_TRY_VOID(read_exactly(*file, 0, bytes));
  return bytes;
}

Status replace_file(Storage& storage, std::string_view name, std::span<const std::byte> bytes) {
  const std::string temporary = temporary_name(name);
  {
    NETML_TRY(const std::unique_ptr<File> file, storage.open(temporary, OpenMode::create_empty));
    NETML_TRY_VOID(file->write(0, bytes));
    NETML_TRY_VOID(file->sync());
  }
  NETML_TRY(const std::vector<std::byte> written, read_file(storage, temporary, bytes.size()));
  if (!std::ranges::equal(written, bytes))
    return fail(Errc::io_error, fmt::format("{}/{}: what was written reads back differently",
                                            storage.path(), temporary));
  NETML_TRY_VOID(storage.rename(temporary, name));
  return storage.sync();
}

std::string temporary_name(std::string_view name) {
  return std::string(name).append(kTemporarySuffix);
}

Status remove_temporary_files(Storage& storage) {
  NETML_TRY(const std::vector<DirectoryEntry> entries, storage.list());
  for (const DirectoryEntry& entry : entries)
    if (!entry.directory && entry.name.ends_with(kTemporarySuffix))
      NETML_TRY_VOID(storage.unlink(entry.name));
  return {};
}

Status read_exactly(File& file, std::uint64_t offset, std::span<std::byte> bytes) {
  NETML_TRY(const std::size_t count, file.read(offset, bytes));
  if (count != bytes.size())
    return fail(Errc::corruption, fmt::format("{} ends at byte {}; {} bytes were expected at {}",
                                              file.path(), offset + count, bytes.size(), offset));
  return {};
}

namespace {

// Calls take(offset, piece) for the first `bytes` of a file.
template <class Take>
Status read_pieces(File& file, std::uint64_t bytes, Take&& take) {
  AlignedMemory memory(std::min<std::uint64_t>(bytes, kReadBytes));
  for (std::uint64_t at = 0; at < bytes;) {
    const auto piece = memory.bytes().first(std::min<std::uint64_t>(kReadBytes, bytes - at));
    NETML_TRY_VOID(read_exactly(file, at, piece));
    NETML_TRY_VOID(take(at, piece));
    at += piece.size();
  }
  return {};
}

}  // namespace

Result<Sha256> hash_file(File& file, std::uint64_t bytes) {
  InlineParallel parallel;
  return hash_file(file, bytes, parallel);
}

// A piece is read while the one before is hashed.
Result<Sha256> hash_file(File& file, std::uint64_t bytes, Parallel& parallel) {
  Sha256Hasher hasher;
  AlignedMemory reading(std::min<std::uint64_t>(bytes, kReadBytes));
  AlignedMemory hashing(reading.bytes().size());
  std::span<const std::byte> piece;
  for (std::uint64_t at = 0; at < bytes || !piece.empty();) {
    const auto next = reading.bytes().first(std::min<std::uint64_t>(kReadBytes, bytes - at));
    Status read;
    parallel.run_both([&] { hasher.add(piece); }, [&] { read = read_exactly(file, at, next); });
    NETML_TRY_VOID(std::move(read));
    at += next.size();
    piece = next;
    std::swap(reading, hashing);
  }
  return hasher.finish();
}

Status fill_with_zeros(File& file, std::uint64_t bytes) {
  // Aligned, so that a file can be written from it without another copy.
  AlignedMemory memory(std::min<std::uint64_t>(bytes, kPieceBytes));
  const std::span<std::byte> zeros = memory.bytes();
  std::ranges::fill(zeros, std::byte{0});
  for (std::uint64_t at = 0; at < bytes; at += zeros.size())
    NETML_TRY_VOID(file.write(at, zeros.first(std::min<std::uint64_t>(zeros.size(), bytes - at))));
  return {};
}

Status copy_file(Storage& from, Storage& to, std::string_view name) {
  NETML_TRY(const std::unique_ptr<File> source, from.open(name, OpenMode::read));
  NETML_TRY(const std::uint64_t bytes, source->size());
  return copy_beginning(from, to, name, bytes, bytes);
}

Status copy_beginning(Storage& from, Storage& to, std::string_view name, std::uint64_t bytes,
                      std::uint64_t length) {
  NETML_TRY(const std::unique_ptr<File> source, from.open(name, OpenMode::read));
  NETML_TRY(const std::unique_ptr<File> target, to.open(name, OpenMode::create_new));
  NETML_TRY_VOID(
      read_pieces(*source, bytes, [&](std::uint64_t at, std::span<const std::byte> piece) {
        return target->write(at, piece);
      }));
  if (length > bytes) NETML_TRY_VOID(target->truncate(length));
  return target->sync();
}

}  // namespace netml::wal
