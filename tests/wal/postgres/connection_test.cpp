// Goal: a connection has each statement planned once, and what failed leaves nothing behind that
// the next one stumbles over.
#include <gtest/gtest.h>

#include <memory>

#include "tests/wal/postgres/postgres_log_of_test.hpp"
#include "wal/postgres/detail/connection.hpp"

namespace netml::wal::test {
namespace {

using postgres::Answers;
using postgres::Connection;
using postgres::Statement;

class ConnectionToPostgres : public PostgresTest {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    auto opened = Connection::open(tested_->settings());
    ASSERT_TRUE(opened) << opened.error().message;
    connection_ = *std::move(opened);
  }

  Answers ask(const std::vector<Statement>& statements) {
    for (const Statement& each : statements) EXPECT_TRUE(connection_->queue(each));
    auto answers = connection_->finish();
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? *std::move(answers) : Answers{};
  }
  static Statement plus_one(std::int64_t number) {
    Statement statement{"SELECT $1 + 1"};
    statement.parameters.add(number);
    return statement;
  }
  std::vector<std::int64_t> numbers(const std::vector<Statement>& statements) {
    std::vector<std::int64_t> numbers;
    for (const postgres::Rows& rows : ask(statements).rows) {
      EXPECT_TRUE(rows.expect({postgres::Type::integer}));
      numbers.push_back(rows.integer(0, 0));
    }
    return numbers;
  }

  std::unique_ptr<Connection> connection_;
};

TEST_F(ConnectionToPostgres, HasAStatementPlannedOnce) {
  EXPECT_EQ(numbers({plus_one(1), plus_one(2)}), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(numbers({plus_one(3)}), std::vector<std::int64_t>{4});
  const Statement planned{
      "SELECT generic_plans + custom_plans FROM pg_prepared_statements"
      " WHERE statement = 'SELECT $1 + 1'"};
  EXPECT_EQ(numbers({planned}), std::vector<std::int64_t>{3}) << "uses of the one that is there";
}

TEST_F(ConnectionToPostgres, PreparesAgainWhatStoodBehindAnError) {
  const Answers failed = ask({plus_one(1), {"SELECT 1 / 0"}, {"SELECT 7::bigint"}});
  ASSERT_TRUE(failed.error);
  EXPECT_EQ(failed.error->state, "22012");
  EXPECT_EQ(failed.rows.size(), 1U);
  EXPECT_EQ(numbers({{"SELECT 7::bigint"}, plus_one(7)}), (std::vector<std::int64_t>{7, 8}));
}

TEST_F(ConnectionToPostgres, PreparesAgainWhatCouldNotBePlanned) {
  const Statement rows{"SELECT count(*) FROM netml.later"};
  EXPECT_TRUE(ask({rows}).error);
  tested_->servers().sql(tested_->database(), {"CREATE TABLE netml.later (one bigint)",
                                               "GRANT SELECT ON netml.later TO member"});
  EXPECT_EQ(numbers({rows}), std::vector<std::int64_t>{0});
}

// As after a refill: tables of the same names are others.
TEST_F(ConnectionToPostgres, PlansAnewForOtherTablesOfTheSameName) {
  const auto make = [&](const std::string& number) {
    tested_->servers().sql(tested_->database(),
                           {"DROP TABLE IF EXISTS netml.other",
                            "CREATE TABLE netml.other AS SELECT " + number + "::bigint AS one",
                            "GRANT SELECT ON netml.other TO member"});
  };
  const Statement one{"SELECT one FROM netml.other"};
  make("1");
  EXPECT_EQ(numbers({one}), std::vector<std::int64_t>{1});
  make("2");
  EXPECT_EQ(numbers({one}), std::vector<std::int64_t>{2});
}

}  // namespace
}  // namespace netml::wal::test
