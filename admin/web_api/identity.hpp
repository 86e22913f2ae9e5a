// Signing in through a web server in front that knows who somebody is (admin.md, section 1; A23 of
// the security rules). Its headers count on /admin/login/ alone, and only when the connection comes
// from an address of --sso-proxy; everywhere else nobody looks at them.
//
// An account is found by its name, which is the eduPersonPrincipalName without regard to case. Who
// has none gets one that is switched off until an administrator has seen it; those of --admin-eppns
// are administrators at once.
//
// Thread: any.
#pragma once

#include <optional>

#include "admin/web_api/site.hpp"
#include "net/http.hpp"

namespace netml::admin::web {

// The answer to such a request: a session and a redirect, or a refusal. Nothing when the request
// brings no identity that counts.
std::optional<net::Response> sign_in_by_identity(Site& site, const net::Request& request);

}  // namespace netml::admin::web
