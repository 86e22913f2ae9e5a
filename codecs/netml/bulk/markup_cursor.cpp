#include "codecs/netml/bulk/markup_cursor.hpp"

#include <array>
#include <charconv>
#include <system_error>

#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"

namespace netml::codecs {

namespace {

struct Reference {
  std::string_view text;
  std::string_view meaning;
};
constexpr Reference kReferences[] = {
    {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"},
};
// Line ends of which every parser makes a line feed, or a blank in attributes.
constexpr std::string_view kReturnAndFeed = "\r\n";
constexpr std::string_view kReturn = "\r";

using ByteSet = std::array<bool, 256>;

constexpr ByteSet set_of(std::string_view bytes) {
  ByteSet set{};
  set[0] = true;  // the end of the text
  for (const char c : bytes) set[static_cast<unsigned char>(c)] = true;
  return set;
}
constexpr ByteSet kTextStops = set_of("<&>\r");
constexpr ByteSet kDoubleQuotedStops = set_of("\"<&\n\t\r");
constexpr ByteSet kSingleQuotedStops = set_of("'<&\n\t\r");

const char* find_stop(const char* at, const ByteSet& stops) {
  while (!stops[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

// Whole numbers of vector registers, so that the compiler checks many bytes at once. Most blocks
// of a map are ASCII; of the others most parts are.
constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kPartBytes = 16;

template <std::size_t kBytes>
bool is_plain_ascii(const char* block) {
  unsigned others = 0;
  for (std::size_t i = 0; i < kBytes; ++i) {
    const auto byte = static_cast<signed char>(block[i]);  // negative beyond ASCII
    others |=
        static_cast<unsigned>((byte < ' ') & (byte != '\t') & (byte != '\n') & (byte != '\r'));
  }
  return others == 0;
}

// Bytes of the character that begins `text`; 0 when it is none or must not be.
std::size_t plain_character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  if (text.starts_with("\xef\xbf\xbe") || text.starts_with("\xef\xbf\xbf")) return 0;
  return utf8_sequence_length(text);
}

// Characters off the front, of as many bytes as a part has, or a few more. False when one must not
// be.
bool skip_characters(std::string_view& text) {
  for (std::size_t done = 0; done < kPartBytes && !text.empty();) {
    const std::size_t bytes = plain_character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
    done += bytes;
  }
  return true;
}

bool is_xml_character(std::uint32_t character) {
  if (character < ' ') return character == '\t' || character == '\n' || character == '\r';
  return character < 0xd800 || (character >= 0xe000 && character < 0xfffe) ||
         (character >= 0x10000 && character < 0x110000);
}

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

}  // namespace

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    if (text.size() >= kBlockBytes && is_plain_ascii<kBlockBytes>(text.data())) {
      text.remove_prefix(kBlockBytes);
      continue;
    }
    for (std::size_t part = 0; part < kBlockBytes / kPartBytes && !text.empty(); ++part) {
      if (text.size() >= kPartBytes && is_plain_ascii<kPartBytes>(text.data()))
        text.remove_prefix(kPartBytes);
      else if (!skip_characters(text))
        return false;
    }
  }
  return true;
}

std::string_view MarkupCursor::take_name() {
  const char* const begin = at_;
  const char* at = at_;
  for (int part = 0; part < 2; ++part) {
    if (!starts_name(*at)) return {};
    while (continues_name(*at)) ++at;
    if (*at != ':') break;
    if (part == 0) ++at;
  }
  at_ = at;
  return {begin, static_cast<std::size_t>(at - begin)};
}

bool MarkupCursor::take_value(std::string_view& value, std::string& decoded) {
  skip_blank();
  if (*at_ != '=') return false;
  ++at_;
  skip_blank();
  const char quote = *at_;
  if (quote != '"' && quote != '\'') return false;
  const ByteSet& stops = quote == '"' ? kDoubleQuotedStops : kSingleQuotedStops;
  const char* begin = ++at_;
  decoded.clear();
  for (bool plain = true;; plain = false) {
    at_ = find_stop(at_, stops);
    const std::string_view piece(begin, static_cast<std::size_t>(at_ - begin));
    if (*at_ == quote) {
      ++at_;
      value = plain ? piece : std::string_view(decoded.append(piece));
      return true;
    }
    const std::string_view meaning = is_blank(*at_) ? take_blank() : take_reference();
    if (meaning.empty()) return false;
    decoded.append(piece).append(meaning);
    begin = at_;
  }
}

bool MarkupCursor::take_tag_end(bool& empty_element) {
  skip_blank();
  empty_element = *at_ == '/';
  if (empty_element) ++at_;
  if (*at_ != '>') return false;
  ++at_;
  return true;
}

bool MarkupCursor::take_text(std::string_view& piece) {
  const char* const begin = at_;
  const char* at = find_stop(begin, kTextStops);
  while (*at == '>') {
    if (at - begin >= 2 && at[-1] == ']' && at[-2] == ']') return false;
    at = find_stop(at + 1, kTextStops);
  }
  at_ = at;
  piece = {begin, static_cast<std::size_t>(at - begin)};
  return at != end_;
}

std::string_view MarkupCursor::take_reference() {
  if (*at_ == '&') {
    for (const Reference& reference : kReferences)
      if (take(reference.text)) return reference.meaning;
    return take_number();
  }
  return take(kReturnAndFeed) || take(kReturn) ? "\n" : "";
}

std::string_view MarkupCursor::take_number() {
  if (!take("&#")) return {};
  const int base = take("x") ? 16 : 10;
  std::uint32_t character = 0;
  const auto [end, error] = std::from_chars(at_, end_, character, base);
  if (error != std::errc() || *end != ';' || !is_xml_character(character)) return {};
  at_ = end + 1;
  numbered_.clear();
  append_utf8(numbered_, character);
  return numbered_;
}

std::string_view MarkupCursor::take_blank() {
  if (!take(kReturnAndFeed)) ++at_;
  return " ";
}

bool MarkupCursor::take_section(std::string_view& section) {
  if (!take("<![CDATA[")) return false;
  const char* const begin = at_;
  if (!skip_past("]]>")) return false;
  section = {begin, at_ - 3};
  return true;
}

bool MarkupCursor::take_remark() {
  // Two hyphens end a comment and may not be in it.
  if (take("<!--")) return skip_past("--") && take(">");
  if (!take("<?")) return false;
  const std::string_view target = take_name();
  if (target.empty() || target.find(':') != std::string_view::npos || lower_ascii(target) == "xml")
    return false;
  return take("?>") || (skip_blank() && skip_past("?>"));
}

}  // namespace netml::codecs
