// Ports of the net layer for tests: a real clock, a seeded random source, a few endpoints that keep
// what they are given in memory, and a server on a free loopback port.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "net/http/http.hpp"
#include "net/server/http_server.hpp"
#include "net/server/router.hpp"
#include "tests/net/support/raw_client.hpp"

namespace netml::net {

class SystemClock : public Clock {
 public:
  WallTime wall() const override { return WallTime{1'700'000'000'000'000}; }
  std::chrono::nanoseconds steady() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
};

class SeededRandom : public Random {
 public:
  void fill(std::span<std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    for (std::byte& b : bytes) b = static_cast<std::byte>(generator_());
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 generator_{42};
};

class RecordingEvents : public ServerEvents {
 public:
  struct Access {
    std::string id, address, client, method, path;
    int status;
    std::uint64_t received, sent;
    int niceness;  // of the thread that reported it
    std::string limit;
  };
  struct Event {
    ServerEvent what;
    std::string address, detail, id, client;
    bool timed;  // it has a duration
  };
  void answered(const AccessRecord& record) override;
  void event(const EventRecord& record) override;

  std::vector<Access> accesses() const;
  std::size_t count(ServerEvent what) const;
  void wait_for(ServerEvent what) const;
  // The first of them.
  Event first(ServerEvent what) const;
  void wait_for_accesses(std::size_t at_least) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Access> accesses_;
  std::vector<Event> events_;
};

// A flag that one thread waits for and another raises.
class Gate {
 public:
  void open();
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

inline constexpr std::string_view kPollingToken = "polling-token-0123456789abcdefgh";
inline constexpr std::string_view kImportToken = "import-token-0123456789abcdefghi";

// What uploads left behind; `traces` counts those that are neither finished nor cleaned up.
struct SampleUploads {
  struct Imported {
    std::string file_name, content;
  };
  std::vector<Imported> imported() const;

  std::atomic<bool> full{false};  // no upload is admitted
  std::atomic<int> begun{0};
  std::atomic<int> traces{0};
  mutable std::mutex mutex;
  std::vector<Imported> finished;  // guarded by mutex
};

// A server with a route table, listening on 127.0.0.1. Routes must be added before start().
struct TestServer {
  explicit TestServer(ServerOptions server_options = {});
  void start();
  ~TestServer();

  SystemClock clock;
  SeededRandom random;
  RecordingEvents events;
  Router router;
  ServerOptions options;
  std::unique_ptr<HttpServer> server;
  std::uint16_t port = 0;
};

// A test server with endpoints like the public ones, started: /status/, exports for whoever holds
// kPollingToken, and uploads of files named *.xml for who holds kImportToken.
struct SampleServer : TestServer {
  explicit SampleServer(ServerOptions server_options = {});
  ~SampleServer();
  std::atomic<int> exports{0};  // how often one was asked for
  SampleUploads uploads;
};

// Text of a request with a Host field and "Connection: close" unless `fields` says otherwise.
std::string request(std::string_view method, std::string_view target, std::string_view fields = "",
                    std::string_view body = "");
std::string bearer(std::string_view token);

// A multipart body and the request that carries it.
struct Form {
  std::string boundary = "----------------------------boundary";
  std::string body;
  Form& field(std::string_view name, std::string_view value);
  Form& file(std::string_view file_name, std::string_view content);
  std::string closed() const;
};
std::string upload_request(const Form& form, std::string_view fields = "");

}  // namespace netml::net
