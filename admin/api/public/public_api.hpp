// The endpoints that peers and uploaders use (docs/requirements/http-api.md, sections 5 to 9;
// decisions 10, 13, 23 to 25): status, export, published data, import. Each also answers to its
// grenml_* alias.
//
// polling/trigger is not among them: it exists on the control socket only.
#pragma once

#include <cstdint>

#include "admin/api/services.hpp"
#include "net/server/router.hpp"

namespace netml::admin {

// Development mode drops the token on the export endpoints, except their test variants (A21).
enum class ExportToken : std::uint8_t { needed, dropped };

// The services must outlive the router.
void register_public_api(net::Router& router, Services& services, ExportToken token);

// The description of it for programs and people (docs/requirements/http-api.md, section 15):
// OpenAPI 3.0.3 at /api-schema/, as YAML or JSON, and a page that shows it at /swagger-ui/. All of
// it is part of the program; the page asks no other host.
void register_api_description(net::Router& router);

// What stands in for it, and for all else, until the node is open: 503 with Retry-After (O1, O5).
void register_starting_api(net::Router& router);

// The answer to whoever asks for an export that cannot be made.
net::Response export_refusal(ExportProblem problem);

}  // namespace netml::admin
