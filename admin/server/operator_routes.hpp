// What those find who look after a server: its metrics and its health, on the control socket and,
// where that is wanted, on a listener of its own (docs/monitoring/README.md).
//
// Thread: any (immutable while served).
#pragma once

#include "net/server/http_server.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

struct Services;

// While the node is being opened.
net::Router starting_operator_routes();

// Both outlive the router.
void register_operator_routes(net::Router& router, Services& services,
                              const net::HttpServer& server);

}  // namespace netml::admin
