// Short ways to write documents of the exchange format, and to look at what was read.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/netml/netml_reader.hpp"
#include "engine/base/utf8.hpp"

namespace netml::codecs::test {

inline constexpr std::string_view kNamespaces =
    R"(xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml" )"
    R"(xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#" )"
    R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance")";

// Lets `<:name>` stand for `<grenml:name>` in texts of tests.
inline std::string with_prefix(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool opens = text[i] == '<' || (text[i] == '/' && i > 0 && text[i - 1] == '<');
    if (opens && i + 1 < text.size() && text[i + 1] == ':') out += "grenml";
  }
  return out;
}

// A root topology `t`, named T and owned by institution `i`, which it lists, and then `content`.
inline std::string root(std::string_view content) {
  return with_prefix(
      fmt::format("<:Topology id=\"t\" {}><:name>T</:name><:owner>i</:owner>"
                  "<:Institution id=\"i\"><:name>I</:name></:Institution>{}</:Topology>",
                  kNamespaces, content));
}

// A sub-topology, named and owned in the same way.
inline std::string nested(std::string_view id, std::string_view content = {}) {
  return fmt::format(
      "<:Topology id=\"{}\"><:name>S</:name><:owner>i</:owner>"
      "<:Institution id=\"i\"><:name>I</:name></:Institution>{}</:Topology>",
      id, content);
}

inline constexpr std::string_view kPlace = "<:Location><:long>1</:long><:lat>2</:lat></:Location>";

// A node with a place; `content` comes after its name.
inline std::string node(std::string_view id, std::string_view content = kPlace) {
  return fmt::format("<:Node id=\"{}\"><:name>N</:name>{}</:Node>", id, content);
}

// A link; `content` comes between its name and its ends.
inline std::string link(std::string_view id, std::string_view a, std::string_view b,
                        std::string_view content = {}) {
  return fmt::format(
      "<:Link id=\"{}\"><:name>L</:name>{}<:node>{}</:node><:node>{}</:node></:Link>", id, content,
      a, b);
}

// A well-formed text as UTF-16, the higher byte of each unit first if `big`.
inline std::string in_utf16(std::string_view text, bool big) {
  std::string out;
  const auto add = [&](std::uint32_t unit) {
    const char bytes[] = {static_cast<char>(unit >> 8 & 0xff), static_cast<char>(unit & 0xff)};
    out += bytes[big ? 0 : 1];
    out += bytes[big ? 1 : 0];
  };
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_sequence_length(text), 1);
    std::uint32_t character = static_cast<std::uint8_t>(text[0]);
    if (length > 1) character &= 0x7fU >> length;
    for (std::size_t i = 1; i < length; ++i)
      character = character << 6 | (static_cast<std::uint8_t>(text[i]) & 0x3fU);
    text.remove_prefix(length);
    if (character >= 0x10000) add(0xd800 + ((character - 0x10000) >> 10));
    add(character < 0x10000 ? character : 0xdc00 + (character & 0x3ff));
  }
  return out;
}
inline constexpr std::string_view kMark = "\ufeff";  // that shows the order of bytes

// How a file is read: on which path, on how many threads, in pieces of which size.
struct ReadingWay {
  bool bulk = true;
  unsigned threads = 1;
  std::size_t piece_bytes = std::string_view::npos;
};

struct Reading {
  ReadResult result;
  bool in_bulk;  // to the end
};

inline Reading read_in(const ReadingWay& way, std::string_view text,
                       const ReadLimits& limits = {}) {
  const ReplaySource replay = [text](const ByteSink& sink) {
    sink(std::as_bytes(std::span(text)));
    return Status();
  };
  NetmlReader reader(limits, {way.bulk ? replay : nullptr, way.threads});
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t size = std::min(way.piece_bytes, rest.size());
    reader.feed(std::as_bytes(std::span(rest.substr(0, size))));
    rest.remove_prefix(size);
  }
  ReadResult result = reader.finish();
  return {std::move(result), reader.in_bulk()};
}

// Two documents say the same.
inline bool same(const engine::Document& a, const engine::Document& b) {
  const auto equal_topologies = [](const auto& x, const auto& y) {
    return *x.attributes == *y.attributes && x.parent == y.parent && x.owner == y.owner &&
           x.institutions_begin == y.institutions_begin && x.nodes_begin == y.nodes_begin &&
           x.links_begin == y.links_begin && x.links_end == y.links_end;
  };
  const auto equal_elements = [](const auto& x, const auto& y) {
    return *x.attributes == *y.attributes && x.owners_begin == y.owners_begin &&
           x.owners_end == y.owners_end && x.ends[0] == y.ends[0] && x.ends[1] == y.ends[1];
  };
  const auto equal_notes = [](const auto& x, const auto& y) {
    return x.warning == y.warning && x.kind == y.kind && x.text == y.text;
  };
  return std::ranges::equal(a.topologies, b.topologies, equal_topologies) &&
         std::ranges::equal(a.elements, b.elements, equal_elements) && a.owners == b.owners &&
         std::ranges::equal(a.notes, b.notes, equal_notes);
}

// Two readings gave the same document or the same errors.
inline bool same(const ReadResult& a, const ReadResult& b) {
  const auto equal_errors = [](const auto& x, const auto& y) {
    return x.code == y.code && x.message == y.message && x.line == y.line && x.column == y.column &&
           x.id == y.id;
  };
  if (a.has_value() != b.has_value()) return false;
  if (a) return same(*a, *b);
  return a.error().count == b.error().count &&
         std::ranges::equal(a.error().first, b.error().first, equal_errors);
}

// What the strict path makes of the text; a failure of the test if another way differs.
inline ReadResult read_every_way(std::string_view text, const ReadLimits& limits = {}) {
  ReadResult strict = read_in({.bulk = false}, text, limits).result;
  for (const unsigned threads : {1U, 2U}) {
    const ReadResult other = read_in({.threads = threads}, text, limits).result;
    EXPECT_TRUE(same(strict, other)) << "on " << threads << " threads: " << text.substr(0, 4000);
  }
  return strict;
}

// The document, or a failure of the test with the first error.
inline engine::Document read_well(std::string_view text) {
  ReadResult result = read_every_way(text);
  if (result) return *std::move(result);
  ADD_FAILURE() << result.error().first.front().text();
  return {};
}

// The errors; none when the text is accepted.
inline std::vector<engine::InputError> errors_of(std::string_view text,
                                                 const ReadLimits& limits = {}) {
  ReadResult result = read_every_way(text, limits);
  if (result) return {};
  return std::move(result.error().first);
}

inline std::vector<std::string> codes_of(std::string_view text, const ReadLimits& limits = {}) {
  std::vector<std::string> codes;
  for (const engine::InputError& error : errors_of(text, limits)) codes.push_back(error.code);
  return codes;
}

inline std::vector<std::string> notes_of(const engine::Document& document) {
  std::vector<std::string> texts;
  for (const engine::DocumentNote& note : document.notes) texts.push_back(note.text);
  return texts;
}

}  // namespace netml::codecs::test
