// Goal: as a service the program says truly what it does, and a restart refuses no connection.
// Method: the test is the service manager: it holds the socket and takes the notices.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>

#include "net/client/http_client.hpp"
#include "net/http/unix_address.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/e2e/support/service.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ServiceTest : public testing::Test {
 protected:
  void SetUp() override { node_.done({"init", "--name", "N", "--owner", "O"}); }
  // Sent where nobody need accept it yet.
  std::unique_ptr<net::ByteChannel> ask_for_status() const {
    auto channel = net::connect_tcp({"127.0.0.1", service_.port()}, kPatience);
    EXPECT_TRUE(channel.has_value());
    const std::string request =
        "GET /status/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    EXPECT_EQ((*channel)->write_some(request).value_or(0), request.size());
    return *std::move(channel);
  }
  static std::string answer_on(net::ByteChannel& channel) {
    std::string text(4096, '\0');
    if (channel.wait(false, kPatience).value_or(net::ByteChannel::Ready::timed_out) !=
        net::ByteChannel::Ready::to_read)
      return "no answer";
    text.resize(channel.read_some(text).value_or(0));
    return text;
  }

  Node node_;
  Service service_{node_.file("."), node_.data()};
};

TEST_F(ServiceTest, SaysWhenItIsReadyReadsAgainAndStops) {
  const auto process = service_.start(program());
  const auto ready = service_.notices().next();
  ASSERT_TRUE(ready.has_value()) << read_file(service_.log());
  EXPECT_THAT(*ready, StartsWith("READY=1\n"));
  EXPECT_THAT(*ready, HasSubstr(fmt::format("http://127.0.0.1:{}", service_.port())));
  EXPECT_EQ(Client(service_.port(), "").get("/status/")->status, 200);
  process->signal(SIGHUP);
  EXPECT_THAT(service_.notices().next().value_or(""), StartsWith("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_THAT(service_.notices().next().value_or(""), StartsWith("READY=1\n"));
  process->signal(SIGTERM);
  EXPECT_THAT(service_.notices().next().value_or(""), StartsWith("STOPPING=1\n"));
  EXPECT_EQ(process->wait(), 0);
}

TEST_F(ServiceTest, TellsItsWatchdogThatItLives) {
  const auto process = service_.start(program(), {}, {"WATCHDOG_USEC=200000"});
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(service_.notices().wait_for("WATCHDOG=1").has_value()) << read_file(service_.log());
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0);
  EXPECT_THAT(read_file(service_.log()), Not(HasSubstr("sign-of-life")));
}

TEST_F(ServiceTest, AnswersWhoeverCameWhileNoProcessRan) {
  const auto early = ask_for_status();
  auto process = service_.start_ready(program());
  ASSERT_NE(process, nullptr) << read_file(service_.log());
  EXPECT_THAT(answer_on(*early), StartsWith("HTTP/1.1 200 "));
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0);
  const auto between = ask_for_status();
  process = service_.start_ready(program());
  ASSERT_NE(process, nullptr) << read_file(service_.log());
  EXPECT_THAT(answer_on(*between), StartsWith("HTTP/1.1 200 "));
}

// ---- what is read again ----

class Reloaded : public ServiceTest {
 protected:
  void SetUp() override {
    ServiceTest::SetUp();
    import_ = node_.token("import");
    write(R"(limit = ["upload_bytes_max=2000"])");
    process_ = service_.start_ready(program(), {"--config", file_});
    ASSERT_NE(process_, nullptr) << read_file(service_.log());
  }
  void write(const std::string& content) const { write_file(file_, content); }
  void reload() const {
    process_->signal(SIGHUP);
    EXPECT_TRUE(service_.notices().wait_for("RELOADING=1").has_value());
    EXPECT_TRUE(service_.notices().wait_for("READY=1").has_value());
  }
  int upload(std::size_t bytes) const {
    std::string map = test::topology("urn:t", "urn:o", test::institution("urn:o"));
    map.insert(map.size(), std::max(bytes, map.size()) - map.size(), ' ');
    const Answer answer = Client(service_.port(), import_).upload(map);
    return answer ? answer->status : 0;
  }
  std::string log() const { return read_file(service_.log()); }

  const std::string file_ = node_.file("netml.toml");
  std::string import_;
  std::unique_ptr<Process> process_;
};

TEST_F(Reloaded, TakesLimitsFromTheFileAndSaysWhatMustWait) {
  EXPECT_EQ(upload(4000), 413);
  write("limit = [\"upload_bytes_max=8000\"]\nlisten = [\"127.0.0.1:1\"]\n");
  reload();
  EXPECT_EQ(upload(4000), 201) << log();
  EXPECT_EQ(upload(9000), 413);
  EXPECT_THAT(log(), HasSubstr("changed: limit\n"));
  EXPECT_THAT(log(), HasSubstr("only the next start will take: listen\n"));
  EXPECT_THAT(node_.done({"status", "--json"}), HasSubstr("\"upload_bytes_max\":8000"));
}

TEST_F(Reloaded, IsInNoSandboxBeforeTheNextStart) {
  write("limit = [\"upload_bytes_max=2000\"]\nsandbox = true\n");
  reload();
  EXPECT_THAT(log(), HasSubstr("only the next start will take: sandbox\n"));
  node_.done({"poll"});
}

// What was changed is reported at the level that counts then.
TEST_F(Reloaded, WritesTheLogLinesThatTheFileAsksFor) {
  const std::string limit = "limit = [\"upload_bytes_max=2000\"]\n";
  write(limit + "log-level = \"warning\"\n");
  reload();
  EXPECT_THAT(log(), Not(HasSubstr("changed: log-level")));
  write(limit + "log-level = \"information\"\n");
  reload();
  EXPECT_THAT(log(), HasSubstr("changed: log-level\n"));
}

TEST_F(Reloaded, LeavesEverythingAsItWasWhereTheFileIsBad) {
  for (const char* bad : {"limit = [\"upload_bytes_max=8000\", \"nonsense=1\"]",
                          "limit = [\"upload_bytes_max=8000\"]\ntrusted-proxy = [\"nobody\"]",
                          "limit = [\"upload_bytes_max=8000\"]\nno-such-option = 1", "limit = ["}) {
    write(bad);
    reload();
    EXPECT_EQ(upload(4000), 413) << bad;
  }
  std::filesystem::remove(file_);
  reload();
  EXPECT_EQ(upload(4000), 413) << "the file is gone";
  EXPECT_THAT(log(), HasSubstr("; all stays as it was\n"));
  EXPECT_THAT(log(), Not(HasSubstr("changed: limit")));
  write("");
  reload();
  EXPECT_EQ(upload(4000), 201) << "the default";
}

// A UNIX-domain socket would make an administrator of whoever may connect.
TEST_F(ServiceTest, TakesNoOtherSocketThanOneForClients) {
  const auto address = net::unix_address(node_.file("other.sock"));
  ASSERT_TRUE(address.has_value());
  net::UniqueFd other(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(other.get(), address->get(), address->size()), 0);
  ASSERT_EQ(::listen(other.get(), 1), 0);
  service_.hold(std::move(other));
  const auto process = service_.start(program());
  EXPECT_NE(process->wait(), 0);
  EXPECT_THAT(read_file(service_.log()), HasSubstr("ListenStream="));
}

}  // namespace
}  // namespace netml::e2e
