// The server's ordinary life over real sockets: keep-alive, bodies in and out, headers, stopping.
#include "net/server/http_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <new>
#include <thread>

#include "engine/base/unreadable.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

using std::chrono::milliseconds;

// "ab", "ab", ... as often as asked, then the end or an error.
class RepeatingSource : public BodySource {
 public:
  RepeatingSource(int pieces, bool fails) : left_(pieces), fails_(fails) {}
  Result<std::string_view> next() override {
    if (left_-- > 0) return std::string_view("ab");
    if (fails_) return fail(Errc::io_error, "source failed");
    return std::string_view();
  }

 private:
  int left_;
  bool fails_;
};

Response streamed(int pieces, bool fails, std::optional<std::uint64_t> length) {
  Response response;
  response.body = StreamBody{std::make_unique<RepeatingSource>(pieces, fails), length};
  return response;
}

Response text(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

class ServerTest : public ::testing::Test {
 protected:
  void get(std::string_view path, std::function<Answer(const Request&)> handler) {
    server_.router.add(Method::get, path, std::move(handler));
  }
  // Echoes a collected body.
  void echo(std::string_view path, std::uint64_t bytes_max) {
    server_.router.add(Method::post, path, [bytes_max](const Request&) -> Answer {
      return collect_body(bytes_max, [](std::string body) { return text(std::move(body)); });
    });
  }
  RawResponse ask(std::string_view bytes) { return ask_once(server_.port, bytes); }

  TestServer server_;
};

TEST_F(ServerTest, AnswersAThousandPipelinedRequestsInOrderAndThenCloses) {
  get("/n/{n}/", [](const Request& r) -> Answer { return text(r.parameters[0]); });
  server_.start();
  RawClient client(server_.port);
  std::thread sender([&] {
    for (int i = 0; i < 1001; ++i)
      client.send(request("GET", fmt::format("/n/{}/", i), "Connection: keep-alive\r\n"));
  });
  for (int i = 0; i < 1000; ++i) {
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value()) << i;
    ASSERT_EQ(response->body, std::to_string(i));
  }
  EXPECT_FALSE(client.receive().has_value());  // requests_per_connection_max
  sender.join();
}

TEST_F(ServerTest, SendsStreamsChunkedOrWithTheirLength) {
  get("/chunked/", [](const Request&) -> Answer { return streamed(1000, false, {}); });
  get("/known/", [](const Request&) -> Answer { return streamed(1000, false, 2000); });
  get("/empty/", [](const Request&) -> Answer { return streamed(0, false, {}); });
  server_.start();
  const RawResponse chunked = ask(request("GET", "/chunked/"));
  EXPECT_EQ(chunked.field("Transfer-Encoding"), "chunked");
  EXPECT_EQ(chunked.body.size(), 2000u);
  const RawResponse known = ask(request("GET", "/known/"));
  EXPECT_EQ(known.field("Content-Length"), "2000");
  EXPECT_EQ(known.body.size(), 2000u);
  EXPECT_EQ(ask(request("GET", "/empty/")).body, "");
  const RawResponse old = ask("GET /chunked/ HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(old.field("Transfer-Encoding"), "");
  EXPECT_EQ(old.body.size(), 2000u);
}

TEST_F(ServerTest, CutsAStreamThatFailsOrLiesAboutItsLength) {
  get("/fails/", [](const Request&) -> Answer { return streamed(10, true, {}); });
  get("/short/", [](const Request&) -> Answer { return streamed(10, false, 30); });
  get("/long/", [](const Request&) -> Answer { return streamed(10, false, 15); });
  server_.start();
  for (const char* path : {"/fails/", "/short/"}) {
    RawClient client(server_.port);
    client.send(request("GET", path));
    EXPECT_FALSE(client.receive().has_value()) << path;
  }
  RawClient client(server_.port);
  client.send(request("GET", "/long/"));
  const std::string all = client.receive_rest();
  EXPECT_EQ(all.substr(all.find("\r\n\r\n") + 4).size(), 14u);
  EXPECT_EQ(server_.events.count(ServerEvent::body_source_failed), 3u);
}

TEST_F(ServerTest, AnswersAnErrorWhenAStreamCannotEvenBegin) {
  get("/x/", [](const Request&) -> Answer { return streamed(0, true, {}); });
  server_.start();
  const RawResponse response = ask(request("GET", "/x/"));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body.find("source failed"), std::string::npos);
}

TEST_F(ServerTest, AsksToComeAgainWhenThereIsNoMemoryForAStream) {
  struct Hungry : BodySource {
    Result<std::string_view> next() override { throw std::bad_alloc(); }
  };
  get("/x/", [](const Request&) -> Answer {
    Response response;
    response.body = StreamBody{std::make_unique<Hungry>(), {}};
    return response;
  });
  server_.start();
  const RawResponse response = ask(request("GET", "/x/"));
  EXPECT_EQ(response.status, 503);
  EXPECT_NE(response.field("Retry-After"), "");
}

TEST_F(ServerTest, SendsAFileRangeFromThePageCache) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("file").string();
  std::string content(3'000'000, 'x');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>('a' + i % 23);
  {
    UniqueFd out(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600));
    ASSERT_EQ(::write(out.get(), content.data(), content.size()),
              static_cast<ssize_t>(content.size()));
  }
  get("/f/", [path](const Request&) -> Answer {
    Response response;
    response.body = FileBody{UniqueFd(::open(path.c_str(), O_RDONLY)), 100, 2'900'000};
    return response;
  });
  get("/too-long/", [path](const Request&) -> Answer {
    Response response;
    response.body = FileBody{UniqueFd(::open(path.c_str(), O_RDONLY)), 0, 3'000'001};
    return response;
  });
  server_.start();
  EXPECT_EQ(ask(request("GET", "/f/")).body, content.substr(100, 2'900'000));
  RawClient head(server_.port);
  head.send(request("HEAD", "/f/"));
  EXPECT_EQ(head.receive(true)->field("Content-Length"), "2900000");
  EXPECT_TRUE(head.at_end());
  RawClient cut(server_.port);
  cut.send(request("GET", "/too-long/"));
  EXPECT_FALSE(cut.receive().has_value());
  std::filesystem::remove(path);
}

TEST_F(ServerTest, GivesBodiesToTheirSinkWhateverTheirFraming) {
  echo("/echo/", 1 << 20);
  server_.start();
  const std::string body(100'000, 'q');
  EXPECT_EQ(ask(request("POST", "/echo/", "", body)).body, body);
  const std::string head = request("POST", "/echo/", "Transfer-Encoding: chunked\r\n");
  EXPECT_EQ(ask(head + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: x\r\n\r\n").body, "abcde");
  EXPECT_EQ(ask(request("POST", "/echo/")).body, "");
}

// X2: a trailer never becomes a header.
TEST_F(ServerTest, IgnoresTrailersX2) {
  server_.router.add(Method::post, "/who/", [](const Request& r) -> Answer {
    const Request* request = &r;
    return collect_body(100, [request](std::string) {
      return text(std::string(request->headers.get("Authorization")));
    });
  });
  server_.start();
  const std::string head =
      request("POST", "/who/", "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n");
  RawClient client(server_.port);
  client.send(head + "1\r\na\r\n0\r\nAuthorization: Bearer stolen\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.receive()->body, "");
  client.send(head + "0\r\n\r\n");  // the trailer did not close the connection either
  EXPECT_EQ(client.receive()->status, 200);
}

// Byte by byte is how chunk headers have ended processes.
TEST_F(ServerTest, TakesARequestByteByByte) {
  echo("/echo/", 100);
  server_.start();
  RawClient client(server_.port);
  const std::string bytes = request("POST", "/echo/", "Transfer-Encoding: chunked\r\n") +
                            "2\r\nab\r\n0\r\nConnection: x\r\n\r\n";
  for (const char c : bytes) ASSERT_TRUE(client.send({&c, 1}));
  EXPECT_EQ(client.receive()->body, "ab");
}

TEST_F(ServerTest, SendsContinueOnlyOnceTheHandlerHasAccepted) {
  echo("/echo/", 100);
  server_.router.add(Method::post, "/refused/",
                     [](const Request&) -> Answer { return refusal(403, "no"); });
  server_.start();
  RawClient client(server_.port);
  client.send(
      "POST /echo/ HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 2\r\n\r\n");
  EXPECT_EQ(client.receive()->status, 100);
  client.send("hi");
  EXPECT_EQ(client.receive()->body, "hi");

  RawClient refused(server_.port);
  refused.send(
      "POST /refused/ HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 2\r\n\r\n");
  const auto answer = refused.receive();
  EXPECT_EQ(answer->status, 403);
  EXPECT_EQ(answer->field("Connection"), "close");
  EXPECT_EQ(ask(request("POST", "/echo/", "Expect: tea\r\n")).status, 417);
}

TEST_F(ServerTest, GivesEveryAnswerTheSecurityHeadersAndItsRequestId) {
  std::string seen_id;
  get("/x/", [&](const Request& r) -> Answer {
    seen_id = r.id;
    Response response;
    response.headers.add("Content-Security-Policy", "default-src 'self'");
    return response;
  });
  server_.start();
  const RawResponse response = ask(request("GET", "/x/"));
  EXPECT_EQ(response.field("X-Request-Id"), seen_id);
  EXPECT_EQ(response.field("Content-Security-Policy"), "default-src 'self'");
  EXPECT_EQ(response.field("Content-Length"), "0");
  EXPECT_EQ(response.field("Content-Type"), "");
  EXPECT_EQ(response.field("Date"), "Tue, 14 Nov 2023 22:13:20 GMT");
  server_.events.wait_for_accesses(1);
  EXPECT_EQ(server_.events.accesses()[0].id, seen_id);
  for (const char* bytes : {"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n",
                            "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n",
                            "PUT /x/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "rubbish\r\n\r\n",
                            "GET /x/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"}) {
    const RawResponse refused = ask(bytes);
    EXPECT_EQ(refused.field("X-Content-Type-Options"), "nosniff") << bytes;
    EXPECT_EQ(refused.field("X-Frame-Options"), "DENY") << bytes;
    EXPECT_EQ(refused.field("X-Request-Id").size(), 16u) << bytes;
    EXPECT_NE(refused.field("Content-Security-Policy"), "") << bytes;
  }
}

// Of a refusal alone: an answer may speak of limits.
// Goal: what all answers carry is also on those that no handler gave, and hides nothing that one
// did.
TEST(ServerFields, AreOnEveryAnswerUnlessTheHandlerSetThem) {
  ServerOptions options;
  options.add_fields = [](Headers& headers) { headers.set_default("X-Extra", "of all"); };
  TestServer server(std::move(options));
  server.router.add(Method::get, "/plain/", [](const Request&) -> Answer { return text("x"); });
  server.router.add(Method::get, "/own/", [](const Request&) -> Answer {
    Response response = text("x");
    response.headers.set("X-Extra", "its own");
    return response;
  });
  server.router.add(Method::get, "/fails/",
                    [](const Request&) -> Answer { return streamed(0, true, std::nullopt); });
  server.start();
  const auto extra = [&](std::string_view path) {
    return ask_once(server.port, request("GET", path)).field("X-Extra");
  };
  EXPECT_EQ(extra("/plain/"), "of all");
  EXPECT_EQ(extra("/own/"), "its own");
  EXPECT_EQ(extra("/none/"), "of all");
  EXPECT_EQ(extra("/fails/"), "of all");
}

TEST_F(ServerTest, ReportsTheLimitThatRefusedARequest) {
  const std::string text = beyond_limit("uploads at once", "uploads_at_once_max", 3);
  for (const int status : {503, 200, 429})
    get(fmt::format("/{}/", status),
        [=](const Request&) -> Answer { return refusal(status, text); });
  server_.start();
  const std::pair<const char*, const char*> wanted[] = {{"/503/", "uploads_at_once_max"},
                                                        {"/200/", ""},
                                                        {"/429/", "uploads_at_once_max"},
                                                        {"/no/such/path/", ""}};
  std::size_t asked = 0;
  for (const auto& [path, limit] : wanted) {
    ask(request("GET", path));
    server_.events.wait_for_accesses(++asked);
    EXPECT_EQ(server_.events.accesses().back().limit, limit) << path;
  }
  EXPECT_EQ(limit_in(below_limit("too slow", "transfer_bytes_per_second_min", 1)),
            "transfer_bytes_per_second_min");
  EXPECT_EQ(limit_in("the limit of xml_depth_max"), "");
  for (const char* no_limit : {"raise it with --limit what somebody sent", "raise it with --limit ",
                               "raise it with --limit what somebody sent=1"})
    EXPECT_EQ(limit_in(no_limit), "") << "what is no name stands in no log";
}

TEST_F(ServerTest, KeepsAHandlersTextOutOfTheHead) {
  get("/x/", [](const Request& r) -> Answer {
    Response response;
    response.headers.add("Location", *query_parameter(r.query, "to"));
    return response;
  });
  server_.start();
  const RawResponse response = ask(request("GET", "/x/?to=a%0d%0aSet-Cookie:%20b"));
  EXPECT_EQ(response.field("Location"), "a  Set-Cookie: b");
  EXPECT_EQ(response.field("Set-Cookie"), "");
}

TEST_F(ServerTest, RedirectsToTheCanonicalPathWithItsQuery) {
  get("/a b/", [](const Request&) -> Answer { return text("x"); });
  server_.start();
  const RawResponse response = ask(request("GET", "//a%20b?x=1&y=%20"));
  EXPECT_EQ(response.status, 301);
  EXPECT_EQ(response.field("Location"), "/a%20b/?x=1&y=%20");
  EXPECT_EQ(ask(request("OPTIONS", "*")).status, 200);
}

// X1: what escapes from a handler ends its request, not the process.
TEST_F(ServerTest, SurvivesHandlersThatThrowX1) {
  get("/throws/", [](const Request&) -> Answer { return text(std::string().substr(1)); });
  get("/memory/", [](const Request&) -> Answer { throw std::bad_alloc(); });
  server_.start();
  EXPECT_EQ(ask(request("GET", "/throws/")).status, 500);
  EXPECT_EQ(ask(request("GET", "/memory/")).status, 503);
  EXPECT_EQ(server_.events.count(ServerEvent::handler_failed), 2u);
}

// P4: what looks at stored data may find that they cannot be read, at any time.
TEST_F(ServerTest, AnswersWhatCannotBeReadWithAnErrorAndCutsWhatHasBegunP4) {
  struct Damaged : BodySource {
    explicit Damaged(int pieces) : left(pieces) {}
    Result<std::string_view> next() override {
      if (left-- > 0) return std::string_view("ab");
      throw UnreadableError({Errc::corruption, "/data/1.graph: offset 7: damaged"});
    }
    int left;
  };
  const auto of_pieces = [](int pieces) {
    Response response;
    response.body = StreamBody{std::make_unique<Damaged>(pieces), {}, true};
    return response;
  };
  get("/handler/", [](const Request&) -> Answer {
    throw UnreadableError({Errc::corruption, "/data/1.graph: offset 7: damaged"});
  });
  get("/first/", [&](const Request&) -> Answer { return of_pieces(0); });
  get("/later/", [&](const Request&) -> Answer { return of_pieces(3); });
  server_.start();
  for (const char* path : {"/handler/", "/first/"}) {
    const RawResponse response = ask(request("GET", path));
    EXPECT_EQ(response.status, 500) << path;
    EXPECT_NE(response.body.find("stored data cannot be read"), std::string::npos) << path;
    EXPECT_EQ(response.body.find("/data/"), std::string::npos) << path;
  }
  RawClient client(server_.port);
  client.send(request("GET", "/later/"));
  const std::string all = client.receive_rest();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 200")) << all;
  EXPECT_FALSE(all.ends_with("0\r\n\r\n")) << "it would be taken for the whole";
  EXPECT_EQ(server_.events.count(ServerEvent::handler_failed), 1u);
  EXPECT_EQ(server_.events.count(ServerEvent::body_source_failed), 2u);
}

TEST_F(ServerTest, BelievesForwardedAddressesOnlyOfItsProxiesA20) {
  const auto who = [](const Request& r) -> Answer {
    return text(r.client_address + (r.secure ? " secure" : ""));
  };
  get("/who/", who);
  server_.start();
  const std::string spoof = "X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-Proto: https\r\n";
  EXPECT_EQ(ask(request("GET", "/who/", spoof)).body, "127.0.0.1");

  ServerOptions options;
  options.trusted_proxies = {*IpNetwork::parse("127.0.0.1"), *IpNetwork::parse("10.0.0.0/8")};
  TestServer behind_proxy(options);
  behind_proxy.router.add(Method::get, "/who/", who);
  behind_proxy.start();
  const auto seen = [&](std::string_view fields) {
    return ask_once(behind_proxy.port, request("GET", "/who/", fields)).body;
  };
  EXPECT_EQ(seen("X-Forwarded-For: 6.6.6.6, 192.0.2.9, 10.0.0.2\r\nX-Forwarded-Proto: https\r\n"),
            "192.0.2.9 secure");
  EXPECT_EQ(seen("X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-For: 10.0.0.2\r\n"), "192.0.2.9");
  EXPECT_EQ(seen("X-Forwarded-For: 10.0.0.2\r\n"), "10.0.0.2");
  EXPECT_EQ(seen(""), "127.0.0.1") << "the proxy asks for itself";
  for (const char* chain : {"rubbish", "", "unknown", "_hidden", "192.0.2.9:80", "127.0.0.1, x",
                            "rubbish, 10.0.0.2", "127.0.0.1,, 10.0.0.2"})
    EXPECT_EQ(seen(fmt::format("X-Forwarded-For: {}\r\n", chain)), kUnknownClient) << chain;
}

TEST_F(ServerTest, LetsRequestsInFlightFinishWhenItStops) {
  Gate entered;
  Gate release;
  get("/slow/", [&](const Request&) -> Answer {
    entered.open();
    release.wait();
    return text("done");
  });
  server_.start();
  RawClient idle(server_.port);
  idle.send(request("GET", "/none/", "Connection: keep-alive\r\n"));
  ASSERT_EQ(idle.receive()->status, 404);
  RawClient busy(server_.port);
  busy.send(request("GET", "/slow/", "Connection: keep-alive\r\n"));
  entered.wait();
  auto stopped =
      std::async(std::launch::async, [&] { server_.server->stop(milliseconds(60'000)); });
  EXPECT_TRUE(idle.at_end());
  release.open();
  const auto answer = busy.receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->body, "done");
  EXPECT_EQ(answer->field("Connection"), "close");
  stopped.wait();
  EXPECT_EQ(server_.server->open_connections(), 0u);
}

TEST_F(ServerTest, CutsWhatDoesNotFinishInTimeWhenItStops) {
  echo("/echo/", 100);
  server_.start();
  RawClient half(server_.port);
  half.send(
      "POST /echo/ HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 50\r\n\r\n");
  ASSERT_EQ(half.receive()->status, 100);
  server_.server->stop(milliseconds(10));
  EXPECT_TRUE(half.at_end());
}

TEST_F(ServerTest, ServesUrgentRoutesWhileHandlersBlock) {
  Gate release;
  get("/slow/", [&](const Request&) -> Answer {
    release.wait();
    return text("");
  });
  server_.router.add(
      Method::get, "/status/", [](const Request&) -> Answer { return text("ok"); }, Lane::urgent);
  server_.options.worker_threads = 3;
  server_.start();
  std::vector<std::unique_ptr<RawClient>> blocked;
  for (int i = 0; i < 20; ++i) {
    blocked.push_back(std::make_unique<RawClient>(server_.port));
    blocked.back()->send(request("GET", "/slow/"));
  }
  EXPECT_EQ(ask(request("GET", "/status/")).body, "ok");
  release.open();
  for (const auto& client : blocked) EXPECT_EQ(client->receive()->status, 200);
}

TEST_F(ServerTest, RefusesRequestsBeyondItsQueue) {
  Gate entered;
  Gate release;
  get("/slow/", [&](const Request&) -> Answer {
    entered.open();
    release.wait();
    return text("");
  });
  server_.options.worker_threads = 2;
  server_.options.limits.requests_waiting_max = 0;
  server_.start();
  EXPECT_EQ(ask(request("GET", "/slow/")).status, 503);
  release.open();
}

// ---- what changes while it runs ----

TEST_F(ServerTest, HoldsConnectionsToTheLimitsThatTheyBeganWith) {
  server_.start();
  const std::string asked =
      fmt::format("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", std::string(200, 'a'));
  RawClient before(server_.port);
  before.send(asked);
  EXPECT_EQ(before.receive().value_or(RawResponse()).status, 404);
  Limits limits = server_.options.limits;
  limits.request_line_bytes_max = 100;
  server_.server->change(limits, {});
  before.send(asked);
  EXPECT_EQ(before.receive().value_or(RawResponse()).status, 404);
  EXPECT_EQ(ask(asked).status, 414);
}

TEST_F(ServerTest, BelievesProxiesFromWhenTheyAreTrusted) {
  get("/who/", [](const Request& r) -> Answer { return text(r.client_address); });
  server_.start();
  const std::string asked =
      "GET /who/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\n"
      "Connection: close\r\n\r\n";
  EXPECT_EQ(ask(asked).body, "127.0.0.1");
  server_.server->change(server_.options.limits, {IpNetwork::parse("127.0.0.1").value()});
  EXPECT_EQ(ask(asked).body, "192.0.2.7");
  server_.server->change(server_.options.limits, {});
  EXPECT_EQ(ask(asked).body, "127.0.0.1");
}

TEST_F(ServerTest, LetsInAsManyAsItIsToldWhileItRuns) {
  Limits limits = server_.options.limits;
  server_.options.address_limit_exempt.clear();
  get("/here/", [](const Request&) -> Answer { return text("here"); });
  server_.start();
  limits.connections_per_address_max = 1;
  server_.server->change(limits, {});
  RawClient first(server_.port);
  first.send("GET /here/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(first.receive().value_or(RawResponse()).body, "here");
  EXPECT_TRUE(RawClient(server_.port).at_end()) << "one more is too many";
  limits.connections_per_address_max = 8;
  server_.server->change(limits, {});
  EXPECT_EQ(ask("GET /here/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").body,
            "here");
}

}  // namespace
}  // namespace netml::net
