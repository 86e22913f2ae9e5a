#include "admin/web_api/identity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/web_api/calls.hpp"
#include "engine/utf8.hpp"

namespace netml::admin::web {

using net::Request;
using net::Response;

namespace {

// The first of several values; proxies spell the names with '-' or with '_'.
std::string identity_header(const Request& request, std::string_view attribute) {
  for (const std::string_view prefix : {"X-Forwarded-", "X_Forwarded_"}) {
    std::string_view value = request.headers.get(std::string(prefix) + std::string(attribute));
    value = value.substr(0, value.find(';'));
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    if (!value.empty()) return std::string(value);
  }
  return {};
}

// Only to pages of the site: no second slash at the front, no scheme, nothing encoded (A16).
std::string place_after(const Request& request) {
  const std::string next = net::query_parameter(request.query, "next").value_or("");
  const bool fine = next.starts_with("/admin/") && next.find("//") == std::string::npos &&
                    std::ranges::all_of(next, [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '/' || c == '-' || c == '_';
                    });
  return fine ? next : "/admin/";
}

// What cannot be kept of the attributes counts as absent; the eppn itself must be right.
engine::ExternalIdentity identity_of(const Request& request, const std::string& eppn) {
  constexpr std::size_t kBytesMax = 150;
  const auto attribute = [&](std::string_view name) {
    const std::string value = identity_header(request, name);
    return value.size() <= kBytesMax && is_utf8(value) ? value : std::string();
  };
  return {eppn, attribute("mail"), attribute("displayName"), attribute("givenName"),
          attribute("sn")};
}

}  // namespace

Identities::Listed is_listed(const Site& site, std::string_view eppn) {
  const bool listed = std::ranges::any_of(site.options.admin_identities, [&](const auto& each) {
    return net::equals_ignoring_case(each, eppn);
  });
  return listed ? Identities::Listed::yes : Identities::Listed::no;
}

std::optional<Response> sign_in_by_identity(Site& site, const Request& request) {
  if (!net::contains(site.options.sso_proxies, request.peer_address)) return std::nullopt;
  const std::string eppn = identity_header(request, "eppn");
  if (eppn.empty()) return std::nullopt;
  if (!may_hold_cookies(request))
    return refuse(403, "needs-https", "signing in needs https, except on the machine itself");
  const Caller caller{engine::ActorKind::account, eppn, request.client_address, request.id};
  const auto number =
      site.services.identities.sign_in(caller, identity_of(request, eppn), is_listed(site, eppn));
  if (!number) return refuse(number.error());
  const auto account = site.services.node.version().state->catalog.accounts.find(*number);
  if (account == nullptr || !account->enabled)
    return refuse(403, "not-enabled", "an administrator must switch your account on first");
  const auto begun = site.sessions.begin(caller, *number);
  if (!begun) return refuse(begun.error());
  Response response;
  response.status = 302;
  response.headers.set("Location", place_after(request));
  response.headers.set("Set-Cookie", session_cookie(request, begun->secret));
  response.client = eppn;
  return response;
}

}  // namespace netml::admin::web
