// Goal: a writer with a group log answers what that says of a group, and neither shows nor keeps
// anything before.
// Method: a group log that the test answers for.
#include "wal/commit/group_log.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "tests/support/temporary_directory.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/commit/writer.hpp"
#include "wal/shared/shared_log.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;

class ScriptedLog final : public GroupLog {
 public:
  Status may_write() override { return leads ? Status() : fail(Errc::unavailable, "follower"); }
  Status append(const Append& group, std::span<const Sha256> /*files*/) override {
    before = group.before.lsn;
    journal_then = journal_bytes();
    return answer ? Status() : Status(tl::unexpected(answer.error()));
  }
  Status confirm() override {
    ++confirmed;
    return answer;
  }
  void fell_behind(const Error& /*error*/) override {}

  std::atomic<bool> leads = true;
  Status answer;
  Lsn before;
  int confirmed = 0;
  std::function<std::uint64_t()> journal_bytes;
  std::uint64_t journal_then = 0;
};

class GroupLogTest : public ::testing::Test {
 protected:
  GroupLogTest() {
    options_.group_log = &log_;
    auto store = *Store::open(*root_, clock_, random_, options_);
    CommitLog& log = store->log();
    log_.journal_bytes = [&log] { return log.bytes_appended(); };
    writer_ = std::make_unique<Writer>(std::move(store));
  }
  Result<Committed> import(const std::string& name) {
    return writer_
        ->submit(Plan([name](const engine::State& base) -> Result<engine::Transaction> {
          return import_topology(base, name, 3);
        }))
        .get();
  }
  Result<Committed> nothing() {
    return writer_
        ->submit(Plan([](const engine::State& base) -> Result<engine::Transaction> {
          return engine::empty_transaction(base);
        }))
        .get();
  }
  // Between groups.
  void answers(Status answer) {
    EXPECT_TRUE(writer_
                    ->run([&](Store&) {
                      log_.answer = std::move(answer);
                      return Status();
                    })
                    .get());
  }

  netml::test::TemporaryDirectory directory_;
  std::unique_ptr<PosixStorage> root_ = *PosixStorage::open_path(directory_.path().string());
  testing::ManualClock clock_;
  testing::SeededRandom random_;
  StoreOptions options_ = small_options();
  ScriptedLog log_;
  std::unique_ptr<Writer> writer_;
};

TEST_F(GroupLogTest, TheOwnJournalComesBehindTheSharedLog) {
  ASSERT_TRUE(import("a"));
  EXPECT_EQ(log_.before, Lsn{0});
  EXPECT_EQ(log_.journal_then, 0U);
  ASSERT_TRUE(import("b"));
  EXPECT_EQ(log_.before, Lsn{1});
  EXPECT_EQ(writer_->published().head.lsn, Lsn{2});
}

TEST_F(GroupLogTest, WhatIsRefusedLeavesNoTrace) {
  ASSERT_TRUE(import("a"));
  const Head head = writer_->published().head;
  for (const Errc code : {Errc::unavailable, Errc::outcome_unknown}) {
    answers(fail(code, "no"));
    const auto refused = import("b");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code);
    EXPECT_EQ(writer_->published().head, head);
  }
  answers({});
  const auto done = import("b");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->lsn, Lsn{2});
}

TEST_F(GroupLogTest, NothingIsPlannedWhileAnotherLeads) {
  log_.leads = false;
  const auto refused = import("a");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "follower");
}

TEST_F(GroupLogTest, AGroupWithoutChangesIsConfirmed) {
  ASSERT_TRUE(nothing());
  EXPECT_EQ(log_.confirmed, 1);
  answers(fail(Errc::unavailable, "another leads"));
  EXPECT_FALSE(nothing());
}

TEST_F(GroupLogTest, WaitsForAVersion) {
  EXPECT_FALSE(writer_->wait_for(Lsn{1}, std::chrono::nanoseconds(1)));
  ASSERT_TRUE(import("a"));
  const auto shown = writer_->wait_for(Lsn{1}, std::chrono::seconds(30));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->head.lsn, Lsn{1});
}

}  // namespace
}  // namespace netml::wal::test
