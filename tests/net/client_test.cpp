// The blocking client against the server, and against answers that no server should give.
#include "net/client/http_client.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tests/net/support/fakes.hpp"
#include "tests/support/http_clients.hpp"
#include "tests/support/ports.hpp"
#include "tests/support/reserved_port.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

using namespace std::string_literals;

// A channel that answers whatever is sent with a fixed text, in pieces of one byte.
class ScriptedChannel : public ByteChannel {
 public:
  explicit ScriptedChannel(std::string script) : script_(std::move(script)) {}
  Result<Ready> wait(bool to_write, std::chrono::milliseconds) override {
    return to_write ? Ready::to_write : Ready::to_read;
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    if (script_.empty()) return std::size_t{0};
    into[0] = script_.front();
    script_.erase(0, 1);
    return std::size_t{1};
  }
  Result<std::size_t> write_some(std::string_view from) override { return from.size(); }

 private:
  std::string script_;
};

Result<ClientResponse> answer(const std::string& script, ClientLimits limits = {}) {
  const SystemClock clock;
  HttpClient client(std::make_unique<ScriptedChannel>(script), "h", clock, limits);
  return client.send(ClientRequest{});
}

TEST(HttpClient, ReadsEveryFramingByteByByte) {
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")->body, "ab");
  EXPECT_EQ(
      answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")->body,
      "ab");
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\n\r\nab")->body, "ab");
  EXPECT_EQ(answer("HTTP/1.1 204 No Content\r\n\r\n")->status, 204);
  EXPECT_EQ(
      answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n")->status,
      404);
}

TEST(HttpClient, RefusesAnswersThatAreCutOffOrAmbiguous) {
  for (const char* script :
       {"", "HTTP/1.1 200 OK\r\n", "rubbish\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"}) {
    EXPECT_FALSE(answer(script).has_value()) << script;
  }
}

TEST(HttpClient, HoldsItsLimits) {
  ClientLimits limits;
  limits.body_bytes_max = 1;
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\n\r\nab", limits).error().code, Errc::too_large);
  limits.header_bytes_max = 100;
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\nX: " + std::string(200, 'x'), limits).error().code,
            Errc::too_large);
  ClientLimits curt;
  curt.refusal_bytes_max = 1;
  EXPECT_TRUE(answer("HTTP/1.1 500 X\r\n\r\na", curt).has_value());
  EXPECT_EQ(answer("HTTP/1.1 500 X\r\n\r\nab", curt).error().code, Errc::too_large)
      << "although a map may be longer";
}

TEST(HttpClient, TakesSixteenInterimAnswers) {
  std::string interim;
  for (int i = 0; i < 16; ++i) interim += "HTTP/1.1 103 Early Hints\r\n\r\n";
  const std::string good = "HTTP/1.1 204 No Content\r\n\r\n";
  EXPECT_EQ(answer(interim + good)->status, 204);
  const auto refused = answer(interim + "HTTP/1.1 100 Continue\r\n\r\n" + good);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "bad answer: too many interim answers");
}

// A channel that is always ready: it gives the same again and again, a piece in every 10 ms.
class EndlessChannel : public ByteChannel {
 public:
  EndlessChannel(testing::ManualClock& clock, std::string begin, std::string more)
      : clock_(clock), next_(std::move(begin)), more_(std::move(more)) {}
  Result<Ready> wait(bool to_write, std::chrono::milliseconds) override {
    return to_write ? Ready::to_write : Ready::to_read;
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    clock_.advance(std::chrono::milliseconds(10));
    std::ranges::copy(next_, into.begin());
    return std::exchange(next_, more_).size();
  }
  Result<std::size_t> write_some(std::string_view) override {
    clock_.advance(std::chrono::milliseconds(10));
    return std::size_t{1};
  }

 private:
  testing::ManualClock& clock_;
  std::string next_;
  std::string more_;
};

// N1: one deadline for the whole exchange.
TEST(HttpClient, EndsAnExchangeThatNeverPauses) {
  const std::string interim = "HTTP/1.1 100 Continue\r\n\r\n";
  std::string chunks;
  for (int i = 0; i < 1000; ++i) chunks += "1\r\nx\r\n";
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const auto& [begin, more] :
       {std::pair(interim, interim), std::pair(head, chunks), std::pair(head + "1\r\n", "x"s),
        std::pair("HTTP/1.1 200"s, " "s)}) {
    testing::ManualClock clock;
    ClientLimits limits;
    limits.total_max = std::chrono::seconds(10);
    limits.header_bytes_max = 1 << 20;
    HttpClient client(std::make_unique<EndlessChannel>(clock, begin, more), "h", clock, limits);
    const auto answer = client.send(ClientRequest{});
    EXPECT_FALSE(answer.has_value());
    EXPECT_LT(clock.steady(), std::chrono::seconds(11)) << begin;
    HttpClient slow(std::make_unique<EndlessChannel>(clock, begin, more), "h", clock, limits);
    ClientRequest request;
    request.body = std::string(10'000, 'x');
    EXPECT_FALSE(slow.send(request).has_value());
    EXPECT_LT(clock.steady(), std::chrono::seconds(22));
  }
}

TEST(HttpClient, SendsAFileAndKeepsItsConnection) {
  TestServer server;
  server.router.add(Method::post, "/size/", [](const Request&) -> Answer {
    return collect_body(10'000'000, [](std::string body) {
      Response response;
      response.body = std::to_string(body.size());
      return response;
    });
  });
  server.start();
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("file").string();
  {
    UniqueFd out(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600));
    const std::string content(5'000'000, 'f');
    ASSERT_EQ(::write(out.get(), content.data(), content.size()), 5'000'000);
  }
  auto client = client_over_tcp({"127.0.0.1", server.port}, server.clock);
  ASSERT_TRUE(client.has_value()) << client.error().message;
  for (int i = 0; i < 3; ++i) {
    ClientRequest request;
    request.method = "POST";
    request.target = "/size/";
    request.body = FileBody{UniqueFd(::open(path.c_str(), O_RDONLY)), 10, 4'000'000};
    const auto response = client->send(request);
    ASSERT_TRUE(response.has_value()) << response.error().message;
    EXPECT_EQ(response->body, "4000000");
    EXPECT_TRUE(client->reusable());
  }
  std::filesystem::remove(path);
}

// Goal: who hands on a request need not have all of it first, nor keep the answer.
TEST(HttpClient, SendsAndReadsPieceByPieceOverOneConnection) {
  TestServer server;
  server.router.add(Method::post, "/echo/", [](const Request&) -> Answer {
    return collect_body(1'000'000, [](std::string body) {
      Response response;
      response.body = std::move(body);
      return response;
    });
  });
  server.start();
  auto client = client_over_tcp({"127.0.0.1", server.port}, server.clock);
  ASSERT_TRUE(client.has_value()) << client.error().message;
  for (int round = 0; round < 2; ++round) {
    ClientRequest head;
    head.method = "POST";
    head.target = "/echo/";
    head.headers.add("Content-Length", "300000");
    ASSERT_TRUE(client->begin(head).has_value());
    for (const char c : {'a', 'b', 'c'})
      ASSERT_TRUE(client->write(std::string(100'000, c)).has_value());
    const auto answer = client->answer();
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "");
    std::string body;
    while (true) {
      const auto piece = client->next();
      ASSERT_TRUE(piece.has_value()) << piece.error().message;
      if (piece->empty()) break;
      body += *piece;
    }
    EXPECT_EQ(body,
              std::string(100'000, 'a') + std::string(100'000, 'b') + std::string(100'000, 'c'));
    EXPECT_TRUE(client->reusable());
  }
}

// A refusal in the middle of a long upload is read, not lost to a broken pipe.
TEST(HttpClient, ReadsARefusalThatComesBeforeTheBodyIsSent) {
  ServerOptions options;
  options.limits.upload_bytes_max = 1000;
  SampleServer server(options);
  auto client = client_over_tcp({"127.0.0.1", server.port}, server.clock);
  ASSERT_TRUE(client.has_value());
  ClientRequest request;
  request.method = "POST";
  request.target = "/netml_import/upload/";
  request.body = std::string(50'000'000, 'x');
  const auto response = client->send(request);
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(response->status, 403);
  EXPECT_FALSE(client->reusable());
}

TEST(HttpClient, TellsThatNobodyListens) {
  const SystemClock clock;
  const test::ReservedPort port;
  const auto client = client_over_tcp({"127.0.0.1", port.number()}, clock);
  ASSERT_FALSE(client.has_value());
  EXPECT_EQ(client.error().code, Errc::unavailable);
}

}  // namespace
}  // namespace netml::net
