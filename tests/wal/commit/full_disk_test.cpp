// Goal: a start on a full disk shows the data as they are, loses nothing of what it shows, and goes
// on by itself when there is room (E1).
// Method: a disk on which nothing new can be written, with what a killed process left.
#include <gtest/gtest.h>

#include "tests/wal/support/node.hpp"

namespace netml::wal::test {
namespace {

using testing::CrashPattern;
using testing::import_topology;
using testing::SimDisk;

// What is there can be written over, as on any disk; nothing can be added.
void fill(SimDisk& disk) {
  disk.set_free_bytes(0);
  disk.inject([](std::uint64_t, const std::string& operation) -> std::optional<Error> {
    const bool adds = operation.starts_with("create ") ||
                      (operation.starts_with("write ") && !operation.starts_with("write journal/"));
    if (!adds) return std::nullopt;
    return Error{Errc::no_space, "No space left on device"};
  });
}

void make_room(SimDisk& disk) {
  disk.inject(nullptr);
  disk.set_free_bytes(std::uint64_t{1} << 40);
}

// One change is durable, another one is in the page cache only.
SimDisk left_by_a_killed_process(engine::Digest& last) {
  Node node;
  auto store = *node.open();
  EXPECT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  EXPECT_TRUE(store->append(import_topology(*store->next(), "b", 2)));
  EXPECT_TRUE(store->watermark());  // written, not synced
  last = store->next()->digest();
  return node.disk().killed();
}

TEST(FullDisk, IsNoHindranceToAStartThatServesReads_E1) {
  engine::Digest last;
  Node node(left_by_a_killed_process(last));
  fill(node.disk());
  auto opened = node.open();
  ASSERT_TRUE(opened) << opened.error().message;
  Store& store = **opened;
  EXPECT_EQ(store.write_state(), WriteState::no_space);
  EXPECT_TRUE(store.head()->digest() == last);
  EXPECT_EQ(store.head_hash().lsn, Lsn{2});
  EXPECT_FALSE(store.recovery().warnings.empty());
  const auto refused = commit(store, import_topology(*store.next(), "c", 2));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_FALSE(store.checkpoint());
  EXPECT_FALSE(store.resume()) << "there is no room yet";
  EXPECT_EQ(store.write_state(), WriteState::no_space);

  make_room(node.disk());
  ASSERT_TRUE(store.resume());
  EXPECT_EQ(store.write_state(), WriteState::writable);
  ASSERT_TRUE(commit(store, import_topology(*store.next(), "c", 2)));
  const engine::Digest digest = store.head()->digest();
  opened->reset();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE((*again)->head()->digest() == digest);
}

TEST(FullDisk, LosesNothingThatAStartHasShown_S1_T3) {
  engine::Digest last;
  Node node(left_by_a_killed_process(last));
  fill(node.disk());
  std::size_t crashes = 0;
  const auto check = [&] {
    for (const CrashPattern& pattern : node.disk().patterns(1)) {
      SCOPED_TRACE(to_string(pattern));
      Node after(node.disk().crashed(pattern));
      const auto store = after.open();
      ASSERT_TRUE(store) << store.error().message;
      ASSERT_TRUE((*store)->head()->digest() == last);
      ++crashes;
    }
  };
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  check();
  make_room(node.disk());
  node.disk().observe([&](std::uint64_t, const std::string& operation) {
    SCOPED_TRACE(operation);
    if (!HasFatalFailure()) check();
  });
  ASSERT_TRUE((*store)->resume());
  check();
  EXPECT_GT(crashes, 50U);
}

TEST(FullDisk, ThatHasRoomOnlyForASegmentTakesTheManifestLater_E1) {
  engine::Digest last;
  Node node(left_by_a_killed_process(last));
  node.disk().inject([](std::uint64_t, const std::string& operation) -> std::optional<Error> {
    if (operation.find("manifest-") == std::string::npos) return std::nullopt;
    return Error{Errc::no_space, "No space left on device"};
  });
  auto opened = node.open();
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->write_state(), WriteState::no_space);
  EXPECT_TRUE((*opened)->head()->digest() == last);
  make_room(node.disk());
  ASSERT_TRUE((*opened)->resume());
  ASSERT_TRUE(commit(**opened, import_topology(*(*opened)->next(), "c", 2)));
  const engine::Digest digest = (*opened)->head()->digest();
  opened->reset();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE((*again)->head()->digest() == digest);
}

TEST(FullDisk, AtAStopLeavesNothingToWriteAgain_E1) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  fill(node.disk());
  EXPECT_FALSE(store->close());
  const engine::Digest digest = store->head()->digest();
  store.reset();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE((*again)->head()->digest() == digest);
  EXPECT_EQ((*again)->recovery().rewritten_frames, 0U);
  EXPECT_EQ((*again)->write_state(), WriteState::writable) << (*again)->write_error();
}

}  // namespace
}  // namespace netml::wal::test
