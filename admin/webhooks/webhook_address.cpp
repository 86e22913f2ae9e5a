#include "admin/webhooks/webhook_address.hpp"

#include <algorithm>

#include "admin/polling/source_address.hpp"
#include "net/client/peer_url.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kSchemeEnd = "://";

tl::unexpected<Error> no_webhook_url() {
  return fail(Errc::invalid_input, "url",
              "must be https://HOST/PATH, with a port or a query if need be, without user, "
              "password, fragment or blanks");
}

bool is_target(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~' && c != '#'; });
}

}  // namespace

Result<WebhookAddress> parse_webhook_url(std::string_view url) {
  const std::size_t scheme = url.find(kSchemeEnd);
  if (scheme == std::string_view::npos) return no_webhook_url();
  const std::size_t end =
      std::min(url.find_first_of("/?#", scheme + kSchemeEnd.size()), url.size());
  auto peer = net::parse_peer_url(url.substr(0, end));
  const std::string_view rest = url.substr(end);
  if (!peer || !check_hostname(peer->host) || !is_target(rest)) return no_webhook_url();
  WebhookAddress address{.peer = *std::move(peer)};
  if (rest.starts_with('/'))
    address.target = rest;
  else
    address.target.append(rest);
  return address;
}

}  // namespace netml::admin
