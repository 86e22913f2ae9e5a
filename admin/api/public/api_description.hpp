// The description of the public API for programs and people (docs/requirements/http-api.md,
// section 15): OpenAPI 3.0.3 at /api-schema/, as YAML or JSON, and a page that shows it at
// /swagger-ui/. All of it is part of the program; the page asks no other host.
//
// Thread: any.
#pragma once

#include "net/server/router.hpp"

namespace netml::admin {

void register_api_description(net::Router& router);

}  // namespace netml::admin
