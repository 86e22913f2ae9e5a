// What a file of a format becomes, for tests of readers: its document and what is in it, or why it
// is refused.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/codecs/formats/format_text.hpp"

namespace netml::codecs::test {

inline engine::Document document_of(std::string_view format, std::string_view text,
                                    std::string_view name = {}, std::string_view owner = {}) {
  ReadResult read = read_text(format, text, name, owner);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

inline engine::InputErrors errors_of(std::string_view format, std::string_view text) {
  const ReadResult read = read_text(format, text);
  EXPECT_FALSE(read.has_value()) << text;
  return read ? engine::InputErrors() : read.error();
}

// ---- of the first topology ----

inline const engine::Attributes& node(const engine::Document& document, std::size_t i) {
  return *document.nodes(document.topologies.front())[i].attributes;
}
inline const engine::Attributes& link(const engine::Document& document, std::size_t i) {
  return *document.links(document.topologies.front())[i].attributes;
}
inline std::size_t count_nodes(const engine::Document& document) {
  return document.nodes(document.topologies.front()).size();
}
inline std::size_t count_links(const engine::Document& document) {
  return document.links(document.topologies.front()).size();
}

// All values of a property, in their order.
inline std::vector<std::string> properties(const engine::Attributes& attributes,
                                           std::string_view name) {
  std::vector<std::string> values;
  for (const engine::Property& property : attributes.properties())
    if (property.name == name) values.emplace_back(property.value);
  return values;
}
// The first one.
inline std::string property(const engine::Attributes& attributes, std::string_view name) {
  const auto values = properties(attributes, name);
  return values.empty() ? "(none)" : values.front();
}
// One that is kept in pieces.
inline std::string whole_property(const engine::Attributes& attributes, std::string_view name) {
  std::string whole;
  for (const std::string& piece : properties(attributes, name)) whole += piece;
  return whole.empty() ? "(none)" : whole;
}

// ---- what readers of the log should know ----

inline std::vector<std::string> warnings(const engine::Document& document) {
  std::vector<std::string> texts;
  for (const engine::DocumentNote& note : document.notes)
    if (note.warning) texts.push_back(note.text);
  return texts;
}
inline std::string notes_of(const engine::Document& document) {
  std::string text;
  for (const engine::DocumentNote& note : document.notes) text += note.text + '\n';
  return text;
}

}  // namespace netml::codecs::test
