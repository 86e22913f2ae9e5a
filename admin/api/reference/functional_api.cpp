#include "admin/api/reference/functional_api.hpp"

#include "admin/access/request_credentials.hpp"
#include "admin/api/reference/calls.hpp"

namespace netml::admin {

void register_functional_api(net::Router& router, Services& services, WallTime start) {
  const net::Limits limits = services.limits.get()->http;
  functional::Routes routes(router, services, limits);
  functional::add_basics(routes);
  functional::add_import_records(routes, limits);
  functional::add_network_topology(routes, start);
  functional::add_collation(routes);
  functional::add_rule_parts(routes);
  functional::add_collation_calls(routes);
  functional::add_polling(routes);
  functional::add_visualization(routes);
}

void refuse_functional_api(net::Router& router) {
  const net::Handler refuse = [](const net::Request&) -> net::Answer { return access_denied(); };
  for (const char* section :
       {"/test/{rest...}", "/netml_import/test/{rest...}", "/network_topology/test/{rest...}",
        "/collation/test/{rest...}", "/polling/test/{rest...}", "/visualization/test/{rest...}"})
    router.add_any(section, refuse);
}

}  // namespace netml::admin
