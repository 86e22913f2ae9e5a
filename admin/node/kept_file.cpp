#include "admin/node/kept_file.hpp"

#include <fmt/format.h>

#include <vector>

#include "engine/base/sha256.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kCopiedPieceBytes = 1 << 20;

// All bytes, until `take` wants no more. Errc::corruption unless they have that hash.
Status replay_checked(wal::File& file, const Sha256& hash, const codecs::ByteSink& take) {
  Sha256Hasher hasher;
  NETML_TRY_VOID(replay_kept_file(file, [&](std::span<const std::byte> piece) {
    hasher.add(piece);
    return take(piece);
  }));
  if (hasher.finish() == hash) return {};
  return fail(Errc::corruption, "the stored upload is damaged");
}

}  // namespace

Status replay_kept_file(wal::File& file, const codecs::ByteSink& take) {
  std::vector<std::byte> piece(kCopiedPieceBytes);
  for (std::uint64_t offset = 0;;) {
    NETML_TRY(const std::size_t got, file.read(offset, piece));
    if (got == 0 || !take(std::span(piece).first(got))) return {};
    offset += got;
  }
}

Result<std::unique_ptr<wal::File>> open_kept_file(Node& node, const SpooledFile& accepted) {
  NETML_TRY(auto file, node.open_upload(accepted.hash));
  std::uint64_t bytes = 0;
  NETML_TRY_VOID(replay_checked(*file, accepted.hash, [&](std::span<const std::byte> piece) {
    bytes += piece.size();
    return bytes <= accepted.bytes;
  }));
  return file;
}

Result<std::string> read_kept_file(Node& node, const Sha256& hash) {
  NETML_TRY(const auto file, node.open_upload(hash));
  std::string text;
  NETML_TRY_VOID(replay_checked(*file, hash, [&](std::span<const std::byte> piece) {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return true;
  }));
  return text;
}

Status KeptFile::read_at(std::uint64_t offset, std::span<std::byte> out) {
  NETML_TRY(const std::size_t got, file_.read(offset, out));
  if (got == out.size()) return {};
  return fail(Errc::io_error, fmt::format("{}: ends too early", file_.path()));
}

}  // namespace netml::admin
