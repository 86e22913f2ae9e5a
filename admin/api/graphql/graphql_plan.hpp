// A query in GraphQL, checked and made into a plan: for each place in it the fields that are wanted
// of the objects there, fragments and directives resolved. Writing the answer then needs neither
// the query nor recursion.
//
// Bounds: the length and depth of the query, the number of its places, selections and aliases.
// Failure: QueryError with the place. Thread: any (pure function).
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/api/graphql/graphql_query.hpp"
#include "admin/api/graphql/graphql_schema.hpp"

namespace netml::admin::web::graphql {

enum class Wanted : unsigned char { field, type_name, schema, type };

struct PlannedField {
  std::string key;  // of the answer
  Wanted wanted = Wanted::field;
  std::string name;
  Type of = Type::scalar;  // of what is below
  bool list = false;
  std::map<std::string, std::optional<std::string>, std::less<>> arguments;
  std::size_t below = kNoSet;     // place; none for scalars
  std::vector<std::size_t> sets;  // while the plan is made
};

struct Place {
  Type type = Type::query;
  std::vector<PlannedField> fields;
};
using Plan = std::vector<Place>;  // the first is the root

inline constexpr std::size_t kPlacesMax = 1'000;
// Of all places together, as often as fragments bring them in.
inline constexpr std::size_t kSelectionsMax = 20'000;
// In the whole plan: an alias in a fragment counts wherever that is spread.
inline constexpr std::size_t kAliasesMax = 30;

// `operation`: which one of several; empty when there is one.
tl::expected<Plan, QueryError> plan_query(std::string_view text,
                                          const boost::json::object& variables,
                                          std::string_view operation);

}  // namespace netml::admin::web::graphql
