#include "wal/storage/zstd_block.hpp"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <cstdint>
#include <string_view>

#include "engine/base/guarded.hpp"
#include "wal/storage/bytes.hpp"

namespace netml::wal {

namespace {

// What the library answered, when there was memory for it.
std::size_t answered(std::size_t answer) {
  check_allocated(ZSTD_getErrorCode(answer) != ZSTD_error_memory_allocation);
  return answer;
}

tl::unexpected<Error> no_such_frame(std::string_view why) {
  return fail(Errc::corruption, fmt::format("the compressed bytes are damaged: {}", why));
}

}  // namespace

void BlockPacker::Free::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

void BlockUnpacker::Free::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

BlockPacker::BlockPacker(int level, Checksum checksum) : context_(ZSTD_createCCtx()) {
  check_allocated(context_ != nullptr);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, checksum == Checksum::content);
}

std::size_t BlockPacker::bytes_max(std::size_t content_bytes) {
  return ZSTD_compressBound(content_bytes);
}

Result<std::size_t> BlockPacker::pack(std::span<const std::byte> content,
                                      std::span<std::byte> out) {
  const std::size_t compressed = answered(
      ZSTD_compress2(context_.get(), out.data(), out.size(), content.data(), content.size()));
  if (ZSTD_isError(compressed) != 0)
    return fail(Errc::internal, fmt::format("cannot compress: {}", ZSTD_getErrorName(compressed)));
  return compressed;
}

// Older formats than that of today, frames that hold nothing, and others behind the first are
// refused: nobody has written such.
Status BlockUnpacker::unpack(std::span<const std::byte> compressed, std::span<std::byte> out) {
  if (compressed.size() < sizeof(std::uint32_t) ||
      load<std::uint32_t>(compressed, 0) != ZSTD_MAGICNUMBER)
    return no_such_frame("they do not begin as Zstandard does");
  if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != out.size())
    return no_such_frame("they speak of another size");
  if (ZSTD_findFrameCompressedSize(compressed.data(), compressed.size()) != compressed.size())
    return no_such_frame("they end elsewhere");
  if (context_ == nullptr) context_.reset(ZSTD_createDCtx());
  check_allocated(context_ != nullptr);
  const std::size_t size = answered(ZSTD_decompressDCtx(context_.get(), out.data(), out.size(),
                                                        compressed.data(), compressed.size()));
  if (ZSTD_isError(size) != 0) return no_such_frame(ZSTD_getErrorName(size));
  if (size != out.size()) return no_such_frame("they hold another size");
  return {};
}

}  // namespace netml::wal
