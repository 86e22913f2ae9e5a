// Signing in through a web server in front that knows who somebody is
// (docs/requirements/administration.md, section 1; rule A23). Its headers count on /admin/login/
// alone, and only when the connection comes from an address of --sso-proxy; everywhere else nobody
// looks at them. One that comes twice, or with '_' for '-', may be the client's own: then nobody is
// signed in.
//
// Who was never here gets an account that is switched off until an administrator has seen it; those
// of --admin-eppns are administrators at once (engine/edit/plan_identities.hpp).
//
// Thread: any.
#pragma once

#include <optional>

#include "admin/api/site/calls/site.hpp"
#include "net/http/http.hpp"

namespace netml::admin::web {

// The answer to such a request: a session and a redirect, or a refusal. Nothing when the request
// brings no identity that counts.
std::optional<net::Response> sign_in_by_identity(Site& site, const net::Request& request);

// Whether that eppn is among those of --admin-eppns.
Identities::Listed is_listed(const Site& site, std::string_view eppn);

}  // namespace netml::admin::web
