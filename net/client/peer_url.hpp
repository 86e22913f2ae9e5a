// Where a node is reached, as operators write it: "https://alpha.example:8443".
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/client/outgoing.hpp"

namespace netml::net {

// Errc::invalid_input unless it is http or https, a host, perhaps a port, and nothing behind. The
// port is that of the scheme where none is given.
Result<Peer> parse_peer_url(std::string_view text);

// "alpha.example:8443", as requests to it name it.
std::string authority_of(const Peer& peer);

}  // namespace netml::net
