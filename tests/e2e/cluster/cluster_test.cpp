// Goal: three nodes over PostgreSQL with a synchronous standby are one node to their clients: a
// change at any of them, read your own write, the same bytes everywhere, and no acknowledged change
// lost when the leader is killed. Method: the program and Debian's servers, as operators run them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/cluster/cluster_nodes.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using test::institution;
using test::node;
using test::topology;
using testing::HasSubstr;
using testing::Not;

template <class... Nodes>
std::string map_of(const Nodes&... more) {
  return topology("P", "p", institution("p"), node("a"), more...);
}

net::Headers at_least(std::string_view token) {
  net::Headers headers;
  headers.add("X-NetML-At-Least", token);
  return headers;
}

class ClusterOfNodes : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = wal::test::no_postgres(); !reason.empty())
      GTEST_SKIP() << reason;
    cluster_ = std::make_unique<Cluster>(std::vector<std::string>{map_of()});
  }

  // A map uploaded there, again while the answer says when to come back; the token of what came of
  // it.
  std::string upload(ClusterNode& at, const std::string& map) {
    std::string token;
    const bool done = wal::test::eventually([&] {
      const Answer answer = at.client(cluster_->import_token()).upload(map);
      if (answer && answer->status == 503 && answer->headers.has("Retry-After")) return false;
      EXPECT_TRUE(answer.has_value()) << answer.error().message;
      if (!answer) return true;
      EXPECT_EQ(answer->status, 201) << answer->body;
      token = answer->headers.get("X-NetML-Head");
      return true;
    });
    EXPECT_TRUE(done);
    return token;
  }
  net::ClientResponse exported(ClusterNode& at, net::Headers headers = {}) {
    const Answer answer =
        at.client(cluster_->polling_token()).get("/netml_export/", std::move(headers));
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer.value_or(net::ClientResponse{});
  }

  // With what the token is of, however long that takes to come there.
  net::ClientResponse exported_since(ClusterNode& at, std::string_view token) {
    net::ClientResponse answer;
    const bool came = wal::test::eventually([&] {
      answer = exported(at, at_least(token));
      return answer.status != 503;
    });
    EXPECT_TRUE(came) << answer.body;
    return answer;
  }

  std::unique_ptr<Cluster> cluster_;
};

TEST_F(ClusterOfNodes, TakesAChangeAnywhereAndShowsItsBytesEverywhere) {
  const std::string token = upload(cluster_->beta(), map_of(node("b")));
  ASSERT_NE(token, "");
  std::vector<net::ClientResponse> all;
  for (const auto& each : cluster_->nodes()) all.push_back(exported_since(*each, token));
  for (const net::ClientResponse& each : all) {
    EXPECT_EQ(each.status, 200) << each.body;
    EXPECT_THAT(each.body, HasSubstr("\"b\""));
    EXPECT_EQ(each.body, all.front().body);
    EXPECT_EQ(each.headers.get("ETag"), all.front().headers.get("ETag"));
    EXPECT_EQ(each.headers.get("X-NetML-Head"), token);
    EXPECT_NE(each.headers.get("X-NetML-Age"), "");
  }
  net::Headers known;
  known.add("If-None-Match", all.front().headers.get("ETag"));
  EXPECT_EQ(exported(cluster_->gamma(), std::move(known)).status, 304);
}

TEST_F(ClusterOfNodes, KnowsATokenOfAnotherHistory) {
  const std::string token = upload(cluster_->alpha(), map_of(node("b")));
  std::string other = token;
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_EQ(exported_since(cluster_->gamma(), token).status, 200);
  EXPECT_EQ(exported(cluster_->gamma(), at_least(other)).status, 409);
  EXPECT_EQ(exported(cluster_->alpha(), at_least(other)).status, 409);
  EXPECT_EQ(
      exported(cluster_->gamma(), at_least("9999:" + token.substr(token.find(':') + 1))).status,
      503);
  const Answer fresh =
      cluster_->gamma().client(cluster_->polling_token()).get("/netml_export/?fresh=1");
  ASSERT_TRUE(fresh.has_value());
  EXPECT_EQ(fresh->status, 200);
  EXPECT_EQ(fresh->headers.get("X-NetML-Head"), token);
}

TEST_F(ClusterOfNodes, LosesNothingWhenItsLeaderIsKilled) {
  const std::string before = upload(cluster_->gamma(), map_of(node("b")));
  cluster_->alpha().kill();
  ClusterNode* const leader = cluster_->leader();
  ASSERT_NE(leader, nullptr) << read_file(cluster_->beta().node().log());
  ClusterNode& follower = leader == &cluster_->beta() ? cluster_->gamma() : cluster_->beta();
  EXPECT_THAT(exported_since(follower, before).body, HasSubstr("\"b\""));
  const std::string after = upload(follower, map_of(node("b"), node("c")));
  for (ClusterNode* each : {leader, &follower})
    EXPECT_THAT(exported_since(*each, after).body, HasSubstr("\"c\""));
  cluster_->alpha().start();
  EXPECT_THAT(exported_since(cluster_->alpha(), after).body, HasSubstr("\"c\""));
}

// What `netml cluster status` says there, once it lists the member that came last.
CommandResult status_with_gamma(Node& node) {
  CommandResult status;
  const bool listed = wal::test::eventually([&] {
    status = node.run({"cluster", "status"});
    return status.exit_code != 0 || status.out.find("gamma") != std::string::npos;
  });
  EXPECT_TRUE(listed);
  return status;
}

TEST_F(ClusterOfNodes, TakesCommandsAtAFollowerToo) {
  Node& beta = cluster_->beta().node();
  std::string token = beta.done({"token", "create", "from beta", "--kind", "polling"});
  token.pop_back();  // the end of its line
  ASSERT_TRUE(wal::test::eventually([&] {
    const Answer answer = cluster_->gamma().client(token).get("/netml_export/");
    return answer && answer->status == 200;
  }));
  const CommandResult imported = beta.import(map_of(node("by command")), {"--root"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(exported(cluster_->alpha()).body, HasSubstr("by command"));
  const CommandResult status = status_with_gamma(beta);
  EXPECT_EQ(status.exit_code, 0) << status.err;
  for (const char* text : {"beta, follower", "alpha (leader)", "gamma", "confirms changes"})
    EXPECT_THAT(status.out, HasSubstr(text));
}

TEST_F(ClusterOfNodes, IsLeftByStartingAlone) {
  upload(cluster_->alpha(), map_of(node("b")));
  const std::string before = exported(cluster_->alpha()).body;
  ASSERT_TRUE(cluster_->all_reach(cluster_->alpha().lsn()));
  const auto leave = [&](const std::string& name) {
    return cluster_->alpha().node().run(
        {"cluster", "leave", "--cluster", cluster_->connection(), "--cluster-name", name});
  };
  const CommandResult runs = leave("gamma");
  EXPECT_EQ(runs.exit_code, 1);
  EXPECT_THAT(runs.err, HasSubstr("gamma runs, at " + cluster_->gamma().url()));
  EXPECT_EQ(cluster_->gamma().stop(), 0);
  Node& gamma = cluster_->gamma().node();
  EXPECT_EQ(leave("gamma").exit_code, 0);
  EXPECT_THAT(leave("gamma").err, HasSubstr("no member gamma"));
  EXPECT_EQ(gamma.export_all(), before);
  EXPECT_EQ(gamma.run({"verify"}).exit_code, 0);
  const auto alone = gamma.serve();
  const Answer answer = alone->client(cluster_->polling_token()).get("/netml_export/");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->body, before);
  EXPECT_FALSE(answer->headers.has("X-NetML-Age"));
}

TEST_F(ClusterOfNodes, RefusesADirectoryThatWentItsOwnWay) {
  EXPECT_EQ(cluster_->gamma().stop(), 0);
  Node& gamma = cluster_->gamma().node();
  gamma.done({"token", "create", "alone", "--kind", "polling"});
  ASSERT_NE(upload(cluster_->beta(), map_of(node("b"))), "");
  const CommandResult refused =
      gamma.run({"serve", "--listen", "127.0.0.1:0", "--cluster", cluster_->connection(),
                 "--cluster-name", "gamma", "--cluster-address", cluster_->gamma().url()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("netml cluster join"));
}

TEST_F(ClusterOfNodes, RefillsADatabaseFromTheMemberThatHasMost) {
  const std::string token = upload(cluster_->alpha(), map_of(node("b")));
  ASSERT_TRUE(cluster_->all_reach(cluster_->alpha().lsn()));
  EXPECT_THAT(status_with_gamma(cluster_->beta().node()).out, HasSubstr("gamma"));
  EXPECT_EQ(cluster_->alpha().stop(), 0);
  const std::string lost = wal::test::replicated_database()
                               .settings("admin", wal::test::replicated_database().make_database())
                               .connection;
  Node& alpha = cluster_->alpha().node();
  const auto refill = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"cluster", "refill", "--cluster", lost, "--member", cluster_->beta().url()});
    return alpha.run(more);
  };
  cluster_->gamma().kill();
  const CommandResult silent = refill({});
  EXPECT_EQ(silent.exit_code, 1) << "gamma, which beta lists, may have more";
  EXPECT_THAT(silent.err, HasSubstr("gamma (" + cluster_->gamma().url() + ")"));
  const CommandResult refilled = refill({"--lost", "gamma"});
  EXPECT_EQ(refilled.exit_code, 0) << refilled.err;
  EXPECT_THAT(refilled.out, HasSubstr(token));
  ASSERT_NE(upload(cluster_->beta(), map_of(node("b"), node("c"))), "");
  const CommandResult refused = refill({"--lost", "gamma"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("has more"));
}

}  // namespace
}  // namespace netml::e2e
