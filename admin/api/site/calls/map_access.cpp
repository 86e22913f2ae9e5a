#include "admin/api/site/calls/map_access.hpp"

#include "admin/api/site/calls/calls.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_access.hpp"

namespace netml::admin::web {

bool is_admitted_origin(const engine::Catalog& catalog, const net::Request& request) {
  const std::string_view origin = request.headers.get("Origin");
  if (origin.empty()) return true;
  return is_allowed_origin(catalog, origin) || is_same_origin(request, true);
}

void add_cors(net::Response& response, const engine::Catalog& catalog,
              const net::Request& request) {
  const std::string_view origin = request.headers.get("Origin");
  response.headers.set("Vary", "Origin, Accept, Accept-Encoding");
  if (origin.empty() || !is_allowed_origin(catalog, origin)) return;
  response.headers.set("Access-Control-Allow-Origin", origin);
  response.headers.set("Access-Control-Allow-Methods", "GET, OPTIONS, POST");
  response.headers.set("Access-Control-Allow-Headers", "Content-Type");
  response.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
}

bool is_map_enabled(const engine::Catalog& catalog) {
  return setting_value(catalog, kMapEnabled) != "False";
}

}  // namespace netml::admin::web
