// A refusal that comes before the body was read reaches every client, also one that sends its whole
// body before it looks at an answer (decision 46); and what is read for that has bounds.
// Long: NETML_REFUSAL_ROUNDS=100 net_tests --gtest_filter='*RefusalClients*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/connection/discard_budget.hpp"
#include "tests/e2e/support/process.hpp"
#include "tests/net/support/certificate.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/net/support/tls_client.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t kSmallUpload = 100'000;

ServerOptions of_small_uploads() {
  ServerOptions options;
  options.limits.upload_bytes_max = kSmallUpload;
  return options;
}

struct RefusedRequest {
  int status;
  const char* method = "POST";
  const char* path = "/netml_import/upload/";
  std::string fields = bearer(kImportToken);
  std::uint16_t port = 0;
  std::uint16_t tls_port = 0;
};

// One request for each status that is known before the body is.
class RefusingServers {
 public:
  RefusingServers() : files_(make_certificate(directory_.path(), "localhost")) {
    full_.uploads.full = true;
    const std::uint16_t usual_tls = listen_tls(usual_);
    const std::uint16_t small_tls = listen_tls(small_);
    const std::uint16_t full_tls = listen_tls(full_);
    const auto add = [&](RefusedRequest request, std::uint16_t port, std::uint16_t tls_port) {
      request.port = port;
      request.tls_port = tls_port;
      requests_.push_back(std::move(request));
    };
    add({.status = 403, .fields = ""}, usual_.port, usual_tls);
    add({.status = 404, .path = "/nowhere/"}, usual_.port, usual_tls);
    add({.status = 405, .method = "PUT"}, usual_.port, usual_tls);
    add({.status = 406}, usual_.port, usual_tls);
    add({.status = 413}, small_.port, small_tls);
    add({.status = 415, .fields = bearer(kImportToken) + "Content-Encoding: gzip\r\n"}, usual_.port,
        usual_tls);
    add({.status = 507}, full_.port, full_tls);
  }

  const std::vector<RefusedRequest>& requests() const { return requests_; }
  static std::string bytes(const RefusedRequest& refused, std::size_t size) {
    Form form;
    form.file("map.txt", std::string(size, 'x'));
    return request(refused.method, refused.path,
                   fmt::format("{}Content-Type: multipart/form-data; boundary={}\r\n",
                               refused.fields, form.boundary),
                   form.closed());
  }

 private:
  std::uint16_t listen_tls(SampleServer& server) const {
    const auto bound = server.server->listen_tcp({"127.0.0.1", 0}, server.router, files_);
    EXPECT_TRUE(bound.has_value());
    return bound ? bound->port : 0;
  }

  test::TemporaryDirectory directory_;
  TlsFiles files_;
  SampleServer usual_;
  SampleServer small_{of_small_uploads()};
  SampleServer full_;
  std::vector<RefusedRequest> requests_;
};

constexpr std::size_t kSizes[] = {300'000, 5'000'000};

TEST(Refusals, ReachAClientThatSendsItsWholeBodyFirst) {
  const RefusingServers servers;
  for (const RefusedRequest& refused : servers.requests()) {
    for (const std::size_t size : kSizes) {
      RawClient client(refused.port);
      EXPECT_TRUE(client.send(RefusingServers::bytes(refused, size))) << refused.status;
      const auto answer = client.receive();
      ASSERT_TRUE(answer.has_value()) << refused.status << " of " << size << " bytes";
      EXPECT_EQ(answer->status, refused.status);
      EXPECT_EQ(answer->field("Connection"), "close");
      EXPECT_TRUE(client.at_end());
    }
  }
}

TEST(Refusals, ReachAClientThatSendsItsWholeBodyFirstOverTls) {
  const RefusingServers servers;
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    for (const RefusedRequest& refused : servers.requests()) {
      for (const std::size_t size : kSizes) {
        TlsClient client(refused.tls_port, version);
        const std::string answer = client.ask(RefusingServers::bytes(refused, size));
        EXPECT_TRUE(answer.starts_with(fmt::format("HTTP/1.1 {} ", refused.status)))
            << refused.status << " of " << size << " bytes: " << answer;
      }
    }
  }
}

TEST(Refusals, ReachAClientThatSendsChunks) {
  SampleServer server;
  RawClient client(server.port);
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", 1 << 20, std::string(1 << 20, 'x'));
  EXPECT_TRUE(client.send(request("POST", "/nowhere/", "Transfer-Encoding: chunked\r\n")));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(client.send(chunk));
  EXPECT_TRUE(client.send("0\r\n\r\n"));
  const auto answer = client.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 404);
}

// The client learns early that nothing more will come, and may all the same send what it has.
TEST(Refusals, ReachAClientThatPausesInItsBody) {
  ServerOptions options;
  options.limits.linger_max = milliseconds(50);
  SampleServer server(options);
  RawClient client(server.port);
  const std::string bytes = request("POST", "/nowhere/", "", std::string(5'000'000, 'x'));
  client.send(std::string_view(bytes).substr(0, 1000));
  const auto answer = client.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 404);
  EXPECT_TRUE(client.at_end());
  EXPECT_TRUE(client.send(std::string_view(bytes).substr(1000)));
}

TEST(Refusals, NeverRunTheRequestBehindTheBody) {
  SampleServer server;
  RawClient client(server.port);
  client.send(request("POST", "/nowhere/", "", std::string(300'000, 'x')) +
              request("GET", "/test/netml_export/", bearer(kPollingToken)));
  EXPECT_EQ(client.receive()->status, 404);
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(server.exports, 0);
}

// Sends without end, until the server takes no more or so much was sent.
std::uint64_t send_endless_body(std::uint16_t port, std::uint64_t bytes_max) {
  RawClient client(port);
  client.send(request("POST", "/nowhere/", "Transfer-Encoding: chunked\r\n"));
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", 1 << 16, std::string(1 << 16, 'x'));
  std::uint64_t sent = 0;
  while (sent < bytes_max && client.send(chunk)) sent += chunk.size();
  return sent;
}

TEST(DiscardedBodies, EndAfterSoManyBytes) {
  ServerOptions options;
  options.limits.upload_bytes_max = kMebibyte;
  options.limits.discard_bytes_max = 2 * kMebibyte;
  SampleServer server(options);
  constexpr std::uint64_t kMuch = 64 * kMebibyte;
  const std::uint64_t sent = send_endless_body(server.port, kMuch);
  EXPECT_GT(sent, kMebibyte);
  EXPECT_LT(sent, kMuch);
}

TEST(DiscardedBodies, EndAfterSomeTime) {
  ServerOptions options;
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  options.limits.discard_bytes_max = kNever;
  options.limits.discard_max = milliseconds(100);
  SampleServer server(options);
  EXPECT_LT(send_endless_body(server.port, kNever), kNever);
}

TEST(DiscardedBodies, GiveWayToOtherConnections) {
  ServerOptions options;
  options.limits.connections_max = 1;
  options.limits.linger_max = milliseconds(50);
  SampleServer server(options);
  RawClient client(server.port);
  client.send(request("POST", "/nowhere/", "Content-Length: 1000000000\r\n", ""));
  EXPECT_EQ(client.receive()->status, 404);
  EXPECT_TRUE(client.at_end());  // and the server waits for more
  EXPECT_EQ(ask_once(server.port, request("GET", "/status/")).status, 200);
}

TEST(DiscardBudget, EndsWithItsBytesItsTimeOrTooLittleSpeed) {
  Limits limits;
  limits.upload_bytes_max = 1000;
  limits.discard_bytes_max = 5000;
  const auto start = seconds(70);
  DiscardBudget bytes = DiscardBudget::for_body(limits, start);
  bytes.spend(seconds(0), 4999);
  EXPECT_GT(bytes.left(start).count(), 0);
  bytes.spend(seconds(0), 2);
  EXPECT_LE(bytes.left(start).count(), 0);

  limits.upload_bytes_max = ~std::uint64_t{0};  // the longer of the two counts
  DiscardBudget time = DiscardBudget::for_body(limits, start);
  const auto last = start + limits.discard_max;
  time.spend(seconds(1), 1 << 30);
  EXPECT_EQ(time.left(last - seconds(1)), seconds(1));
  EXPECT_LE(time.left(last).count(), 0);

  DiscardBudget speed = DiscardBudget::for_body(limits, start);
  speed.spend(limits.transfer_window + limits.transfer_grace, 0);
  EXPECT_LE(speed.left(start).count(), 0);

  const DiscardBudget remains = DiscardBudget::for_remains(limits, start);
  EXPECT_EQ(remains.left(start), limits.linger_max);
}

// ---- clients of others ----

struct ForeignClient {
  const char* name;
  bool tls;

  std::string text() const { return fmt::format("{}_{}", name, tls ? "tls" : "plain"); }
};
void PrintTo(const ForeignClient& client, std::ostream* out) {
  *out << client.text();
}

class RefusalClients : public ::testing::TestWithParam<ForeignClient> {};

// "SIZExROUNDS,...": in the long form every size is tried as often.
std::string sizes_and_rounds() {
  const char* rounds = std::getenv("NETML_REFUSAL_ROUNDS");
  if (rounds == nullptr) return "300000x7,5000000x7,50000000x1";
  return fmt::format("300000x{0},5000000x{0},50000000x{0}", rounds);
}

TEST_P(RefusalClients, SeeTheStatus) {
  const auto [client, tls] = GetParam();
  const RefusingServers servers;
  std::vector<std::string> words{"-B", NETML_REFUSAL_CLIENTS, client, sizes_and_rounds()};
  for (const RefusedRequest& refused : servers.requests())
    words.push_back(fmt::format("{}\n{}\n{}://127.0.0.1:{}{}\n{}", refused.status, refused.method,
                                tls ? "https" : "http", tls ? refused.tls_port : refused.port,
                                refused.path, refused.fields));
  const test::TemporaryDirectory directory;
  const std::string errors = directory.file("errors");
  e2e::Process process("/usr/bin/python3", words, directory.file("out"), errors);
  const std::optional<int> exit_code = process.wait(std::chrono::hours(1));
  if (exit_code == 77) GTEST_SKIP() << test::file_content(errors);
  EXPECT_EQ(exit_code, 0) << test::file_content(errors);
}

INSTANTIATE_TEST_SUITE_P(Foreign, RefusalClients,
                         ::testing::Values(ForeignClient{"curl", false},
                                           ForeignClient{"curl", true},
                                           ForeignClient{"requests", false},
                                           ForeignClient{"requests", true},
                                           ForeignClient{"raw", false}, ForeignClient{"raw", true}),
                         [](const auto& tried) { return tried.param.text(); });

}  // namespace
}  // namespace netml::net
