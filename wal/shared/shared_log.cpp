#include "wal/shared/shared_log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml::wal {

Status check(const Append& append) {
  if (append.after.lsn <= append.before.lsn)
    return fail(Errc::invalid_input, fmt::format("an append from LSN {} to LSN {}",
                                                 append.before.lsn.value, append.after.lsn.value));
  if (append.pieces.empty()) return fail(Errc::invalid_input, "an append without frames");
  for (const std::span<const std::byte> piece : append.pieces) {
    if (piece.empty()) return fail(Errc::invalid_input, "an append with an empty piece");
    if (piece.size() > kSharedPieceBytesMax)
      return fail(Errc::too_large, fmt::format("a piece of {} bytes, more than {}", piece.size(),
                                               kSharedPieceBytesMax));
  }
  std::size_t brought = 0;
  for (const SharedFile& file : append.files) {
    brought += file.bytes.size();
    if (file.bytes.size() != file.upload.bytes)
      return fail(Errc::invalid_input, fmt::format("{} bytes are not the file of {}",
                                                   file.bytes.size(), file.upload.bytes));
  }
  if (append.files.size() > kBroughtFilesMax || brought > kBroughtBytesMax)
    return fail(Errc::too_large, fmt::format("{} files of {} bytes come with an append",
                                             append.files.size(), brought));
  return {};
}

std::uint32_t pieces_of(const SharedUpload& upload) {
  const std::uint64_t full = upload.bytes / kSharedPieceBytesMax;
  const bool more = upload.bytes == 0 || upload.bytes % kSharedPieceBytesMax != 0;
  return static_cast<std::uint32_t>(full + (more ? 1 : 0));
}

std::size_t piece_bytes(const SharedUpload& upload, std::uint32_t number) {
  const std::uint64_t begin = std::uint64_t{number} * kSharedPieceBytesMax;
  if (begin >= upload.bytes) return 0;
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(upload.bytes - begin, kSharedPieceBytesMax));
}

}  // namespace netml::wal
