#include "engine/base/character_entities.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"

namespace netml {

namespace {

constexpr std::size_t kEntityBytesMax = 12;

constexpr std::array<std::pair<std::string_view, char>, 5> kOfMarkup{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

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

// Of what stands between & and ;.
std::optional<std::uint32_t> character_of(std::string_view entity) {
  if (entity.starts_with('#')) {
    entity.remove_prefix(1);
    const bool hexadecimal = entity.starts_with('x') || entity.starts_with('X');
    if (hexadecimal) entity.remove_prefix(1);
    return parse_integer<std::uint32_t>(entity, hexadecimal ? 16 : 10);
  }
  for (const auto& [name, character] : kOfMarkup)
    if (entity == name) return static_cast<std::uint32_t>(character);
  const auto* const found = std::ranges::find(kLatin1Names, entity);
  if (found == kLatin1Names.end()) return std::nullopt;
  return kFirstNamed + static_cast<std::uint32_t>(found - kLatin1Names.begin());
}

}  // namespace

std::string without_entities(std::string_view text, bool (*is_allowed)(std::uint32_t character)) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find('&');
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    const std::size_t end = text.substr(0, kEntityBytesMax).find(';');
    const auto character =
        end == std::string_view::npos ? std::nullopt : character_of(text.substr(1, end - 1));
    const bool is_taken = character && is_allowed(*character);
    if (is_taken)
      append_utf8(out, *character);
    else
      out += '&';
    text.remove_prefix(is_taken ? end + 1 : 1);
  }
}

}  // namespace netml
