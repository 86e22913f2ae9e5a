// The endpoints of maps embedded elsewhere (docs/requirements/http-api.md, section 14). Thread:
// any.
#pragma once

#include "admin/api/site/web_api.hpp"

namespace netml::admin::web {

void register_visualization(net::Router& router, Site& site, const net::Limits& limits);

}  // namespace netml::admin::web
