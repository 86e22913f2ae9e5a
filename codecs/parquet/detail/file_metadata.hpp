// The footer of a Parquet file: the schema, where the chunks of each row group lie, and notes
// (Parquet format, Metadata; parquet.thrift, FileMetaData).
//
// Thread: any (values and a pure function).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codecs/parquet/detail/column_chunk.hpp"
#include "codecs/parquet/parquet_values.hpp"

namespace netml::codecs::parquet {

struct RowGroup {
  std::int64_t rows = 0;
  std::vector<ColumnChunk> chunks;  // of all leaves, in the order of the schema
};

struct FileMetadata {
  const std::vector<ParquetValues>& columns;
  const std::vector<RowGroup>& groups;
  const std::vector<std::pair<std::string, std::string>>& notes;
};

// In Thrift's compact protocol.
std::string encode(const FileMetadata& metadata);

}  // namespace netml::codecs::parquet
