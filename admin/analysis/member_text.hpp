// JSON that is written as text, since there is too much of it for trees of values.
//
// Thread: any (pure function).
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <string_view>

namespace netml::admin::web {

// The object, which has members, with one more, whose value is text of JSON.
inline std::string with_member(const boost::json::object& object, std::string_view name,
                               std::string_view value) {
  std::string text = boost::json::serialize(object);
  text.reserve(text.size() + name.size() + value.size() + 4);
  text.back() = ',';
  text.append("\"").append(name).append("\":").append(value).append("}");
  return text;
}

}  // namespace netml::admin::web
