#include "codecs/document/xml_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace netml::codecs {

namespace {

struct Escape {
  char character;
  std::string_view text;
};

// What is written in place of some characters.
class Escapes {
 public:
  consteval Escapes(std::initializer_list<Escape> escapes) {
    for (const Escape& escape : escapes) {
      texts_[static_cast<unsigned char>(escape.character)] = escape.text;
      special_[static_cast<unsigned char>(escape.character)] = 1;
    }
  }
  // Empty for a character that is written as it is.
  std::string_view of(char c) const { return texts_[static_cast<unsigned char>(c)]; }
  // Whether one of them is in the block.
  template <std::size_t Size>
  bool any_in(const char* block) const {
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < Size; ++i) found |= special_[static_cast<unsigned char>(block[i])];
    return found != 0;
  }

 private:
  std::array<std::string_view, 256> texts_{};
  std::array<std::uint8_t, 256> special_{};
};

constexpr Escape kAmpersand{'&', "&amp;"};
constexpr Escape kLess{'<', "&lt;"};
constexpr Escape kGreater{'>', "&gt;"};
constexpr Escape kReturn{'\r', "&#13;"};
// Parsers turn white space in attributes into blanks unless it is escaped.
constexpr Escape kLineFeed{'\n', "&#10;"};
constexpr Escape kTabulator{'\t', "&#9;"};
constexpr Escape kDoubleQuote{'"', "&quot;"};

constexpr Escapes kTextEscapes{kAmpersand, kLess, kGreater, kReturn};
constexpr Escapes kSingleQuotedEscapes{kAmpersand, kLess, kGreater, kReturn, kLineFeed, kTabulator};
constexpr Escapes kDoubleQuotedEscapes{kAmpersand, kLess,      kGreater,    kReturn,
                                       kLineFeed,  kTabulator, kDoubleQuote};

// Nearly all texts hold nothing special: they are looked through in blocks.
void append_with(std::string& out, std::string_view text, const Escapes& escapes) {
  constexpr std::size_t kBlock = 16;
  std::size_t verbatim = 0;  // where the bytes not appended yet begin
  for (std::size_t i = 0; i < text.size();) {
    if (text.size() - i >= kBlock && !escapes.any_in<kBlock>(text.data() + i)) {
      i += kBlock;
      continue;
    }
    for (const std::size_t end = std::min(text.size(), i + kBlock); i < end; ++i) {
      const std::string_view escape = escapes.of(text[i]);
      if (escape.empty()) continue;
      out.append(text, verbatim, i - verbatim);
      out.append(escape);
      verbatim = i + 1;
    }
  }
  out.append(text, verbatim);
}

// The last `width` digits.
void put_digits(char* at, unsigned value, unsigned width) {
  for (unsigned i = width; i-- > 0; value /= 10) at[i] = static_cast<char>('0' + value % 10);
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  append_with(out, text, kTextEscapes);
}

void append_quoted(std::string& out, std::string_view value) {
  const bool single =
      value.find('"') != std::string_view::npos && value.find('\'') == std::string_view::npos;
  out += single ? '\'' : '"';
  append_with(out, value, single ? kSingleQuotedEscapes : kDoubleQuotedEscapes);
  out += single ? '\'' : '"';
}

void append_instant(std::string& out, Instant instant) {
  const std::chrono::sys_seconds point{std::chrono::seconds(instant.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const auto second = static_cast<unsigned>((point - day).count());
  char text[] = "0000-00-00T00:00:00+00:00";
  put_digits(text, static_cast<unsigned>(static_cast<int>(date.year())), 4);
  put_digits(text + 5, static_cast<unsigned>(date.month()), 2);
  put_digits(text + 8, static_cast<unsigned>(date.day()), 2);
  put_digits(text + 11, second / 3600, 2);
  put_digits(text + 14, second / 60 % 60, 2);
  put_digits(text + 17, second % 60, 2);
  out.append(text, sizeof text - 1);
}

}  // namespace netml::codecs
