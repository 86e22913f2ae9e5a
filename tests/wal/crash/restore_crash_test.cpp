// Goal: a restore that a crash cuts off is never taken for the data.
// Method: the simulated disk is crashed before each operation of the restore, and after the last.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/wal/crash/crash_harness.hpp"
#include "wal/upkeep/backup.hpp"

namespace netml::wal::test {
namespace {

using testing::CrashPattern;
using testing::import_topology;
using testing::SimDisk;

// A disk with a backup of `store`, and an empty directory to restore it into; all is durable.
SimDisk disk_with_backup(Node& from, const Store& store) {
  DataDirectory data = *open_data_directory(from.root());
  const auto backup = *Backup::start(data, store.live_view());
  SimDisk disk;
  const auto root = disk.root();
  EXPECT_TRUE(root->make_directory("restored"));
  const auto file = *root->open("backup.tar", OpenMode::create_new);
  std::uint64_t at = 0;
  for (auto piece = backup->next(); piece && !piece->empty(); piece = backup->next()) {
    EXPECT_TRUE(file->write(at, *piece));
    at += piece->size();
  }
  return disk.crashed({CrashPattern::Kind::all, 0});
}

// Before the restore is reported, a start shows all of it, nothing, or an error; afterwards all.
TEST(RestoreCrash, LeavesAllOrNothing_T2_P2) {
  Node from;
  const auto store = *from.open();
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), name, 3)));
    ASSERT_TRUE(store->checkpoint());
  }
  const engine::Digest digest = store->head()->digest();
  Node node(disk_with_backup(from, *store));
  CrashCounts counts;
  const auto crash = [&](bool restored) {
    for (const CrashPattern& pattern : node.disk().patterns(++counts.operations)) {
      SCOPED_TRACE(to_string(pattern));
      ++counts.images;
      Node later(node.disk().crashed(pattern));
      const auto into = *later.root().open_directory("restored");
      const auto opened = Store::open(*into, later.clock(), later.random(), later.options());
      if (restored) {
        ASSERT_TRUE(opened) << opened.error().message;
      }
      if (!opened) continue;
      const bool nothing = (*opened)->recovery().created && !restored;
      EXPECT_TRUE(nothing || (*opened)->head()->digest() == digest);
    }
  };
  node.disk().observe([&](std::uint64_t, const std::string&) { crash(false); });
  InlineParallel parallel;
  const auto into = *node.root().open_directory("restored");
  const auto done = restore(**node.root().open("backup.tar", OpenMode::read), *into, parallel);
  node.disk().observe(nullptr);
  ASSERT_TRUE(done) << done.error().message;
  crash(true);
  fmt::print("restore: {} boundaries, {} crashes\n", counts.operations, counts.images);
}

}  // namespace
}  // namespace netml::wal::test
