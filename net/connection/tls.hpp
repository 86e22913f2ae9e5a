// The server's side of TLS: certificates and protocol rules (rule N12). Thread: any (immutable once
// made).
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/base/result.hpp"
#include "net/connection/server_options.hpp"

namespace netml::net {

using TlsContext = boost::asio::ssl::context;

// TLS 1.2 and later with authenticated ciphers, no renegotiation. Refuses a private key that others
// than its owner may read and one that does not fit the certificate.
Result<std::shared_ptr<TlsContext>> load_tls(const TlsFiles& files);

// When its certificate expires, in seconds since 1970; nothing where it has none.
std::optional<std::int64_t> expiry(TlsContext& context);

}  // namespace netml::net
