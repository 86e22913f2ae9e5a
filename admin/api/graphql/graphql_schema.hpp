// What maps may ask for in GraphQL (docs/requirements/http-api.md, section 14), as a table; the
// description that clients fetch first is made from it.
//
// Thread: any (immutable).
#pragma once

#include <boost/json/value.hpp>
#include <span>
#include <string_view>

namespace netml::admin::web::graphql {

enum class Type : unsigned char {
  query,
  institution,
  node,
  link,
  property,
  scalar,
  description,  // a part of the schema's own description
};

struct Field {
  std::string_view name;
  std::string_view type;  // as clients see it: "ID!", "[NodeType]"
  Type of = Type::scalar;
  std::span<const std::string_view> arguments = {};  // all of them texts
};

std::string_view type_name(Type type);  // "NodeType"
std::span<const Field> fields_of(Type type);
const Field* find_field(Type type, std::string_view name);

// The value of __schema.
boost::json::value describe_schema();

}  // namespace netml::admin::web::graphql
