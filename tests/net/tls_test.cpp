// TLS on a listener: a certificate made by the test, protocol rules, reload (N12).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>

#include "tests/net/support/certificate.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

// A blocking TLS client that checks nothing and shows the certificate it was given.
class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port, int version_max = TLS1_3_VERSION)
      : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
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

  bool connected() const { return connected_; }
  std::string certificate_name() const {
    char name[64] = {};
    const std::unique_ptr<X509, void (*)(X509*)> certificate(SSL_get1_peer_certificate(ssl_.get()),
                                                             X509_free);
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                              sizeof name);
    return name;
  }
  std::string ask(std::string_view bytes) {
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

 private:
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_{nullptr, SSL_free};
  UniqueFd socket_;
  bool connected_ = false;
};

class TlsTest : public ::testing::Test {
 protected:
  TlsTest() {
    files_ = make_certificate(directory_.path(), "first");
    base_.router.add(Method::get, "/big/", [](const Request& r) -> Answer {
      Response response;
      response.body = std::string(r.secure ? 1'000'000 : 1, 's');
      return response;
    });
    base_.router.add(Method::get, "/file/", [this](const Request&) -> Answer {
      Response response;
      response.body = FileBody{UniqueFd(::open(file_.c_str(), O_RDONLY)), 1, 699'999};
      return response;
    });
    file_ = directory_.file("file");
    std::ofstream(file_) << std::string(700'000, 'f');
    base_.server = std::make_unique<HttpServer>(small(), base_.clock, base_.random, base_.events);
  }
  ~TlsTest() override { base_.server.reset(); }
  static ServerOptions small() {
    ServerOptions options;
    options.limits.tls_handshake_max = std::chrono::milliseconds(300);
    return options;
  }
  void start() {
    const auto bound = base_.server->listen_tcp({"127.0.0.1", 0}, base_.router, files_);
    ASSERT_TRUE(bound.has_value()) << bound.error().message;
    port_ = bound->port;
    base_.server->start();
  }

  test::TemporaryDirectory directory_;
  TlsFiles files_;
  std::string file_;
  TestServer base_;
  std::uint16_t port_ = 0;
};

TEST_F(TlsTest, ServesOverTls) {
  start();
  TlsClient client(port_);
  ASSERT_TRUE(client.connected());
  const std::string answer = client.ask(request("GET", "/big/"));
  EXPECT_NE(answer.find("HTTP/1.1 200"), std::string::npos);
  EXPECT_NE(answer.find("Strict-Transport-Security: max-age=31536000\r\n"), std::string::npos);
  EXPECT_EQ(answer.size() - answer.find("\r\n\r\n") - 4, 1'000'000u);
}

TEST_F(TlsTest, ServesFilesOverTls) {
  start();
  for (int i = 0; i < 20; ++i) {
    TlsClient client(port_);
    const std::string answer = client.ask(request("GET", "/file/"));
    EXPECT_EQ(answer.size() - answer.find("\r\n\r\n") - 4, 699'999u);
  }
}

TEST_F(TlsTest, RefusesProtocolsBeforeVersionOneTwoN12) {
  start();
  EXPECT_FALSE(TlsClient(port_, TLS1_1_VERSION).connected());
  EXPECT_TRUE(TlsClient(port_, TLS1_2_VERSION).connected());
  base_.events.wait_for(ServerEvent::tls_handshake_failed);
}

TEST_F(TlsTest, EndsHandshakesThatDoNotComeAndPlainRequests) {
  start();
  RawClient silent(port_);
  EXPECT_TRUE(silent.at_end());
  RawClient plain(port_);
  plain.send(request("GET", "/big/"));
  EXPECT_EQ(plain.receive_rest().find("HTTP/1.1"), std::string::npos);
}

TEST_F(TlsTest, TakesANewCertificateWithoutDroppingConnectionsN12) {
  start();
  TlsClient before(port_);
  EXPECT_EQ(before.certificate_name(), "first");
  const TlsFiles second = make_certificate(directory_.path(), "second");
  std::filesystem::rename(second.certificate_chain, files_.certificate_chain);
  std::filesystem::rename(second.private_key, files_.private_key);
  ASSERT_TRUE(base_.server->reload_tls().has_value());
  EXPECT_EQ(TlsClient(port_).certificate_name(), "second");
  EXPECT_NE(before.ask(request("GET", "/big/")).find("HTTP/1.1 200"), std::string::npos);
}

TEST_F(TlsTest, KeepsTheOldCertificateWhenTheNewOneIsBadN12) {
  start();
  std::ofstream(files_.certificate_chain) << "rubbish";
  EXPECT_FALSE(base_.server->reload_tls().has_value());
  EXPECT_EQ(TlsClient(port_).certificate_name(), "first");
}

TEST_F(TlsTest, RefusesAKeyThatOthersMayReadOrThatDoesNotFit) {
  ::chmod(files_.private_key.c_str(), 0640);
  const auto open = base_.server->listen_tcp({"127.0.0.1", 0}, base_.router, files_);
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(open.error().code, Errc::denied);
  const TlsFiles other = make_certificate(directory_.path(), "other");
  const TlsFiles mixed{files_.certificate_chain, other.private_key};
  EXPECT_FALSE(base_.server->listen_tcp({"127.0.0.1", 0}, base_.router, mixed).has_value());
}

}  // namespace
}  // namespace netml::net
