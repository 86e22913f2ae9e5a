// Too many connections, and connections that keep too much: who gives way (registry.hpp), against a
// server with small limits, over raw sockets.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "tests/net/support/fakes.hpp"

namespace netml::net {
namespace {

TEST(HostileConnections, GiveUpTheOldestUnfinishedHeadWhenThereAreTooMany) {
  ServerOptions options;
  options.limits.connections_max = 8;
  SampleServer server(options);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port));
    slow.back()->send("GET /");
  }
  EXPECT_EQ(ask_once(server.port, request("GET", "/status/")).status, 200);
  EXPECT_TRUE(slow.front()->at_end());
  slow.back()->send("status/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(slow.back()->receive()->status, 200);
}

class Endless : public BodySource {
 public:
  Result<std::string_view> next() override { return piece_; }

 private:
  const std::string piece_ = std::string(64 << 10, 'x');
};

// How much has arrived.
class Arrived {
 public:
  void add(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
    changed_.notify_all();
  }
  // The limit only ends a test that has failed already.
  bool wait_for(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return bytes_ >= bytes; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t bytes_ = 0;
};

class CountingSink : public BodySink {
 public:
  explicit CountingSink(Arrived& arrived) : arrived_(arrived) {}
  NamedLimit bytes_max() const override { return 1 << 30; }
  std::optional<Response> write(std::string_view piece) override {
    arrived_.add(piece.size());
    return std::nullopt;
  }
  Response finish() override { return {}; }

 private:
  Arrived& arrived_;
};

// Bodies that do not come, answers that nobody reads: all of them give way to who asks.
TEST(HostileConnections, GiveUpWhoKeepsTheServerWaiting) {
  ServerOptions options;
  options.limits.connections_max = 32;
  TestServer server(options);
  server.router.add(Method::get, "/status/", [](const Request&) -> Answer { return Response(); });
  server.router.add(Method::get, "/long/", [](const Request&) -> Answer {
    Response response;
    response.body = StreamBody{std::make_unique<Endless>(), std::nullopt};
    return response;
  });
  Arrived arrived;
  server.router.add(Method::post, "/upload/", [&](const Request&) -> Answer {
    return std::make_unique<CountingSink>(arrived);
  });
  server.start();
  const std::string upload =
      "POST /upload/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n";
  const std::string mebibyte(1 << 20, ' ');
  RawClient uploading(server.port);  // before all others, and at a fair rate
  uploading.send(upload);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 80; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port));
    slow.back()->send(i % 2 == 0 ? upload : request("GET", "/long/"));
    ASSERT_TRUE(uploading.send(mebibyte)) << i;
    ASSERT_TRUE(arrived.wait_for((i + 1) * mebibyte.size())) << i;
    EXPECT_EQ(ask_once(server.port, request("GET", "/status/")).status, 200) << i;
  }
  EXPECT_TRUE(slow.front()->at_end());
}

std::vector<std::unique_ptr<RawClient>> served_and_kept_open(std::uint16_t port, int count) {
  std::vector<std::unique_ptr<RawClient>> open;
  for (int i = 0; i < count; ++i) {
    open.push_back(std::make_unique<RawClient>(port));
    open.back()->send(request("GET", "/status/", "Connection: keep-alive\r\n"));
    const auto answer = open.back()->receive();
    EXPECT_TRUE(answer && answer->status == 200) << i;
  }
  return open;
}

// Who sends nothing is let go after a while in any case: so the one too many asks for something.
TEST(HostileConnections, HaveASmallerShareOfAnAddressTheFullerItIs) {
  ServerOptions options;
  options.limits.connections_max = 64;
  options.limits.connections_per_address_max = 64;
  options.address_limit_exempt.clear();
  SampleServer server(options);
  const auto open = served_and_kept_open(server.port, 21);
  RawClient other(server.port);
  other.send(request("GET", "/status/"));
  EXPECT_FALSE(other.receive().has_value()) << "half of the 43 that are free";
  EXPECT_EQ(server.events.count(ServerEvent::connection_refused), 1u);
}

TEST(HostileConnections, AreLimitedByAddress) {
  ServerOptions options;
  options.limits.connections_per_address_max = 3;
  options.address_limit_exempt.clear();
  SampleServer server(options);
  const auto open = served_and_kept_open(server.port, 3);
  RawClient fourth(server.port);
  fourth.send(request("GET", "/status/"));
  EXPECT_FALSE(fourth.receive().has_value());
  EXPECT_EQ(server.events.count(ServerEvent::connection_refused), 1u);
}

// Answers that nobody reads, and bodies that do not end, take memory from one another, not from the
// one who asks.
TEST(HostileConnections, ShareOutTheMemoryThatTheyKeep) {
  ServerOptions options;
  options.limits.connection_memory_bytes_max = 12 << 20;
  TestServer server(options);
  server.router.add(Method::get, "/long/", [](const Request&) -> Answer {
    Response response;
    response.body = std::string(8 << 20, 'x');  // of which the sockets take a part
    return response;
  });
  server.router.add(Method::post, "/form/", [](const Request&) -> Answer {
    return collect_body(1 << 20, [](const std::string& body) {
      return json_response(200, fmt::format("{}", body.size()));
    });
  });
  server.start();
  const std::string half(200 << 10, ' ');
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port));
    if (i % 2 == 0)
      slow.back()->send(
          "POST /form/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n" + half);
    else
      slow.back()->send(request("GET", "/long/"));
    EXPECT_EQ(ask_once(server.port, request("POST", "/form/", "", half)).body, "204800") << i;
  }
  EXPECT_FALSE(slow[1]->receive().has_value()) << "an answer cut off";
}

// With the same credentials, so both are known.
TEST(HostileConnections, GiveUpStrangersFirst) {
  ServerOptions options;
  options.limits.connections_max = 8;
  SampleServer server(options);
  ASSERT_EQ(ask_once(server.port, request("GET", "/netml_export/", bearer(kPollingToken))).status,
            200);
  RawClient known(server.port);
  known.send(
      request("GET", "/netml_export/", bearer(kPollingToken) + "Connection: keep-alive\r\n"));
  ASSERT_EQ(known.receive()->status, 200);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 16; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port));
    slow.back()->send("GET /");
  }
  known.send(request("GET", "/netml_export/", bearer(kPollingToken)));
  const auto again = known.receive();
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->status, 200);
}

// Strangers that occupy all of their workers keep nobody waiting who is known.
TEST(HostileConnections, OfStrangersLeaveTheWorkersOfKnownClients) {
  ServerOptions options;
  options.worker_threads = 2;
  TestServer server(options);
  Gate entered;
  Gate gate;
  server.router.add(Method::get, "/open/", [&](const Request&) -> Answer {
    entered.open();
    gate.wait();
    return Response();
  });
  server.router.add(Method::get, "/named/", [](const Request& asked) -> Answer {
    Response response;
    response.client = asked.headers.get("Authorization");
    return response;
  });
  server.start();
  const std::string named = request("GET", "/named/", bearer("a"));
  EXPECT_EQ(ask_once(server.port, named).status, 200);
  std::vector<std::unique_ptr<RawClient>> strangers;
  for (int i = 0; i < 8; ++i) {
    strangers.push_back(std::make_unique<RawClient>(server.port));
    strangers.back()->send(request("GET", "/open/"));
  }
  entered.wait();
  EXPECT_EQ(ask_once(server.port, named).status, 200);
  gate.open();
  for (const auto& stranger : strangers) EXPECT_EQ(stranger->receive()->status, 200);
}

// Signing in shows nothing before its body is read.
TEST(HostileConnections, OfStrangersThatWaitRefuseNobodyWhoComesFromAKnownAddress) {
  ServerOptions options;
  options.worker_threads = 4;  // two of them for strangers
  options.limits.requests_waiting_max = 1;
  TestServer server(options);
  Gate entered;
  Gate gate;
  server.router.add(Method::get, "/open/", [&](const Request&) -> Answer {
    entered.open();
    gate.wait();
    return Response();
  });
  server.router.add(Method::get, "/named/", [](const Request& asked) -> Answer {
    Response response;
    response.client = asked.headers.get("Authorization");
    return response;
  });
  server.start();
  // They come before anybody is known here: one is worked for, one waits, the others are refused.
  constexpr std::size_t kStrangers = 8;
  std::vector<std::unique_ptr<RawClient>> strangers;
  for (std::size_t i = 0; i < kStrangers; ++i)
    strangers.push_back(std::make_unique<RawClient>(server.port));
  EXPECT_EQ(ask_once(server.port, request("GET", "/named/", bearer("a"))).status, 200);
  strangers.front()->send(request("GET", "/open/"));
  entered.wait();
  for (std::size_t i = 1; i < kStrangers; ++i) strangers[i]->send(request("GET", "/open/"));
  server.events.wait_for_accesses(1 + kStrangers - 2);
  EXPECT_EQ(ask_once(server.port, request("GET", "/named/")).status, 200);
  gate.open();
  std::size_t refused = 0;
  for (const auto& stranger : strangers) refused += stranger->receive()->status == 503 ? 1 : 0;
  EXPECT_EQ(refused, kStrangers - 2);
}

// Who comes from where somebody known came is waited for by threads of their own.
TEST(HostileConnections, OfStrangersLeaveTheThreadsThatWaitForKnownClients) {
  SampleServer server;
  const std::string named = request("GET", "/netml_export/", bearer(kPollingToken));
  EXPECT_EQ(ask_once(server.port, named).status, 200);
  server.events.wait_for_accesses(1);  // each is reported once it is answered
  EXPECT_EQ(ask_once(server.port, named).status, 200);
  server.events.wait_for_accesses(2);
  const int own = ::getpriority(PRIO_PROCESS, 0);
  EXPECT_GT(server.events.accesses()[0].niceness, own);
  EXPECT_EQ(server.events.accesses()[1].niceness, own);
}

// An upload whose token was taken is no stranger's body: held back as one, its pieces would take
// longer than a client waits.
TEST(HostileConnections, HoldBackNoUploadWhoseTokenWasTaken) {
  ServerOptions options;
  options.limits.open_body_bytes_per_second_max = 1;
  options.limits.body_buffer_bytes = 16 << 10;
  SampleServer server(options);
  Form form;
  form.file("map.xml", std::string(4 << 20, 'x'));
  EXPECT_EQ(ask_once(server.port, upload_request(form)).status, 201);
  EXPECT_EQ(server.uploads.imported().size(), 1u);
}

}  // namespace
}  // namespace netml::net
