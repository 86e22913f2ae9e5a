#include "codecs/formats/csv/csv_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "codecs/formats/tables/column_map.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kSeparators{',', ';', '\t'};

// What Windows-1252 has where Latin-1 has control characters; 0: nothing.
constexpr std::array<std::uint32_t, 32> kWindowsCharacters{
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

std::string from_windows(std::string_view bytes) {
  constexpr std::uint32_t kFirst = 0x80;
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const std::uint32_t code = static_cast<unsigned char>(c);
    const bool is_windows = code >= kFirst && code < kFirst + kWindowsCharacters.size();
    append_utf8(text, is_windows && kWindowsCharacters[code - kFirst] != 0
                          ? kWindowsCharacters[code - kFirst]
                          : code);
  }
  return text;
}

engine::InputError refusal(std::string_view code, std::string_view message, TextPosition at = {}) {
  return {std::string(code), fmt::format("Error: {}", message), at.line, at.column};
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// A mark in front of these is no part of the value.
bool is_marked(std::string_view text) {
  if (!text.starts_with('\'')) return false;
  text.remove_prefix(1);
  return text.empty() || "=+-@\t\r'"sv.find(text.front()) != std::string_view::npos;
}

// Goes through a text character by character; knows lines and columns.
class Parser {
 public:
  Parser(std::string_view text, char separator, const ReadLimits& limits)
      : text_(text), separator_(separator), limits_(limits) {
    if (separator != ',') table_.allow_decimal_commas();
  }

  tl::expected<Table, engine::InputError> parse(std::size_t rows) {
    skip_separator_line();
    while (at_ < text_.size() && table_.rows().size() < rows && !error_) read_row();
    if (error_) return tl::unexpected(*std::move(error_));
    return std::move(table_);
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  bool at_row_end() const { return at_end() || text_[at_] == '\n' || text_[at_] == '\r'; }
  bool at_cell_end() const { return at_row_end() || text_[at_] == separator_; }

  // One character of UTF-8 is one column.
  void step() {
    constexpr unsigned kContinuationMask = 0xc0;
    constexpr unsigned kContinuation = 0x80;
    const char c = text_[at_++];
    const bool first_of_two = c == '\r' && !at_end() && text_[at_] == '\n';
    if ((c == '\n' || c == '\r') && !first_of_two) {
      ++place_.line;
      place_.column = 1;
    } else if ((static_cast<unsigned char>(c) & kContinuationMask) != kContinuation) {
      ++place_.column;
    }
    const bool control = static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
    if (control) fail("bad-character", "a control character is no part of a text", place_);
  }

  void fail(std::string_view code, std::string_view message, TextPosition at) {
    if (!error_) error_ = refusal(code, message, at);
  }

  // "sep=;", which some programs put in front.
  void skip_separator_line() {
    constexpr std::string_view kMark = "sep=";
    if (!text_.starts_with(kMark)) return;
    while (!at_row_end()) step();
    skip_row_end();
  }

  void skip_row_end() {
    if (at_end()) return;
    const bool two = text_.substr(at_).starts_with("\r\n");
    step();
    if (two) step();
  }

  void read_row() {
    table_.begin_row(place_.line);
    std::uint32_t column = 1;
    while (!error_) {
      read_cell(column);
      if (at_row_end()) break;
      step();  // over the separator
      if (++column > Table::kColumnsMax)
        return fail("too-large", fmt::format("a row has more than {} cells", Table::kColumnsMax),
                    place_);
    }
    skip_row_end();
  }

  void read_cell(std::uint32_t column) {
    while (!at_cell_end() && is_blank(text_[at_])) step();
    const TextPosition begin = place_;
    const bool quoted = !at_end() && text_[at_] == '"';
    const std::string_view text = quoted ? read_quoted() : read_plain();
    if (error_ || text.empty()) return;
    if (text.size() > limits_.text_bytes)
      return fail("too-large",
                  beyond_limit("the text of a cell is too long", limit_names::kXmlTextBytes,
                               limits_.text_bytes),
                  begin);
    if (++cells_ > limits_.elements)
      return fail(
          "too-large",
          beyond_limit("there are too many cells", limit_names::kXmlElements, limits_.elements),
          begin);
    const bool marked = is_marked(text);
    if (!table_.add(column, marked ? text.substr(1) : text, begin, false, marked))
      fail("too-large", "the file has more than 4 GiB of texts", begin);
  }

  std::string_view read_plain() {
    const std::size_t begin = at_;
    while (!at_cell_end() && !error_) step();
    std::string_view text = text_.substr(begin, at_ - begin);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
  }

  // A quote in it is doubled.
  std::string_view read_quoted() {
    const TextPosition opening = place_;
    cell_.clear();
    step();
    while (!error_) {
      if (at_end()) {
        fail("not-well-formed", "a quote is not closed", opening);
        break;
      }
      const char c = text_[at_];
      const TextPosition here = place_;
      step();
      if (c != '"') {
        cell_ += c;
        continue;
      }
      if (!at_end() && text_[at_] == '"') {
        cell_ += c;
        step();
        continue;
      }
      while (!at_cell_end() && is_blank(text_[at_])) step();
      if (!at_cell_end()) fail("not-well-formed", "a quote is closed, but the cell goes on", here);
      break;
    }
    return cell_;
  }

  const std::string_view text_;
  const char separator_;
  const ReadLimits& limits_;
  Table table_;
  std::size_t at_ = 0;
  TextPosition place_{1, 1};
  std::uint64_t cells_ = 0;
  std::string cell_;  // its memory is used again
  std::optional<engine::InputError> error_;
};

}  // namespace

tl::expected<CsvText, engine::InputError> decode_csv(std::string bytes) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    return tl::unexpected(refusal("unknown-encoding", "the file is UTF-16; save it as UTF-8"));
  if (bytes.starts_with(kMark)) bytes.erase(0, kMark.size());
  if (is_utf8(bytes)) return CsvText{std::move(bytes)};
  return CsvText{from_windows(bytes), true};
}

tl::expected<Table, engine::InputError> parse_csv(std::string_view text, char separator,
                                                  const ReadLimits& limits, std::size_t rows) {
  return Parser(text, separator, limits).parse(rows);
}

char csv_separator(std::string_view text, const HeadingMap& said, const ReadLimits& limits) {
  char best = 0;
  std::size_t most = 0;
  for (const char separator : kSeparators) {
    const auto table = parse_csv(text, separator, limits, ColumnMap::kHeadingRowsMax);
    if (!table) continue;
    const ColumnMap map(*table, said);
    if (map.holds() == Holds::nothing || map.known() <= most) continue;
    best = separator;
    most = map.known();
  }
  return best;
}

bool is_csv(std::string_view start) {
  constexpr std::size_t kLeast = 2;  // headings that are known
  auto decoded = decode_csv(std::string(start.substr(0, start.find_last_of("\r\n") + 1)));
  if (!decoded) return false;
  const std::string_view text = decoded->text;
  if (text.empty() || "<{["sv.find(text.front()) != std::string_view::npos) return false;
  for (const char separator : kSeparators) {
    const auto table = parse_csv(text, separator, {}, 1);
    if (!table) continue;
    const HeadingMap nothing_said;
    const ColumnMap map(*table, nothing_said);
    if (map.holds() != Holds::nothing && map.known() >= kLeast) return true;
  }
  return false;
}

bool is_like_formula(std::string_view text) {
  if (text.empty() || "=+-@\t\r"sv.find(text.front()) == std::string_view::npos) return false;
  const bool number =
      text.find_first_not_of("+-0123456789.eE") == std::string_view::npos && parse_number(text);
  return !number;
}

void append_csv_cell(std::string& out, std::string_view text) {
  const bool mark = text.empty() || is_like_formula(text) || is_marked(text);
  const bool quote = text.find_first_of(",;\"\r\n") != std::string_view::npos ||
                     (!text.empty() && (is_blank(text.front()) || is_blank(text.back())));
  if (quote) out += '"';
  if (mark) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  if (quote) out += '"';
}

}  // namespace netml::codecs
