// Reads a sheet with data: finds out what its columns mean, then hands on row by row. What is not
// read although it holds something is reported or noted, never passed over silently.
//
// Ownership: all that it is given outlives it. Thread: its owner.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/xlsx/detail/xlsx_content.hpp"
#include "codecs/xlsx/detail/xlsx_layout.hpp"
#include "codecs/xlsx/detail/xlsx_values.hpp"

namespace netml::codecs {

class DataSink final : public RowSink {
 public:
  DataSink(Kind kind, TemplateVersion version, RowValues& values, ErrorList& errors,
           SheetContent& content)
      : kind_(kind), version_(version), values_(values), errors_(errors), content_(content) {}

  bool wants(std::uint32_t column) const override;
  bool take(const SheetRow& row) override;
  void pass_over(const Cell& cell) override;
  // After the last row.
  void finish();

 private:
  // False when the sheet cannot be read with the headings it has.
  bool open_layout();
  bool check_headings(const HeadingRow& headings);
  void report_missing_column(const HeadingRow& headings, Field field);
  void report_missing_headings(const HeadingRow& likeliest);
  void check_head_row(const SheetRow& row);
  bool is_complete(const SheetRow& row) const;
  bool is_our_hint(const SheetRow& row) const;
  bool is_foreign_hint(const SheetRow& row) const;
  void take_data(const SheetRow& row);
  void note_columns_passed_over();

  std::string_view text_of(const SheetRow& row, Field field) const;
  bool is_read(std::uint32_t column) const;

  const Kind kind_;
  const TemplateVersion version_;
  RowValues& values_;
  ErrorList& errors_;
  SheetContent& content_;
  std::optional<SheetLayout> layout_;
  HeadingRow headings_;
  std::vector<SheetRow> first_rows_;
  std::map<std::uint32_t, bool> passed_over_;  // columns with values; whether all are of formulas
};

}  // namespace netml::codecs
