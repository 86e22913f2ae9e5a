// Identifiers and names.
#include <algorithm>

#include "engine/base/lower_case.hpp"
#include "engine/base/placeholder.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"
#include "engine/quality/themes.hpp"

namespace netml::engine {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) >= 0x80);
}

// "&amp;", "&#233;"
bool has_entity(std::string_view text) {
  for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
    const std::size_t end = text.find(';', at);
    if (end == text.npos) return false;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (name.size() >= 2 && name.size() <= 8 && std::ranges::all_of(name, [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '#';
        }))
      return true;
  }
  return false;
}

// A letter that no character set had became a question mark: within a word, and not of an address.
bool has_lost_letter(std::string_view text) {
  if (text.find_first_of("/=") != text.npos) return false;
  for (std::size_t at = text.find('?', 1); at != text.npos; at = text.find('?', at + 1))
    if (at + 1 < text.size() && is_letter(text[at - 1]) && is_letter(text[at + 1])) return true;
  return false;
}

// UTF-8 that was read as Latin-1 or Windows-1252: what begins a character of two or three bytes,
// before what can only continue one.
bool has_mojibake(std::string_view text) {
  for (const std::string_view lead : {"\u00c3", "\u00c2", "\u00c5", "\u00c4"})
    for (std::size_t at = text.find(lead); at != text.npos; at = text.find(lead, at + 1)) {
      const std::string_view next = text.substr(at + lead.size());
      if (next.size() >= 2 && next[0] == '\xc2' && static_cast<unsigned char>(next[1]) < 0xc0)
        return true;  // U+0080 to U+00BF
    }
  return text.find("\u00e2\u20ac") != text.npos;
}

// U+0080 to U+009F: no text has them but by mistake.
bool has_control_character(std::string_view text) {
  for (std::size_t at = text.find('\xc2'); at != text.npos; at = text.find('\xc2', at + 1))
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0) return true;
  return false;
}

bool is_odd_identifier(std::string_view id) {
  return std::ranges::any_of(id, [](char c) { return static_cast<unsigned char>(c) <= ' '; }) ||
         id.find("\u00a0") != id.npos || id.find("\u200b") != id.npos || has_control_character(id);
}

}  // namespace

bool is_garbled(std::string_view text) {
  return text.find("\ufffd") != text.npos || has_entity(text) || has_lost_letter(text) ||
         has_mojibake(text) || has_control_character(text);
}

void check_texts(const Inspection& map, RecordId id, const Report& report) {
  const Attributes& record = map.graph.attributes(id);
  const std::string_view name = trimmed(record.name());
  if (is_odd_identifier(record.id())) report({Check::identifier_odd, id});
  if (name.empty() || name == record.id())
    report({Check::name_missing, id});
  else if (is_placeholder(name))
    report({Check::name_placeholder, id});
  if (is_garbled(record.name()) || is_garbled(record.short_name()))
    report({Check::name_garbled, id});
}

}  // namespace netml::engine
