#include "codecs/formats/gml/gml_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>

#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"

namespace netml::codecs {

namespace {

constexpr std::uint32_t kFirstNamed = 0xa0;
// The characters from there on, as HTML names them.
constexpr std::array<std::string_view, 96> kLatin1Names{
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

constexpr std::size_t kEntityBytesMax = 12;

bool is_allowed(std::uint32_t character) {
  if (character < ' ') return character == '\t' || character == '\n' || character == '\r';
  return character < 0xd800 || (character >= 0xe000 && character < 0xfffe) ||
         (character >= 0x10000 && character < 0x110000);
}

// Of what stands between & and ;.
std::optional<std::uint32_t> character_of(std::string_view entity) {
  if (entity.starts_with('#')) {
    entity.remove_prefix(1);
    const bool hexadecimal = entity.starts_with('x') || entity.starts_with('X');
    if (hexadecimal) entity.remove_prefix(1);
    const auto number = parse_integer<std::uint32_t>(entity, hexadecimal ? 16 : 10);
    return number && is_allowed(*number) ? number : std::nullopt;
  }
  if (entity == "amp") return '&';
  if (entity == "quot") return '"';
  if (entity == "apos") return '\'';
  if (entity == "lt") return '<';
  if (entity == "gt") return '>';
  const auto* const found = std::ranges::find(kLatin1Names, entity);
  if (found == kLatin1Names.end()) return std::nullopt;
  return kFirstNamed + static_cast<std::uint32_t>(found - kLatin1Names.begin());
}

// The character that well-formed UTF-8 begins with.
std::uint32_t first_character(std::string_view text, std::size_t size) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xff; };
  if (size == 1) return byte(0);
  std::uint32_t character = byte(0) & (0xff >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) character = (character << 6) | (byte(i) & 0x3f);
  return character;
}

bool is_plain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '&';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string gml_in_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

std::string without_entities(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find('&');
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    const std::size_t end = text.substr(0, kEntityBytesMax).find(';');
    const auto character =
        end == std::string_view::npos ? std::nullopt : character_of(text.substr(1, end - 1));
    if (character)
      append_utf8(out, *character);
    else
      out += '&';
    text.remove_prefix(character ? end + 1 : 1);
  }
}

bool is_text_of_a_map(std::string_view text) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  };
  if (std::ranges::any_of(text, is_control)) return false;
  return text.find("\xef\xbf\xbe") == text.npos && text.find("\xef\xbf\xbf") == text.npos;
}

void append_gml(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto* const end = std::ranges::find_if_not(text, is_plain);
    const auto plain = static_cast<std::size_t>(end - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const std::size_t size = std::max<std::size_t>(utf8_sequence_length(text), 1);
    fmt::format_to(std::back_inserter(out), "&#{};", first_character(text, size));
    text.remove_prefix(size);
  }
}

std::string made_gml_label(std::string_view name, std::string_view identifier) {
  return fmt::format("{} ({})", name, identifier);
}

bool is_gml_key(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace netml::codecs
