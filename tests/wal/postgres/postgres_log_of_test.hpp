// A log in a database of its own, on the servers of this process.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/wal/postgres/replicated_database.hpp"
#include "tests/wal/shared/shared_log_contract.hpp"
#include "wal/postgres/postgres_engine.hpp"

namespace netml::wal::test {

class PostgresLogOfTest final : public SharedLogUnderTest {
 public:
  explicit PostgresLogOfTest(ReplicatedDatabase& servers = replicated_database())
      : servers_(servers), database_(servers.make_database()) {
    const Status made = postgres_engine(servers.settings("admin", database_))
                            .init({contract_cluster(), contract_start(), "member"});
    EXPECT_TRUE(made) << made.error().message;
  }

  std::unique_ptr<SharedLog> connect() override { return open(settings()); }
  NodeUuid cluster() const override { return contract_cluster(); }
  Head start() const override { return contract_start(); }
  // Nobody waits: what the database keeps of the past is put back by that instead.
  void pass(std::chrono::nanoseconds time) override {
    const auto us = std::chrono::ceil<std::chrono::microseconds>(time).count();
    const std::string past = " - " + std::to_string(us) + " * interval '1 microsecond'";
    servers_.sql(database_, {"UPDATE netml.lease SET until = until" + past,
                             "UPDATE netml.members SET seen = seen" + past,
                             "UPDATE netml.frames SET at = at" + past});
  }

  const std::string& database() const { return database_; }
  ReplicatedDatabase& servers() const { return servers_; }
  SharedEngineSettings settings() const {
    SharedEngineSettings settings = servers_.settings("member", database_);
    settings.cluster = contract_cluster();
    return settings;
  }
  static std::unique_ptr<SharedLog> open(const SharedEngineSettings& settings) {
    auto log = postgres_engine(settings).open();
    EXPECT_TRUE(log) << log.error().message;
    return log ? std::move(*log) : nullptr;
  }

 private:
  ReplicatedDatabase& servers_;
  const std::string database_;
};

// A test that has one, and is skipped where there is no PostgreSQL.
class PostgresTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = no_postgres(); !reason.empty()) GTEST_SKIP() << reason;
    tested_ = std::make_unique<PostgresLogOfTest>();
    log_ = tested_->connect();
    ASSERT_NE(log_, nullptr);
  }
  void TearDown() override { log_.reset(); }

  Head head() const {
    const Result<SharedHead> head = log_->head();
    EXPECT_TRUE(head) << head.error().message;
    return head ? head->head : Head{};
  }
  std::string read_all(Lsn after) const {
    std::string all;
    const auto pieces = log_->read_from({after}, UINT64_MAX);
    EXPECT_TRUE(pieces) << pieces.error().message;
    if (pieces)
      for (const SharedPiece& piece : *pieces)
        for (const std::byte each : piece.bytes) all += static_cast<char>(each);
    return all;
  }

  std::unique_ptr<PostgresLogOfTest> tested_;
  std::unique_ptr<SharedLog> log_;
};

}  // namespace netml::wal::test
