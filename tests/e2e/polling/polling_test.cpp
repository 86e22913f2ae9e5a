// Goal: one node collects the map of another, over TLS, with a token, below its own main topology;
// what goes wrong changes nothing and is reported (N2, N4, N8, N11). Method: two built programs.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <thread>

#include "net/http/unique_fd.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/net/support/certificate.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string map_of(const std::string& name, int nodes = 1) {
  test::TopologyText map = test::topology(name, name + ":i", test::institution(name + ":i"));
  for (int i = 0; i < nodes; ++i) map.add(test::node(fmt::format("{}:n{}", name, i)));
  return map;
}

class Polling : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(peer_.import(map_of("urn:peer")).exit_code, 0);
    token_ = peer_.token("polling");
    const net::TlsFiles files =
        authority_.issue(peer_.file(".").string(), {.alternative_name = "IP:127.0.0.1"});
    server_ = peer_.serve({"--tls-cert", files.certificate_chain, "--tls-key", files.private_key});
    ASSERT_NE(server_->port(), 0) << read_file(peer_.log());
    write_file(node_.file("ca.pem"), authority_.pem());
    node_.done({"init", "--name", "Collector", "--owner", "Somebody"});
  }
  // The token goes in by standard input.
  void add(const std::string& name, const std::string& token,
           const std::vector<std::string>& options) {
    write_file(node_.file("token"), token + "\n");
    std::vector<std::string> words{
        "-c",           fmt::format(R"(exec "$0" "$@" < '{}')", node_.file("token").string()),
        program(),      "source",
        "add",          name,
        "--data",       node_.data(),
        "--host",       "127.0.0.1",
        "--port",       fmt::to_string(server_->port()),
        "--token-stdin"};
    words.insert(words.end(), options.begin(), options.end());
    Process shell("/bin/sh", words, node_.file("add.out"), node_.file("add.err"));
    ASSERT_EQ(shell.wait(), 0) << read_file(node_.file("add.err"));
  }
  void add_good(const std::string& name) { add(name, token_, {"--ca-file", ca()}); }
  std::string ca() const { return node_.file("ca.pem").string(); }

  net::Authority authority_{"test authority"};
  Node peer_;
  Node node_;
  std::string token_;
  std::unique_ptr<Server> server_;
};

TEST_F(Polling, CollectsTheMapOfAnotherNode) {
  add_good("peer");
  const std::string reported = node_.done({"poll", "--poll-allow", "127.0.0.1"});
  EXPECT_EQ(reported, "peer: 4 created, 0 updated, 0 deleted (import record 1)\n")
      << "with the global institution";
  EXPECT_THAT(node_.export_all(), AllOf(HasSubstr("Collector"), HasSubstr("urn:peer:n0")));
  EXPECT_THAT(node_.done({"log", "--cause", "poll"}),
              HasSubstr("peer poll from https://127.0.0.1"));
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

TEST_F(Polling, AsksAgainOnlyForWhatChanged) {
  add_good("peer");
  const auto collector = node_.serve({"--poll-allow", "127.0.0.0/8"});
  EXPECT_THAT(node_.done({"poll"}), HasSubstr("4 created"));
  EXPECT_EQ(node_.done({"poll"}), "peer: unchanged since the last poll\n");
  ASSERT_EQ(peer_.import(map_of("urn:peer", 3)).exit_code, 0);
  EXPECT_THAT(node_.done({"poll", "peer"}), HasSubstr("peer: 2 created"));
  EXPECT_EQ(collector->stop(), 0);
}

TEST_F(Polling, TakesWhatChangedOfWhatAViewShows) {
  write_file(peer_.file("view.json"), R"({"steps": [{"drop": {"id": "urn:peer:n0"}}]})");
  peer_.done({"view", "create", "Partner", peer_.file("view.json").string()});
  token_ = peer_.done({"token", "create", "partner", "--kind", "polling", "--view", "Partner"});
  token_.pop_back();
  add_good("peer");
  const auto collector = node_.serve({"--poll-allow", "127.0.0.0/8"});
  EXPECT_THAT(node_.done({"poll"}), HasSubstr("3 created"));
  ASSERT_EQ(peer_.import(map_of("urn:peer", 3)).exit_code, 0);
  EXPECT_THAT(node_.done({"poll"}), HasSubstr("peer: 2 created, 0 updated, 0 deleted"));
  EXPECT_THAT(peer_.done({"receipt", "show", "2"}), HasSubstr(" from LSN "));
  EXPECT_EQ(node_.done({"poll"}), "peer: unchanged since the last poll\n");
  EXPECT_THAT(node_.export_all(), AllOf(HasSubstr("urn:peer:n2"), Not(HasSubstr("urn:peer:n0"))));
  EXPECT_EQ(collector->stop(), 0);
}

TEST_F(Polling, KeepsOneBadPeerFromStoppingTheOthers_N8) {
  add("a-stranger", token_, {});
  add("b-without-token", "wrong", {"--ca-file", ca()});
  add("c-nowhere", token_, {"--ca-file", ca(), "--path", "nowhere/"});
  add("d-clear", token_, {"--protocol", "http", "--plain-http"});
  for (const char* name : {"e", "f", "g", "h", "i"})  // all have the map of one peer
    add(name, token_, {"--ca-file", ca(), "--authority", "any"});
  const CommandResult polled = node_.run({"poll", "--poll-allow", "127.0.0.1"});
  EXPECT_EQ(polled.exit_code, 1);
  EXPECT_THAT(polled.out, AllOf(HasSubstr("a-stranger: Polling error: its certificate is refused"),
                                HasSubstr("b-without-token: Polling error: access denied"),
                                HasSubstr("c-nowhere: Polling error: no map is at this address"),
                                HasSubstr("d-clear: Polling error:"), HasSubstr("e: 4 created"),
                                HasSubstr("\ni: 0 created")));
  EXPECT_THAT(polled.err, HasSubstr("4 of 9 sources failed"));
  EXPECT_THAT(polled.out + polled.err, Not(HasSubstr(token_)));
}

TEST_F(Polling, ReachesNoInternalAddressUnlessAllowed_N2) {
  add_good("peer");
  const CommandResult refused = node_.run({"poll"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("--poll-allow 127.0.0.1"));
  const CommandResult sandboxed = node_.run({"poll", "--sandbox", "--poll-allow", "127.0.0.1"});
  EXPECT_EQ(sandboxed.exit_code, 1);
  EXPECT_THAT(sandboxed.err, HasSubstr("sandbox"));
  EXPECT_THAT(read_file(peer_.log()), Not(HasSubstr("netml_export")));
}

TEST_F(Polling, PollsNothingForAnEmptySelection) {
  add_good("peer");
  const auto collector = node_.serve({"--poll-allow", "127.0.0.1"});
  net::Headers headers;
  headers.set("Content-Type", "application/json");
  const Answer none =
      node_.control().send("POST", "/api/v1/polls", headers, R"({"sources": [], "wait": true})");
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->status, 200);
  EXPECT_EQ(none->body, R"({"reports":[]})");
  EXPECT_THAT(read_file(peer_.log()), Not(HasSubstr("netml_export")));
}

// As the command line of version 0.1 asks for it.
TEST_F(Polling, IsForcedByTheFormerNameToo) {
  add_good("peer");
  node_.done({"poll", "--poll-allow", "127.0.0.1"});
  const auto collector = node_.serve({"--poll-allow", "127.0.0.1"});
  net::Headers headers;
  headers.set("Content-Type", "application/json");
  const auto poll = [&](const std::string& body) {
    const Answer answer = node_.control().send("POST", "/api/v1/polls", headers, body);
    return answer ? answer->body : answer.error().message;
  };
  EXPECT_THAT(poll(R"({"wait": true})"), HasSubstr(R"("unchanged")"));
  for (const char* name : {"force", "whole"})
    EXPECT_THAT(poll(fmt::format(R"({{"{}": true, "wait": true}})", name)),
                HasSubstr(R"("imported")"))
        << name;
}

// Takes connections, and never says a word.
class SilentPeer {
 public:
  SilentPeer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    NETML_ASSERT(::bind(listener_.get(), generic, size) == 0);
    NETML_ASSERT(::listen(listener_.get(), 16) == 0);
    NETML_ASSERT(::getsockname(listener_.get(), generic, &size) == 0);
    port = fmt::to_string(ntohs(address.sin_port));
  }
  std::string port;

 private:
  net::UniqueFd listener_;
};

class OpenPolls : public testing::Test {
 protected:
  void SetUp() override {
    node_.done({"source", "add", "silent", "--host", "127.0.0.1", "--port", peer_.port,
                "--protocol", "http", "--plain-http"});
    server_ = node_.serve({"--poll-allow", "127.0.0.1"});
    ASSERT_EQ(node_.control().send("POST", "/polling/trigger/?scheduled=1")->status, 201);
    EXPECT_THAT(node_.done({"source", "log"}), AllOf(HasSubstr("schedule"), HasSubstr("running")));
  }
  SilentPeer peer_;
  Node node_;
  std::unique_ptr<Server> server_;
};

TEST_F(OpenPolls, AreClosedAfterACrash) {
  server_->kill();
  server_ = node_.serve();
  EXPECT_THAT(node_.done({"source", "log", "1"}),
              AllOf(HasSubstr("aborted"), HasSubstr("failed before this poll ended")));
  EXPECT_THAT(node_.done({"source", "log"}), Not(HasSubstr("running")));
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

// The records of one batch: what was done before the crash stays done.
TEST_F(Polling, KeepsWhatItCollectedBeforeACrash) {
  SilentPeer silent;
  add_good("a-good");
  node_.done({"source", "add", "b-silent", "--host", "127.0.0.1", "--port", silent.port,
              "--protocol", "http", "--plain-http"});
  auto collector = node_.serve({"--poll-allow", "127.0.0.1"});
  ASSERT_EQ(node_.control().send("POST", "/polling/trigger/")->status, 201);
  while (node_.done({"source", "log", "1"}).find("complete") == std::string::npos)
    std::this_thread::yield();
  collector->kill();
  collector = node_.serve();
  EXPECT_THAT(node_.done({"source", "log", "1"}),
              AllOf(HasSubstr("complete"), HasSubstr("aborted"),
                    HasSubstr("failed before this poll ended")));
  EXPECT_THAT(node_.export_all(), HasSubstr("urn:peer:n0"));
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

TEST_F(OpenPolls, EndWhenTheNodeIsStopped) {
  EXPECT_EQ(server_->stop(), 0);
  EXPECT_THAT(node_.done({"source", "log", "1"}),
              AllOf(HasSubstr("aborted"), HasSubstr("the node was stopped")));
}

TEST(PollingDevelopment, NeedsNoTokenOfAPeerInDevelopment) {
  Node peer;
  ASSERT_EQ(peer.import(map_of("urn:peer")).exit_code, 0);
  const auto served = peer.serve({"--development"});
  Node node;
  node.done({"source", "add", "peer", "--host", "127.0.0.1", "--protocol", "http", "--plain-http",
             "--port", fmt::to_string(served->port())});
  EXPECT_THAT(node.done({"source", "collect", "peer", "--poll-allow", "127.0.0.1"}),
              HasSubstr("created"));
}

}  // namespace
}  // namespace netml::e2e
