// How results look on a terminal: plain aligned columns, sizes in words, nothing that a stored
// text could use to steer the terminal. Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netml::admin::cli {

// Rows of cells, each column as wide as its widest cell (in characters). Two blanks between. Where
// there is a width, last cells that go beyond it are broken at blanks and go on below themselves,
// unless they would be narrower than kLastColumnMin.
class Table {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text(std::optional<std::size_t> width = std::nullopt) const;

 private:
  static constexpr std::size_t kLastColumnMin = 16;

  std::vector<std::vector<std::string>> rows_;
};

// "512 B", "1.5 KiB", "20.0 GiB"
std::string human_size(std::uint64_t bytes);
// "3", "3; 1 more gone by retention"
std::string kept_files_text(std::uint64_t there, std::uint64_t gone);
// A row with the files that the backup was made without, if there are any.
void add_left_out_row(Table& table, std::uint64_t left_out);

// Control characters replaced by their escapes ("\x1b"), for one line of text.
std::string printable(std::string_view text);
// The same with the end of the line.
std::string printable_line(std::string_view text);
// The same for a text of several lines.
std::string printable_lines(std::string_view text);

}  // namespace netml::admin::cli
