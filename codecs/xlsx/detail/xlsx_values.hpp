// The values that one row of a sheet gives for the fields of a record. What a cell should not hold
// is reported with its place.
//
// Ownership: views live until the next row is started. Thread: its owner.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/xlsx/detail/xlsx_layout.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

// What a cell means as a text, without blanks around it.
struct CellValue {
  std::string text;
  bool date = false;    // a number that is shown as one
  std::string problem;  // why it has no value: then there is no text
};
// Into `value`, whose memory is used again.
void read_cell(const SheetRow& row, const Cell& cell, const CellStyles& styles,
               const CellRules& rules, CellValue& value);

class RowValues {
 public:
  RowValues(const CellStyles& styles, const CellRules& rules, ErrorList& errors)
      : styles_(styles), rules_(rules), errors_(errors) {}

  // `layout` outlives what follows. False when none of its columns holds anything.
  bool start(const SheetLayout& layout, const SheetRow& row);

  // The text of the cell, trimmed; empty when there is none.
  std::string_view text(Field field) const { return of(field).text; }
  // There is none, and no error was reported instead.
  bool missing(Field field) const { return of(field).text.empty() && !of(field).bad; }
  // Its parts between semicolons, each trimmed, without empty ones.
  std::vector<std::string_view> list(Field field) const;
  std::optional<double> number(Field field);

  std::uint32_t row() const { return row_; }
  std::uint32_t column(Field field) const { return layout_->column_of(field); }
  void report(std::string_view code, std::string_view message, Field field,
              std::string_view id = {}) {
    errors_.report(code, message, {row(), column(field)}, id);
  }

 private:
  struct Value : CellValue {
    bool bad = false;  // reported already
  };
  const Value& of(Field field) const { return values_[static_cast<std::size_t>(field)]; }
  void evaluate(Field field, const SheetRow& row, const Cell& cell);

  const CellStyles& styles_;
  const CellRules rules_;
  ErrorList& errors_;
  const SheetLayout* layout_ = nullptr;
  std::uint32_t row_ = 0;
  std::array<Value, kFieldCount> values_;
};

}  // namespace netml::codecs
