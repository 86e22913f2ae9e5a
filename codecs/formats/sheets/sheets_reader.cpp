#include "codecs/formats/sheets/sheets_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codecs/formats/tables/table_content.hpp"
#include "codecs/xlsx/workbook_cells.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

// All sheets of a workbook.
class Tables {
 public:
  Tables(WorkbookCells& workbook, const XlsxLimits& limits)
      : workbook_(workbook), limits_(limits) {}

  std::optional<engine::InputError> read() {
    for (std::size_t i = 0; i < workbook_.sheets().size(); ++i) {
      tables_.emplace_back(workbook_.sheets()[i]);
      auto failed = workbook_.read(i, [&](std::uint32_t row, std::span<const WorkbookCell> cells) {
        return add(tables_.back(), row, cells);
      });
      if (failed) return failed;
      bytes_ += tables_.back().bytes();
      if (is_full_)
        return engine::InputError{
            .code = "too-large",
            .message = fmt::format(
                "Error: {}", beyond_limit("the texts of all cells are too long",
                                          limit_names::kXlsxExpandedBytes, limits_.expanded_bytes)),
            .sheet = workbook_.sheets()[i]};
    }
    return std::nullopt;
  }

  std::span<const Table> tables() const { return tables_; }
  bool holds_any() const {
    return std::ranges::any_of(
        tables_, [](const Table& table) { return ColumnMap(table).holds() != Holds::nothing; });
  }

 private:
  // Many cells may share one long text: what they take is counted here.
  bool add(Table& table, std::uint32_t row, std::span<const WorkbookCell> cells) {
    table.begin_row(row);
    for (const WorkbookCell& cell : cells)
      is_full_ = is_full_ || !table.add(cell.column, cell.text, {row, cell.column}, cell.bad);
    is_full_ = is_full_ || bytes_ + table.bytes() > limits_.expanded_bytes;
    return !is_full_;
  }

  WorkbookCells& workbook_;
  const XlsxLimits& limits_;
  std::vector<Table> tables_;
  std::uint64_t bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace

std::optional<ReadResult> read_sheets(RandomAccessFile& file, const DraftOptions& options,
                                      const XlsxLimits& limits) {
  WorkbookCells workbook(file, limits);
  if (workbook.open() || is_template(workbook.sheets())) return std::nullopt;
  Tables tables(workbook, limits);
  if (auto failed = tables.read())
    return tl::unexpected(engine::InputErrors{{*std::move(failed)}, 1});
  if (!tables.holds_any()) return std::nullopt;
  return TableContent(limits.errors).read(tables.tables(), options);
}

}  // namespace netml::codecs
