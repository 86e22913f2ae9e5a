#include "codecs/formats/tables/table.hpp"

#include <algorithm>

namespace netml::codecs {

namespace {

// "59,91": as sheets of many languages write it.
bool has_decimal_comma(std::string_view number) {
  const std::size_t comma = number.find(',');
  return comma != number.npos && comma + 1 < number.size() &&
         number.find_first_not_of("0123456789", comma + 1) == number.npos;
}

}  // namespace

void Table::begin_row(std::uint32_t number) {
  row_number_ = number;
}

bool Table::add(std::uint32_t column, std::string_view text, TextPosition at, bool bad,
                bool marked) {
  constexpr std::size_t kTextsMax = 0xffffffff;
  if (text.size() > kTextsMax - texts_.size()) return false;
  const auto number = static_cast<std::uint32_t>(cells_.size());
  if (rows_.empty() || rows_.back().number != row_number_)
    rows_.push_back({row_number_, number, number});
  cells_.push_back({at, static_cast<std::uint32_t>(texts_.size()),
                    static_cast<std::uint32_t>(text.size()), static_cast<std::uint16_t>(column),
                    bad, marked});
  texts_ += text;
  rows_.back().cells_end = number + 1;
  return true;
}

std::string_view Table::number(const TableCell& cell, std::string& buffer) const {
  const std::string_view written = text(cell);
  if (!decimal_commas_ || !has_decimal_comma(written)) return written;
  buffer = written;
  std::ranges::replace(buffer, ',', '.');
  return buffer;
}

const TableCell* Table::find(const TableRow& row, std::uint32_t column) const {
  const auto in_row = cells(row);
  const auto found = std::ranges::lower_bound(in_row, column, {}, &TableCell::column);
  return found != in_row.end() && found->column == column && !found->bad ? &*found : nullptr;
}

std::string Table::place(TextPosition at) const {
  return engine::InputError{
      .code = {}, .message = {}, .line = at.line, .column = at.column, .sheet = sheet_}
      .place();
}

}  // namespace netml::codecs
