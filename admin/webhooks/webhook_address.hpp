// Where a webhook is: the one reading of its URL, so that no text means one host here and another
// one elsewhere (rule N1).
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/client/outgoing.hpp"

namespace netml::admin {

struct WebhookAddress {
  net::Peer peer;
  std::string target = "/";  // path and query, as requests name them
};

// Errc::invalid_input, of the field "url", unless it is http or https, a host as a polling source
// has one (admin/polling/source_address.hpp), perhaps a port, path and query. It holds no user, no
// password and no fragment.
Result<WebhookAddress> parse_webhook_url(std::string_view url);

}  // namespace netml::admin
