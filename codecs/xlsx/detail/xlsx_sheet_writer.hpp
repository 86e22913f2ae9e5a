// Writes the XML of a sheet row by row into an archive, and the other parts of a workbook.
// Thread: its owner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/zip_writer.hpp"
#include "engine/graph/record.hpp"

namespace netml::codecs {

enum class CellStyle : std::uint8_t { plain = 0, heading = 1, quoted = 2 };

// The cells of one sheet. Rows come in ascending order, and so do the cells of a row.
class SheetWriter {
 public:
  // `frozen_rows` stay in sight when the sheet is scrolled.
  SheetWriter(ZipWriter& archive, const std::string& part, std::uint32_t frozen_rows);

  void begin_row(std::uint32_t number);
  // Empty texts make no cell. What a program could take for a formula is marked as a text.
  void text(std::uint32_t column, std::string_view value, CellStyle style = CellStyle::plain);
  void number(std::uint32_t column, engine::Micro value);
  void end_row();
  // One row of texts, from the first column on.
  void row(std::uint32_t number, const std::vector<std::string_view>& texts,
           CellStyle style = CellStyle::plain);
  void finish();

 private:
  void flush();
  void begin_cell(std::uint32_t column, CellStyle style);

  ZipWriter& archive_;
  std::string buffer_;
  std::uint32_t row_ = 0;
};

// All parts besides the sheets, which are the parts sheet_part(1), sheet_part(2) and so on.
void write_workbook_parts(ZipWriter& archive, std::span<const std::string_view> sheet_names);
std::string sheet_part(std::size_t number);

// Escapes what programs would take for one of their own escapes: "_x000D_".
void append_workbook_text(std::string& out, std::string_view text);

}  // namespace netml::codecs
