// The control socket (A22): its own route table, mode 0600, peers checked by user.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "net/client/http_client.hpp"
#include "tests/net/support/fakes.hpp"
#include "tests/support/http_clients.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::net {
namespace {

class ControlSocketTest : public ::testing::Test {
 protected:
  ControlSocketTest() {
    internal_.add(Method::get, "/polling/trigger/", [](const Request& r) -> Answer {
      Response response;
      response.body = std::string(r.control ? "control" : "public");
      return response;
    });
  }

  void start(std::optional<std::uint32_t> uid = std::nullopt) {
    base_.server =
        std::make_unique<HttpServer>(ServerOptions{}, base_.clock, base_.random, base_.events);
    const Status bound = base_.server->listen_unix(path_, internal_, uid);
    ASSERT_TRUE(bound.has_value()) << bound.error().message;
    base_.server->start();
  }
  Result<ClientResponse> ask(std::string target) {
    NETML_TRY(HttpClient client, client_over_unix(path_, base_.clock));
    ClientRequest request;
    request.target = std::move(target);
    return client.send(request);
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_.file("control.sock");
  Router internal_;
  TestServer base_;
};

TEST_F(ControlSocketTest, MayBeOpenedWhileTheServerRuns) {
  base_.server =
      std::make_unique<HttpServer>(ServerOptions{}, base_.clock, base_.random, base_.events);
  const Router nothing;
  ASSERT_TRUE(base_.server->listen_tcp({"127.0.0.1", 0}, nothing).has_value());
  base_.server->start();
  EXPECT_FALSE(ask("/polling/trigger/").has_value());
  ASSERT_TRUE(base_.server->listen_unix(path_, internal_).has_value());
  const auto answer = ask("/polling/trigger/");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->body, "control");
}

TEST_F(ControlSocketTest, ServesItsOwnRoutesToItsOwner) {
  start();
  const auto answer = ask("/polling/trigger/");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->body, "control");
  EXPECT_EQ(ask("/status/")->status, 404);
}

TEST_F(ControlSocketTest, HasModeOwnerOnlyAndGoesAwayAtTheEnd) {
  start();
  struct stat info{};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  base_.server->stop(std::chrono::seconds(1));
  EXPECT_NE(::stat(path_.c_str(), &info), 0);
}

// A process of another user is turned away; here the user that is expected is another one.
TEST_F(ControlSocketTest, TurnsStrangersAwayA22) {
  if (::geteuid() == 0) {
    // Root is always served, so the check is made from the other side.
    start(12345);
    EXPECT_TRUE(ask("/polling/trigger/").has_value());
    return;
  }
  start(::geteuid() + 1);
  EXPECT_FALSE(ask("/polling/trigger/").has_value());
  EXPECT_EQ(base_.events.count(ServerEvent::control_peer_refused), 1u);
}

TEST_F(ControlSocketTest, ReplacesASocketLeftBehindButNoOtherFile) {
  start();
  base_.server->stop(std::chrono::seconds(1));
  std::ofstream(path_) << "precious";
  HttpServer other(ServerOptions{}, base_.clock, base_.random, base_.events);
  EXPECT_FALSE(other.listen_unix(path_, internal_).has_value());
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(ControlSocketTest, WorksHoweverDeepItsDirectoryLies) {
  const std::filesystem::path deep = directory_.file(std::string(100, 'd'));
  std::filesystem::create_directories(deep);
  path_ = deep / "control.sock";
  start();
  const auto answer = ask("/polling/trigger/");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
}

}  // namespace
}  // namespace netml::net
