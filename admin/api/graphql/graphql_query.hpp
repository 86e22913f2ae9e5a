// Reads queries in GraphQL (October 2021): operations, fields with aliases and arguments,
// fragments, variables, directives. Values that are lists or objects are not read, since no
// argument of ours is one; nor are mutations run.
//
// Failure: QueryError with the place. Thread: any (pure function).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace netml::admin::web::graphql {

struct QueryError {
  std::string message;
  std::size_t line = 1;
  std::size_t column = 1;
};

struct Value {
  enum class Kind : unsigned char { null, boolean, number, text, name, variable };
  Kind kind = Kind::null;
  std::string text;  // "true", digits, the text itself, a name
};
using Arguments = std::map<std::string, Value, std::less<>>;

struct Directive {
  std::string name;
  Arguments arguments;
};

inline constexpr std::size_t kNoSet = ~std::size_t{0};

struct Selection {
  enum class Kind : unsigned char { field, spread, inline_fragment };
  Kind kind = Kind::field;
  std::string name;       // of the field, or of the fragment
  std::string alias;      // of a field; empty = its name
  std::string condition;  // the type of an inline fragment; may be empty
  Arguments arguments;
  std::vector<Directive> directives;
  std::size_t set = kNoSet;  // what is selected below
  std::size_t line = 1;
  std::size_t column = 1;
};

struct Operation {
  std::string kind;  // "query"
  std::string name;  // may be empty
  Arguments defaults;
  std::size_t set = kNoSet;
};

struct Fragment {
  std::string type;
  std::size_t set = kNoSet;
};

struct Query {
  std::vector<std::vector<Selection>> sets;
  std::vector<Operation> operations;
  std::map<std::string, Fragment, std::less<>> fragments;
};

inline constexpr std::size_t kQueryBytesMax = 64 << 10;
// Levels of what is asked for, the root included: of records, and of the schema's own description,
// for which client libraries name up to nine types within one another.
inline constexpr std::size_t kDepthMax = 15;
inline constexpr std::size_t kDescriptionDepthMax = 32;
// Open braces; an inline fragment may stand on every level.
inline constexpr std::size_t kNestingMax = 2 * kDescriptionDepthMax;

std::string too_deep(std::size_t levels_max);  // the message

tl::expected<Query, QueryError> parse_query(std::string_view text);

}  // namespace netml::admin::web::graphql
