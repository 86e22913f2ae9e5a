// What cells hold: the tables that cells refer to, and the values that programs mean by them.
//
// Thread: any (const after reading).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/xlsx/detail/xlsx_part.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"

namespace netml::codecs {

// What the workbook says of the values of all its cells.
struct CellRules {
  bool date_1904 = false;  // days are counted from 1904, not from 1900
  // Programs shall calculate all formulas when they open it: the results it holds may be none.
  bool calculate_on_load = false;
};

// ---- texts ----

// Without blanks at either end, the unbreakable one included.
std::string_view trim(std::string_view text);
// Replaces _xHHHH_ by the character it stands for: what XML cannot hold or parsers would change.
// Sequences for characters that XML forbids stay as they are.
void append_unescaped(std::string& out, std::string_view text);

// The texts that cells of all sheets share, one after the other in one buffer.
class SharedStrings {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(texts_).substr(begin, ends_[i] - begin);
  }

 private:
  friend class SharedStringsPart;
  std::string texts_;
  std::vector<std::size_t> ends_;
};
ZipResult<SharedStrings> read_shared_strings(ZipArchive& archive, std::string_view part,
                                             const XlsxLimits& limits);

// ---- numbers ----

// Says of each style of cells whether it shows a number as a date or time.
class CellStyles {
 public:
  bool is_date(std::uint32_t style) const { return style < is_date_.size() && is_date_[style]; }

 private:
  friend class StylesPart;
  std::vector<bool> is_date_;
};
ZipResult<CellStyles> read_styles(ZipArchive& archive, std::string_view part);

// Whether a number format, such as "yyyy-mm-dd", shows a date or time.
bool is_date_format(std::string_view format);

// As a person would write the number: "123", "44.65".
std::string number_text(double value);
// "2024-03-01", "2024-03-01T12:30:00", or "12:30:00" for less than a day. Empty for numbers that
// are no dates.
std::string date_text(double serial, bool date_1904);

}  // namespace netml::codecs
