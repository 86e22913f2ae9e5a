// Ports of the net layer for tests: a real clock, a seeded random source, services that keep what
// they are given in memory, and a server on a free loopback port.
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

#include "net/endpoints/ports.hpp"
#include "net/endpoints/public_api.hpp"
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
    int niceness;  // of the thread that told it
  };
  void answered(const AccessRecord& record) override;
  void event(ServerEvent what, std::string_view address, std::string_view detail) override;

  std::vector<Access> accesses() const;
  std::size_t count(ServerEvent what) const;
  void wait_for(ServerEvent what) const;
  void wait_for_accesses(std::size_t at_least) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Access> accesses_;
  std::vector<std::pair<ServerEvent, std::string>> events_;
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

class FakeTokens : public TokenChecker {
 public:
  std::optional<Identity> check(std::string_view value, TokenKind wanted) override;
  bool refused(std::string_view client_address) override;

  std::atomic<int> refused_before_closing{1'000'000};
  std::atomic<int> refusals{0};
};

class FakeReadiness : public ReadinessState {
 public:
  Readiness readiness() const override { return state; }
  std::string export_state() const override { return exported; }
  std::atomic<Readiness> state{Readiness::ready};
  std::string exported;  // to be set before anybody asks
};

class FakeExports : public ExportService {
 public:
  tl::expected<Export, ExportProblem> open(ExportKind kind, const Request& request) override;

  std::optional<ExportProblem> problem;
  std::string live = "<live/>";
  std::string published = "<published/>";
  std::string omitted;
  ExportKind configured = ExportKind::live;
  std::atomic<int> opened{0};
};

// What an import was given; `traces` counts uploads that are neither finished nor cleaned up.
class FakeImports : public ImportService {
 public:
  struct Imported {
    std::string file_name, content, client;
    UploadFields fields;
  };
  std::optional<ImportRefused> admit(std::optional<std::uint64_t> declared) override;
  tl::expected<std::unique_ptr<Upload>, ImportRefused> begin(const UploadInfo& info) override;
  std::optional<ImportRecord> record(std::uint64_t id, const Identity& identity) override;

  std::optional<ImportRefused> refuse_admission;
  std::optional<ImportRefused> refuse_write;
  std::optional<ImportRefused> refuse_finish;
  std::atomic<int> traces{0};
  std::atomic<int> begun{0};
  std::atomic<std::uint64_t> bytes_written{0};
  std::vector<Imported> imported() const;

 private:
  class FakeUpload;
  mutable std::mutex mutex_;
  std::vector<Imported> imported_;
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

// A test server with the public endpoints over fakes, started.
struct ApiServer : TestServer {
  explicit ApiServer(ServerOptions server_options = {}, Mode mode = Mode::production);
  ~ApiServer();
  FakeTokens tokens;
  FakeReadiness readiness;
  FakeExports exports;
  FakeImports imports;
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
