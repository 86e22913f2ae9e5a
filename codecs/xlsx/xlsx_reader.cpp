#include "codecs/xlsx/xlsx_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/xlsx/detail/xlsx_content.hpp"
#include "codecs/xlsx/detail/xlsx_data_sink.hpp"
#include "codecs/xlsx/detail/xlsx_package.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kDirections = "Directions";
constexpr SheetColumn kVersionCell{2, Field::name};  // Directions!B2
constexpr std::uint32_t kVersionRow = 2;

// The sheets with data, in the order in which they refer to each other.
struct DataSheet {
  std::string_view name;
  Kind kind;
};
constexpr std::array<DataSheet, 3> kDataSheets{{
    {"Institutions", Kind::institution},
    {"Nodes", Kind::node},
    {"Links", Kind::link},
}};

// The one cell that names the layout.
class VersionSink final : public RowSink {
 public:
  SheetRow row;

  bool wants(std::uint32_t column) const override { return column == kVersionCell.number; }
  bool take(const SheetRow& next) override {
    if (next.number == kVersionRow) row = next;
    return next.number < kVersionRow;
  }
};

class WorkbookReader {
 public:
  WorkbookReader(RandomAccessFile& file, const XlsxOptions& options)
      : options_(options),
        errors_(options.limits.errors),
        archive_(file, kWorkbook, options.limits.of_archive()) {}

  ReadResult read() {
    if (options_.topology_name.empty())
      errors_.report("name-missing", "a spreadsheet needs a name for its topology");
    if (const auto parts = read_parts(); !parts) {
      errors_.report(parts.error().code, parts.error().message);
    } else if (find_sheets() && errors_.empty()) {
      read_data();
    }
    if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
    return std::move(content_).take();
  }

 private:
  ZipResult<void> read_parts() {
    NETML_TRY_VOID(archive_.open());
    NETML_TRY(workbook_, read_workbook(archive_));
    if (!workbook_.shared_strings.empty()) {
      NETML_TRY(strings_, read_shared_strings(archive_, workbook_.shared_strings, options_.limits));
    }
    if (!workbook_.styles.empty()) {
      NETML_TRY(styles_, read_styles(archive_, workbook_.styles));
    }
    return {};
  }

  bool find_sheets() {
    bool complete = true;
    for (const DataSheet& sheet : kDataSheets) {
      if (workbook_.find(sheet.name) != nullptr) continue;
      errors_.enter(sheet.name);
      errors_.report("missing-sheet", fmt::format("there is no sheet {}; the workbook has {}",
                                                  sheet.name, sheet_names()));
      complete = false;
    }
    return complete && find_version();
  }

  // The first ones, for a message.
  std::string sheet_names() const {
    constexpr std::size_t kNamedMax = 8;
    std::vector<std::string> names;
    for (const WorkbookSheet& sheet : workbook_.sheets)
      if (names.size() < kNamedMax) names.push_back(excerpt(sheet.name));
    if (workbook_.sheets.size() > kNamedMax) names.emplace_back("...");
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
  }

  bool find_version() {
    const WorkbookSheet* directions = workbook_.find(kDirections);
    if (directions == nullptr) return true;
    errors_.enter(directions->name);
    VersionSink sink;
    if (!read_rows(*directions, sink)) return false;
    RowValues values(styles_, workbook_.rules, errors_);
    const SheetLayout layout{{kVersionCell}, kVersionRow};
    values.start(layout, sink.row);
    const std::string_view code = values.text(kVersionCell.field);
    if (const auto version = parse_version(code)) {
      version_ = *version;
      return true;
    }
    errors_.report("unknown-version",
                   fmt::format("version {} of the template is not known; {} is", excerpt(code),
                               kXlsxVersions.back()),
                   {kVersionRow, kVersionCell.number});
    return false;
  }

  bool read_rows(const WorkbookSheet& sheet, RowSink& sink) {
    const auto read = read_sheet(archive_, sheet.part, strings_, options_.limits, sink);
    if (!read) errors_.report(read.error().code, read.error().message);
    return read.has_value();
  }

  void read_data() {
    RowValues values(styles_, workbook_.rules, errors_);
    for (const DataSheet& sheet : kDataSheets) {
      const WorkbookSheet& found = *workbook_.find(sheet.name);
      errors_.enter(found.name);
      DataSink sink(sheet.kind, version_, values, errors_, content_);
      if (!read_rows(found, sink)) return;
      sink.finish();
      if (sheet.kind == Kind::institution) content_.end_institutions();
    }
  }

  const XlsxOptions& options_;
  ErrorList errors_;
  ZipArchive archive_;
  Workbook workbook_;
  SharedStrings strings_;
  CellStyles styles_;
  TemplateVersion version_ = TemplateVersion::v0_0;
  SheetContent content_{options_.topology_name, errors_};
};

}  // namespace

ReadResult read_xlsx(RandomAccessFile& file, const XlsxOptions& options) {
  return WorkbookReader(file, options).read();
}

}  // namespace netml::codecs
