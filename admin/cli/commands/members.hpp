// The members of a JSON object, one after another: the body of a request, of what a command was
// given.
//
// Thread: one at a time.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

class Members {
 public:
  void set(std::string_view name, const std::string& text) { add(name, json_string(text)); }
  void set(std::string_view name, bool flag) { add(name, flag ? "true" : "false"); }
  void set(std::string_view name, unsigned number) { add(name, fmt::to_string(number)); }
  void set(std::string_view name, const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ",") + json_string(text);
    add(name, '[' + list + ']');
  }
  void set_null(std::string_view name) { add(name, "null"); }
  template <class Value>
  void set_if_given(std::string_view name, const std::optional<Value>& value) {
    if (value) set(name, *value);
  }
  std::string object() const { return '{' + text_ + '}'; }

 private:
  void add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}{}:{}", text_.empty() ? "" : ",", json_string(name), value);
  }
  std::string text_;
};

}  // namespace netml::admin::cli
