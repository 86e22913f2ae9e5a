// What readers of JSON demand of the objects that they look into, whatever the format: that they
// are objects, that they have a text that names them, and no member twice.
//
// Thread: its owner. Errors: reported with the JSON pointer.
#pragma once

#include <string_view>

#include "codecs/document/error_list.hpp"
#include "codecs/document/json_tree.hpp"

namespace netml::codecs {

class JsonObjects {
 public:
  // The list outlives this.
  explicit JsonObjects(ErrorList& errors) : errors_(errors) {}

  void report(std::string_view code, std::string_view message, JsonValue value) {
    errors_.report(code, message, value.position());
  }
  // The text that names `what`, such as "a node"; empty, and reported, where there is none.
  std::string_view id_of(JsonValue object, std::string_view what, std::string_view member);
  void refuse_repeated(JsonValue object);

 private:
  ErrorList& errors_;
};

// What a member says; empty where it is no text.
std::string_view text_member(JsonValue object, std::string_view member);

}  // namespace netml::codecs
