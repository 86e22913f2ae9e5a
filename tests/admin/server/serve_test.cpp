// Goal: however serve() is left, no request and no thread goes on while what it uses goes away.
// Method: the server as it is started, in this process, whose first line of output cannot be
// written while clients are in the middle of requests. The sanitizers see what is used too late.
#include "admin/server/serve.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <filesystem>
#include <functional>
#include <ios>
#include <streambuf>

#include "admin/server/system_clock.hpp"
#include "tests/net/support/raw_client.hpp"
#include "tests/support/ports.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;

// Hands over what was written, and fails.
class FailingOutput : public std::streambuf {
 public:
  explicit FailingOutput(std::function<void(const std::string&)> take) : take_(std::move(take)) {}

 private:
  int_type overflow(int_type c) override {
    text_ += traits_type::to_char_type(c);
    return c;
  }
  int sync() override {
    take_(text_);
    return -1;
  }

  const std::function<void(const std::string&)> take_;
  std::string text_;
};

// serve() blocks some signals of its thread.
class KeptSignals {
 public:
  KeptSignals() { pthread_sigmask(SIG_SETMASK, nullptr, &mask_); }
  ~KeptSignals() { pthread_sigmask(SIG_SETMASK, &mask_, nullptr); }

 private:
  sigset_t mask_{};
};

std::uint16_t port_in(const std::string& line) {
  return static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
}

TEST(Serve, EndsAllRequestsAndThreadsWhenAnExceptionEndsIt) {
  const KeptSignals signals;
  const netml::test::TemporaryDirectory directory;
  const fs::path data = directory.file("data");
  const std::string socket = data / "control.sock";
  const SystemClock clock;
  netml::testing::SeededRandom random;
  Log log(LogFormat::text, LogLevel::warning);
  cli::GlobalOptions global;
  global.data_directory = data;
  global.sandbox = true;
  cli::ServeOptions options;
  options.listen = {"127.0.0.1:0"};

  std::optional<net::RawClient> idle;
  std::optional<net::RawClient> listening;
  std::optional<net::RawClient> uploading;
  FailingOutput failing([&](const std::string& line) {
    idle.emplace(port_in(line));
    idle->send("GET /status/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(idle->receive().has_value());
    listening.emplace(socket);
    listening->send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(listening->receive_until("event: change"));
    uploading.emplace(socket);
    uploading->send(
        "POST /api/v1/node/import?name=half.xml HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n"
        "Expect: 100-continue\r\n\r\n");
    EXPECT_TRUE(uploading->receive_until("100 Continue\r\n\r\n"));
  });
  std::ostream out(&failing);
  out.exceptions(std::ios::badbit);
  EXPECT_THROW(static_cast<void>(serve(global, options, clock, random, log, out)),
               std::ios_base::failure);

  ASSERT_TRUE(uploading.has_value());
  for (net::RawClient* client : {&*idle, &*listening, &*uploading}) client->receive_rest();
  EXPECT_FALSE(fs::exists(socket));
  EXPECT_TRUE(fs::is_empty(data / "tmp")) << "nothing remains of half an upload";
}

}  // namespace
}  // namespace netml::admin
