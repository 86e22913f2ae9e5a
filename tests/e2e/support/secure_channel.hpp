// A connection to a server over TLS that checks no certificate: for clients of a node whose
// certificate a test has made.
// Thread: one.
#pragma once

#include <cstdint>
#include <memory>

#include "net/client/http_client.hpp"

namespace netml::e2e {

Result<std::unique_ptr<net::ByteChannel>> connect_securely(std::uint16_t port);

}  // namespace netml::e2e
