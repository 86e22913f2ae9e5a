#include "codecs/xlsx_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "codecs/src/xlsx_content.hpp"
#include "codecs/src/xlsx_package.hpp"

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

// Keeps the first rows until the layout is known, then hands on what holds data.
class DataSink final : public RowSink {
 public:
  using Take = std::function<void(RowValues&)>;

  DataSink(Kind kind, TemplateVersion version, RowValues& values, SheetErrors& errors, Take take)
      : kind_(kind), version_(version), values_(values), errors_(errors), take_(std::move(take)) {}

  bool wants(std::uint32_t column) const override {
    return !layout_ || std::ranges::find(layout_->columns, column, &SheetColumn::number) !=
                           layout_->columns.end();
  }

  bool take(const SheetRow& row) override {
    if (!layout_ && row.number <= kHeaderRowsMax) {
      first_rows_.push_back(row);
      return true;
    }
    if (!layout_ && !settle_layout()) return false;
    take_data(row);
    return true;
  }

  void finish() {
    if (!layout_) settle_layout();
  }

 private:
  // False when the sheet cannot be read with the headers it has.
  bool settle_layout() {
    FoundLayout found = find_layout(kind_, version_, first_rows_);
    layout_ = std::move(found.layout);
    if (!check_headers(found)) return false;
    for (const SheetRow& row : first_rows_) take_data(row);
    first_rows_ = {};
    return true;
  }

  bool check_headers(const FoundLayout& found) {
    if (found.repeated)
      errors_.report("duplicate-column",
                     fmt::format("there are two columns {}", field_title(found.repeated->field)),
                     found.header_row, found.repeated->number);
    bool complete = !found.repeated;
    for (const Field field :
         {Field::first_end, Field::second_end, Field::latitude, Field::longitude}) {
      const bool is_end = field == Field::first_end || field == Field::second_end;
      if (kind_ != (is_end ? Kind::link : Kind::node) || layout_->column_of(field) != 0) continue;
      errors_.report("missing-column",
                     fmt::format("there is no {}column {}",
                                 field == Field::second_end ? "second " : "", field_title(field)),
                     found.header_row);
      complete = false;
    }
    return complete;
  }

  void take_data(const SheetRow& row) {
    if (row.number < layout_->first_row) return;
    if (values_.start(*layout_, row)) take_(values_);
  }

  const Kind kind_;
  const TemplateVersion version_;
  RowValues& values_;
  SheetErrors& errors_;
  const Take take_;
  std::optional<SheetLayout> layout_;
  std::vector<SheetRow> first_rows_;
};

class WorkbookReader {
 public:
  WorkbookReader(RandomAccessFile& file, const XlsxOptions& options)
      : file_(file), options_(options), errors_(options.limits.errors) {}

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
    const XlsxLimits& limits = options_.limits;
    NETML_TRY(ZipArchive archive, ZipArchive::open(file_, {limits.file_bytes, limits.expanded_bytes,
                                                           limits.expanded_ratio, limits.entries}));
    archive_.emplace(std::move(archive));
    NETML_TRY(workbook_, read_workbook(*archive_));
    if (!workbook_.shared_strings.empty()) {
      NETML_TRY(strings_, read_shared_strings(*archive_, workbook_.shared_strings, limits));
    }
    if (!workbook_.styles.empty()) {
      NETML_TRY(styles_, read_styles(*archive_, workbook_.styles));
    }
    return {};
  }

  bool find_sheets() {
    bool complete = true;
    for (const DataSheet& sheet : kDataSheets) {
      if (workbook_.find(sheet.name) != nullptr) continue;
      errors_.enter(sheet.name);
      errors_.report("missing-sheet", fmt::format("there is no sheet {}", sheet.name));
      complete = false;
    }
    return complete && find_version();
  }

  bool find_version() {
    const WorkbookSheet* directions = workbook_.find(kDirections);
    if (directions == nullptr) return true;
    errors_.enter(directions->name);
    VersionSink sink;
    if (!read_rows(*directions, sink)) return false;
    RowValues values(styles_, workbook_.date_1904, errors_);
    const SheetLayout layout{{kVersionCell}, kVersionRow};
    values.start(layout, sink.row);
    const std::string_view code = values.text(kVersionCell.field);
    if (const auto version = parse_version(code)) {
      version_ = *version;
      return true;
    }
    errors_.report("unknown-version",
                   fmt::format("version {} of the template is not known; v1.0 is", excerpt(code)),
                   kVersionRow, kVersionCell.number);
    return false;
  }

  bool read_rows(const WorkbookSheet& sheet, RowSink& sink) {
    const auto read = read_sheet(*archive_, sheet.part, strings_, options_.limits, sink);
    if (!read) errors_.report(read.error().code, read.error().message);
    return read.has_value();
  }

  void read_data() {
    RowValues values(styles_, workbook_.date_1904, errors_);
    for (const DataSheet& sheet : kDataSheets) {
      const WorkbookSheet& found = *workbook_.find(sheet.name);
      errors_.enter(found.name);
      DataSink sink(sheet.kind, version_, values, errors_,
                    [&](RowValues& row) { add(sheet.kind, row); });
      if (!read_rows(found, sink)) return;
      sink.finish();
      if (sheet.kind == Kind::institution) content_.end_institutions();
    }
  }

  void add(Kind kind, RowValues& row) {
    if (kind == Kind::institution) return content_.add_institution(row);
    if (kind == Kind::node) return content_.add_node(row);
    content_.add_link(row);
  }

  RandomAccessFile& file_;
  const XlsxOptions& options_;
  SheetErrors errors_;
  std::optional<ZipArchive> archive_;
  Workbook workbook_;
  SharedStrings strings_;
  CellStyles styles_;
  TemplateVersion version_ = TemplateVersion::v0_0;
  SheetContent content_{options_, errors_};
};

}  // namespace

ReadResult read_xlsx(RandomAccessFile& file, const XlsxOptions& options) {
  return WorkbookReader(file, options).read();
}

ReadResult read_xlsx(std::string_view bytes, const XlsxOptions& options) {
  MemoryFile file(bytes);
  return read_xlsx(file, options);
}

}  // namespace netml::codecs
