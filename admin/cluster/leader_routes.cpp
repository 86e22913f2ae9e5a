#include "admin/cluster/leader_routes.hpp"

#include <string_view>

namespace netml::admin {

namespace {

using net::Method;

bool reads(Method method) {
  return method == Method::get || method == Method::head || method == Method::options;
}

// Signing in through a proxy is a page that is asked for, and begins a session. How far webhooks
// have come is known where they are given.
bool needs_the_leader(std::string_view pattern, const net::Request& request) {
  return pattern == "/polling/trigger/" || pattern.starts_with("/api/v1/webhooks") ||
         (pattern == "/admin/login/" && request.headers.has("X-Forwarded-eppn"));
}

// Exports and questions to the map that are sent as POST, previews, and what concerns the data
// directory of this machine alone.
bool reads_all_the_same(std::string_view pattern, const net::Request& request) {
  if (pattern.starts_with("/api/v1/node/"))
    return pattern != "/api/v1/node/init" && pattern != "/api/v1/node/import" &&
           pattern != "/api/v1/node/places";
  return pattern.starts_with("/published_network_data/") || pattern == "/test/netml_export/" ||
         pattern.starts_with("/api/v1/redundancy") || pattern == "/api/v1/views/preview" ||
         pattern == "/visualization/graphql/" ||
         net::query_parameter(request.query, "preview") == "true";
}

}  // namespace

bool is_for_leader(const net::Router::Route& route, const net::Request& request) {
  return reads(route.method) ? needs_the_leader(route.pattern, request)
                             : !reads_all_the_same(route.pattern, request);
}

}  // namespace netml::admin
