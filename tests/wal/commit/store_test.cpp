// Goal: what the store promises holds without faults: durable order, groups, reopening.
#include "wal/commit/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/wal/support/node.hpp"
#include "wal/storage/crc32c.hpp"
#include "wal/upkeep/repair.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;
using testing::TransactionBuilder;

TEST(Store, MakesANewDataDirectoryWhenThereIsNothing) {
  Node node;
  const auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE((*store)->recovery().created);
  EXPECT_EQ((*store)->head_hash().lsn, Lsn{0});
}

TEST(Store, WarnsOfANetworkFileSystem_L1) {
  Node node;
  EXPECT_THAT((*node.open())->recovery().warnings, ::testing::IsEmpty());
  node.disk().set_network_file_system();
  EXPECT_THAT((*node.open())->recovery().warnings,
              ::testing::ElementsAre(::testing::HasSubstr("is on a network file system")));
}

TEST(Store, GivesConsecutiveLsnsAndShowsNothingBeforeTheSync_S1) {
  Node node;
  auto store = *node.open();
  const auto first = store->append(import_topology(*store->next(), "a", 3));
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(*first, Lsn{1});
  EXPECT_EQ(store->head()->graph.size(), 0U);
  const auto second = store->append(import_topology(*store->next(), "b", 3));  // sees the first
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(*second, Lsn{2});
  ASSERT_TRUE(store->sync());
  EXPECT_EQ(store->head()->graph.size(), 14U);
  EXPECT_EQ(store->head_hash().lsn, Lsn{2});
}

TEST(Store, HasTheSameStateAfterReopening_P6) {
  Node node;
  Head head;
  engine::Digest digest;
  {
    auto store = *node.open();
    for (const char* name : {"a", "b", "c"})
      ASSERT_TRUE(commit(*store, import_topology(*store->next(), name, 5)));
    TransactionBuilder edit(*store->next());
    edit.rename(RecordId{2}, "renamed");
    edit.token("client");
    edit.setting("SITE_NAME", "test");
    edit.renumber(RecordId{1}, 10);
    ASSERT_TRUE(commit(*store, edit.finish()));
    head = store->head_hash();
    digest = store->head()->digest();
  }
  const auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->head_hash(), head);
  EXPECT_EQ((*again)->head()->digest(), digest);
  EXPECT_EQ((*again)->head()->lsn, Lsn{4});
  EXPECT_EQ((*again)->recovery().replayed, 4U);
  EXPECT_EQ((*again)->head()->graph.attributes(RecordId{2}).name(), "renamed");
}

TEST(Store, WritesNothingAgainThatAWatermarkVouchesFor_J6) {
  for (const bool marked : {false, true}) {
    Node node;
    {
      auto store = *node.open();
      ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 3)));
      if (marked) {
        ASSERT_TRUE(store->watermark() && store->sync());
      }
    }
    bool changed = false;
    watch_changes(node.disk(), changed);
    auto store = *node.open();
    EXPECT_EQ(store->recovery().rewritten_frames, marked ? 0U : 2U);
    EXPECT_EQ(changed, !marked);
  }
}

class LargeTransaction : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(AtLevelsOfCompression, LargeTransaction, ::testing::Values(0, 1, -3));

// Applied on one thread while it is written by another.
TEST_P(LargeTransaction, IsKeptInSeveralFramesAndSegments_J7) {
  HelperThreads helper;
  const std::uint64_t kilobytes = GetParam() == 0 ? 300 : 8;  // room for one frame
  Node node(small_options(kilobytes << 10));
  node.options().parallel = &helper;
  node.options().journal.compression_level = GetParam();
  engine::Digest digest;
  {
    auto store = *node.open();
    const auto committed = commit(*store, import_topology(*store->next(), "large", 3000));
    ASSERT_TRUE(committed) << committed.error().message;
    digest = store->head()->digest();
    EXPECT_GT(store->manifest().segments.size(), 3U);
  }
  {
    auto store = node.open();
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE((*store)->head()->digest() == digest);
    ASSERT_TRUE((*store)->checkpoint());
  }
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->recovery().checkpoint, Lsn{1});
  EXPECT_TRUE((*store)->head()->digest() == digest);
}

// Decision 27: its LSN is used up.
TEST(Store, ClosesALargeTransactionThatDoesNotFitWithAnAbort) {
  Node node(small_options(300 << 10));
  Head head;
  {
    auto store = *node.open();
    engine::Transaction wrong = import_topology(*store->next(), "wrong", 1500);
    wrong.records.back().before = (wrong.records.end() - 3)->after;  // another link
    const auto refused = store->append(wrong);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::corruption);
    EXPECT_EQ(store->write_state(), WriteState::writable);
    const auto committed = commit(*store, import_topology(*store->next(), "right", 3));
    ASSERT_TRUE(committed) << committed.error().message;
    EXPECT_EQ(*committed, Lsn{2});
    head = store->head_hash();
  }
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->recovery().aborted, 1U);
  EXPECT_EQ((*store)->head_hash(), head);
  EXPECT_EQ((*store)->head()->lsn, Lsn{2});
}

TEST(Store, LeavesNoTraceOfASmallTransactionThatDoesNotFit) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 3)));
  engine::Transaction wrong = import_topology(*store->next(), "b", 3);
  wrong.records.back().before = (wrong.records.end() - 3)->after;  // another link
  const std::uint64_t operations = node.disk().operations();
  EXPECT_FALSE(store->append(wrong));
  EXPECT_TRUE(store->sync());
  EXPECT_EQ(node.disk().operations(), operations);
  EXPECT_EQ(*commit(*store, import_topology(*store->next(), "b", 3)), Lsn{2});
}

TEST(Store, CountsTheBytesOfAllSegmentsOfAllRuns) {
  Node node;
  std::uint64_t last = 0;
  for (int run = 0; run < 3; ++run) {
    const auto store = *node.open();
    EXPECT_EQ(store->checkpoints().journal_bytes(), last);
    // So many that a watermark fits behind the last.
    for (int i = 0; i < 7; ++i)
      ASSERT_TRUE(commit(*store, import_topology(*store->next(), fmt::format("{}.{}", run, i), 9)));
    std::uint64_t sealed = 0;
    for (const SegmentEntry& segment : store->manifest().segments) sealed += segment.bytes;
    EXPECT_GT(sealed, last);
    EXPECT_GT(store->checkpoints().journal_bytes(), sealed);
    last = store->checkpoints().journal_bytes();  // the next run cuts the watermark
    ASSERT_TRUE(store->watermark() && store->sync());
  }
}

TEST(Store, CommitsATransactionWithoutEffects) {
  Node node;
  {
    auto store = *node.open();
    TransactionBuilder nothing(*store->next());
    EXPECT_EQ(*commit(*store, nothing.finish()), Lsn{1});
  }
  EXPECT_EQ((*node.open())->head()->lsn, Lsn{1});
}

TEST(Store, KeepsTheNumbersOfRemovedEntriesTakenThroughACheckpoint) {
  Node node;
  {
    auto store = *node.open();
    TransactionBuilder create(*store->next());
    create.token("one");
    create.token("two");
    ASSERT_TRUE(commit(*store, create.finish()));
    TransactionBuilder remove(*store->next());
    remove.transaction().tokens.push_back({2, store->next()->catalog.tokens.find(2), nullptr});
    ASSERT_TRUE(commit(*store, remove.finish()));
    ASSERT_TRUE(store->checkpoint());
  }
  auto store = *node.open();
  EXPECT_EQ(store->recovery().replayed, 0U);
  EXPECT_EQ(store->head()->catalog.tokens.next_number(), 3U);
  EXPECT_EQ(store->head()->catalog.tokens.count(), 1U);
}

// Stored plans come back from the journal and from a checkpoint alike.
TEST(Store, KeepsPlansThroughTheJournalAndThroughACheckpoint_P6) {
  Node node;
  engine::Digest digest;
  const auto expect_the_same = [&](Store& store) {
    const engine::Catalog& catalog = store.head()->catalog;
    EXPECT_TRUE(store.head()->digest() == digest);
    ASSERT_EQ(catalog.plans.count(), 1U);
    EXPECT_EQ(catalog.plans.find(2)->name, "second.xml");
    EXPECT_EQ(catalog.plans.next_number(), 3U);
  };
  {
    const auto store = *node.open();
    TransactionBuilder builder(*store->next());
    builder.plan("first.xml");
    builder.plan("second.xml");
    ASSERT_TRUE(commit(*store, builder.finish()));
    engine::Transaction removal = TransactionBuilder(*store->next()).finish();
    removal.plans.push_back({1, store->next()->catalog.plans.find(1), nullptr});
    ASSERT_TRUE(commit(*store, removal));
    digest = store->head()->digest();
  }
  {
    const auto store = *node.open();  // from the journal
    expect_the_same(*store);
    ASSERT_TRUE(store->checkpoint());
  }
  const auto store = *node.open();
  EXPECT_EQ(store->recovery().replayed, 0U);
  expect_the_same(*store);
}

// Rules come back from the journal and from a checkpoint alike, their numbers taken for good.
TEST(Store, KeepsRulesThroughTheJournalAndThroughACheckpoint_P6) {
  Node node;
  engine::Digest digest;
  const auto expect_the_same = [&](Store& store) {
    const engine::Catalog& catalog = store.head()->catalog;
    EXPECT_TRUE(store.head()->digest() == digest);
    EXPECT_EQ(catalog.rulesets.find(1)->priority, -7);
    EXPECT_EQ(catalog.rules.find(1)->actions.front().type, "a type of a later version");
    EXPECT_EQ(catalog.rules.find(2), nullptr);
    EXPECT_EQ(catalog.rules.next_number(), 3U);
  };
  {
    const auto store = *node.open();
    TransactionBuilder builder(*store->next());
    builder.ruleset("decisions");
    builder.rule("first", 1);
    builder.rule("second", 1);
    ASSERT_TRUE(commit(*store, builder.finish()));
    engine::Transaction removal = TransactionBuilder(*store->next()).finish();
    removal.rules.push_back({2, store->next()->catalog.rules.find(2), nullptr});
    ASSERT_TRUE(commit(*store, removal));
    digest = store->head()->digest();
  }
  {
    const auto store = *node.open();  // from the journal
    expect_the_same(*store);
    ASSERT_TRUE(store->checkpoint());
  }
  expect_the_same(**node.open());
}

TEST(Store, VerifiesACheckpointOfANodeWithoutAnyChange_L4) {
  Node node;
  {
    const auto store = *node.open();
    ASSERT_TRUE(store->checkpoint());
  }
  InlineParallel parallel;
  const auto report = verify(node.root(), parallel);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->findings, ::testing::IsEmpty());
}

// Whatever the other one says: it is of before the newer version came.
TEST(Store, ChangesNothingWhereOneManifestIsOfANewerVersion_C3) {
  constexpr std::size_t kOldestReaderAt = 10;
  constexpr std::size_t kHeaderCrcAt = 28;
  for (const char* name : {"manifest-0", "manifest-1"}) {
    Node node;
    ASSERT_TRUE(commit(**node.open(), import_topology(engine::State(), "a", 2)));
    std::vector<std::byte>& manifest = node.disk().content(name);
    manifest[kOldestReaderAt] = std::byte{99};
    const std::uint32_t checksum = crc32c(std::span(manifest).first(kHeaderCrcAt));
    std::memcpy(manifest.data() + kHeaderCrcAt, &checksum, sizeof checksum);
    bool changed = false;
    watch_changes(node.disk(), changed);
    const auto opened = node.open();
    ASSERT_FALSE(opened) << name;
    EXPECT_EQ(opened.error().code, Errc::newer_version);
    EXPECT_THAT(opened.error().message, ::testing::HasSubstr("written by a newer version"));
    InlineParallel parallel;
    EXPECT_EQ(plan_repair(node.root(), node.clock(), parallel, Lsn{1}).error().code,
              Errc::newer_version);
    EXPECT_FALSE(changed) << name;
  }
}

TEST(Store, DeletesNoCheckpointThatEitherManifestNames_K4) {
  Node node;
  auto store = *node.open();
  std::size_t most = 0;
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), fmt::format("{}", i), 2)));
    ASSERT_TRUE(store->checkpoint());
    const auto manifests = load_manifest(node.root());
    ASSERT_TRUE(manifests && *manifests && (*manifests)->previous);
    const auto files = (*store->checkpoints().storage().list()).size();
    most = std::max(most, files);
    for (const Manifest& manifest : {(*manifests)->manifest, *(*manifests)->previous})
      for (const CheckpointEntry& entry : manifest.checkpoints)
        for (const std::string& name : {entry.graph.name, entry.catalog.name})
          EXPECT_TRUE(store->checkpoints().storage().open(name, OpenMode::read)) << name;
  }
  EXPECT_EQ(most, 6U) << "two checkpoints kept, and the one that left last";
}

TEST(Store, HasPrivateDataOnlyInTheCatalogPartOfACheckpoint_K3) {
  Node node;
  auto store = *node.open();
  TransactionBuilder create(*store->next());
  create.token("client", "canary-ciphertext");
  ASSERT_TRUE(commit(*store, create.finish()));
  ASSERT_TRUE(store->checkpoint());
  int found = 0;
  for (const std::string& path : node.disk().files()) {
    const auto& content = node.disk().content(path);
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    if (text.find("canary-ciphertext") == std::string_view::npos) continue;
    EXPECT_FALSE(path.ends_with(".graph")) << path;
    found += path.ends_with(".catalog") ? 1 : 0;
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace netml::wal::test
