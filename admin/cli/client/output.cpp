#include "admin/cli/client/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7f;
}

// The control characters from U+0080 to U+009F steer terminals, too.
bool is_c1(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]) == 0xc2 && at + 1 < text.size() &&
         static_cast<unsigned char>(text[at + 1]) < 0xa0;
}

std::string escape(std::string_view text, bool keep_line_ends) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (is_c1(text, i)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else if (is_control(byte) && !(keep_line_ends && (byte == '\n' || byte == '\t'))) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text[i];
    }
  }
  return out;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

// Lines of at most so many characters, where blanks allow it, with `before` between them.
std::string broken(std::string_view text, std::size_t at_most, const std::string& before) {
  std::string out;
  std::size_t held = 0;  // characters of the line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t size = characters(word);
    if (held > 0 && held + 1 + size > at_most) {
      out += '\n' + before;
      held = 0;
    } else if (!out.empty()) {
      out += ' ';
      ++held;
    }
    out += word;
    held += size;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string Table::text(std::optional<std::size_t> width) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(printable(row[i])));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = printable(row[i]);
      const std::size_t begin = characters(line);
      const bool last = i + 1 == row.size();
      if (last && width && begin + characters(cell) > *width && begin + kLastColumnMin <= *width)
        line += broken(cell, *width - begin, std::string(begin, ' '));
      else
        line += cell;
      if (!last) line.append(widths[i] - characters(cell) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string human_size(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1023.95 && unit + 1 < kUnits.size()) {  // what would be shown as 1024.0
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string kept_files_text(std::uint64_t there, std::uint64_t gone) {
  if (gone == 0) return fmt::format("{}", there);
  return fmt::format("{}; {} more gone by retention", there, gone);
}

void add_left_out_row(Table& table, std::uint64_t left_out) {
  if (left_out == 0) return;
  table.row({"left out", counted(left_out, "stored file") + ", of the backup that this came from"});
}

std::string printable(std::string_view text) {
  return escape(text, false);
}

std::string printable_line(std::string_view text) {
  return printable(text) + '\n';
}

std::string printable_lines(std::string_view text) {
  return escape(text, true);
}

}  // namespace netml::admin::cli
