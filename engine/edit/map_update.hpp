// What a file says of elements that a topology has: values that are to be set, field by field. It
// adds no element and deletes none.
//
// Ownership: all texts, in one piece, so that a value takes little more than its text. Texts are
// valid UTF-8 of characters that XML allows. Thread: any, once it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/graph/attributes.hpp"
#include "engine/graph/document.hpp"

namespace netml::engine {

enum class UpdatedField : std::uint8_t {
  name,
  short_name,
  version,
  start,
  end,
  latitude,
  longitude,
  altitude,
  unlocode,
  address,
  property,
  owner,     // by identifier; a topology has one
  topology,  // by identifier; where the element is: no update changes it
  parent,    // the same of a topology
  first_end,
  second_end,
};

class MapUpdate {
 public:
  struct Place {
    std::uint32_t line = 0;  // or row
    std::uint32_t column = 0;
    std::uint32_t sheet = 0;  // into `sheets`
  };
  struct Text {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  // Times and numbers of the fields that are so.
  using Value = std::variant<Text, Micro, Instant>;
  struct Field {
    UpdatedField field = UpdatedField::name;
    Place at;
    std::uint32_t name = 0;  // of a property, into names
    std::uint32_t values_begin = 0;
    std::uint32_t values_end = 0;
  };
  struct Element {
    Kind kind = Kind::node;
    Text id;
    Place at;
    std::uint32_t fields_begin = 0;
    std::uint32_t fields_end = 0;
  };

  // ---- how it is made: an element, its fields, their values ----
  void add_element(Kind kind, std::string_view id, Place at);
  void add_field(UpdatedField field, Place at, std::uint32_t name = 0);
  void add_value(std::string_view text) { add(put(text)); }
  void add_value(Micro number) { add(number); }
  void add_value(Instant time) { add(time); }
  std::uint32_t add_name(std::string_view name);  // of a property, in lower case

  // ---- what it says ----
  std::span<const Element> elements() const { return elements_; }
  std::span<const Field> fields(const Element& element) const {
    return std::span(fields_).subspan(element.fields_begin,
                                      element.fields_end - element.fields_begin);
  }
  // None: the field is to be empty.
  std::span<const Value> values(const Field& field) const {
    return std::span(values_).subspan(field.values_begin, field.values_end - field.values_begin);
  }
  std::string_view text(const Text& text) const {
    return std::string_view(texts_).substr(text.begin, text.size);
  }
  std::string_view text(const Value& value) const { return text(std::get<Text>(value)); }
  std::string_view name(const Field& field) const { return names_[field.name]; }

  std::vector<std::string> sheets;  // their names; that of a text is empty
  DocumentNotes notes;
  LossList losses;

 private:
  Text put(std::string_view text);
  void add(Value value);

  std::vector<Element> elements_;
  std::vector<Field> fields_;
  std::vector<Value> values_;
  std::vector<std::string> names_;
  std::string texts_;
};

}  // namespace netml::engine
