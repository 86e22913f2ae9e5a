#include "admin/history/history_tables.hpp"

#include <string>
#include <utility>
#include <vector>

#include "admin/history/detail/history_columns.hpp"

namespace netml::admin {

namespace {

template <class Row>
class HistoryTable {
 public:
  HistoryTable(const char* file, tables::Columns<Row> columns,
               const codecs::ParquetWriter::Notes& notes)
      : file_(file), columns_(std::move(columns)), writer_(shapes(columns_), notes) {}

  Status add(const Row& row) {
    auto values = writer_.columns().begin();
    for (const tables::Column<Row>& column : columns_) column.put(row, *values++);
    return writer_.end_row();
  }
  Status finish() { return writer_.finish(); }
  bool has_made() const { return writer_.has_made(); }
  void take(const HistoryTables::Take& take) {
    if (const std::string bytes = writer_.take(); !bytes.empty()) take(file_, bytes);
  }

 private:
  static std::vector<codecs::ParquetColumn> shapes(const tables::Columns<Row>& columns) {
    std::vector<codecs::ParquetColumn> shapes;
    for (const tables::Column<Row>& column : columns) shapes.push_back(column.shape);
    return shapes;
  }

  const char* file_;
  tables::Columns<Row> columns_;
  codecs::ParquetWriter writer_;
};

}  // namespace

struct HistoryTables::All {
  explicit All(const codecs::ParquetWriter::Notes& notes)
      : versions("versions.parquet", tables::version_columns(), notes),
        ends("ends.parquet", tables::end_columns(), notes),
        effects("effects.parquet", tables::effect_columns(), notes),
        imports("imports.parquet", tables::import_columns(), notes) {}

  HistoryTable<tables::VersionValues> versions;
  HistoryTable<EndRow> ends;
  HistoryTable<EffectRow> effects;
  HistoryTable<ImportRow> imports;
};

HistoryTables::HistoryTables(const codecs::ParquetWriter::Notes& notes)
    : all_(std::make_unique<All>(notes)) {}
HistoryTables::~HistoryTables() = default;

Status HistoryTables::add(const VersionRow& row) {
  return all_->versions.add(tables::VersionValues{row, row.record.attributes->fields()});
}
Status HistoryTables::add(const EndRow& row) {
  return all_->ends.add(row);
}
Status HistoryTables::add(const EffectRow& row) {
  return all_->effects.add(row);
}
Status HistoryTables::add(const ImportRow& row) {
  return all_->imports.add(row);
}

Status HistoryTables::finish() {
  NETML_TRY_VOID(all_->versions.finish());
  NETML_TRY_VOID(all_->ends.finish());
  NETML_TRY_VOID(all_->effects.finish());
  return all_->imports.finish();
}

bool HistoryTables::has_made() const {
  return all_->versions.has_made() || all_->ends.has_made() || all_->effects.has_made() ||
         all_->imports.has_made();
}

void HistoryTables::take(const Take& take) {
  all_->versions.take(take);
  all_->ends.take(take);
  all_->effects.take(take);
  all_->imports.take(take);
}

}  // namespace netml::admin
