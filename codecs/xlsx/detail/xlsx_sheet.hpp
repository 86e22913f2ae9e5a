// The rows of a sheet, one after the other as the file gives them. Only cells that hold something
// exist: a sheet may name a cell in its last corner and is still small.
//
// Thread: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/zip_archive.hpp"
#include "codecs/xlsx/detail/xlsx_cells.hpp"

namespace netml::codecs {

inline constexpr std::uint32_t kRowsMax = 1 << 20;  // of a sheet

enum class CellType : std::uint8_t {
  number,
  text,
  truth,
  date,   // as text: "2024-03-01T00:00:00"
  error,  // the text tells which, such as "#REF!"
};

struct Cell {
  std::uint32_t column = 0;  // from 1
  CellType type = CellType::number;
  bool formula = false;
  bool value = false;       // false: empty, or a formula without a result
  std::uint32_t style = 0;  // in CellStyles
  std::size_t text_begin = 0;
  std::size_t text_end = 0;
};

struct SheetRow {
  std::uint32_t number = 0;  // from 1
  std::vector<Cell> cells;   // by column
  std::string texts;         // of its cells

  std::string_view text(const Cell& cell) const {
    return std::string_view(texts).substr(cell.text_begin, cell.text_end - cell.text_begin);
  }
  const Cell* find(std::uint32_t column) const;
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  // Whether cells of this column are looked at, from the next row on.
  virtual bool wants(std::uint32_t column) const = 0;
  // A cell with a value in a column that is not wanted.
  virtual void pass_over(const Cell&) {}
  // False: no more rows are wanted.
  virtual bool take(const SheetRow& row) = 0;
};

ZipResult<void> read_sheet(ZipArchive& archive, std::string_view part, const SharedStrings& strings,
                           const XlsxLimits& limits, RowSink& sink);

}  // namespace netml::codecs
