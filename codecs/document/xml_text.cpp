#include "codecs/document/xml_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "codecs/document/text_buffer.hpp"

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
    for (const Escape& escape : escapes)
      texts_[static_cast<unsigned char>(escape.character)] = escape.text;
  }
  char* put_character(char* at, char c) const {
    const std::string_view text = texts_[static_cast<unsigned char>(c)];
    if (!text.empty()) return put(at, text);
    *at = c;  // written as it is
    return at + 1;
  }

 private:
  std::array<std::string_view, 256> texts_{};
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

constexpr std::size_t kBlock = 16;
using Block = unsigned char __attribute__((vector_size(kBlock)));

// Whether a character may be escaped: & < > " and what stands below the blank. Those that are not
// escaped in a text, such as the line feed, are found when they are looked at one by one.
bool may_be_special(Block block) {
  constexpr auto kBlank = static_cast<unsigned char>(' ');
  // Each of the first two bits is all that distinguishes two of them.
  static_assert(('<' | 2) == '>' && ('>' | 2) == '>' && ('"' | 4) == '&' && ('&' | 4) == '&');
  const auto found = ((block | 2) == static_cast<unsigned char>('>')) |
                     ((block | 4) == static_cast<unsigned char>('&')) | (block < kBlank);
  std::uint64_t halves[2];
  static_assert(sizeof halves == sizeof found);
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// The same for two words that cover a shorter text between them, with each byte of it once or
// twice; then they are written.
template <class Word>
bool put_words(char* at, const char* text, std::size_t size) {
  Word words[2];
  std::memcpy(&words[0], text, sizeof(Word));
  std::memcpy(&words[1], text + size - sizeof(Word), sizeof(Word));
  Block block{};  // all of it is written; g++ 12 does not see that without optimising
  for (std::size_t i = 0; i < sizeof block / sizeof words; ++i)
    std::memcpy(reinterpret_cast<char*>(&block) + i * sizeof words, words, sizeof words);
  if (may_be_special(block)) return false;
  std::memcpy(at, &words[0], sizeof(Word));
  std::memcpy(at + size - sizeof(Word), &words[1], sizeof(Word));
  return true;
}

// Writes a text of at most kBlock bytes as it is; false where a character may be special.
bool put_plain(char* at, const char* text, std::size_t size) {
  if (size == kBlock) {
    Block block;
    std::memcpy(&block, text, sizeof block);
    if (may_be_special(block)) return false;
    std::memcpy(at, &block, sizeof block);
    return true;
  }
  if (size >= sizeof(std::uint64_t)) return put_words<std::uint64_t>(at, text, size);
  if (size >= sizeof(std::uint32_t)) return put_words<std::uint32_t>(at, text, size);
  if (size >= sizeof(std::uint16_t)) return put_words<std::uint16_t>(at, text, size);
  return size == 0 || put_words<std::uint8_t>(at, text, size);
}

// Nearly all texts hold nothing special: they are looked through and copied in blocks.
char* put_with(char* at, std::string_view text, const Escapes& escapes) {
  for (std::size_t i = 0; i < text.size(); i += kBlock) {
    const std::size_t size = std::min(kBlock, text.size() - i);
    if (put_plain(at, text.data() + i, size)) {
      at += size;
      continue;
    }
    for (const char c : text.substr(i, size)) at = escapes.put_character(at, c);
  }
  return at;
}

// The last `width` digits.
void put_digits(char* at, unsigned value, unsigned width) {
  for (unsigned i = width; i-- > 0; value /= 10) at[i] = static_cast<char>('0' + value % 10);
}

}  // namespace

// Control characters, and U+FFFE and U+FFFF.
bool is_xml_text(std::string_view text) {
  constexpr char kNoCharacter = '\xef';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r') return false;
    if (c != kNoCharacter) continue;
    const std::string_view character = text.substr(i, 3);
    if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") return false;
  }
  return true;
}

std::string as_xml_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string out;
  while (!text.empty()) {
    const std::size_t length = std::min<std::size_t>(text.front() == '\xef' ? 3 : 1, text.size());
    const std::string_view piece = text.substr(0, length);
    out += is_xml_text(piece) ? piece : kReplacement;
    text.remove_prefix(length);
  }
  return out;
}

char* put_escaped(char* at, std::string_view text) {
  return put_with(at, text, kTextEscapes);
}

char* put_quoted(char* at, std::string_view value) {
  const bool single =
      value.find('"') != std::string_view::npos && value.find('\'') == std::string_view::npos;
  const char quote = single ? '\'' : '"';
  *at = quote;
  at = put_with(at + 1, value, single ? kSingleQuotedEscapes : kDoubleQuotedEscapes);
  *at = quote;
  return at + 1;
}

void append_escaped(std::string& out, std::string_view text) {
  const std::size_t before = out.size();
  out.resize(before + kEscapedBytesMax * text.size());
  const char* const end = put_escaped(out.data() + before, text);
  out.resize(static_cast<std::size_t>(end - out.data()));
}

char* InstantText::put(char* at, Instant instant) {
  const std::chrono::sys_seconds point{std::chrono::seconds(instant.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  char* const text = text_.data();
  if (day_ != day.time_since_epoch().count()) {
    constexpr std::string_view kForm = "0000-00-00T00:00:00+00:00";
    static_assert(kForm.size() == kBytes);
    std::ranges::copy(kForm, text);
    const std::chrono::year_month_day date(day);
    put_digits(text, static_cast<unsigned>(static_cast<int>(date.year())), 4);
    put_digits(text + 5, static_cast<unsigned>(date.month()), 2);
    put_digits(text + 8, static_cast<unsigned>(date.day()), 2);
    day_ = day.time_since_epoch().count();
  }
  const auto second = static_cast<unsigned>((point - day).count());
  put_digits(text + 11, second / 3600, 2);
  put_digits(text + 14, second / 60 % 60, 2);
  put_digits(text + 17, second % 60, 2);
  std::memcpy(at, text, kBytes);
  return at + kBytes;
}

}  // namespace netml::codecs
