// Goal: calls reach a running server through its socket, and a dead one is distinguished from a
// silent one. Method: a real server on a socket in a temporary folder, with routes of the test's
// own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <future>
#include <random>

#include "admin/answers/body_file.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/api/site/node/file_fed_body.hpp"
#include "admin/base/work_list.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/cli/client/socket_control.hpp"
#include "net/http/uri.hpp"
#include "net/server/http_server.hpp"
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
  void event(const net::EventRecord&) override {}
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
    routes_.add(net::Method::get, "/api/v1/node/status",
                [](const net::Request&) -> net::Answer { return net::json_response(200, "{}"); });
    routes_.add(net::Method::get, "/api/v1/node/export", [](const net::Request&) -> net::Answer {
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
      {.method = "GET", .target = "/api/v1/node/export", .body = {}, .body_file = {}},
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

// The echo of a server that opens files for itself, and how often the bytes were sent after all.
class NamedFileTest : public SocketControlTest {
 protected:
  NamedFileTest() {
    routes_.add(net::Method::post, "/control/take/",
                [this](const net::Request& sent) -> net::Answer {
                  return with_named_body_file(sent, [this](const net::Request& request) {
                    if (request.headers.get(kBodyFileHeader).empty()) ++sent_;
                    return net::Answer(net::collect_body(8 << 20, [](const std::string& body) {
                      return net::json_response(201, std::to_string(body.size()));
                    }));
                  });
                });
  }
  Result<ControlResponse> take(const std::string& file) {
    return connect()->call({.method = "POST",
                            .target = "/control/take/",
                            .body = {},
                            .body_file = file,
                            .server_may_open = true},
                           {}, unwatched_);
  }
  std::atomic<int> sent_ = 0;
};

TEST_F(NamedFileTest, IsReadByTheServerItself) {
  start();
  const auto answer = take(folder_.file("a file: 100 % \xC3\xA9.xml", std::string(3'000'000, 'y')));
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->body, "3000000");
  EXPECT_EQ(sent_, 0);
}

TEST_F(NamedFileTest, IsRefusedWhenItIsLongerThanTheHandlerTakes) {
  start();
  const auto answer = take(folder_.file("long", std::string(9 << 20, 'y')));
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 413);
  EXPECT_EQ(answer->body, R"({"detail":"bytes of the file: above 8388608"})");
}

TEST_F(NamedFileTest, IsNotTakenForAnotherFileOfThatName) {
  const std::string file = folder_.file("map", "one");
  auto body = open_body_file(file);
  ASSERT_TRUE(body.has_value());
  const auto name = name_of_body_file(file, *body);
  ASSERT_TRUE(name.has_value());
  EXPECT_TRUE(open_named_body_file(*name).has_value());
  folder_.file("other", "two");
  std::filesystem::rename(folder_.path("other"), file);
  EXPECT_EQ(open_named_body_file(*name).error().code, Errc::not_found);
}

TEST_F(NamedFileTest, IsNotWaitedForWhereTheNameIsNoFile) {
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(open_body_file(pipe).error().code, Errc::io_error);
  for (const std::string name : {"", "1:2:3:", "1:2:3:/etc/passwd", "/%00", "1:2:3:/%zz"})
    EXPECT_EQ(open_named_body_file(name).error().code, Errc::not_found) << name;
}

// As where the server sees other directories than the command.
TEST_F(NamedFileTest, IsSentWhereTheServerCannotReadIt) {
  routes_.add(net::Method::post, "/control/blind/",
              [this](const net::Request& request) -> net::Answer {
                if (!request.headers.get(kBodyFileHeader).empty())
                  return net::refusal(kSendTheBytes, "no");
                ++sent_;
                return net::collect_body(8 << 20, [](const std::string& body) {
                  return net::json_response(201, std::to_string(body.size()));
                });
              });
  start();
  const auto answer = connect()->call({.method = "POST",
                                       .target = "/control/blind/",
                                       .body = {},
                                       .body_file = folder_.file("map", "four"),
                                       .server_may_open = true},
                                      {}, unwatched_);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->body, "4");
  EXPECT_EQ(sent_, 1);
}

// The program of 0.1 on the other side knows the former name only.
TEST_F(SocketControlTest, ReadsWhatIsOmittedByEitherNameOfItsHeader) {
  for (const std::string_view name : {kOmittedHeader, kFormerOmittedHeader})
    routes_.add(net::Method::get, fmt::format("/control/{}/", name),
                [name](const net::Request&) -> net::Answer {
                  net::Response response = net::json_response(200, "{}");
                  response.headers.set(name, "1 version");
                  return response;
                });
  start();
  for (const std::string_view name : {kOmittedHeader, kFormerOmittedHeader}) {
    const auto answer = connect()->call(
        {.target = fmt::format("/control/{}/", name), .body = {}, .body_file = {}}, {}, unwatched_);
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(answer->omitted, "1 version") << name;
  }
}

// Whoever watches a call, and waits until it heard how far the work is.
class AwaitedProgress : public Progress {
 public:
  void sent(std::uint64_t) override {}
  bool watched() const override { return true; }
  void work(const WorkNow& now) override {
    if (!std::exchange(told_, true)) first.set_value(now);
  }
  std::promise<WorkNow> first;

 private:
  bool told_ = false;
};

// The answer comes when the command knows how far the work is, which it can ask for beside alone.
TEST_F(SocketControlTest, AsksBesideTheCallHowFarItsWorkIs) {
  WorkList list;
  AwaitedProgress progress;
  std::future<WorkNow> heard_of = progress.first.get_future();
  routes_.add(
      net::Method::get, "/api/v1/node/work", [&](const net::Request& request) -> net::Answer {
        const auto now = list.find(net::query_parameter(request.query, "name").value_or(""));
        if (!now) return net::refusal(404, "no");
        return net::json_response(
            200, fmt::format(R"({{"part":"{}","unit":"{}","done":{},"total":{}}})", now->part,
                             work_unit_name(now->unit), now->done, now->total));
      });
  const WorkNow wanted{.part = "p", .unit = WorkUnit::files, .done = 3, .total = 7};
  routes_.add(net::Method::post, "/control/slow/", [&](const net::Request& request) -> net::Answer {
    const WorkList::Work work = list.begin(request.headers.get(kWorkHeader));
    const ReportWork report = work.report();
    if (!report) return net::refusal(400, "no name");
    report(wanted);
    const bool heard = heard_of.wait_for(std::chrono::minutes(5)) == std::future_status::ready;
    return net::json_response(heard ? 200 : 500, "{}");
  });
  start();
  const auto answer = connect()->call(
      {.method = "POST", .target = "/control/slow/", .body = {}, .body_file = {}}, {}, progress);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  ASSERT_EQ(answer->status, 200) << answer->body;
  EXPECT_EQ(heard_of.get(), wanted);
  server_.reset();  // its routes see what is here alone
}

TEST_F(SocketControlTest, NamesNoWorkThatNobodyWatches) {
  routes_.add(net::Method::post, "/control/named/", [](const net::Request& request) -> net::Answer {
    return net::json_response(request.headers.has(kWorkHeader) ? 500 : 200, "{}");
  });
  start();
  const auto answer = connect()->call(
      {.method = "POST", .target = "/control/named/", .body = {}, .body_file = {}}, {}, unwatched_);
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
}

TEST_F(SocketControlTest, WorksThroughTheWholeCommandLine) {
  start();
  folder_.environment.connect = [this](const GlobalOptions& options) {
    return connect_to_server(options, clock_);
  };
  EXPECT_EQ(folder_.run({"status", "--json", "--data", folder_.directory()}), 0) << folder_.err;
  EXPECT_EQ(folder_.out, outcome_document("", 0, ""));
  EXPECT_EQ(folder_.run({"export", "--data", folder_.directory()}), 0) << folder_.err;
  EXPECT_EQ(folder_.out.size(), 200'000U);
  EXPECT_EQ(folder_.err, "X-NetML-Head: 3:ff\n");
}

}  // namespace
}  // namespace netml::admin::cli
