// Goal: making and opening a log says what is wrong, by its kind, and never a secret.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/wal/postgres/postgres_log_of_test.hpp"

namespace netml::wal::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class OpeningPostgres : public PostgresTest {
 protected:
  Error error_of(const SharedEngineSettings& settings) {
    const auto log = postgres_engine(settings).open();
    EXPECT_FALSE(log);
    return log ? Error{} : log.error();
  }
  SharedEngineSettings with(const std::string& connection) {
    SharedEngineSettings settings = tested_->settings();
    settings.connection = connection;
    return settings;
  }
  std::string port() { return std::to_string(tested_->servers().primary_port()); }
};

TEST_F(OpeningPostgres, SaysThatThePasswordIsWrongAndNotWhichItWas) {
  const std::string base = ReplicatedDatabase::connection(port(), "secured", tested_->database());
  const Error wrong = error_of(with(base + " password=xyzzy"));
  EXPECT_EQ(wrong.code, Errc::denied) << wrong.message;
  EXPECT_THAT(wrong.message, Not(HasSubstr("xyzzy")));
  tested_->servers().sql(tested_->database(),
                         {"GRANT USAGE ON SCHEMA netml TO secured",
                          "GRANT ALL ON ALL TABLES IN SCHEMA netml TO secured"});
  EXPECT_TRUE(postgres_engine(with(base + " password=right")).open());
}

TEST_F(OpeningPostgres, RepeatsNothingOfAStringThatItCannotRead) {
  for (const char* bad : {"host=here password 'xyzzy", "postgresql://me:xyzzy@[here/base",
                          "passwort=xyzzy", "xyzzy", "host=a,b,c port=1,2 password=xyzzy"}) {
    const Error error = error_of(with(bad));
    EXPECT_EQ(error.code, Errc::invalid_input) << bad;
    EXPECT_THAT(error.message, Not(HasSubstr("xyzzy")));
  }
}

TEST_F(OpeningPostgres, SaysThatNobodyIsThere) {
  EXPECT_EQ(error_of(with(ReplicatedDatabase::connection("1", "member", "base"))).code,
            Errc::unavailable);
  EXPECT_EQ(error_of(with(ReplicatedDatabase::connection(port(), "member", "nowhere"))).code,
            Errc::unavailable);
}

TEST_F(OpeningPostgres, GoesToTheHostThatTakesWrites) {
  const std::string all =
      fmt::format("1,{},{}", tested_->servers().standby_port(), tested_->servers().primary_port());
  const auto log = PostgresLogOfTest::open(
      with(ReplicatedDatabase::connection(all, "member", tested_->database())));
  ASSERT_NE(log, nullptr);
  EXPECT_TRUE(log->head());
}

TEST_F(OpeningPostgres, SaysThatThereIsNoLog) {
  const std::string empty = tested_->servers().make_database();
  EXPECT_EQ(error_of(tested_->servers().settings("member", empty)).code, Errc::not_found);
}

TEST_F(OpeningPostgres, RefusesALogOfAnotherCluster) {
  SharedEngineSettings settings = tested_->settings();
  settings.cluster->bytes.fill(std::byte{1});
  EXPECT_EQ(error_of(settings).code, Errc::conflict);
  settings.cluster.reset();
  EXPECT_TRUE(postgres_engine(settings).open());
}

TEST_F(OpeningPostgres, RefusesALogOfANewerProgram) {
  tested_->servers().sql(tested_->database(), {"UPDATE netml.head SET schema_version = 2"});
  EXPECT_EQ(error_of(tested_->settings()).code, Errc::newer_version);
}

TEST_F(OpeningPostgres, LooksAgainAfterEachLossOfTheConnection) {
  tested_->servers().sql(
      tested_->database(),
      {"UPDATE netml.head SET schema_version = 2",
       "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'member'"
       " AND datname = current_database()"});
  const auto head = log_->head();
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, Errc::newer_version);
}

// ---- making one ----

TEST_F(OpeningPostgres, MakesALogOnceHoweverOftenItIsAsked) {
  const SharedEngine admin =
      postgres_engine(tested_->servers().settings("admin", tested_->database()));
  const SharedLogStart start{contract_cluster(), contract_start(), "member"};
  EXPECT_TRUE(admin.init(start));
  const OwnedAppend frames(contract_start(), some_head(42), Epoch{}, {"frames"});
  ASSERT_EQ(log_->append_if(frames.append()).outcome, Outcome::done);
  const Status written = admin.init(start);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::conflict);
  NodeUuid other;
  other.bytes.fill(std::byte{1});
  const Status another = admin.init({other, contract_start(), "member"});
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().code, Errc::conflict);
}

TEST_F(OpeningPostgres, SaysWhichRightIsMissingToMakeOne) {
  const ReplicatedDatabase& servers = tested_->servers();
  const std::string empty = tested_->servers().make_database();
  servers.sql("postgres",
              {"DROP ROLE IF EXISTS nobody_special", "CREATE ROLE nobody_special LOGIN"});
  const Status denied = postgres_engine(servers.settings("nobody_special", empty))
                            .init({contract_cluster(), contract_start(), ""});
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, Errc::denied);
  EXPECT_THAT(denied.error().message, HasSubstr("GRANT pg_read_all_stats"));
}

TEST_F(OpeningPostgres, MakesALogForTheRoleItselfWhereItMay) {
  const ReplicatedDatabase& servers = tested_->servers();
  const std::string empty = tested_->servers().make_database();
  servers.sql(empty, {"GRANT pg_read_all_stats TO secured",
                      "GRANT CREATE ON DATABASE " + empty + " TO secured"});
  SharedEngineSettings settings = servers.settings("secured", empty);
  settings.connection += " password=right";
  const SharedEngine engine = postgres_engine(settings);
  const Status made = engine.init({contract_cluster(), contract_start(), ""});
  EXPECT_TRUE(made) << made.error().message;
  const auto log = engine.open();
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_TRUE((*log)->head()->synchronous);
}

}  // namespace
}  // namespace netml::wal::test
