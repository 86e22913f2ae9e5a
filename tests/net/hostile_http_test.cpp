// The rows of the hostile-input table (docs/requirements/durability-and-security.md, section 3)
// that concern heads, framing and time, each against a server with small limits, over raw sockets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "tests/net/support/fakes.hpp"

namespace netml::net {
namespace {

using std::chrono::milliseconds;
using namespace std::string_literals;

// Of each, what its test is about is short alone: clients are slow, too, on a busy machine.
ServerOptions short_heads() {
  ServerOptions options;
  options.limits.header_complete_max = std::chrono::seconds(1);
  return options;
}
ServerOptions short_idleness() {
  ServerOptions options;
  options.limits.keep_alive_idle_max = milliseconds(150);
  return options;
}
ServerOptions short_transfers() {
  ServerOptions options;
  options.limits.transfer_window = milliseconds(150);
  options.limits.transfer_grace = milliseconds(50);
  options.limits.linger_max = milliseconds(200);
  return options;
}

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

class HostileHttpTest : public ::testing::Test {
 protected:
  // Sends the bytes and expects that answer, then the end of the connection.
  void expect_refused(std::string_view bytes, int status, std::string_view detail = {}) {
    RawClient client(server_.port);
    client.send(bytes);
    const auto response = client.receive();
    const std::string shown(bytes.substr(0, 120));
    ASSERT_TRUE(response.has_value()) << shown;
    EXPECT_EQ(response->status, status) << shown;
    EXPECT_EQ(response->field("Connection"), "close") << shown;
    EXPECT_LE(response->body.size(), 1024u) << shown;
    EXPECT_NE(response->body.find(detail), std::string::npos) << response->body;
    EXPECT_TRUE(client.at_end()) << shown;
  }
  static std::string head(std::string_view fields, std::string_view body = "") {
    return fmt::format("POST /netml_import/upload/ HTTP/1.1\r\nHost: localhost\r\n{}\r\n{}", fields,
                       body);
  }

  SampleServer server_;
};

constexpr std::string_view kSmuggled =
    "GET /test/netml_export/ HTTP/1.1\r\nHost: localhost\r\n\r\n";

TEST_F(HostileHttpTest, RefusesHeadsBeyondTheirLimits) {
  expect_refused(request("GET", "/status/", "X: " + std::string(17'000, 'x') + "\r\n"), 431,
                 "--limit header_bytes_max=N");
  std::string fields;
  for (int i = 0; i < 2000; ++i) fields += "a:\r\n";
  expect_refused(request("GET", "/status/", fields), 431, "--limit header_fields_max=N");
  expect_refused(request("GET", "/" + std::string(9000, 'x')), 414,
                 "--limit request_line_bytes_max=N");
}

TEST_F(HostileHttpTest, NeverRunsTheRequestBehindAnAmbiguousLengthX3) {
  for (const char* fields :
       {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 3, 4\r\n",
        "Content-Length: 3\r\nContent-Length: 3\r\n", "Content-Length: +3\r\n",
        "Content-Length: -1\r\n", "Content-Length: 0x3\r\n",
        "Content-Length: 18446744073709551616\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding : chunked\r\n"}) {
    expect_refused(head(fields, kSmuggled), 400);
  }
  EXPECT_EQ(server_.exports, 0);
}

TEST_F(HostileHttpTest, RefusesTransferEncodingsOtherThanChunkedX3) {
  for (const char* coding : {"gzip", "xchunked", "chunked, gzip", "gzip, chunked", "identity",
                             "chunked, chunked", "\"chunked\""}) {
    expect_refused(head(fmt::format("Transfer-Encoding: {}\r\n", coding), kSmuggled), 501);
  }
  expect_refused("POST /x HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 400);
  EXPECT_EQ(server_.exports, 0);
}

TEST_F(HostileHttpTest, RefusesRepeatedFieldsThatDecideX3) {
  for (const char* name : {"Host", "Authorization", "Content-Type", "Cookie"}) {
    expect_refused(
        request("GET", "/status/", fmt::format("{0}: localhost\r\n{0}: localhost\r\n", name)), 400);
  }
}

TEST_F(HostileHttpTest, RefusesLinesThatCanBeReadInTwoWaysX3) {
  expect_refused("GET /status/ HTTP/1.1\nHost: localhost\n\n", 400);
  expect_refused("GET /status/ HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n", 400);
  expect_refused("GET /status/ HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", 400);
  expect_refused("GET /status/ HTTP/1.1\r\n Host: localhost\r\n\r\n", 400);
  expect_refused("GET /status/ HTTP/2.0\r\nHost: localhost\r\n\r\n", 400);
  expect_refused("GET  /status/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400);
  expect_refused("GET /sta\xfftus/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400);
  expect_refused("GET /status/ HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n"s, 400);
}

TEST_F(HostileHttpTest, ChecksTheHostBeforeRoutingX5) {
  expect_refused("GET /status/ HTTP/1.1\r\n\r\n", 400);
  for (const char* host : {"", "evil.example", "localhost:x", "local host", "a@localhost"}) {
    const auto answer =
        ask_once(server_.port, fmt::format("GET /status/ HTTP/1.1\r\nHost: {}\r\n\r\n", host));
    EXPECT_EQ(answer.status, 400) << host;
  }
  const auto absolute = [&](std::string_view target) {
    return ask_once(server_.port, request("GET", target)).status;
  };
  EXPECT_EQ(absolute("http://localhost/status/"), 200);
  EXPECT_EQ(absolute("http://evil.example/status/"), 421);
}

TEST_F(HostileHttpTest, RefusesUnknownMethodsAndTellsTheKnownOnes) {
  for (const char* method : {"TRACE", "CONNECT", "BREW"})
    expect_refused(request(method, "/status/"), 501);
  const RawResponse wrong = ask_once(server_.port, request("PUT", "/status/"));
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.field("Allow"), "GET, HEAD, OPTIONS");
}

// Decision 13: the trigger exists on the control socket only.
TEST_F(HostileHttpTest, HasNoPollingTriggerInAnySpelling) {
  for (const char* target :
       {"/polling/trigger/", "/polling/trigger", "//polling//trigger/", "/POLLING/trigger/",
        "/polling/trigger/?scheduled=1", "/polling/%74rigger/", "/%2e/polling/trigger/",
        "/polling/./trigger/", "/polling/trigger;x", "/polling;x/trigger/", "/polling/trigger/.",
        "http://localhost/polling/trigger/"}) {
    for (const char* method : {"GET", "POST"}) {
      const auto answer = ask_once(server_.port, request(method, target,
                                                         "X-Original-URL: /polling/trigger/\r\n"
                                                         "X-Forwarded-For: 127.0.0.1\r\n"));
      EXPECT_EQ(answer.status, 404) << method << ' ' << target;
    }
  }
  for (const char* target :
       {"/x/../polling/trigger/", "/polling%2ftrigger/", "/polling/trigger%00"})
    EXPECT_EQ(ask_once(server_.port, request("GET", target)).status, 400) << target;
}

TEST_F(HostileHttpTest, RefusesBrokenChunksAndClosesX4) {
  const Form form;
  const std::string fields = fmt::format(
      "{}Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: "
      "chunked\r\n",
      bearer(kImportToken));
  for (const std::string& body :
       {std::string("ffffffffffffffffff\r\n"), std::string("1\nA"), std::string("z\r\n"),
        "1;" + std::string(1 << 20, 'x'), std::string("1\r\nAB\r\n")}) {
    expect_refused(head(fields, body), 400);
  }
}

// X1: 195 MB of trailer fields neither end the process nor cost memory.
TEST_F(HostileHttpTest, StopsReadingEndlessTrailersX1) {
  const std::size_t before = resident_bytes();
  RawClient client(server_.port);
  client.send(head(fmt::format("{}Content-Type: multipart/form-data; boundary=b\r\n"
                               "Transfer-Encoding: chunked\r\n",
                               bearer(kImportToken)),
                   "0\r\n"));
  const std::string field = "T: " + std::string(100'000, 'x') + "\r\n";
  std::size_t sent = 0;
  while (sent < 195'000'000 && client.send(field)) sent += field.size();
  EXPECT_LT(sent, 20'000'000u);
#ifndef __SANITIZE_ADDRESS__  // which keeps freed memory for a while
  EXPECT_LT(resident_bytes(), before + 8 * kMebibyte);
#else
  EXPECT_GT(before, 0u);
#endif
  EXPECT_EQ(ask_once(server_.port, request("GET", "/status/")).status, 200);
}

TEST_F(HostileHttpTest, ReadsOnAfterARefusalSoThatTheAnswerArrivesX4) {
  RawClient client(server_.port);
  client.send(request("POST", "/nowhere/", "", std::string(50'000, 'x')));
  const auto answer = client.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 404);
  EXPECT_TRUE(client.at_end());
}

TEST(HostileTime, EndsHeadsThatDoNotArrive) {
  SampleServer server(short_heads());
  RawClient silent(server.port);
  EXPECT_TRUE(silent.at_end());
  RawClient half(server.port);
  half.send("GET /status/ HTTP/1.1\r\nHos");
  const auto answer = half.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 408);
  EXPECT_TRUE(half.at_end());
  EXPECT_GE(server.events.count(ServerEvent::connection_timed_out), 2u);
  const RecordingEvents::Event first = server.events.first(ServerEvent::connection_timed_out);
  EXPECT_EQ(first.address, "127.0.0.1");
  EXPECT_EQ(first.id, "") << "nothing was asked for";
  EXPECT_TRUE(first.timed);
}

TEST(HostileTime, EndsConnectionsThatIdle) {
  SampleServer server(short_idleness());
  RawClient client(server.port);
  client.send(request("GET", "/status/", "Connection: keep-alive\r\n"));
  EXPECT_EQ(client.receive()->status, 200);
  EXPECT_TRUE(client.at_end());
}

TEST(HostileTime, EndsUploadsThatStallAndLeavesNothing) {
  SampleServer server(short_transfers());
  Form form;
  form.file("a.xml", "x");
  RawClient client(server.port);
  const std::string bytes = upload_request(form);
  client.send(bytes.substr(0, bytes.size() - 40));
  const auto answer = client.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 408);
  EXPECT_TRUE(client.at_end());
  EXPECT_EQ(server.uploads.begun, 1);
  EXPECT_EQ(server.uploads.traces, 0);
}

// The client asks for much and never reads it.
TEST(HostileTime, EndsAnswersThatAreNotRead) {
  TestServer server(short_transfers());
  struct Endless : BodySource {
    explicit Endless(Gate& gate) : destroyed(gate) {}
    ~Endless() override { destroyed.open(); }
    Result<std::string_view> next() override { return std::string_view(piece); }
    const std::string piece = std::string(1 << 20, 'x');
    Gate& destroyed;
  };
  Gate destroyed;
  server.router.add(Method::get, "/endless/", [&](const Request&) -> Answer {
    Response response;
    response.body = StreamBody{std::make_unique<Endless>(destroyed), std::nullopt};
    response.client = "peer";
    return response;
  });
  server.start();
  RawClient client(server.port);
  client.send(request("GET", "/endless/"));
  destroyed.wait();  // the view is released
  const RecordingEvents::Event event = server.events.first(ServerEvent::connection_timed_out);
  EXPECT_EQ(event.address, "127.0.0.1");
  EXPECT_EQ(event.client, "peer");
  EXPECT_NE(event.id, "");
  EXPECT_TRUE(event.timed);
}

}  // namespace
}  // namespace netml::net
