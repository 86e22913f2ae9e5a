// Writes texts and times in XML as the exchange format has them
// (docs/requirements/exchange-format.md, section 11). Texts hold only characters that XML allows:
// others are refused where they would enter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"

namespace netml::codecs {

// Whether XML allows all characters of a UTF-8 text; and the text with U+FFFD for the others.
bool is_xml_text(std::string_view text);
std::string as_xml_text(std::string_view text);

// What one byte of a text becomes at most.
inline constexpr std::size_t kEscapedBytesMax = 6;
// Room for an attribute's value of so many bytes, with its quotes.
constexpr std::size_t quoted_bytes_max(std::size_t bytes) {
  return kEscapedBytesMax * bytes + 2;
}

// Whether it holds nothing but what XML takes for blank.
inline constexpr std::string_view kXmlBlanks = " \t\r\n";
inline bool is_xml_blank(std::string_view text) {
  return text.find_first_not_of(kXmlBlanks) == std::string_view::npos;
}
// Without what is blank around it.
inline std::string_view without_xml_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kXmlBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kXmlBlanks) + 1 - begin);
}

// Each writes where there is room, and gives the end of what it wrote.
//
// The text of an element, kEscapedBytesMax for each byte at most. A carriage return is escaped
// because parsers read a bare one as a line feed.
char* put_escaped(char* at, std::string_view text);
// An attribute's value with the quotes around it: single ones if it holds double ones only.
char* put_quoted(char* at, std::string_view value);

void append_escaped(std::string& out, std::string_view text);

// Times as format_instant has them. Those that follow one another are often of one day, whose text
// is remembered. Thread: one at a time.
class InstantText {
 public:
  static constexpr std::size_t kBytes = 25;
  char* put(char* at, Instant instant);

 private:
  std::int64_t day_ = std::numeric_limits<std::int64_t>::min();  // none yet
  std::array<char, kBytes> text_{};
};

}  // namespace netml::codecs
