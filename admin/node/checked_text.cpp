#include "admin/node/checked_text.hpp"

#include <fmt/format.h>

#include <span>

#include "wal/storage/crc32c.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kChecksum = "crc32c ";

std::string checksum_line(std::string_view text) {
  return fmt::format("{}{:08x}\n", kChecksum, wal::crc32c(std::as_bytes(std::span(text))));
}

}  // namespace

Status store_checked_text(const std::string& data_directory, std::string_view name,
                          std::string text) {
  text += checksum_line(text);
  NETML_TRY(const auto storage, wal::PosixStorage::open_path(data_directory));
  return wal::replace_file(*storage, name, std::as_bytes(std::span(text)));
}

Result<std::string> load_checked_text(const std::string& data_directory, std::string_view name,
                                      std::uint64_t bytes_max) {
  NETML_TRY(const auto storage, wal::PosixStorage::open_path(data_directory));
  const auto bytes = wal::read_file(*storage, name, bytes_max);
  if (!bytes) {
    const Error& why = bytes.error();
    if (why.code == Errc::not_found) return tl::unexpected(why);
    return fail(why.code == Errc::too_large ? Errc::corruption : why.code,
                fmt::format("{}/{}: {}", data_directory, name, why.message));
  }
  std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const std::size_t end = text.rfind(kChecksum);
  if (end == std::string::npos ||
      std::string_view(text).substr(end) != checksum_line(std::string_view(text).substr(0, end)))
    return tl::unexpected(damaged_text(data_directory, name));
  text.resize(end);
  return text;
}

Error damaged_text(const std::string& data_directory, std::string_view name) {
  return {Errc::corruption,
          fmt::format("{}/{}: it does not hold what was written", data_directory, name)};
}

}  // namespace netml::admin
