#include "codecs/parquet/parquet_writer.hpp"

#include <memory>
#include <string_view>

#include "codecs/parquet/detail/column_chunk.hpp"
#include "codecs/parquet/detail/file_metadata.hpp"

namespace netml::codecs {

namespace {
constexpr std::string_view kMagic = "PAR1";
}  // namespace

ParquetWriter::ParquetWriter(std::vector<ParquetColumn> columns, Notes notes)
    : notes_(std::move(notes)), chunks_(std::make_unique<parquet::ChunkWriter>()), made_(kMagic) {
  columns_.reserve(columns.size());
  for (ParquetColumn& column : columns) columns_.emplace_back(std::move(column));
}

ParquetWriter::ParquetWriter(ParquetWriter&&) noexcept = default;
ParquetWriter::~ParquetWriter() = default;

Status ParquetWriter::end_row() {
  ++rows_;
  if (rows_ < kGroupRows && held_bytes() < kGroupBytes) return {};
  return end_group();
}

Status ParquetWriter::finish() {
  if (rows_ > 0) NETML_TRY_VOID(end_group());
  const std::string footer = parquet::encode({columns_, groups_, notes_});
  made_ += footer;
  const auto size = static_cast<std::uint32_t>(footer.size());
  made_.append(reinterpret_cast<const char*>(&size), sizeof size);
  made_ += kMagic;
  return {};
}

std::string ParquetWriter::take() {
  taken_ += static_cast<std::int64_t>(made_.size());
  return std::exchange(made_, {});
}

std::size_t ParquetWriter::held_bytes() const {
  std::size_t sum = 0;
  for (const ParquetValues& column : columns_) sum += column.bytes();
  return sum;
}

Status ParquetWriter::end_group() {
  parquet::RowGroup& group = groups_.emplace_back();
  group.rows = static_cast<std::int64_t>(rows_);
  for (ParquetValues& column : columns_) {
    NETML_ASSERT(column.rows() == rows_);
    for (const parquet::Leaf& leaf : column.leaves()) {
      NETML_TRY(const parquet::ColumnChunk chunk,
                chunks_->write(leaf, column.column().shape, made_, taken_));
      group.chunks.push_back(chunk);
    }
    column.clear();
  }
  rows_ = 0;
  return {};
}

}  // namespace netml::codecs
