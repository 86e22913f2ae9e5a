#include "admin/api/site/web_api.hpp"

#include "admin/api/site/sections/sections.hpp"
#include "admin/api/site/visualization.hpp"

namespace netml::admin::web {

namespace {

std::vector<WebRoute> register_sections(Routes& routes) {
  for (const auto add :
       {add_session, add_map, add_records, add_record_history, add_tokens, add_settings,
        add_accounts, add_plain_tables, add_identities, add_rules, add_imports, add_publications,
        add_polling, add_activity, add_transactions})
    add(routes);
  return routes.take();
}

}  // namespace

}  // namespace netml::admin::web

namespace netml::admin {

std::vector<WebRoute> register_web_api(net::Router& router, web::Site& site,
                                       const net::Limits& limits) {
  web::register_visualization(router, site, limits);
  web::Routes routes(router, site, limits);
  return web::register_sections(routes);
}

}  // namespace netml::admin
