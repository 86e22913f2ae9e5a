#include "admin/web_api/identity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/web_api/calls.hpp"

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

std::uint64_t find_identity(const engine::Catalog& catalog, std::string_view eppn) {
  return catalog.accounts.find_if([&](const engine::Account& account) {
    return net::equals_ignoring_case(account.name, eppn);
  });
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

// The account's number, with what the list of administrators grants (never taken away by itself).
Result<std::uint64_t> account_of(Site& site, const Caller& caller, const Request& request,
                                 const std::string& eppn) {
  const bool admin = std::ranges::any_of(site.options.admin_identities, [&](const auto& listed) {
    return net::equals_ignoring_case(listed, eppn);
  });
  const engine::StatePtr state = site.services.node.version().state;
  Accounts& accounts = site.services.accounts;
  const std::uint64_t known = find_identity(state->catalog, eppn);
  if (known == 0)
    return accounts.create_without_password(caller, eppn, identity_header(request, "mail"),
                                            admin ? engine::Role::admin : engine::Role::viewer,
                                            admin);
  if (admin)
    NETML_TRY_VOID(accounts.update(caller, known, {.role = engine::Role::admin, .enabled = true}));
  return known;
}

}  // namespace

std::optional<Response> sign_in_by_identity(Site& site, const Request& request) {
  if (!net::contains(site.options.sso_proxies, request.peer_address)) return std::nullopt;
  const std::string eppn = identity_header(request, "eppn");
  if (eppn.empty()) return std::nullopt;
  if (!may_hold_cookies(request))
    return refuse(403, "needs-https", "signing in needs https, except on the machine itself");
  Caller caller{engine::ActorKind::account, eppn, request.client_address, request.id};
  const auto number = account_of(site, caller, request, eppn);
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
