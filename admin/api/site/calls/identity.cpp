#include "admin/api/site/calls/identity.hpp"

#include <algorithm>
#include <array>

#include "admin/api/site/calls/calls.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"

namespace netml::admin::web {

using net::Request;
using net::Response;

namespace {

constexpr std::array<std::string_view, 5> kIdentityHeaders = {
    "X-Forwarded-eppn", "X-Forwarded-mail", "X-Forwarded-displayName", "X-Forwarded-givenName",
    "X-Forwarded-sn"};

// A proxy overwrites the headers that it sets, spelled as it spells them. What a client sends of
// that name with '_' for '-', or a second time, passes many of them; so nobody can say who spoke.
bool has_doubtful_identity(const Request& request) {
  return std::ranges::any_of(kIdentityHeaders, [&](std::string_view wanted) {
    std::size_t found = 0;
    bool misspelled = false;
    for (const auto& [name, value] : request.headers.fields()) {
      std::string dashed = name;
      std::ranges::replace(dashed, '_', '-');
      if (!equals_ignoring_case(dashed, wanted)) continue;
      ++found;
      misspelled = misspelled || dashed != name;
    }
    return misspelled || found > 1;
  });
}

// The first of several values.
std::string identity_header(const Request& request, std::string_view name) {
  std::string_view value = request.headers.get(name);
  value = value.substr(0, value.find(';'));
  while (value.starts_with(' ')) value.remove_prefix(1);
  while (value.ends_with(' ')) value.remove_suffix(1);
  return std::string(value);
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
  return {eppn, attribute("X-Forwarded-mail"), attribute("X-Forwarded-displayName"),
          attribute("X-Forwarded-givenName"), attribute("X-Forwarded-sn")};
}

}  // namespace

Identities::Listed is_listed(const Site& site, std::string_view eppn) {
  const bool listed = std::ranges::any_of(site.options.admin_identities, [&](const auto& each) {
    return equals_ignoring_case(each, eppn);
  });
  return listed ? Identities::Listed::yes : Identities::Listed::no;
}

std::optional<Response> sign_in_by_identity(Site& site, const Request& request) {
  if (!net::contains(site.options.sso_proxies, request.peer_address)) return std::nullopt;
  if (has_doubtful_identity(request))
    return refuse(400, "doubtful-identity",
                  "an identity header comes twice, or with an underscore; the proxy must remove "
                  "what clients send of that kind");
  const std::string eppn = identity_header(request, "X-Forwarded-eppn");
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
  Response response = redirect(place_after(request));
  response.headers.set("Set-Cookie", session_cookie(request, begun->secret));
  response.client = eppn;
  return response;
}

}  // namespace netml::admin::web
