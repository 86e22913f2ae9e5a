#include "codecs/formats/sheets/sheets_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codecs/formats/tables/table_content.hpp"
#include "codecs/formats/tables/table_update.hpp"
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
  bool holds_any(const HeadingMap& said) const {
    return std::ranges::any_of(tables_, [&](const Table& table) {
      return ColumnMap(table, said).holds() != Holds::nothing;
    });
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

tl::unexpected<engine::InputErrors> refused(engine::InputError error) {
  return tl::unexpected(engine::InputErrors{{std::move(error)}, 1});
}

}  // namespace

std::optional<ReadResult> read_sheets(RandomAccessFile& file, const HeadingMap& said,
                                      const DraftOptions& options, const XlsxLimits& limits) {
  WorkbookCells workbook(file, limits);
  if (workbook.open()) return std::nullopt;
  if (said.empty() && is_template(workbook.sheets())) return std::nullopt;
  Tables tables(workbook, limits);
  if (auto failed = tables.read()) return refused(*std::move(failed));
  if (said.empty() && !tables.holds_any(said)) return std::nullopt;
  return TableContent(said, limits.errors).read(tables.tables(), options);
}

UpdateResult read_sheets_update(RandomAccessFile& file, const HeadingMap& said,
                                const XlsxLimits& limits) {
  WorkbookCells workbook(file, limits);
  if (auto failed = workbook.open()) return refused(*std::move(failed));
  if (is_template(workbook.sheets()))
    return refused({"template",
                    "Error: a workbook with the sheets Institutions, Nodes and Links is a map and "
                    "no update; an update is one sheet of the columns kind and identifier with "
                    "those that are to be set"});
  Tables tables(workbook, limits);
  if (auto failed = tables.read()) return refused(*std::move(failed));
  return TableUpdate(said, limits.errors).read(tables.tables());
}

}  // namespace netml::codecs
