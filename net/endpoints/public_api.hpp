// The endpoints that peers and uploaders use (docs/requirements/http-api.md, sections 5 to 9;
// decisions 10, 13, 23 to 25): status, export, published data, import. Each also answers to its
// grenml_* alias.
//
// polling/trigger is not among them: it exists on the control socket only.
#pragma once

#include <string_view>

#include "net/endpoints/ports.hpp"
#include "net/http/limits.hpp"
#include "net/server/router.hpp"

namespace netml::net {

// Development mode drops the token on the export endpoints, except their test variants (A21).
enum class Mode : std::uint8_t { production, development };

struct PublicApiPorts {
  TokenChecker& tokens;
  ExportService& exports;
  ImportService& imports;
  const ReadinessState& readiness;
};

// The ports must outlive the router.
void register_public_api(Router& router, const PublicApiPorts& ports, const Limits& limits,
                         Mode mode);

// What stands in for it, and for all else, until the node is open: 503 with Retry-After (O1, O5).
void register_starting_api(Router& router);

// The value of "Authorization: Bearer <value>": any case, one space, one field; else empty.
std::string_view bearer_token(const Headers& headers);

// The one answer to every failed check of a caller (A2).
Response access_denied();

}  // namespace netml::net
