// Goal: calls reach a running server through its socket, and a dead one is told from a silent one.
// Method: a real server on a socket in a temporary folder, with routes of the test's own.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <random>

#include "admin/cli/progress.hpp"
#include "admin/cli/socket_control.hpp"
#include "net/http_server.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

class RealClock : public Clock {
 public:
  WallTime wall() const override { return {}; }
  std::chrono::nanoseconds steady() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
};

// Every time it is asked a second has passed, so that patience ends without waiting.
class HastyClock : public Clock {
 public:
  WallTime wall() const override { return {}; }
  std::chrono::nanoseconds steady() const override { return now_ += std::chrono::seconds(20); }

 private:
  mutable std::chrono::nanoseconds now_{0};
};

class SeededRandom : public Random {
 public:
  void fill(std::span<std::byte> bytes) override {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(generator_());
  }

 private:
  std::mt19937 generator_{1};
};

class SilentEvents : public net::ServerEvents {
 public:
  void answered(const net::AccessRecord&) override {}
  void event(net::ServerEvent, std::string_view, std::string_view) override {}
};

class RecordedProgress : public Progress {
 public:
  void sent(std::uint64_t bytes) override { last = bytes; }
  std::uint64_t last = 0;
};

class SocketControlTest : public ::testing::Test {
 protected:
  SocketControlTest() {
    options_.data_directory = folder_.directory();
    routes_.add(net::Method::get, "/control/status/",
                [](const net::Request&) -> net::Answer { return net::json_response(200, "{}"); });
    routes_.add(net::Method::get, "/control/export/", [](const net::Request&) -> net::Answer {
      net::Response response;
      response.headers.set("X-NetML-Head", "3:ff");
      response.body = std::string(200'000, 'x');
      return response;
    });
    routes_.add(net::Method::get, "/control/refusal/",
                [](const net::Request&) -> net::Answer { return net::refusal(409, "no"); });
    routes_.add(
        net::Method::post, "/control/echo/", [](const net::Request& request) -> net::Answer {
          return net::collect_body(8 << 20, [query = request.query](const std::string& body) {
            return net::json_response(
                201, query + ":" + std::to_string(body.size()) + ":" + body.substr(0, 20));
          });
        });
  }

  void start() {
    server_ = std::make_unique<net::HttpServer>(net::ServerOptions{}, clock_, random_, events_);
    const Status bound = server_->listen_unix(socket_path(), routes_);
    ASSERT_TRUE(bound.has_value()) << bound.error().message;
    server_->start();
  }
  std::unique_ptr<Control> connect() {
    auto control = connect_to_server(options_, clock_);
    EXPECT_TRUE(control.has_value()) << control.error().message;
    return control ? *std::move(control) : nullptr;
  }
  std::string socket_path() const { return folder_.path("control.sock"); }

  test::CommandLineRunner folder_;  // for its folder
  GlobalOptions options_;
  RealClock clock_;
  SeededRandom random_;
  SilentEvents events_;
  net::Router routes_;
  std::unique_ptr<net::HttpServer> server_;
  NoProgress unwatched_;
};

TEST_F(SocketControlTest, FindsNobodyWithoutDirectoryOrSocket) {
  EXPECT_EQ(connect(), nullptr);
  options_.data_directory += "/none";
  EXPECT_EQ(connect(), nullptr);
}

// A socket that listens, with nobody who ever answers.
int listen_at(const std::string& path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(socket, 1), 0);
  return socket;
}

TEST_F(SocketControlTest, FindsNobodyBehindTheSocketOfAKilledServer) {
  ::close(listen_at(socket_path()));
  EXPECT_EQ(connect(), nullptr);
}

// L1: the message names the process to look for.
TEST_F(SocketControlTest, TellsAServerThatDoesNotAnswer) {
  const int socket = listen_at(socket_path());
  folder_.file("LOCK", "process 4711, version 0.1.0\n");
  const auto control = connect_to_server(options_, HastyClock());
  ASSERT_FALSE(control.has_value());
  EXPECT_EQ(control.error().code, Errc::unavailable);
  EXPECT_NE(control.error().message.find("(process 4711, version 0.1.0) does not answer"),
            std::string::npos)
      << control.error().message;
  ::close(socket);
}

TEST_F(SocketControlTest, CollectsAnswersAndSendsJson) {
  start();
  const auto answer = connect()->call(
      {.method = "POST", .target = "/control/echo/?a=b%20c", .body = "{\"x\":1}", .body_file = {}},
      {}, unwatched_);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->body, "a=b%20c:7:{\"x\":1}");
}

TEST_F(SocketControlTest, StreamsAnAnswerToItsSink) {
  start();
  std::size_t bytes = 0;
  const auto answer = connect()->call(
      {.method = "GET", .target = "/control/export/", .body = {}, .body_file = {}},
      [&](std::string_view piece) -> Status {
        bytes += piece.size();
        return {};
      },
      unwatched_);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(bytes, 200'000U);
  EXPECT_EQ(answer->head, "3:ff");
  EXPECT_EQ(answer->body, "");
}

TEST_F(SocketControlTest, KeepsARefusalFromTheSink) {
  start();
  const auto answer = connect()->call(
      {.method = "GET", .target = "/control/refusal/", .body = {}, .body_file = {}},
      [](std::string_view) -> Status { return netml::fail(Errc::internal, "in the sink"); },
      unwatched_);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 409);
  EXPECT_EQ(answer->body, "{\"detail\":\"no\"}");
}

TEST_F(SocketControlTest, StreamsAFileAndTellsHowMuchIsSent) {
  start();
  const std::string file = folder_.file("big", std::string(3'000'000, 'y'));
  RecordedProgress progress;
  const auto answer = connect()->call(
      {.method = "POST", .target = "/control/echo/", .body = {}, .body_file = file}, {}, progress);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->body, ":3000000:yyyyyyyyyyyyyyyyyyyy");
  EXPECT_EQ(progress.last, 3'000'000U);
}

TEST_F(SocketControlTest, WorksThroughTheWholeCommandLine) {
  start();
  folder_.environment.connect = [this](const GlobalOptions& options) {
    return connect_to_server(options, clock_);
  };
  EXPECT_EQ(folder_.run({"status", "--json", "--data", folder_.directory()}), 0) << folder_.err;
  EXPECT_EQ(folder_.out, "{}\n");
  EXPECT_EQ(folder_.run({"export", "--data", folder_.directory()}), 0) << folder_.err;
  EXPECT_EQ(folder_.out.size(), 200'000U);
  EXPECT_EQ(folder_.err, "X-NetML-Head: 3:ff\n");
}

}  // namespace
}  // namespace netml::admin::cli
