// Goal: PostgreSQL with a synchronous standby is a shared log as the port says.
#include "tests/wal/postgres/postgres_log_of_test.hpp"

namespace netml::wal::test {
namespace {

std::vector<SharedLogMaker> makers() {
  if (!no_postgres().empty()) return {};
  return {{"Postgres", [] { return std::make_unique<PostgresLogOfTest>(); }}};
}

TEST(ContractOfPostgres, IsTestedHere) {
  if (const std::string reason = no_postgres(); !reason.empty()) GTEST_SKIP() << reason;
  EXPECT_EQ(makers().size(), 1);
}

INSTANTIATE_TEST_SUITE_P(OfPostgres, SharedLogContract, ::testing::ValuesIn(makers()),
                         name_of_maker);

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SharedLogContract);

}  // namespace netml::wal::test
