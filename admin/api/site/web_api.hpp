// The administration site and the map over HTTP: the pages, the API that they use (docs/api.md),
// and what maps embedded elsewhere ask for.
//
// Thread: any.
#pragma once

#include <vector>

#include "admin/api/site/calls/web_route.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

namespace web {
struct Site;
// What maps embedded elsewhere ask for (docs/requirements/http-api.md, section 14).
void register_visualization(net::Router& router, Site& site);
// /badge/quality.svg and .json; the site must outlive the router.
void register_quality_badge(net::Router& router, Site& site);
}  // namespace web

// The site must outlive the routers of all these.
std::vector<WebRoute> register_web_api(net::Router& router, web::Site& site);

// All that the command line asks, on the control socket or in its own process: the same API, what
// is asked on the machine alone (/api/v1/node/), and the trigger of polls.
std::vector<WebRoute> register_control_api(net::Router& router, web::Site& site);

// The pages built from admin/web, as they were when the program was built.
void register_web_pages(net::Router& router, web::Site& site);
// What the pages are made of; needs no site.
void register_web_files(net::Router& router);

// Signing out by a link.
void register_sign_out_page(net::Router& router, web::Site& site);

}  // namespace netml::admin
