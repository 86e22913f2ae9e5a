#include "admin/server/public_routes.hpp"

#include "admin/api/health.hpp"
#include "admin/api/public/public_api.hpp"
#include "admin/api/reference/functional_api.hpp"
#include "admin/api/site/web_api.hpp"

namespace netml::admin {

namespace {

// What no node is needed for.
void add_fixed_routes(net::Router& router, const RouteOptions& options) {
  register_api_description(router);
  register_web_files(router);
  if (!options.test_mode) refuse_functional_api(router);
}

}  // namespace

net::Router starting_routes(const RouteOptions& options) {
  net::Router router;
  add_fixed_routes(router, options);
  register_health(router, nullptr, HealthDetail::for_everybody);
  register_starting_api(router);
  return router;
}

net::Router public_routes(Services& services, web::Site& site, const RouteOptions& options) {
  net::Router router;
  add_fixed_routes(router, options);
  register_health(router, &services.node, HealthDetail::for_everybody, services.cluster);
  register_public_api(router, services,
                      options.development ? ExportToken::dropped : ExportToken::needed);
  register_web_api(router, site);
  register_web_pages(router, site);
  register_sign_out_page(router, site);
  if (options.test_mode) register_functional_api(router, services, options.start);
  return router;
}

}  // namespace netml::admin
