#include "admin/server/operator_routes.hpp"

#include "admin/api/health.hpp"
#include "admin/api/metrics_page.hpp"
#include "admin/api/services.hpp"

namespace netml::admin {

net::Router starting_operator_routes() {
  net::Router router;
  register_health(router, nullptr, HealthDetail::for_operators);
  router.add(
      net::Method::get, "/metrics",
      [](const net::Request&) -> net::Answer {
        net::Response response = net::refusal(503, "starting; try again later");
        response.headers.add("Retry-After", "1");
        return response;
      },
      net::Lane::urgent);
  return router;
}

void register_operator_routes(net::Router& router, Services& services,
                              const net::HttpServer& server) {
  register_health(router, &services.node, HealthDetail::for_operators, services.cluster);
  register_metrics(router, services, server);
}

}  // namespace netml::admin
