#include "wal/storage/storage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml::wal {

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

}  // namespace netml::wal
