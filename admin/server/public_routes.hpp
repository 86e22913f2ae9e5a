// All that clients find on the listeners of the server: first what stands in until the node is
// open, which tells requests to come back (O5), then the routes of the open node.
//
// Thread: any (immutable while served).
#pragma once

#include "engine/base/time.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

struct Services;
namespace web {
struct Site;
}

struct RouteOptions {
  bool test_mode = false;    // with the endpoints of functional tests (A21)
  bool development = false;  // exports need no token
  WallTime start = {};       // of the server
};

// What needs no node is answered as always.
net::Router starting_routes(const RouteOptions& options);

// Both must outlive the last request.
net::Router public_routes(Services& services, web::Site& site, const RouteOptions& options);

}  // namespace netml::admin
