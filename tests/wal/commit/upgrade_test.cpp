// Goal: a data directory of an older format is read and written as it is until a checkpoint keeps
// what it holds in the format of today, and no older program opens it from then on (rules C3 and
// L3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wal/support/node.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/manifest.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/segment.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;

class Upgrade : public ::testing::TestWithParam<std::uint16_t> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(initialise(node_.root(), node_.random()));
    Manifest first = load_manifest(node_.root()).value()->manifest;
    first.format = GetParam();
    ASSERT_TRUE(save_first_manifests(node_.root(), first));
  }
  // What an older program goes by.
  std::uint16_t oldest_reader_of(const char* manifest) {
    constexpr std::size_t kOldestReaderAt = 10;
    return std::to_integer<std::uint16_t>(node_.disk().content(manifest)[kOldestReaderAt]);
  }
  std::vector<std::uint16_t> segment_formats() {
    const auto journal = *node_.root().open_directory(kJournalDirectory);
    const NodeUuid uuid = load_manifest(node_.root()).value()->manifest.node;
    std::vector<std::uint16_t> formats;
    const std::vector<SegmentHeader> segments = list_segments(*journal, uuid).value();
    for (const SegmentHeader& header : segments) formats.push_back(header.format);
    return formats;
  }
  // Of the transactions, in their order.
  std::vector<std::uint16_t> frame_formats() {
    const auto journal = *node_.root().open_directory(kJournalDirectory);
    const NodeUuid uuid = load_manifest(node_.root()).value()->manifest.node;
    JournalWalk walk(*journal, uuid, *list_segments(*journal, uuid));
    std::vector<std::uint16_t> formats;
    for (auto step = walk.next(); step && *step; step = walk.next())
      if ((*step)->frame.header.is(format::FrameKind::commit))
        formats.push_back((*step)->frame.header.version);
    return formats;
  }
  void add(Store& store, const char* topology) {
    ASSERT_TRUE(commit(store, import_topology(*store.next(), topology, 2)));
  }
  // As the program took it that the directory is of.
  void take_old_checkpoint(Store& store) {
    CheckpointSource source = store.checkpoints().source();
    source.format = GetParam();
    const auto files = store.checkpoints().write(source);
    ASSERT_TRUE(files) << files.error().message;
    ASSERT_TRUE(store.checkpoints().install(*files));
    EXPECT_EQ(store.manifest().checkpoints.front().format, GetParam());
  }
  void expect_sound() {
    InlineParallel parallel;
    const auto report = verify(node_.root(), parallel);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->findings, ::testing::IsEmpty());
  }

  Node node_;
};

TEST_P(Upgrade, WaitsForACheckpoint_L3) {
  {
    const auto store = *node_.open();
    add(*store, "a");
    EXPECT_EQ(store->manifest().format, GetParam());
    ASSERT_TRUE(store->checkpoint());
    EXPECT_EQ(store->manifest().format, format::kVersion);
    EXPECT_EQ(store->manifest().checkpoints.front().format, format::kVersion);
    add(*store, "b");
    ASSERT_TRUE(store->checkpoint());
    EXPECT_EQ(store->manifest().checkpoints.front().format, format::kVersion);
  }
  EXPECT_THAT(frame_formats(), ::testing::ElementsAre(GetParam(), format::kVersion));
  for (const char* manifest : {"manifest-0", "manifest-1"})
    EXPECT_EQ(oldest_reader_of(manifest), format::kVersion) << manifest;
  expect_sound();
  const auto store = *node_.open();
  add(*store, "c");
  EXPECT_EQ(segment_formats().front(), GetParam());
  EXPECT_EQ(segment_formats().back(), format::kVersion);
  EXPECT_EQ(store->head()->graph.digest(), store->next()->graph.digest());
}

TEST_P(Upgrade, DoesNotComeOfStartsThatChangeNothing_L3) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE((*node_.open())->close());
  {
    const auto store = *node_.open();
    add(*store, "a");
  }
  {
    const auto killed = *node_.open();
  }
  for (const char* manifest : {"manifest-0", "manifest-1"})
    EXPECT_EQ(oldest_reader_of(manifest), GetParam()) << manifest;
  EXPECT_THAT(segment_formats(), ::testing::Each(GetParam()));
}

// It is of today's format.
TEST_P(Upgrade, ComesOfAPublishedState_L3) {
  const auto store = *node_.open();
  add(*store, "a");
  const auto files = store->checkpoints().write(store->checkpoints().source());
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(store->manifest().format, GetParam()) << "no manifest names it yet";
  ASSERT_TRUE(store->checkpoints().publish(*files));
  EXPECT_EQ(store->manifest().format, format::kVersion);
  EXPECT_EQ(store->manifest().checkpoints.front().format, format::kVersion);
}

// A kill comes before the manifest: the file goes, and the older program may still start.
TEST_P(Upgrade, DoesNotComeOfACheckpointThatIsNotNamed_L3) {
  {
    const auto store = *node_.open();
    add(*store, "a");
    ASSERT_TRUE(store->checkpoints().write(store->checkpoints().source()));
  }
  const auto store = *node_.open();
  EXPECT_EQ(store->manifest().format, GetParam());
  EXPECT_THAT((*node_.root().open_directory(kCheckpointDirectory))->list().value(),
              ::testing::IsEmpty());
}

// The file has the name of the one that is there, which the manifest before knows by its hash.
TEST_P(Upgrade, WritesACheckpointAtTheSameLsnWithTheSameBytes_K4) {
  {
    const auto store = *node_.open();
    add(*store, "a");
    take_old_checkpoint(*store);
    ASSERT_TRUE(store->close());
  }
  const auto store = *node_.open();
  const FileReference before = store->manifest().checkpoints.front().graph;
  ASSERT_TRUE(store->checkpoint());
  EXPECT_EQ(store->manifest().checkpoints.front().graph, before);
  EXPECT_EQ(store->manifest().format, format::kVersion);
  expect_sound();
}

// Both forms of a graph's file hold the same state, and each is started from.
TEST_P(Upgrade, StartsFromCheckpointsOfBothFormats_K1) {
  engine::Digest digest;
  for (const char* topology : {"a", "b", "c"}) {
    const auto store = *node_.open();
    if (*topology != 'a') {
      EXPECT_EQ(store->head()->digest(), digest);
      EXPECT_EQ(store->recovery().checkpoint, store->head()->lsn);
    }
    add(*store, topology);
    if (*topology == 'a') {
      take_old_checkpoint(*store);
    } else {
      ASSERT_TRUE(store->checkpoint());
      EXPECT_EQ(store->manifest().checkpoints.front().format, format::kVersion);
    }
    digest = store->head()->digest();
  }
  expect_sound();
}

INSTANTIATE_TEST_SUITE_P(Formats, Upgrade, ::testing::Values(format::kVersion1, format::kVersion3),
                         ::testing::PrintToStringParamName());

TEST(NewDirectory, HasTheFormatOfTheProgramThroughout) {
  Node node;
  const auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  ASSERT_TRUE(store->checkpoint());
  EXPECT_EQ(store->manifest().format, format::kVersion);
  EXPECT_EQ(store->manifest().checkpoints.front().format, format::kVersion);
}

}  // namespace
}  // namespace netml::wal::test
