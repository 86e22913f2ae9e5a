// The server's side of TLS: certificates and protocol rules (rule N12). Thread: any (immutable once
// made).
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "engine/base/result.hpp"
#include "net/connection/server_options.hpp"

namespace netml::net {

class TlsContext {
 public:
  // TLS 1.2 and later with authenticated ciphers, no renegotiation. Refuses a private key that
  // others than its owner may read and one that does not fit the certificate.
  static Result<std::shared_ptr<TlsContext>> load(const TlsFiles& files);

  boost::asio::ssl::context& context() { return context_; }

 private:
  TlsContext();
  Status use(const TlsFiles& files);

  boost::asio::ssl::context context_;
};

}  // namespace netml::net
