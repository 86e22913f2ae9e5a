// One leaf of a row group as it stands in a file: the header of its only page, and the page, which
// holds levels and values and is compressed with Zstandard (Parquet format, Data Pages; Encodings:
// RLE/bit-packing hybrid, plain).
//
// Thread: its owner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codecs/parquet/parquet_values.hpp"

struct ZSTD_CCtx_s;

namespace netml::codecs::parquet {

// As the format numbers them.
enum class Encoding : std::uint8_t { plain = 0, rle = 3 };
enum class Codec : std::uint8_t { zstd = 6 };

// What the footer says of it.
struct ColumnChunk {
  std::int64_t offset = 0;  // of the page's header in the file
  std::int64_t places = 0;
  std::int64_t bytes = 0;  // with the header, uncompressed
  std::int64_t stored_bytes = 0;
};

class ChunkWriter {
 public:
  ChunkWriter();

  // Appends it to `file`, whose first byte is at `begin` of the whole file. Errc::internal when it
  // cannot be compressed.
  Result<ColumnChunk> write(const Leaf& leaf, ParquetShape shape, std::string& file,
                            std::int64_t begin);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  Status compress();

  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::string page_;  // kept, as is the next, for their memory
  std::string stored_;
};

}  // namespace netml::codecs::parquet
