// TLS on a listener: a certificate made by the test, protocol rules, reload (N12).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/net/support/certificate.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/net/support/tls_client.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

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
    make_server({});
  }
  ~TlsTest() override { base_.server.reset(); }
  void make_server(const ServerOptions& options) {
    base_.server = std::make_unique<HttpServer>(options, base_.clock, base_.random, base_.events);
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
  ServerOptions impatient;
  impatient.limits.tls_handshake_max = std::chrono::milliseconds(300);
  make_server(impatient);
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

TEST_F(TlsTest, TellsWhenTheFirstCertificateExpires) {
  EXPECT_EQ(base_.server->certificates_expire(), std::nullopt) << "nothing listens with TLS";
  constexpr long kLonger = 1000;
  const test::TemporaryDirectory longer;
  const Authority authority("authority");
  const TlsFiles lasting = authority.issue(
      longer.path(), {.alternative_name = "IP:127.0.0.1", .ends_in = 3600 + kLonger});
  HttpServer& server = *base_.server;
  ASSERT_TRUE(server.listen_tcp({"127.0.0.1", 0}, base_.router, lasting).has_value());
  const auto last = server.certificates_expire();
  ASSERT_TRUE(server.listen_tcp({"127.0.0.1", 0}, base_.router, files_).has_value());
  ASSERT_TRUE(server.listen_tcp({"127.0.0.1", 0}, base_.router).has_value());
  const auto first = server.certificates_expire();
  ASSERT_TRUE(first.has_value() && last.has_value());
  EXPECT_GT(*first, 0);
  EXPECT_GE(*last, *first + kLonger / 2) << "made at almost the same moment";
}

TEST_F(TlsTest, KeepsTheOldCertificateWhenTheNewOneIsBadN12) {
  start();
  std::ofstream(files_.certificate_chain) << "rubbish";
  EXPECT_FALSE(base_.server->reload_tls().has_value());
  EXPECT_EQ(TlsClient(port_).certificate_name(), "first");
}

// Of TLS alone, before anything else is kept.
TEST_F(TlsTest, TakesSixtyFourKibibytesOfTheMemoryOfConnections) {
  base_.router.add(Method::get, "/short/", [](const Request&) -> Answer { return Response(); });
  for (const std::size_t missing : {0, 1}) {
    ServerOptions options;
    options.limits.connection_memory_bytes_max = 64 * kKibibyte - missing;
    HttpServer server(options, base_.clock, base_.random, base_.events);
    const auto bound = server.listen_tcp({"127.0.0.1", 0}, base_.router, files_);
    ASSERT_TRUE(bound.has_value()) << bound.error().message;
    const auto plain = server.listen_tcp({"127.0.0.1", 0}, base_.router);
    ASSERT_TRUE(plain.has_value()) << plain.error().message;
    server.start();
    EXPECT_EQ(TlsClient(bound->port).is_answered(request("GET", "/short/")), missing == 0);
    EXPECT_EQ(ask_once(plain->port, request("GET", "/short/")).status, 200);
  }
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
