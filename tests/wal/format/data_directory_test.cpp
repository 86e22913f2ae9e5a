// Goal: making, locking and keeping a data directory, on the real file system and on a simulated
// one with crashes.
#include "wal/format/data_directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/temporary_directory.hpp"
#include "tests/wal/support/node.hpp"
#include "wal/commit/writer.hpp"
#include "wal/storage/posix_storage.hpp"
#include "wal/upkeep/verify.hpp"

namespace netml::wal::test {
namespace {

using netml::test::TemporaryDirectory;
using testing::CrashPattern;
using testing::import_topology;
using testing::SimDisk;

mode_t mode_of(const std::string& path) {
  struct stat status;
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(DataDirectory, OnDiskIsPrivateAndReopens_L2) {
  const TemporaryDirectory parent;
  testing::ManualClock clock;
  testing::SeededRandom random;
  {
    auto storage = *PosixStorage::open_path(parent.path().string());
    ASSERT_TRUE(create_data_directory(*storage, "data", random));
  }
  const std::string path = parent.file("data").string();
  Head head;
  {
    auto data = *PosixStorage::open_path(path);
    auto store = Store::open(*data, clock, random, small_options());
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(commit(**store, import_topology(*(*store)->next(), "a", 60)));
    head = (*store)->head_hash();
    ASSERT_TRUE((*store)->close());
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    EXPECT_EQ(mode_of(entry.path()), entry.is_directory() ? 0700U : 0600U) << entry.path();
  auto data = *PosixStorage::open_path(path);
  auto store = Store::open(*data, clock, random, small_options());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->head_hash(), head);
  EXPECT_EQ((*store)->recovery().replayed, 0U) << "the last checkpoint is at the head";
}

TEST(DataDirectory, ThatOthersMayWriteIsRefused_L2) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::chmod(directory.path().c_str(), 0770), 0);
  auto data = *PosixStorage::open_path(directory.path().string());
  testing::ManualClock clock;
  testing::SeededRandom random;
  const auto store = Store::open(*data, clock, random, small_options());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::denied);
}

TEST(DataDirectory, SymbolicLinksInItAreNotFollowed_L2) {
  const TemporaryDirectory directory;
  auto data = *PosixStorage::open_path(directory.path().string());
  std::filesystem::create_symlink("/etc/hostname", directory.file("file").string());
  std::filesystem::create_directory_symlink("/etc", directory.file("folder").string());
  EXPECT_FALSE(data->open("file", OpenMode::read));
  EXPECT_FALSE(data->open("file", OpenMode::create_empty));
  EXPECT_FALSE(data->open_directory("folder"));
}

TEST(DataDirectory, IsLockedForOneHolderWhoIsNamed_L1) {
  const TemporaryDirectory directory;
  auto data = *PosixStorage::open_path(directory.path().string());
  {
    const auto first = lock_data_directory(*data, {4711, WallTime{1704067200000000}, "1.2.3"});
    ASSERT_TRUE(first) << first.error().message;
    const auto second = lock_data_directory(*data, {4712, {}, "1.2.3"});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Errc::conflict);
    EXPECT_NE(second.error().message.find("process 4711, version 1.2.3"), std::string::npos)
        << second.error().message;
  }
  EXPECT_TRUE(lock_data_directory(*data, {4713, {}, "1.2.3"}));
  EXPECT_TRUE(std::filesystem::exists(directory.file("LOCK").string())) << "never deleted";
}

TEST(DataDirectory, IsCompleteOrAbsentWhereverItsMakingIsCutOff_S3) {
  SimDisk disk;
  std::uint64_t images = 0;
  const auto check = [&] {
    for (const CrashPattern& pattern : disk.patterns(++images)) {
      SimDisk image = disk.crashed(pattern);
      const auto root = image.root();
      testing::SeededRandom random;
      testing::ManualClock clock;
      auto data = root->open_directory("data");
      if (!data) {
        ASSERT_TRUE(create_data_directory(*root, "data", random)) << to_string(pattern);
        data = root->open_directory("data");
      }
      ASSERT_TRUE(data);
      EXPECT_FALSE(*is_new(**data)) << to_string(pattern);
      const auto store = Store::open(**data, clock, random, small_options());
      ASSERT_TRUE(store) << store.error().message;
    }
  };
  disk.observe([&](std::uint64_t, const std::string&) { check(); });
  testing::SeededRandom random;
  ASSERT_TRUE(create_data_directory(*disk.root(), "data", random));
  disk.observe(nullptr);
  check();
  EXPECT_GT(images, 10U);
}

TEST(DataDirectory, WithForeignFilesIsNotTakenForANewOne_P4) {
  Node node;
  ASSERT_TRUE((*node.root().open("notes.txt", OpenMode::create_new))->sync());
  const auto store = node.open();
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::corruption);
  EXPECT_EQ(node.disk().files(), std::vector<std::string>{"notes.txt"});
}

TEST(DataDirectory, KeepsAnUploadBeforeATransactionNamesIt_S3) {
  Node node;
  auto store = *node.open();
  Sha256 hash{};
  hash[0] = std::byte{0xab};
  const std::string name = "uploads/ab" + std::string(62, '0');
  {
    auto file =
        *(*node.root().open_directory(kTemporaryDirectory))->open("spool-1", OpenMode::create_new);
    ASSERT_TRUE(file->write(0, std::as_bytes(std::span(std::string_view("content")))));
  }
  ASSERT_TRUE(store->keep_upload("spool-1", hash));
  SimDisk after = node.disk().crashed({CrashPattern::Kind::none, 0});
  ASSERT_EQ(after.content(name).size(), 7U);
}

TEST(DataDirectory, LosesUnfinishedFilesAtTheStart) {
  Node node;
  {
    auto store = *node.open();
    ASSERT_TRUE(
        (*node.root().open_directory(kTemporaryDirectory))->open("spool-1", OpenMode::create_new));
    ASSERT_TRUE(store->checkpoints().storage().open("x.graph.tmp", OpenMode::create_new));
  }
  ASSERT_TRUE(node.open());
  for (const std::string& path : node.disk().files()) {
    EXPECT_FALSE(path.starts_with("tmp/")) << path;
    EXPECT_FALSE(path.ends_with(".tmp")) << path;
  }
}

TEST(DataDirectory, RemembersThatItWasMadeInTestMode_L5) {
  for (const DataMode mode : {DataMode::normal, DataMode::test}) {
    StoreOptions options = small_options();
    options.mode = mode;
    Node node(options);
    ASSERT_TRUE(node.open());
    node.options().mode = DataMode::test;  // what it is opened with later does not count
    EXPECT_EQ((*node.open())->manifest().test_mode, mode == DataMode::test);
  }
}

TEST(DataDirectory, OpenedAndClosedWithoutChangesIsNotWrittenTo) {
  Node node;
  {
    auto store = *node.open();
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 3)));
    ASSERT_TRUE(store->close());
  }
  bool changed = false;
  watch_changes(node.disk(), changed);
  auto store = *node.open();
  EXPECT_TRUE(store->recovery().clean_stop);
  ASSERT_TRUE(store->close());
  EXPECT_FALSE(changed);
}

TEST(DataDirectory, IsStartedWithoutTheJournalAfterACleanStop) {
  Node node;
  for (std::uint64_t run = 1; run < 4; ++run) {
    auto store = *node.open();
    EXPECT_EQ(store->recovery().journal_bytes, 0U);
    EXPECT_EQ(store->head()->lsn, Lsn{run - 1});
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), fmt::format("{}", run), 3)));
    EXPECT_FALSE(store->manifest().segments.back().sealed);
    ASSERT_TRUE(store->close());
    EXPECT_TRUE(store->manifest().segments.back().sealed);
    InlineParallel parallel;
    EXPECT_TRUE(verify(node.root(), parallel)->findings.empty());
  }
}

}  // namespace
}  // namespace netml::wal::test
