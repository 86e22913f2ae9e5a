// Texts are escaped in blocks: whatever the length and wherever a special character stands, the
// bytes are those of escaping one character after the other.
#include "codecs/document/xml_text.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "codecs/document/numbers.hpp"
#include "codecs/document/text_buffer.hpp"

namespace netml::codecs {
namespace {

constexpr char kBeyond = '\x7f';

// What `put` wrote of a text, and that it kept to its room. The text ends where its memory ends, so
// that a sanitizer sees who reads on.
template <class Put>
std::string written(std::string_view text, std::size_t room, Put&& put_text) {
  const std::vector<char> exact(text.begin(), text.end());
  std::string out(room + 1, kBeyond);
  const char* const end = put_text(out.data(), std::string_view(exact.data(), exact.size()));
  EXPECT_EQ(out.back(), kBeyond);
  return out.substr(0, static_cast<std::size_t>(end - out.data()));
}
std::string escaped(std::string_view text) {
  return written(text, kEscapedBytesMax * text.size(), put_escaped);
}
std::string attribute(std::string_view text) {
  return written(text, quoted_bytes_max(text.size()), put_quoted);
}

std::string one_by_one(std::string_view text, bool in_quotes, char quote) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '\r')
      out += "&#13;";
    else if (in_quotes && c == '\n')
      out += "&#10;";
    else if (in_quotes && c == '\t')
      out += "&#9;";
    else if (in_quotes && c == '"' && quote == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}
std::string quoted_one_by_one(std::string_view text) {
  const bool single = text.find('"') != text.npos && text.find('\'') == text.npos;
  const std::string quote(1, single ? '\'' : '"');
  return quote + one_by_one(text, true, quote.front()) + quote;
}

// Bits of the special ones, and those beside them, are not taken for one another.
constexpr std::string_view kCharacters = "&<>\"'\r\n\t =?;$%#!\x02\x1f\x7f\x80\xa6\xbc\xbe\xff";

TEST(XmlText, EscapesEachCharacterAtEachPlace) {
  for (std::size_t size = 0; size <= 50; ++size) {
    const std::string plain(size, 'x');
    EXPECT_EQ(escaped(plain), plain);
    for (std::size_t at = 0; at < size; ++at)
      for (const char c : kCharacters) {
        std::string text = plain;
        text[at] = c;
        EXPECT_EQ(escaped(text), one_by_one(text, false, 0)) << size << " " << at;
        EXPECT_EQ(attribute(text), quoted_one_by_one(text)) << size << " " << at;
      }
  }
}

TEST(XmlText, EscapesWhereAllIsSpecial) {
  for (const char c : kCharacters)
    for (const std::size_t size : {1, 7, 16, 33}) {
      const std::string text(size, c);
      EXPECT_EQ(escaped(text), one_by_one(text, false, 0));
      EXPECT_EQ(attribute(text), quoted_one_by_one(text));
      std::string appended = "before";
      append_escaped(appended, text);
      EXPECT_EQ(appended, "before" + escaped(text));
    }
}

TEST(XmlText, WritesTimesOfTheSameDayAndOfOthers) {
  InstantText instants;
  for (const std::int64_t seconds : {-1L, 0L, 1L, 86399L, 86400L, 86399L, -62135596800L,
                                     253402300799L, 1'700'000'000L, 1'700'000'001L, 0L}) {
    char text[InstantText::kBytes];
    const char* const end = instants.put(text, Instant{seconds});
    EXPECT_EQ(std::string_view(text, static_cast<std::size_t>(end - text)),
              format_instant(Instant{seconds}));
  }
}

TEST(TextBuffer, KeepsItsMemoryWhenCleared) {
  TextBuffer buffer;
  EXPECT_TRUE(buffer.view().empty());
  std::string model;
  for (int i = 0; i < 1000; ++i) {
    buffer.append("<a>");
    buffer.append(std::string_view(model).substr(0, 20));
    model += "<a>" + model.substr(0, 20);
  }
  EXPECT_EQ(buffer.view(), model);
  const std::size_t capacity = buffer.capacity();
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
  buffer.append(model);
  EXPECT_EQ(buffer.view(), model);
  EXPECT_EQ(buffer.capacity(), capacity);
  TextBuffer other = std::move(buffer);
  EXPECT_EQ(other.view(), model);
}

}  // namespace
}  // namespace netml::codecs
