#include "codecs/xlsx/detail/xlsx_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codecs/document/error_list.hpp"
#include "codecs/document/numbers.hpp"

namespace netml::codecs {

namespace {

// Libraries that cannot calculate write no result, or 0 and that programs shall calculate when they
// open the workbook.
bool is_calculated(const Cell& cell, std::string_view text, const CellRules& rules) {
  if (!cell.formula) return true;
  if (!cell.value) return false;
  return !(rules.calculate_on_load && cell.type == CellType::number && parse_number(text) == 0.0);
}

}  // namespace

void read_cell(const SheetRow& row, const Cell& cell, const CellStyles& styles,
               const CellRules& rules, CellValue& value) {
  value.text.clear();
  value.problem.clear();
  value.date = false;
  const std::string_view text = trim(row.text(cell));
  const bool calculated = is_calculated(cell, text, rules);
  if (!calculated || cell.type == CellType::error) {
    value.problem = calculated ? fmt::format("the cell holds the error {}", excerpt(text))
                               : std::string(
                                     "the formula has no result; open the file in a "
                                     "spreadsheet program, let it calculate and save it");
    return;
  }
  value.text = cell.type == CellType::truth ? (text == "1" ? "TRUE" : "FALSE") : text;
  if (cell.type != CellType::number) return;
  const std::optional<double> number = parse_number(value.text);
  if (!number) return;
  std::string shown =
      styles.is_date(cell.style) ? date_text(*number, rules.date_1904) : std::string();
  value.date = !shown.empty();
  value.text = value.date ? std::move(shown) : number_text(*number);
}

bool RowValues::start(const SheetLayout& layout, const SheetRow& row) {
  layout_ = &layout;
  row_ = row.number;
  bool any = false;
  for (Value& value : values_) {
    value.text.clear();
    value.date = value.bad = false;
  }
  for (const SheetColumn& column : layout.columns) {
    const Cell* cell = row.find(column.number);
    if (cell == nullptr) continue;
    evaluate(column.field, row, *cell);
    any = any || !missing(column.field);
  }
  return any;
}

void RowValues::evaluate(Field field, const SheetRow& row, const Cell& cell) {
  Value& value = values_[static_cast<std::size_t>(field)];
  read_cell(row, cell, styles_, rules_, value);
  value.bad = !value.problem.empty();
  if (value.bad) report("bad-cell", value.problem, field);
}

std::vector<std::string_view> RowValues::list(Field field) const {
  std::vector<std::string_view> parts;
  std::string_view rest = text(field);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    if (const std::string_view part = trim(rest.substr(0, end)); !part.empty())
      parts.push_back(part);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

std::optional<double> RowValues::number(Field field) {
  const Value& value = of(field);
  if (value.text.empty()) return std::nullopt;
  const std::optional<double> number = value.date ? std::nullopt : parse_number(value.text);
  if (!number)
    report("bad-number", fmt::format("\"{}\" is not a number", excerpt(value.text)), field);
  return number;
}

}  // namespace netml::codecs
