// The text of a CSV file (RFC 4180): bytes to a table.
//
// UTF-8 with or without a mark; what is no UTF-8 is read as Windows-1252, which has all of Latin-1.
// Cells may be quoted and hold line breaks then. A row ends at CR LF, LF or CR. Blanks around a
// cell that is not quoted do not count. An apostrophe in front of what spreadsheet programs take
// for a formula is no part of the value; alone it is an empty text.
//
// Errors: as a value, an InputError with line and column. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "codecs/document/read_limits.hpp"
#include "codecs/formats/tables/heading_map.hpp"
#include "codecs/formats/tables/table.hpp"

namespace netml::codecs {

struct CsvText {
  std::string text;      // UTF-8 without a mark
  bool guessed = false;  // it was no UTF-8
};
// "unknown-encoding" for UTF-16.
tl::expected<CsvText, engine::InputError> decode_csv(std::string bytes);

inline constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();
// The first rows, or all.
tl::expected<Table, engine::InputError> parse_csv(std::string_view text, char separator,
                                                  const ReadLimits& limits,
                                                  std::size_t rows = kAllRows);

// Comma, semicolon or tab: with which the first rows have the most headings that are known, or said
// to be something. Zero: none has any.
char csv_separator(std::string_view text, const HeadingMap& said, const ReadLimits& limits);
// Whether a file that begins so is of nodes or links.
bool is_csv(std::string_view start);

// Whether a spreadsheet program could take the text for a formula.
bool is_like_formula(std::string_view text);
// What the text becomes in a cell: a mark in front where it needs one, quotes where it needs them.
void append_csv_cell(std::string& out, std::string_view text);

}  // namespace netml::codecs
