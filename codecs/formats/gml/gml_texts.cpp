#include "codecs/formats/gml/gml_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "engine/base/character_entities.hpp"
#include "engine/base/utf8.hpp"
#include "engine/base/utf8_characters.hpp"

namespace netml::codecs {

namespace {

bool is_allowed(std::uint32_t character) {
  if (character < ' ') return character == '\t' || character == '\n' || character == '\r';
  return character < 0xd800 || (character >= 0xe000 && character < 0xfffe) ||
         (character >= 0x10000 && character < 0x110000);
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
  return netml::without_entities(text, is_allowed);
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
    std::size_t size = 0;
    fmt::format_to(std::back_inserter(out), "&#{};", take_character(text, size));
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
