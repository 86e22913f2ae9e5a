// Who may ask for the map: everybody, but pages of other sites only when an administrator listed
// them (docs/requirements/http-api.md, section 14; rule A17).
//
// Thread: any (pure functions).
#pragma once

#include <optional>

#include "engine/catalog/catalog.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web {

// Whether the request comes from no page, from one of ours, or from a listed one.
bool is_admitted_origin(const engine::Catalog& catalog, const net::Request& request);

// Lets a listed page read the answer.
void add_cors(net::Response& response, const engine::Catalog& catalog, const net::Request& request);

bool is_map_enabled(const engine::Catalog& catalog);

}  // namespace netml::admin::web
