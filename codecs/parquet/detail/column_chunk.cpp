#include "codecs/parquet/detail/column_chunk.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <string_view>

#include "codecs/parquet/detail/compact_protocol.hpp"
#include "engine/base/guarded.hpp"

namespace netml::codecs::parquet {

namespace {

constexpr int kCompressionLevel = 1;
constexpr int kDataPage = 0;  // PageType.DATA_PAGE

// Levels of one bit: one run where all are alike, else all of them as they are. Before them their
// length.
void append_levels(std::string& page, const Bits& levels) {
  std::string runs;
  if (levels.count_set() == 0 || levels.count_set() == levels.size()) {
    append_varint(runs, levels.size() << 1);
    runs += levels.count_set() == 0 ? '\0' : '\1';
  } else {
    append_varint(runs, levels.bytes().size() << 1 | 1);
    runs += levels.bytes();
  }
  const auto size = static_cast<std::uint32_t>(runs.size());
  page.append(reinterpret_cast<const char*>(&size), sizeof size);
  page += runs;
}

void append_page_header(std::string& file, std::size_t places, std::size_t bytes,
                        std::size_t stored_bytes) {
  CompactWriter writer(file);
  writer.structure([&] {
    writer.i32(1, kDataPage);
    writer.i32(2, static_cast<std::int64_t>(bytes));
    writer.i32(3, static_cast<std::int64_t>(stored_bytes));
    writer.structure(5, [&] {
      writer.i32(1, static_cast<std::int64_t>(places));
      writer.i32(2, static_cast<int>(Encoding::plain));
      writer.i32(3, static_cast<int>(Encoding::rle));  // of the levels
      writer.i32(4, static_cast<int>(Encoding::rle));
    });
  });
}

}  // namespace

void ChunkWriter::Free::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

ChunkWriter::ChunkWriter() : context_(ZSTD_createCCtx()) {
  check_allocated(context_ != nullptr);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kCompressionLevel);
}

Status ChunkWriter::compress() {
  stored_.resize(ZSTD_compressBound(page_.size()));
  const std::size_t bytes =
      ZSTD_compress2(context_.get(), stored_.data(), stored_.size(), page_.data(), page_.size());
  if (ZSTD_isError(bytes) != 0)
    return fail(Errc::internal, fmt::format("cannot compress: {}", ZSTD_getErrorName(bytes)));
  stored_.resize(bytes);
  return {};
}

Result<ColumnChunk> ChunkWriter::write(const Leaf& leaf, ParquetShape shape, std::string& file,
                                       std::int64_t begin) {
  page_.clear();
  if (shape >= ParquetShape::list) append_levels(page_, leaf.repeated);
  if (shape != ParquetShape::required) append_levels(page_, leaf.defined);
  page_ += leaf.truths.bytes();
  page_ += leaf.plain;
  NETML_TRY_VOID(compress());
  ColumnChunk chunk{.offset = begin + static_cast<std::int64_t>(file.size()),
                    .places = static_cast<std::int64_t>(leaf.places)};
  append_page_header(file, leaf.places, page_.size(), stored_.size());
  const std::int64_t header = begin + static_cast<std::int64_t>(file.size()) - chunk.offset;
  file += stored_;
  chunk.bytes = header + static_cast<std::int64_t>(page_.size());
  chunk.stored_bytes = header + static_cast<std::int64_t>(stored_.size());
  return chunk;
}

}  // namespace netml::codecs::parquet
