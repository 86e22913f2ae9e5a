#include "codecs/src/xml_text.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace netml::codecs {

namespace {

// What stands for each byte; empty for the byte itself.
using Escapes = std::array<std::string_view, 256>;

constexpr Escapes kTextEscapes = [] {
  Escapes escapes{};
  escapes['&'] = "&amp;";
  escapes['<'] = "&lt;";
  escapes['>'] = "&gt;";
  escapes['\r'] = "&#13;";
  return escapes;
}();

// Parsers turn white space in attributes into blanks unless it is escaped.
constexpr Escapes kAttributeEscapes = [] {
  Escapes escapes = kTextEscapes;
  escapes['\n'] = "&#10;";
  escapes['\t'] = "&#9;";
  return escapes;
}();

constexpr Escapes kDoubleQuoteEscapes = [] {
  Escapes escapes = kAttributeEscapes;
  escapes['"'] = "&quot;";
  return escapes;
}();

void append_with(std::string& out, std::string_view text, const Escapes& escapes) {
  std::size_t verbatim = 0;  // where the bytes not appended yet begin
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view escape = escapes[static_cast<unsigned char>(text[i])];
    if (escape.empty()) continue;
    out.append(text, verbatim, i - verbatim);
    out.append(escape);
    verbatim = i + 1;
  }
  out.append(text, verbatim);
}

void append_digits(std::string& out, unsigned value, unsigned width) {
  char digits[10];
  for (unsigned i = width; i-- > 0; value /= 10) digits[i] = static_cast<char>('0' + value % 10);
  out.append(digits, width);
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  append_with(out, text, kTextEscapes);
}

void append_quoted(std::string& out, std::string_view value) {
  const bool single =
      value.find('"') != std::string_view::npos && value.find('\'') == std::string_view::npos;
  out += single ? '\'' : '"';
  append_with(out, value, single ? kAttributeEscapes : kDoubleQuoteEscapes);
  out += single ? '\'' : '"';
}

void append_instant(std::string& out, Instant instant) {
  const std::chrono::sys_seconds point{std::chrono::seconds(instant.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const auto second = static_cast<unsigned>((point - day).count());
  append_digits(out, static_cast<unsigned>(static_cast<int>(date.year())), 4);
  out += '-';
  append_digits(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_digits(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  append_digits(out, second / 3600, 2);
  out += ':';
  append_digits(out, second / 60 % 60, 2);
  out += ':';
  append_digits(out, second % 60, 2);
  out += "+00:00";
}

}  // namespace netml::codecs
