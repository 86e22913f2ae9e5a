#include "tests/net/support/tls_client.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

namespace netml::net {

TlsClient::TlsClient(std::uint16_t port, int version_max)
    : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
  ::signal(SIGPIPE, SIG_IGN);  // a server that hangs up fails a test, not the whole program
  SSL_CTX_set_min_proto_version(context_.get(), 0);
  SSL_CTX_set_max_proto_version(context_.get(), version_max);
  SSL_CTX_set_cipher_list(context_.get(), "ALL:@SECLEVEL=0");
  ssl_.reset(SSL_new(context_.get()));
  socket_ = UniqueFd(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  SSL_set_fd(ssl_.get(), socket_.get());
  connected_ = SSL_connect(ssl_.get()) == 1;
}

std::string TlsClient::certificate_name() const {
  char name[64] = {};
  const std::unique_ptr<X509, void (*)(X509*)> certificate(SSL_get1_peer_certificate(ssl_.get()),
                                                           X509_free);
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                            sizeof name);
  return name;
}

std::string TlsClient::ask(std::string_view bytes) {
  EXPECT_EQ(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())),
            static_cast<int>(bytes.size()));
  std::string all;
  char piece[16384];
  int got = 0;
  while ((got = SSL_read(ssl_.get(), piece, sizeof piece)) > 0)
    all.append(piece, static_cast<std::size_t>(got));
  EXPECT_EQ(SSL_get_error(ssl_.get(), got), SSL_ERROR_ZERO_RETURN) << "no close notice";
  return all;
}

bool TlsClient::is_answered(std::string_view bytes) {
  char first = 0;
  return connected_ && SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0 &&
         SSL_read(ssl_.get(), &first, 1) == 1;
}

}  // namespace netml::net
