// Goal: whoever has a connection when the database ends has one again when it is back, without
// doing anything for it.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/wal/cluster/running_node.hpp"
#include "tests/wal/postgres/postgres_log_of_test.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::seconds;

class RestartOfPostgres : public PostgresTest {};

// Of each call a log of its own, as a connection that one call has opened again serves all others.
TEST_F(RestartOfPostgres, EveryCallConnectsAgain) {
  const OwnedAppend frames(contract_start(), some_head(42), Epoch{1}, {"frames"});
  const SharedUpload upload{Sha256{}, StoredAs::itself, 4};
  const std::vector<std::byte> four(4, std::byte{7});
  const Member alpha{"alpha", "https://a.example", contract_start(), "1", {}};
  ASSERT_EQ(log_->take_lease("a", Epoch{}, seconds(1)).outcome, Outcome::done);
  using Call = std::function<bool(SharedLog&)>;
  const std::vector<std::pair<const char*, Call>> calls{
      {"head", [](SharedLog& log) { return log.head().has_value(); }},
      {"append_if",
       [&](SharedLog& log) { return log.append_if(frames.append()).outcome == Outcome::done; }},
      {"read_from",
       [](SharedLog& log) { return log.read_from({contract_start().lsn}, 1).has_value(); }},
      {"wait_beyond",
       [](SharedLog& log) {
         return log.wait_beyond(contract_start().lsn, seconds(1)).has_value();
       }},
      {"renew_lease",
       [](SharedLog& log) {
         return log.renew_lease("a", Epoch{1}, seconds(1)).outcome == Outcome::done;
       }},
      {"take_lease",
       [](SharedLog& log) {
         return log.take_lease("a", Epoch{1}, seconds(1)).outcome == Outcome::done;
       }},
      {"release_lease",
       [](SharedLog& log) { return log.release_lease("a", Epoch{2}).outcome == Outcome::done; }},
      {"put_upload", [&](SharedLog& log) { return log.put_upload(upload, 0, four).has_value(); }},
      {"find_upload", [&](SharedLog& log) { return log.find_upload(upload.hash).has_value(); }},
      {"get_upload", [&](SharedLog& log) { return log.get_upload(upload, 0).has_value(); }},
      {"report", [&](SharedLog& log) { return log.report(alpha).has_value(); }},
      {"members", [](SharedLog& log) { return log.members().has_value(); }},
      {"remove_member", [](SharedLog& log) { return log.remove_member("b").has_value(); }},
      {"forget", [](SharedLog& log) { return log.forget(Lsn{41}, seconds(1)).has_value(); }},
  };
  std::vector<std::unique_ptr<SharedLog>> logs;
  for (std::size_t i = 0; i < calls.size(); ++i) logs.push_back(tested_->connect());
  tested_->servers().stop_primary();
  EXPECT_FALSE(log_->head());
  tested_->servers().start_primary();
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_TRUE(calls[i].second(*logs[i])) << calls[i].first;
}

// All connections of a member: that of the lease, of following, of appending, and of questions.
TEST_F(RestartOfPostgres, MembersGoOnWhenTheDatabaseIsBack) {
  RunningNode alpha("alpha", 2);
  RunningNode beta("beta", 3);
  ReplicatedDatabase& servers = tested_->servers();
  const std::string database = servers.make_database();
  ASSERT_TRUE(postgres_engine(servers.settings("admin", database))
                  .init({alpha.uuid(), {Lsn{}, Chain::origin(alpha.uuid())}, "member"}));
  const OpenSharedLog open = postgres_engine(servers.settings("member", database)).open;
  alpha.start(steady_clock(), open);
  ASSERT_TRUE(comes_true([&] { return alpha.leads(); }));
  beta.start(steady_clock(), open);
  ASSERT_TRUE(alpha.import("before").get());
  ASSERT_TRUE(alpha.member().confirm_fresh());
  ASSERT_TRUE(beta.member().members());

  servers.stop_primary();
  EXPECT_FALSE(alpha.import("meanwhile").get());
  EXPECT_FALSE(alpha.member().confirm_fresh());
  EXPECT_FALSE(beta.member().members());
  servers.start_primary();

  ASSERT_TRUE(comes_true([&] { return alpha.leads() || beta.leads(); }));
  RunningNode* done_by = nullptr;
  Lsn done;
  ASSERT_TRUE(comes_true([&] {
    for (RunningNode* const node : {&alpha, &beta})
      if (const auto imported = node->import("after").get()) {
        done_by = node;
        done = imported->lsn;
      }
    return done_by != nullptr;
  }));
  EXPECT_TRUE(comes_true([&] { return done_by->member().confirm_fresh().has_value(); }));
  for (RunningNode* const node : {&alpha, &beta}) {
    EXPECT_TRUE(node->member().wait_for(done, seconds(30)));
    EXPECT_TRUE(node->member().members());
  }
  beta.stop();
  alpha.stop();
}

}  // namespace
}  // namespace netml::wal::test
