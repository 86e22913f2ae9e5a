// Writes one table as a Parquet file, row group by row group, so that its size does not matter.
// Source: the Parquet format, version 2 (https://parquet.apache.org/docs/file-format/): plain
// values, levels as runs or bits, data pages of version 1, Zstandard, Thrift's compact protocol.
// Our own because Debian 12 has no library that writes it, and Arrow is larger than this program.
//
// A file is `PAR1`, the row groups, the footer, its length in 4 bytes, `PAR1`. Equal rows and notes
// give equal bytes. Lists have the three levels of the format; their elements are never null.
//
// What is held in memory is one row group, its file form, and 32 bytes a column for each group
// before it, if take() follows each row for which has_made() holds. Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codecs/parquet/parquet_values.hpp"

namespace netml::codecs {

namespace parquet {
class ChunkWriter;
struct RowGroup;
}  // namespace parquet

class ParquetWriter {
 public:
  // Notes of the file: keys and values.
  using Notes = std::vector<std::pair<std::string, std::string>>;

  // A row group is written with the row by which it has as many rows, or as many bytes.
  static constexpr std::size_t kGroupRows = 1 << 16;
  static constexpr std::size_t kGroupBytes = 8 << 20;

  explicit ParquetWriter(std::vector<ParquetColumn> columns, Notes notes = {});
  ParquetWriter(ParquetWriter&&) noexcept;
  ~ParquetWriter();

  // To be given one row's part each, in any order.
  std::vector<ParquetValues>& columns() { return columns_; }
  // After that. Errc::internal when it cannot be compressed; the writer is of no use then.
  Status end_row();
  // The last row group, and the footer. No row comes after it.
  Status finish();

  bool has_made() const { return !made_.empty(); }
  // The bytes of the file since it was asked last; mostly none.
  std::string take();

 private:
  std::size_t held_bytes() const;
  Status end_group();

  std::vector<ParquetValues> columns_;
  const Notes notes_;
  std::unique_ptr<parquet::ChunkWriter> chunks_;
  std::vector<parquet::RowGroup> groups_;
  std::size_t rows_ = 0;  // of the group that is open
  std::string made_;
  std::int64_t taken_ = 0;  // bytes of the file before made_
};

}  // namespace netml::codecs
