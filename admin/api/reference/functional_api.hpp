// The endpoints that functional tests use (docs/requirements/http-api.md, sections 11 to 14;
// decision 23): empty and fill the node, create and change single records and rules over HTTP. They
// are served in test mode only; otherwise each answers 403, whatever is sent (A21).
//
// What they change goes through the same planning and the same journal as all else.
// Thread: any.
#pragma once

#include "admin/api/services.hpp"
#include "engine/base/time.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

// `services` must outlive the router. `start` is when the server started.
void register_functional_api(net::Router& router, Services& services, WallTime start);

// The same paths, refused.
void refuse_functional_api(net::Router& router);

}  // namespace netml::admin
