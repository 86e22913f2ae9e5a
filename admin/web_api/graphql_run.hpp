// Answers queries in GraphQL from one version of the graph (http-api.md, section 14).
//
// A query is checked and made into a plan first: for each place in it the fields that are wanted of
// the objects there, fragments and directives resolved. Running the plan writes the answer without
// looking at the query again, and without recursion.
//
// Bounds: the length and depth of the query, the number of its places, the number of objects in the
// answer. Failure: QueryError. Thread: any (pure function).
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "admin/web_api/graphql_query.hpp"
#include "engine/graph.hpp"

namespace netml::admin::web::graphql {

inline constexpr std::size_t kPlacesMax = 1'000;
inline constexpr std::size_t kObjectsMax = 2'000'000;

// {"data": {...}}. `operation`: which one of several; empty when there is one.
tl::expected<std::string, QueryError> run_query(const engine::Graph& graph, std::string_view text,
                                                const boost::json::object& variables,
                                                std::string_view operation);

}  // namespace netml::admin::web::graphql
