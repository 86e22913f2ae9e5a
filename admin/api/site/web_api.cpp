#include "admin/api/site/web_api.hpp"

#include "admin/answers/json_answers.hpp"
#include "admin/api/polling_trigger.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/api/site/sections/sections.hpp"

namespace netml::admin::web {

namespace {

void add_sections(Routes& routes) {
  for (const auto add :
       {add_session,       add_map,          add_quality,        add_redundancy,   add_policies,
        add_records,       add_overrides,    add_record_history, add_tokens,       add_settings,
        add_accounts,      add_plain_tables, add_identities,     add_rules,        add_imports,
        add_publications,  add_polling,      add_activity,       add_transactions, add_cluster,
        add_export,        add_bulk_edit,    add_overview,       add_views,        add_webhooks,
        add_quality_fixes, add_receipts})
    add(routes);
}

void add_node_verbs(Routes& routes) {
  for (const auto add :
       {add_node_data, add_node_export, add_node_places, add_node_audit, add_node_upkeep})
    add(routes);
}

// Under its own path, as timers of the machine call it (docs/polling.md).
net::Response trigger(Site& site, const net::Request& request) {
  auto answer = trigger_polling(site.services, request, caller_of(request, local_administrator()));
  return answer ? *std::move(answer) : error_answer(answer.error());
}

}  // namespace

}  // namespace netml::admin::web

namespace netml::admin {

std::vector<WebRoute> register_web_api(net::Router& router, web::Site& site) {
  web::register_visualization(router, site);
  web::register_quality_badge(router, site);
  web::Routes routes(router, site);
  web::add_sections(routes);
  return routes.take();
}

std::vector<WebRoute> register_control_api(net::Router& router, web::Site& site) {
  web::Routes routes(router, site);
  web::add_sections(routes);
  web::add_node_verbs(routes);
  for (const net::Method method : {net::Method::get, net::Method::post})
    router.add(method, "/polling/trigger/", [&site](const net::Request& request) -> net::Answer {
      return web::trigger(site, request);
    });
  router.refuse_head("/polling/trigger/");
  return routes.take();
}

}  // namespace netml::admin
