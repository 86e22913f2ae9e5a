// The administration site and the map over HTTP: the pages, the API that they use (docs/api.md),
// and what maps embedded elsewhere ask for.
//
// Thread: any.
#pragma once

#include <vector>

#include "admin/api/site/calls/pending_site.hpp"
#include "net/http/limits.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

// `pending` must outlive the router.
std::vector<WebRoute> register_web_api(net::Router& router, const PendingSite& pending,
                                       const net::Limits& limits);

// The pages built from admin/web, as they were when the program was built.
void register_web_pages(net::Router& router, const PendingSite& pending);

// Signing out by a link.
void register_sign_out_page(net::Router& router, const PendingSite& pending);

}  // namespace netml::admin
