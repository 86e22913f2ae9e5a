// The server's side of TLS: certificates and protocol rules (rule N12). Thread: any (immutable once
// made).
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "engine/base/result.hpp"
#include "net/connection/server_options.hpp"

namespace netml::net {

using TlsContext = boost::asio::ssl::context;

// TLS 1.2 and later with authenticated ciphers, no renegotiation. Refuses a private key that others
// than its owner may read and one that does not fit the certificate.
Result<std::shared_ptr<TlsContext>> load_tls(const TlsFiles& files);

}  // namespace netml::net
