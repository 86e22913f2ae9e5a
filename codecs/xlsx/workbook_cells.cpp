#include "codecs/xlsx/workbook_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codecs/xlsx/detail/xlsx_package.hpp"
#include "codecs/xlsx/detail/xlsx_values.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

struct WorkbookCells::Parts {
  Parts(RandomAccessFile& file, const XlsxLimits& given)
      : limits(given), archive(file, kWorkbook, given.of_archive()) {}

  ZipResult<void> open() {
    NETML_TRY_VOID(archive.open());
    NETML_TRY(workbook, read_workbook(archive));
    if (!workbook.shared_strings.empty()) {
      NETML_TRY(strings, read_shared_strings(archive, workbook.shared_strings, limits));
    }
    if (!workbook.styles.empty()) {
      NETML_TRY(styles, read_styles(archive, workbook.styles));
    }
    return {};
  }

  const XlsxLimits limits;
  ZipArchive archive;
  Workbook workbook;
  SharedStrings strings;
  CellStyles styles;
};

namespace {

std::optional<engine::InputError> error_of(const ZipResult<void>& done,
                                           const std::string& sheet = {}) {
  if (done) return std::nullopt;
  return engine::InputError{.code = done.error().code,
                            .message = fmt::format("Error: {}", done.error().message),
                            .sheet = sheet};
}

class CellSink final : public RowSink {
 public:
  CellSink(const CellStyles& styles, const CellRules& rules, const WorkbookCells::TakeRow& give)
      : styles_(styles), rules_(rules), give_(give) {}

  bool wants(std::uint32_t) const override { return true; }

  bool take(const SheetRow& row) override {
    values_.resize(std::max(values_.size(), row.cells.size()));
    cells_.clear();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      CellValue& value = values_[i];
      read_cell(row, row.cells[i], styles_, rules_, value);
      const bool bad = !value.problem.empty();
      if (bad || !value.text.empty())
        cells_.push_back({row.cells[i].column, bad ? value.problem : value.text, bad});
    }
    return give_(row.number, cells_);
  }

 private:
  const CellStyles& styles_;
  const CellRules& rules_;
  const WorkbookCells::TakeRow& give_;
  std::vector<CellValue> values_;  // their memory is used again
  std::vector<WorkbookCell> cells_;
};

}  // namespace

WorkbookCells::WorkbookCells(RandomAccessFile& file, const XlsxLimits& limits)
    : parts_(std::make_unique<Parts>(file, limits)) {}

WorkbookCells::~WorkbookCells() = default;

std::optional<engine::InputError> WorkbookCells::open() {
  if (auto failed = error_of(parts_->open())) return failed;
  for (const WorkbookSheet& sheet : parts_->workbook.sheets) sheets_.push_back(sheet.name);
  return std::nullopt;
}

std::optional<engine::InputError> WorkbookCells::read(std::size_t sheet, const TakeRow& take) {
  CellSink sink(parts_->styles, parts_->workbook.rules, take);
  const WorkbookSheet& wanted = parts_->workbook.sheets[sheet];
  return error_of(read_sheet(parts_->archive, wanted.part, parts_->strings, parts_->limits, sink),
                  wanted.name);
}

bool is_template(std::span<const std::string> sheets) {
  return std::ranges::any_of(sheets, [](std::string_view sheet) {
    const std::string name = lower_ascii(trim(sheet));
    return name == "institutions" || name == "directions";
  });
}

}  // namespace netml::codecs
