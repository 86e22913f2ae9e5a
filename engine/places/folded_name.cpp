#include "engine/places/folded_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/base/lower_case.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"
#include "engine/base/utf8_characters.hpp"

namespace netml::engine {

namespace {

struct Variants {
  std::string_view plain;
  std::u32string_view letters;
};

// Lower-case Latin letters of Unicode 14.0 that decompose into one of ASCII and marks, those whose
// mark is a stroke, ligatures, and apostrophes as they are printed and transcribed.
constexpr Variants kVariants[] = {
    {"a", U"àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"},
    {"ae", U"æǣǽ"},
    {"b", U"ḃḅḇ"},
    {"c", U"çćĉċčḉ"},
    {"d", U"ðďđḋḍḏḑḓ"},
    {"e", U"èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"},
    {"f", U"ḟ"},
    {"g", U"ĝğġģǧǵḡ"},
    {"h", U"ĥħȟḣḥḧḩḫẖ"},
    {"i", U"ìíîïĩīĭįıǐȉȋḭḯỉị"},
    {"ij", U"ĳ"},
    {"j", U"ĵǰ"},
    {"k", U"ķǩḱḳḵ"},
    {"l", U"ĺļľłḷḹḻḽ"},
    {"m", U"ḿṁṃ"},
    {"n", U"ñńņňǹṅṇṉṋ"},
    {"o", U"òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"},
    {"oe", U"œ"},
    {"p", U"ṕṗ"},
    {"r", U"ŕŗřȑȓṙṛṝṟ"},
    {"s", U"śŝşšșṡṣṥṧṩ"},
    {"ss", U"ß"},
    {"t", U"ţťŧțṫṭṯṱẗ"},
    {"th", U"þ"},
    {"u", U"ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"},
    {"v", U"ṽṿ"},
    {"w", U"ŵẁẃẅẇẉẘ"},
    {"x", U"ẋẍ"},
    {"y", U"ýÿŷȳẏẙỳỵỷỹ"},
    {"z", U"źżžẑẓẕ"},
    {"'", U"‘’ʻʼ"},
};

struct Letter {
  char32_t letter = 0;
  std::string_view plain;
};

constexpr std::size_t letter_count() {
  std::size_t count = 0;
  for (const Variants& variants : kVariants) count += variants.letters.size();
  return count;
}

// The same, ascending by letter.
constexpr auto kLetters = [] {
  std::array<Letter, letter_count()> letters{};
  std::size_t count = 0;
  for (const Variants& variants : kVariants)
    for (const char32_t letter : variants.letters) letters[count++] = {letter, variants.plain};
  std::ranges::sort(letters, {}, &Letter::letter);
  return letters;
}();

constexpr bool is_combining_mark(std::uint32_t character) {
  return character >= 0x300 && character <= 0x36f;
}

// As people call cities, and as the gazetteer does. Both are folded.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOtherNames{{
    {"ho chi minh", "ho chi minh city"},
    {"kiev", "kyiv"},
    {"new york", "new york city"},
    {"nyc", "new york city"},
}};

bool is_saint(std::string_view word) {
  return word == "saint" || word == "sankt" || word == "st" || word == "st.";
}

void append_folded(std::string& out, std::uint32_t character) {
  if (is_combining_mark(character)) return;
  const auto* const found =
      std::ranges::lower_bound(kLetters, static_cast<char32_t>(character), {}, &Letter::letter);
  if (found != kLetters.end() && found->letter == character)
    out += found->plain;
  else
    append_utf8(out, character);
}

}  // namespace

std::string folded_name(std::string_view name) {
  const std::string lower = lower_case(trimmed(name));
  std::string folded;
  folded.reserve(lower.size());
  for (std::size_t at = 0; at < lower.size();) append_folded(folded, take_character(lower, at));
  return folded;
}

std::string city_key(std::string_view name) {
  const std::string folded = folded_name(name);
  for (const auto& [other, usual] : kOtherNames)
    if (folded == other) return std::string(usual);
  std::string key;
  std::string_view rest = folded;
  for (std::size_t end = rest.find_first_of(" -"); end != rest.npos;
       end = rest.find_first_of(" -")) {
    if (is_saint(rest.substr(0, end)))
      key += "saint ";
    else
      key += rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
  }
  return key.append(rest);
}

}  // namespace netml::engine
