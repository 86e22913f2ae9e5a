// Goal: records of imports go when they are old, and stored files when nothing names them any more,
// but none that somebody may still need (docs/requirements/polling-and-publishing.md, sections 12
// and 15; K5). Method: a simulated clock; the tests do what the retention's thread does every hour.
#include "admin/imports/retention.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "admin/cli/client/options.hpp"
#include "admin/cli/client/progress.hpp"
#include "admin/history/undo.hpp"
#include "admin/imports/import_plans.hpp"
#include "admin/server/restore.hpp"
#include "admin/settings/settings.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/poller_fixture.hpp"

namespace netml::admin {
namespace {

using std::chrono::hours;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kCaller;
using testing::kMap;

constexpr hours kYear{24 * 365};

std::string map_without_nodes(const std::string& id) {
  return netml::test::topology(id, id + ":i", netml::test::institution(id + ":i"));
}

class RetentionTest : public testing::PollerFixture {
 protected:
  RetentionTest() : retention_(*node_) {}
  void SetUp() override { set(kImportDays, "365"); }

  std::unique_ptr<ImportJob> job(const std::string& content) {
    return testing::import_job(*node_, content);
  }
  // The number of its record, also of one that was refused.
  std::uint64_t import(const std::string& content) {
    const ImportOutcome outcome = job(content)->commit();
    return outcome ? outcome->record : outcome.error().record;
  }
  void set(std::string_view setting, const std::string& value) {
    Change change{.caller = kCaller, .cause = engine::Cause::setting};
    change.plan = [&](const engine::State& now, WallTime) -> Result<engine::Transaction> {
      return plan_setting_set(now, std::string(setting), value);
    };
    ASSERT_TRUE(node_->commit(std::move(change)).has_value());
  }
  void tidy_after(hours time) {
    node_.clock().advance(time);
    const Status done = retention_.tidy();
    EXPECT_TRUE(done.has_value()) << done.error().message;
  }
  bool has_record(std::uint64_t number) { return state()->catalog.imports.find(number) != nullptr; }
  std::size_t files() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& file :
         std::filesystem::directory_iterator(node_.file("uploads")))
      ++count;
    return count;
  }
  void expect_sound() { EXPECT_THAT(node_->verify()->findings, IsEmpty()); }

  Retention retention_;
};

TEST_F(RetentionTest, ForgetsOldImportsWithTheirFiles) {
  const std::uint64_t good = import(map_without_nodes("urn:a"));
  const std::uint64_t bad = import("no map");
  ASSERT_EQ(files(), 2U);
  tidy_after(hours(24 * 300));
  EXPECT_TRUE(has_record(good) && has_record(bad)) << "they are young";
  EXPECT_EQ(files(), 2U);
  const std::uint64_t later = import(map_without_nodes("urn:b"));
  tidy_after(hours(24 * 66));
  EXPECT_FALSE(has_record(good) || has_record(bad));
  EXPECT_TRUE(has_record(later));
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(state()->graph.count(Kind::topology), 2U) << "what they brought stays";
  expect_sound();
}

TEST_F(RetentionTest, LeavesAnImportToUndoByItsNumber) {
  const std::uint64_t number = import(map_without_nodes("urn:a"));
  tidy_after(hours(24 * 400));
  ASSERT_FALSE(has_record(number));
  Audit audit(*node_);
  const auto undone =
      Undo(*node_, audit).undo(kCaller, fmt::format("import:{}", number), engine::UndoForce{});
  ASSERT_TRUE(undone.has_value()) << undone.error().message;
  EXPECT_EQ(state()->graph.count(Kind::topology), 0U);
}

TEST_F(RetentionTest, FollowsTheSetting) {
  EXPECT_EQ(setting_number({}, kImportDays), 0U) << "uploads are kept for audits by default";
  const std::uint64_t first = import(map_without_nodes("urn:a"));
  set(kImportDays, "0");
  tidy_after(10 * kYear);
  EXPECT_TRUE(has_record(first)) << "0 = for ever";
  set(kImportDays, "7");
  tidy_after(hours(1));
  EXPECT_FALSE(has_record(first));
}

TEST_F(RetentionTest, KeepsAFileAsLongAsAnyRecordNamesIt) {
  import(map_without_nodes("urn:a"));
  node_.clock().advance(hours(24 * 200));
  const std::uint64_t again = import(map_without_nodes("urn:a"));
  tidy_after(hours(24 * 200));
  EXPECT_EQ(state()->catalog.imports.count(), 1U);
  EXPECT_TRUE(has_record(again));
  EXPECT_EQ(files(), 1U);
  expect_sound();
}

TEST_F(RetentionTest, KeepsWhatPlansAndPollsName) {
  peer_.say(200, kMap);
  const PollReport polled = poll();
  ASSERT_EQ(polled.end, PollEnd::imported);
  const ImportOutcome planned = job(map_without_nodes("urn:a"))->keep_plan();
  ASSERT_TRUE(planned.has_value());
  tidy_after(2 * kYear);
  EXPECT_TRUE(has_record(polled.record)) << "it goes with its poll";
  EXPECT_EQ(files(), 2U);
  ASSERT_TRUE(ImportPlans(*node_).apply(kCaller, planned->plan).has_value());
  for (const PollBatchView& batch : polling_.batches()) remove_batch(batch.number);
  tidy_after(hours(1));
  EXPECT_FALSE(has_record(polled.record));
  EXPECT_EQ(files(), 1U) << "that of the import that the plan became";
  expect_sound();
}

TEST_F(RetentionTest, TakesTheFilesOfForgottenPolls) {
  set(kPollBatchesKept, "3");
  for (int i = 0; i < 6; ++i) {
    peer_.say(200, map_without_nodes("urn:a" + std::to_string(i)));
    ASSERT_EQ(poll().end, PollEnd::imported);
  }
  EXPECT_EQ(polling_.batches().size(), 3U);
  EXPECT_EQ(state()->catalog.imports.count(), 3U);
  EXPECT_EQ(files(), 6U);
  tidy_after(hours(25));
  EXPECT_EQ(files(), 3U);
  expect_sound();
}

TEST_F(RetentionTest, KeepsAFileThatAnImportIsAboutToName) {
  const auto spool = Spool::create(node_->directory(), node_->random(), node_->memory()).value();
  ASSERT_TRUE(spool->write(map_without_nodes("urn:a")));
  ASSERT_TRUE(node_->keep_upload(spool->finish().value()).has_value());
  spool->release();
  tidy_after(hours(1));
  EXPECT_EQ(files(), 1U);
  tidy_after(hours(24));
  EXPECT_EQ(files(), 0U) << "nobody came back for it";
}

TEST_F(RetentionTest, LeavesTheFileOfADeletedPlanForADay) {
  const ImportOutcome planned = job(map_without_nodes("urn:a"))->keep_plan();
  ASSERT_TRUE(planned.has_value());
  tidy_after(hours(100));
  ASSERT_TRUE(ImportPlans(*node_).remove(kCaller, planned->plan).has_value());
  tidy_after(hours(23));
  EXPECT_EQ(files(), 1U) << "an import of the same file may be about to name it";
  tidy_after(hours(2));
  EXPECT_EQ(files(), 0U);
}

TEST_F(RetentionTest, TakesNothingFromABackup_K5) {
  import(map_without_nodes("urn:a"));
  node_.clock().advance(2 * kYear);
  auto backup = node_->backup();
  ASSERT_TRUE(backup.has_value());
  tidy_after(hours(1));
  EXPECT_EQ(files(), 1U);
  for (auto piece = (*backup)->next(); !piece->empty(); piece = (*backup)->next())
    ASSERT_TRUE(piece.has_value());
  backup->reset();
  tidy_after(hours(1));
  EXPECT_EQ(files(), 0U);
}

// ---- what was, seen from later ----

// Copies of the data as they were, opened as nodes of their own.
class ReplayedBeforeRetention : public RetentionTest {
 protected:
  // As it was at `lsn`; what verifying it finds.
  Verification replay(Lsn lsn) {
    const auto copied = node_->copy_until(lsn, copy());
    NETML_ASSERT(copied.has_value());
    return verified(copy());
  }
  Verification verified(const std::string& directory) {
    const auto opened = open(directory);
    const auto found = opened->verify();
    NETML_ASSERT(found.has_value());
    return *found;
  }
  std::unique_ptr<Node> open(const std::string& directory) {
    auto opened = Node::open({.data_directory = directory}, node_.clock(), random_, events_);
    NETML_ASSERT(opened.has_value());
    return std::move(*opened);
  }
  std::string copy() const { return copies_.file("copy").string(); }

  netml::test::TemporaryDirectory copies_;
  netml::testing::SeededRandom random_;
  testing::KeptEvents events_;
};

TEST_F(ReplayedBeforeRetention, IsWholeAndSaysWhichFilesAreGone) {
  import(map_without_nodes("urn:a"));
  const Lsn before = state()->lsn;
  tidy_after(2 * kYear);
  ASSERT_EQ(files(), 0U);
  const Verification found = replay(before);
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_EQ(found.uploads, 0U);
  EXPECT_EQ(found.uploads_gone, 1U);
}

TEST_F(ReplayedBeforeRetention, IsWholeBeforeAPlanWasDeleted) {
  const ImportOutcome planned = job(map_without_nodes("urn:a"))->keep_plan();
  ASSERT_TRUE(planned.has_value());
  ASSERT_TRUE(ImportPlans(*node_).remove(kCaller, planned->plan).has_value());
  tidy_after(hours(25));
  ASSERT_EQ(files(), 0U);
  EXPECT_EQ(replay(planned->lsn).uploads_gone, 1U);
  const auto copied = open(copy());
  const auto refused = ImportPlans(*copied).apply(kCaller, planned->plan);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().error.message, ::testing::HasSubstr("gone by retention"));
}

TEST_F(ReplayedBeforeRetention, MissesAFileThatAnImportBroughtAgain) {
  import(map_without_nodes("urn:a"));
  const Lsn before = state()->lsn;
  tidy_after(2 * kYear);
  ASSERT_EQ(replay(before).uploads_gone, 1U);
  {
    const auto copied = open(copy());
    ASSERT_TRUE(testing::import_job(*copied, map_without_nodes("urn:a"))->commit().has_value());
  }
  for (const auto& file : std::filesystem::directory_iterator(copy() + "/uploads"))
    std::filesystem::remove(file.path());
  const Verification found = verified(copy());
  EXPECT_THAT(found.findings, ElementsAre(HasSubstr("the file of import 1 is missing")));
  EXPECT_EQ(found.uploads_gone, 0U);
}

TEST_F(ReplayedBeforeRetention, IsBackedUpRestoredAndReplayedOnceMore) {
  import(map_without_nodes("urn:a"));
  const Lsn before = state()->lsn;
  tidy_after(2 * kYear);
  replay(before);
  const std::string file = copies_.file("backup").string();
  const std::string again = copies_.file("again").string();
  {
    const auto copied = open(copy());
    const auto backup = copied->backup();
    ASSERT_TRUE(backup.has_value()) << backup.error().message;
    std::ofstream out(file, std::ios::binary);
    for (auto piece = (*backup)->next(); !piece->empty(); piece = (*backup)->next()) {
      ASSERT_TRUE(piece.has_value()) << piece.error().message;
      out.write(reinterpret_cast<const char*>(piece->data()),
                static_cast<std::streamsize>(piece->size()));
    }
    ASSERT_TRUE(copied->copy_until(before, again).has_value());
  }
  EXPECT_EQ(verified(again).uploads_gone, 1U);
  cli::RestoreOptions options;
  options.file = file;
  options.into = copies_.file("restored").string();
  cli::NoProgress progress;
  const auto restored = restore_backup(options, progress);
  ASSERT_TRUE(restored.has_value()) << restored.error().message;
  EXPECT_EQ(restored->uploads_gone, 1U);
  EXPECT_EQ(verified(options.into).uploads_gone, 1U);
}

TEST_F(ReplayedBeforeRetention, MissesAFileThatAnImportStillNames) {
  import(map_without_nodes("urn:a"));
  for (const auto& file : std::filesystem::directory_iterator(node_.file("uploads")))
    std::filesystem::remove(file.path());
  EXPECT_THAT(replay(state()->lsn).findings, ElementsAre(::testing::HasSubstr("is missing")));
}

TEST_F(RetentionTest, ForgetsManyAndWritesNothingWhenNothingIsOld) {
  for (int i = 0; i < 3; ++i) import("no map " + std::to_string(i));
  const Lsn before = state()->lsn;
  tidy_after(hours(1));
  EXPECT_EQ(state()->lsn, before);
  const engine::Transaction two =
      plan_old_imports_delete(*state(), node_.clock().wall().instant(), 2);
  EXPECT_EQ(two.imports.size(), 2U) << "no more than asked for at a time";
}

TEST_F(RetentionTest, IsDoneByItself) {
  import(map_without_nodes("urn:a"));
  node_.clock().advance(2 * kYear);
  retention_.start();
  while (files() != 0) std::this_thread::yield();
  retention_.stop();
  EXPECT_EQ(state()->catalog.imports.count(), 0U);
}

TEST(RetentionOfANode, LeavesTheFileOfAPlanThatWasDeletedBeforeTheStart) {
  testing::OpenNode node;
  const ImportOutcome planned = testing::import_job(*node, map_without_nodes("urn:a"))->keep_plan();
  ASSERT_TRUE(planned.has_value());
  node.clock().advance(hours(100));
  ASSERT_TRUE(ImportPlans(*node).remove(kCaller, planned->plan).has_value());
  node.close();
  node.open();
  const auto left_after = [&](hours time) {
    node.clock().advance(time);
    EXPECT_TRUE(Retention(*node).tidy().has_value());
    return !std::filesystem::is_empty(node.file("uploads"));
  };
  EXPECT_TRUE(left_after(hours(23)));
  EXPECT_FALSE(left_after(hours(2)));
}

TEST_F(RetentionTest, ChangesNothingWhereAnotherMemberLeads) {
  const std::uint64_t old = import(map_without_nodes("urn:a"));
  Retention following(*node_, [] { return false; });
  node_.clock().advance(2 * kYear);
  ASSERT_TRUE(following.tidy().has_value());
  EXPECT_TRUE(has_record(old));
  tidy_after(hours(1));
  EXPECT_FALSE(has_record(old));
}

}  // namespace
}  // namespace netml::admin
