// Goal: a call of which nobody knows what became of it is `unknown`, the barrier ends that, and
// nothing is shown that could be lost; against real servers, connections and signals.
// Method: connections cut at each place, waits for the standby cancelled and made needless, the
// standby promoted.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "tests/wal/postgres/cutting_proxy.hpp"
#include "tests/wal/postgres/postgres_log_of_test.hpp"

namespace netml::wal::test {
namespace {

using std::chrono::nanoseconds;
using ::testing::HasSubstr;
using Direction = CuttingProxy::Direction;

constexpr nanoseconds kLease = std::chrono::hours(1);

// Bytes that do not compress.
std::string noise(std::size_t size) {
  std::string text(size, '\0');
  std::uint32_t state = 7;
  for (char& each : text) {
    state = state * 1664525U + 1013904223U;
    each = static_cast<char>(state >> 24U);
  }
  return text;
}

class DoubtOfPostgres : public PostgresTest {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    proxy_ = std::make_unique<CuttingProxy>(tested_->servers().primary_port());
    SharedEngineSettings settings = tested_->settings();
    settings.connection = ReplicatedDatabase::connection(std::to_string(proxy_->port()), "member",
                                                         tested_->database());
    leader_ = PostgresLogOfTest::open(settings);
    ASSERT_NE(leader_, nullptr);
    lead();
  }
  void TearDown() override {
    leader_.reset();
    proxy_.reset();
    PostgresTest::TearDown();
  }

  // The barrier, as of a leader in doubt: it may be in doubt itself.
  SharedHead lead() {
    Leased taken;
    for (int tried = 0; tried < 5 && taken.outcome != Outcome::done; ++tried) {
      const auto here = leader_->head();
      if (here) taken = leader_->take_lease("alpha#1", here->lease.epoch, kLease);
    }
    EXPECT_EQ(taken.outcome, Outcome::done) << taken.reason;
    epoch_ = taken.found.lease.epoch;
    return taken.found;
  }
  Appended append(const std::vector<std::string>& pieces) {
    const OwnedAppend frames(contract_start(), after_, epoch_, pieces);
    return leader_->append_if(frames.append());
  }

  const Head after_ = some_head(42);
  std::unique_ptr<CuttingProxy> proxy_;
  std::unique_ptr<SharedLog> leader_;
  Epoch epoch_;
};

TEST_F(DoubtOfPostgres, LeavesAnAppendUnknownWhoseAnswerIsLost) {
  proxy_->cut_after(Direction::to_client, 0);
  const Appended lost = append({"frames"});
  EXPECT_EQ(lost.outcome, Outcome::unknown);
  EXPECT_FALSE(lost.reason.empty());
  EXPECT_EQ(lead().head, after_);
  EXPECT_EQ(read_all(contract_start().lsn), "frames");
}

TEST_F(DoubtOfPostgres, LeavesAnAppendUnknownThatDoesNotArrive) {
  proxy_->cut_after(Direction::to_server, 0);
  EXPECT_EQ(append({"frames"}).outcome, Outcome::unknown);
  EXPECT_EQ(lead().head, contract_start());
  EXPECT_EQ(append({"again"}).outcome, Outcome::done);
  EXPECT_EQ(read_all(contract_start().lsn), "again");
}

// Whatever part of it arrived: all of it is there or nothing, and the barrier says which.
TEST_F(DoubtOfPostgres, DecidesAnAppendThatIsCutAnywhere) {
  const std::vector<std::string> pieces(2, noise(kSharedPieceBytesMax));
  std::size_t cut = 0;
  bool done = false;
  for (std::uint64_t bytes = 0; bytes < 4 * kSharedPieceBytesMax && !done; bytes += 150'000) {
    proxy_->cut_after(Direction::to_server, bytes);
    const Appended appended = append(pieces);
    proxy_->cut_after(Direction::to_server, UINT64_MAX);
    done = lead().head == after_;
    if (!done) {
      EXPECT_EQ(appended.outcome, Outcome::unknown);
      ++cut;
    }
  }
  EXPECT_TRUE(done);
  EXPECT_GT(cut, 10);
  EXPECT_EQ(read_all(contract_start().lsn).size(), 2 * kSharedPieceBytesMax);
}

// Another connection may lead to another server after a fail-over, which lacks what was read.
TEST_F(DoubtOfPostgres, ConfirmsWhatItReadByTheConnectionThatReadIt) {
  ASSERT_TRUE(leader_->head());
  const std::uint64_t before = proxy_->to_client();
  ASSERT_TRUE(leader_->head());  // with nothing new, so it only reads
  const std::uint64_t answer = proxy_->to_client() - before;
  for (int tried = 0; tried < 50; ++tried) {
    const auto here = log_->head();
    ASSERT_TRUE(here) << here.error().message;
    // Something new, and a connection to read it by that ends right behind it.
    ASSERT_EQ(log_->take_lease("alpha#1", here->lease.epoch, kLease).outcome, Outcome::done);
    ASSERT_TRUE(leader_->members());
    proxy_->cut_after(Direction::to_client, answer);
    const auto found = leader_->head();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Errc::unavailable);
  }
}

TEST_F(DoubtOfPostgres, LeavesALeaseUnknownWhoseAnswerIsLost) {
  proxy_->cut_after(Direction::to_client, 0);
  EXPECT_EQ(leader_->take_lease("alpha#1", epoch_, kLease).outcome, Outcome::unknown);
  const auto found = leader_->head();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->lease.epoch.value, epoch_.value + 1);
  EXPECT_EQ(found->lease.holder, "alpha#1");
}

// A leader that was stopped between its frames and the head: nobody waits for it.
TEST_F(DoubtOfPostgres, KeepsNobodyWaitingForALeaderThatStopped) {
  auto zombie = postgres::Connection::open(tested_->settings());
  ASSERT_TRUE(zombie);
  ASSERT_TRUE((*zombie)->queue({"BEGIN"}));
  ASSERT_TRUE((*zombie)->queue(
      {fmt::format("INSERT INTO netml.frames SELECT 41, chain, 42, chain, {}, 0, 1, 1, false, 'x'"
                   " FROM netml.head",
                   epoch_.value)}));
  ASSERT_TRUE((*zombie)->finish());
  lead();
  EXPECT_EQ(append({"frames"}).outcome, Outcome::done);
  EXPECT_EQ(read_all(contract_start().lsn), "frames");
}

// ---- the standby ----

class DoubtAboutTheStandby : public DoubtOfPostgres {
 protected:
  void TearDown() override {
    if (tested_ != nullptr) tested_->servers().wait_for("*");
    DoubtOfPostgres::TearDown();
  }
  // An append that waits for a standby that there is not; `meanwhile` ends that.
  Appended append_in_vain(const std::function<void()>& meanwhile) {
    ReplicatedDatabase& servers = tested_->servers();
    servers.wait_for("nobody");
    Appended appended;
    std::thread waiting([&] { appended = append({"frames"}); });
    EXPECT_TRUE(eventually([&] {
      return servers.is_true("postgres", "SELECT EXISTS (SELECT" + waiting_for_standby() + ")");
    }));
    meanwhile();
    waiting.join();
    return appended;
  }
  std::string waiting_for_standby() const {
    return " FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = '" +
           tested_->database() + "'";
  }
  void cancel() const {
    tested_->servers().sql("postgres", {"SELECT pg_cancel_backend(pid)" + waiting_for_standby()});
  }
};

TEST_F(DoubtAboutTheStandby, IsWhatACancelledConfirmationLeaves) {
  const Appended cancelled = append_in_vain([&] { cancel(); });
  EXPECT_EQ(cancelled.outcome, Outcome::unknown);
  EXPECT_THAT(cancelled.reason, HasSubstr("not confirmed"));
  tested_->servers().wait_for("*");
  EXPECT_EQ(lead().head, after_);
}

TEST_F(DoubtAboutTheStandby, ShowsNothingThatNobodyConfirms) {
  EXPECT_EQ(append_in_vain([&] { cancel(); }).outcome, Outcome::unknown);
  SharedEngineSettings impatient = tested_->settings();
  impatient.answer_time = std::chrono::seconds(3);  // enough to open it
  const auto log = postgres_engine(impatient).open();
  ASSERT_TRUE(log) << log.error().message;
  const auto head = (*log)->head();
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, Errc::unavailable);
  EXPECT_FALSE((*log)->read_from({contract_start().lsn}, UINT64_MAX));
  tested_->servers().wait_for("*");
  EXPECT_EQ(this->head(), after_);
}

TEST_F(DoubtAboutTheStandby, IsWhatACommitLeavesThatStoppedWaiting) {
  const Appended alone = append_in_vain([&] { tested_->servers().wait_for(""); });
  EXPECT_EQ(alone.outcome, Outcome::unknown);
  EXPECT_THAT(alone.reason, HasSubstr("stopped waiting"));
}

TEST_F(DoubtAboutTheStandby, IsSaidByTheHead) {
  const auto both = log_->head();
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_TRUE(both->synchronous);
  tested_->servers().wait_for("");
  const auto alone = log_->head();
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_FALSE(alone->synchronous);
}

// ---- waiting, and the loss of the primary ----

TEST_F(DoubtOfPostgres, WakesWhoWaitsForTheNextAppend) {
  Status waited = fail(Errc::internal, "it did not wait");
  std::thread waiting(
      [&] { waited = log_->wait_beyond(contract_start().lsn, std::chrono::hours(24)); });
  EXPECT_TRUE(eventually([&] {
    return tested_->servers().is_true(
        "postgres",
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'ClientRead'"
        " AND state = 'idle' AND query = 'COMMIT' AND query_start > backend_start AND datname = '" +
            tested_->database() + "')");
  }));
  EXPECT_EQ(append({"frames"}).outcome, Outcome::done);
  waiting.join();
  EXPECT_TRUE(waited) << waited.error().message;
}

// A notification says once that something came; who has not read it meanwhile does not wait. A test
// that hangs has failed.
TEST_F(DoubtOfPostgres, WaitsForNothingThatCameSinceItRead) {
  constexpr std::chrono::hours kLong(24);
  EXPECT_TRUE(log_->wait_beyond(contract_start().lsn, std::chrono::nanoseconds(1)));  // it listens
  EXPECT_EQ(read_all(contract_start().lsn), "");
  EXPECT_EQ(append({"frames"}).outcome, Outcome::done);
  EXPECT_TRUE(log_->wait_beyond(contract_start().lsn, kLong));
  EXPECT_TRUE(log_->wait_beyond(contract_start().lsn, kLong));
  EXPECT_EQ(read_all(contract_start().lsn), "frames");
  EXPECT_TRUE(log_->wait_beyond(contract_start().lsn, kLong));
}

TEST_F(DoubtOfPostgres, AsksNothingOfTheServerWhereItHasJustRead) {
  const auto asked_last = [&] {
    const postgres::Rows rows = tested_->servers().sql(
        "postgres", {"SELECT max(query_start)::text FROM pg_stat_activity WHERE usename = 'member'"
                     " AND datname = '" +
                     tested_->database() + "'"});
    return std::string(rows.text(0, 0));
  };
  EXPECT_TRUE(log_->wait_beyond(contract_start().lsn, std::chrono::nanoseconds(1)));  // it listens
  EXPECT_EQ(read_all(contract_start().lsn), "");
  const std::string before = asked_last();
  EXPECT_TRUE(log_->wait_beyond(contract_start().lsn, std::chrono::nanoseconds(1)));
  EXPECT_EQ(asked_last(), before);
  EXPECT_EQ(read_all(contract_start().lsn), "");
  EXPECT_NE(asked_last(), before);
}

TEST(LossOfThePrimary, LosesNothingThatWasDone) {
  if (const std::string reason = no_postgres(); !reason.empty()) GTEST_SKIP() << reason;
  ReplicatedDatabase servers;
  const PostgresLogOfTest tested(servers);
  SharedEngineSettings settings = tested.settings();
  settings.connection = ReplicatedDatabase::connection(
      fmt::format("{},{}", servers.primary_port(), servers.standby_port()), "member",
      tested.database());
  const auto log = PostgresLogOfTest::open(settings);
  ASSERT_NE(log, nullptr);
  const Leased taken = log->take_lease("alpha#1", Epoch{}, kLease);
  ASSERT_EQ(taken.outcome, Outcome::done) << taken.reason;
  const Epoch epoch = taken.found.lease.epoch;
  const OwnedAppend one(contract_start(), some_head(42), epoch, {"one"});
  ASSERT_EQ(log->append_if(one.append()).outcome, Outcome::done);
  servers.fail_over();
  // The standby that was promoted waits for the next one, which there is not.
  wal::SharedEngineSettings admin = settings;
  admin.connection =
      ReplicatedDatabase::connection(std::to_string(servers.standby_port()), "admin", "postgres");
  const auto promoted = postgres::Connection::open(admin);
  ASSERT_TRUE(promoted) << promoted.error().message;
  for (const char* each :
       {"ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()"}) {
    ASSERT_TRUE((*promoted)->queue({each}));
    ASSERT_TRUE((*promoted)->finish());
  }
  const auto found = log->head();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->head, some_head(42));
  EXPECT_EQ(found->lease.epoch, epoch);
  EXPECT_FALSE(found->synchronous);
  const OwnedAppend two(some_head(42), some_head(43), epoch, {"two"});
  EXPECT_EQ(log->append_if(two.append()).outcome, Outcome::done);
}

}  // namespace
}  // namespace netml::wal::test
