// Sets the members of JSON objects as fields of a draft, by a mapping table.
//
// A field is a leaf: what holds no other value. Its row is found by its path, "node.location.lat"
// or "node.ports[].id". A list of leaves is a field of several values, "node.tags[]". Objects and
// lists in which no leaf has a row of its own stay together: they become one property of their
// name, as JSON without blanks, in pieces. null, {} and [] say that there is nothing: nothing is
// set.
//
// Thread: the owner of the draft.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "codecs/document/json_tree.hpp"
#include "codecs/formats/draft/map_draft.hpp"

namespace netml::codecs {

// How many leaves a value has: a leaf has one, itself.
std::uint64_t count_leaves(JsonValue value);

class JsonFields {
 public:
  // Both outlive this.
  JsonFields(MapDraft& draft, FieldRules& rules) : draft_(draft), rules_(rules) {}

  // All members of an object as fields of the innermost open element, but those that are named.
  // `owner` is the beginning of their rows: "node.".
  void set(std::string_view owner, JsonValue object,
           std::initializer_list<std::string_view> except = {});
  // One value, called `name`.
  void set(std::string_view owner, std::string_view name, JsonValue value);
  // One value that stays together, even where its leaves have rows.
  void set_together(std::string_view owner, std::string_view name, JsonValue value);
  // One value as a property of exactly that name, whatever the table has for it.
  void keep(std::string_view owner, std::string_view name, JsonValue value);
  // All leaves of a value, called `name`, are lost.
  void lose(std::string_view owner, std::string_view name, JsonValue value,
            std::string_view reason);
  // All leaves of a value are what every map of the format has, or are in the map by what became of
  // them.
  void carry(JsonValue value);

 private:
  bool has_rows(std::string_view owner, std::string_view name, JsonValue value);
  void set_leaf(const FoundRule& rule, JsonValue leaf);
  void set_together(const FoundRule& rule, JsonValue value);

  MapDraft& draft_;
  FieldRules& rules_;
};

}  // namespace netml::codecs
