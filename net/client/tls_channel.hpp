// The client's side of TLS over another channel.
// Thread: one at a time.
#pragma once

#include <memory>

#include "net/client/http_client.hpp"
#include "net/client/outgoing.hpp"

namespace netml::net {

inline tl::unexpected<OutgoingError> problem(OutgoingProblem kind, std::string message) {
  return tl::unexpected(OutgoingError{kind, std::move(message)});
}

// Returns when the peer has shown who it is; nothing of the caller's was sent before.
tl::expected<std::unique_ptr<ByteChannel>, OutgoingError> connect_tls(
    std::unique_ptr<ByteChannel> inner, const Peer& peer, const Clock& clock,
    std::chrono::milliseconds at_most);

}  // namespace netml::net
