// A blocking TLS client that checks nothing and tells which certificate it was given.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/http/unique_fd.hpp"

namespace netml::net {

class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port, int version_max = TLS1_3_VERSION);  // 127.0.0.1

  bool connected() const { return connected_; }
  std::string certificate_name() const;
  // Sends all bytes first; then everything up to the end, which must be announced.
  std::string ask(std::string_view bytes);
  // Whether anything is answered; the server may end the connection whenever it likes.
  bool is_answered(std::string_view bytes);

 private:
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_{nullptr, SSL_free};
  UniqueFd socket_;
  bool connected_ = false;
};

}  // namespace netml::net
