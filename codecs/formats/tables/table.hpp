// Rows and columns of texts, with the place of each cell: what a CSV file has once and a workbook
// for each of its sheets. Cells without a text are not kept.
//
// Ownership: the texts. Memory: theirs, and 20 bytes for each cell. Thread: its owner; any when it
// is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/error_list.hpp"

namespace netml::codecs {

struct TableCell {
  TextPosition at;
  std::uint32_t text_begin = 0;
  std::uint32_t text_size = 0;
  std::uint16_t column = 0;  // from 1
  bool bad = false;          // it holds no value, and its text says why
  bool marked = false;       // something in front of it said that it is a text
};

struct TableRow {
  std::uint32_t number = 0;  // of its line, or of the row in the sheet
  std::uint32_t cells_begin = 0;
  std::uint32_t cells_end = 0;
};

class Table {
 public:
  static constexpr std::uint32_t kColumnsMax = 1 << 14;

  // The name of its sheet; empty where a file is one table.
  explicit Table(std::string sheet = {}) : sheet_(std::move(sheet)) {}

  // A row that gets no cell is not kept.
  void begin_row(std::uint32_t number);
  // In the order of the columns. False beyond 4 GiB of texts.
  bool add(std::uint32_t column, std::string_view text, TextPosition at, bool bad = false,
           bool marked = false);
  // The separator of a file of texts, where numbers may have a comma: any other.
  void allow_decimal_commas() { decimal_commas_ = true; }

  const std::string& sheet() const { return sheet_; }
  std::span<const TableRow> rows() const { return rows_; }
  std::span<const TableCell> cells(const TableRow& row) const {
    return std::span(cells_).subspan(row.cells_begin, row.cells_end - row.cells_begin);
  }
  std::string_view text(const TableCell& cell) const {
    return std::string_view(texts_).substr(cell.text_begin, cell.text_size);
  }
  // Of a cell that should be a number: with a point, where the table has commas instead. It lives
  // as long as `buffer`.
  std::string_view number(const TableCell& cell, std::string& buffer) const;
  // Null where the row has no value there.
  const TableCell* find(const TableRow& row, std::uint32_t column) const;
  // "sheet Nodes, cell E3"; "line 3, column 5".
  std::string place(TextPosition at) const;
  std::size_t bytes() const { return texts_.size() + cells_.size() * sizeof(TableCell); }

 private:
  std::string sheet_;
  bool decimal_commas_ = false;
  std::string texts_;
  std::vector<TableCell> cells_;
  std::vector<TableRow> rows_;
  std::uint32_t row_number_ = 0;
};

}  // namespace netml::codecs
