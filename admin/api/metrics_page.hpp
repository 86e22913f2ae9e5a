// `GET /metrics` (docs/monitoring/README.md): what the process has counted, and what is read from
// the node and its server now. Nothing here walks the map, and nothing waits for the writer.
//
// Thread: any.
#pragma once

#include <string>

#include "admin/metrics/metrics_text.hpp"
#include "net/server/http_server.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

struct Services;

// The server is the one that asks are answered by.
std::string metrics_page(Services& services, const net::HttpServer& server, MetricsFormat format);

// Both outlive the router.
void register_metrics(net::Router& router, Services& services, const net::HttpServer& server);

}  // namespace netml::admin
