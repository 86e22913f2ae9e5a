#include "wal/storage/zstd_file.hpp"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>

#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"
#include "wal/storage/bytes.hpp"

namespace netml::wal {

namespace {

constexpr int kLevel = 3;  // measured on journals of imports: higher ones gain little

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// What zstd answered, when there was memory for it.
std::size_t with_memory(std::size_t answer) {
  check_allocated(ZSTD_getErrorCode(answer) != ZSTD_error_memory_allocation);
  return answer;
}

class Packer {
 public:
  Packer(File& to, std::uint64_t bytes) : to_(to), context_(ZSTD_createCCtx()) {
    check_allocated(context_ != nullptr);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(context_.get(), bytes);
  }

  Status add(std::span<const std::byte> piece, bool last) {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    while (true) {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = with_memory(
          ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue));
      if (ZSTD_isError(left) != 0)
        return fail(Errc::internal,
                    fmt::format("{}: cannot pack: {}", to_.path(), ZSTD_getErrorName(left)));
      NETML_TRY_VOID(to_.write(at_, std::span(buffer_).first(out.pos)));
      at_ += out.pos;
      if (last ? left == 0 : in.pos == in.size) return {};
    }
  }

 private:
  File& to_;
  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(kPieceBytes);
  std::uint64_t at_ = 0;
};

class UnpackedFile final : public File {
 public:
  UnpackedFile(std::unique_ptr<File> compressed, std::uint64_t bytes)
      : compressed_(std::move(compressed)), bytes_(bytes), context_(ZSTD_createDCtx()) {
    check_allocated(context_ != nullptr);
  }

  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    const std::uint64_t wanted = std::min(bytes_, offset + bytes.size());
    NETML_TRY_VOID(unpack_until(wanted));
    if (offset >= wanted) return std::size_t{0};
    const auto part = std::span(content_).subspan(offset, wanted - offset);
    std::ranges::copy(part, bytes.begin());
    return part.size();
  }
  Result<std::uint64_t> size() override { return bytes_; }
  const std::string& path() const override { return compressed_->path(); }

  Status write(std::uint64_t, std::span<const std::byte>) override { return read_only(); }
  Status truncate(std::uint64_t) override { return read_only(); }
  Status sync_data() override { return read_only(); }
  Status sync() override { return read_only(); }

 private:
  Status read_only() const { return fail(Errc::denied, path() + ": archived, for reading only"); }

  Status unpack_until(std::uint64_t end) {
    while (content_.size() < end) {
      if (in_.pos == in_.size) NETML_TRY_VOID(read_more());
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = with_memory(ZSTD_decompressStream(context_.get(), &out, &in_));
      if (ZSTD_isError(left) != 0)
        return fail(Errc::corruption,
                    fmt::format("{}: offset {}: the archived segment is damaged: {}", path(),
                                compressed_at_, ZSTD_getErrorName(left)));
      content_.insert(content_.end(), buffer_.begin(),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(out.pos));
    }
    return {};
  }

  Status read_more() {
    NETML_TRY(const std::size_t count, compressed_->read(compressed_at_, compressed_piece_));
    if (count == 0)
      return fail(Errc::corruption,
                  fmt::format("{}: the archived segment is cut off: it has {} bytes, unpacked, "
                              "instead of {}",
                              path(), content_.size(), bytes_));
    compressed_at_ += count;
    in_ = {compressed_piece_.data(), count, 0};
    return {};
  }

  std::unique_ptr<File> compressed_;
  const std::uint64_t bytes_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::uint64_t compressed_at_ = 0;
  std::vector<std::byte> compressed_piece_ = std::vector<std::byte>(ZSTD_DStreamInSize());
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::vector<std::byte> buffer_ = std::vector<std::byte>(ZSTD_DStreamOutSize());
  std::vector<std::byte> content_;
};

}  // namespace

Result<Sha256> pack(File& from, std::uint64_t bytes, File& to) {
  Packer packer(to, bytes);
  Sha256Hasher hasher;
  std::vector<std::byte> buffer(kPieceBytes);
  std::uint64_t at = 0;
  do {
    const auto piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), bytes - at));
    NETML_TRY_VOID(read_exactly(from, at, piece));
    hasher.add(piece);
    at += piece.size();
    NETML_TRY_VOID(packer.add(piece, at == bytes));
  } while (at < bytes);
  return hasher.finish();
}

std::unique_ptr<File> unpacked(std::unique_ptr<File> compressed, std::uint64_t bytes) {
  return std::make_unique<UnpackedFile>(std::move(compressed), bytes);
}

}  // namespace netml::wal
