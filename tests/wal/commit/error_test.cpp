// Goal: an I/O error never loses or acknowledges the wrong thing (E1, E2, T6).
// Method: operation n fails, for every n, once or from then on, with each kind of error; then the
// disk works again, the node restarts, and what it holds is compared with what it acknowledged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/wal/crash/faulty_run.hpp"

namespace netml::wal::test {
namespace {

using testing::CrashPattern;
using testing::import_topology;
using testing::SimDisk;

enum class Repeat : std::uint8_t { once, for_ever };

void check_restart(const SimDisk& disk, const FaultyRun& run, const std::string& label) {
  for (const CrashPattern& pattern :
       {CrashPattern{CrashPattern::Kind::all, 0}, CrashPattern{CrashPattern::Kind::none, 0},
        CrashPattern{CrashPattern::Kind::random, 5}}) {
    SCOPED_TRACE(label + ", crash keeps: " + to_string(pattern));
    Node node(disk.crashed(pattern), small_options());
    check_start([&] { return node.open(); }, run);
  }
}

// With writes that fail when a part of them was written.
enum class FailedWrite : std::uint8_t { writes_nothing, writes_a_part };

void fail_everywhere(Errc code, Repeat repeat, FailedWrite writes = FailedWrite::writes_nothing) {
  Node counting;
  FaultyRun complete;
  work([&] { return counting.open(); }, complete);
  const std::uint64_t operations = counting.disk().operations();
  for (std::uint64_t n = 0; n < operations; ++n) {
    Node node;
    FaultyRun run;
    std::string what;
    node.disk().write_a_part_when_failing(writes == FailedWrite::writes_a_part);
    node.disk().inject(
        [&](std::uint64_t number, const std::string& operation) -> std::optional<Error> {
          if (number != n && (repeat == Repeat::once || number < n)) return std::nullopt;
          if (what.empty()) what = operation;
          return Error{code, "injected"};
        });
    work([&] { return node.open(); }, run);
    node.disk().inject(nullptr);
    check_restart(node.disk(), run, fmt::format("operation {} failed: {}", n, what));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(WriteErrors, OfTheDeviceOnceLoseNothingAcknowledged_E2_T6) {
  fail_everywhere(Errc::io_error, Repeat::once);
}
TEST(WriteErrors, OfTheDeviceForEverLoseNothingAcknowledged_E2_T6) {
  fail_everywhere(Errc::io_error, Repeat::for_ever);
}
TEST(WriteErrors, OfAFullDiskOnceLoseNothingAcknowledged_E1_T6) {
  fail_everywhere(Errc::no_space, Repeat::once);
}
TEST(WriteErrors, OfAFullDiskForEverLoseNothingAcknowledged_E1_T6) {
  fail_everywhere(Errc::no_space, Repeat::for_ever);
}
TEST(WriteErrors, InTheMiddleOfAWriteLoseNothingAcknowledged_E1_T6) {
  for (const Errc code : {Errc::io_error, Errc::no_space})
    for (const Repeat repeat : {Repeat::once, Repeat::for_ever})
      fail_everywhere(code, repeat, FailedWrite::writes_a_part);
}
// EMFILE and their like: as with memory, they may pass.
TEST(WriteErrors, OfMissingDescriptorsLoseNothingAcknowledged_E4_T6) {
  fail_everywhere(Errc::unavailable, Repeat::once);
  fail_everywhere(Errc::unavailable, Repeat::for_ever);
}
TEST(WriteErrors, OfMissingRightsLoseNothingAcknowledged_E4_T6) {
  fail_everywhere(Errc::denied, Repeat::for_ever);
}

// The allocator fails in the middle of each operation.
TEST(WriteErrors, OfMissingMemoryLoseNothingAcknowledgedAndPass_E4_T6) {
  const auto commit_some = [](Store& store, std::size_t nodes) {
    return commit(store, import_topology(*store.next(), fmt::format("n{}", nodes), nodes));
  };
  std::uint64_t failed = 0;
  for (std::uint64_t n = 0; failed == n; ++n) {
    Node node;
    auto store = *node.open();
    ASSERT_TRUE(commit_some(*store, 2));
    const std::uint64_t first = node.disk().operations();
    node.disk().inject([&](std::uint64_t number, const std::string&) -> std::optional<Error> {
      if (number != first + n) return std::nullopt;
      ++failed;
      throw std::bad_alloc();
    });
    Lsn acknowledged{1};
    for (const std::size_t nodes : {30U, 3U, 31U}) {
      const Result<Lsn> lsn = commit_some(*store, nodes);
      if (lsn) {
        acknowledged = *lsn;
      } else {
        EXPECT_EQ(store->next(), store->head()) << n;
      }
      if (store->write_state() == WriteState::no_space) {
        ASSERT_TRUE(store->resume());
      }
    }
    node.disk().inject(nullptr);
    const engine::Digest digest = store->head()->digest();
    const bool writable = store->write_state() == WriteState::writable;
    store.reset();
    auto again = node.open();
    ASSERT_TRUE(again) << "operation " << n << ": " << again.error().message;
    EXPECT_GE((*again)->head()->lsn, acknowledged) << n;
    if (writable) {
      EXPECT_TRUE((*again)->head()->digest() == digest) << n;
    }
  }
  EXPECT_GT(failed, 20U);
}

// Fails the operations whose text begins with `prefix`.
void fail_on(SimDisk& disk, std::string prefix, Errc code) {
  disk.inject([prefix = std::move(prefix), code](
                  std::uint64_t, const std::string& operation) -> std::optional<Error> {
    if (!operation.starts_with(prefix)) return std::nullopt;
    return Error{code, "injected"};
  });
}

TEST(WriteErrors, AFailedSyncIsNeverTriedAgain_E2) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  const engine::StatePtr before = store->head();
  fail_on(node.disk(), "fdatasync journal/", Errc::io_error);
  EXPECT_FALSE(commit(*store, import_topology(*store->next(), "b", 2)));
  EXPECT_EQ(store->write_state(), WriteState::failed);
  node.disk().inject(nullptr);
  const std::uint64_t operations = node.disk().operations();
  EXPECT_FALSE(store->sync());
  EXPECT_FALSE(store->resume());
  EXPECT_FALSE(store->append(import_topology(*store->next(), "c", 2)));
  EXPECT_EQ(node.disk().operations(), operations) << "the disk is left alone";
  EXPECT_EQ(store->head(), before) << "reading goes on";
}

TEST(WriteErrors, AFullDiskIsLeftWhenThereIsRoomAgain_E1_E3) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  fail_on(node.disk(), "write journal/", Errc::no_space);
  node.disk().set_free_bytes(0);
  EXPECT_FALSE(commit(*store, import_topology(*store->next(), "b", 2)));
  // Even zeroing what was written in part failed, so nobody knows what is there.
  EXPECT_EQ(store->write_state(), WriteState::failed);
}

TEST(WriteErrors, NoRoomForANewSegmentIsWaitedFor_E1_E3) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  const Head head = store->head_hash();
  fail_on(node.disk(), "write journal/next-segment.tmp", Errc::no_space);
  node.disk().set_free_bytes(0);
  EXPECT_FALSE(commit(*store, import_topology(*store->next(), "b", 60)));
  EXPECT_EQ(store->write_state(), WriteState::no_space);
  EXPECT_EQ(store->head_hash(), head);
  EXPECT_FALSE(store->resume()) << "there is no room yet";
  node.disk().inject(nullptr);
  node.disk().set_free_bytes(std::uint64_t{1} << 40);
  ASSERT_TRUE(store->resume());
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "b", 60)));
  const engine::Digest digest = store->head()->digest();
  store.reset();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE((*again)->head()->digest() == digest);
}

TEST(WriteErrors, AGroupThatFailsIsUndoneAsAWhole_E1) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  ASSERT_TRUE(store->append(import_topology(*store->next(), "b", 2)));
  fail_on(node.disk(), "create journal/next-segment.tmp", Errc::no_space);
  EXPECT_FALSE(store->append(import_topology(*store->next(), "c", 60)));
  EXPECT_EQ(store->next(), store->head());
  node.disk().inject(nullptr);
  store.reset();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->head()->lsn, Lsn{1});
}

// Writing goes on behind `durable`, which is the head though its group failed.
void expect_to_go_on_from(Lsn durable, std::unique_ptr<Store> store, Node& node) {
  EXPECT_EQ(store->write_state(), WriteState::no_space);
  EXPECT_EQ(store->head_hash().lsn, durable);
  EXPECT_EQ(store->next(), store->head());
  node.disk().inject(nullptr);
  ASSERT_TRUE(store->resume());
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "later", 2)));
  const engine::Digest digest = store->head()->digest();
  store.reset();
  const auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE((*again)->head()->digest() == digest);
}

TEST(WriteErrors, WhatANewSegmentMadeDurableStaysWhenTheRestOfItsGroupFails_E1_S3) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  Lsn last;
  for (int i = 0; store->manifest().segments.size() == 1; ++i)
    last = *store->append(import_topology(*store->next(), fmt::format("b{}", i), 2));
  ASSERT_TRUE(store->append(import_topology(*store->next(), "c", 2)));
  bool failed = false;
  node.disk().inject([&](std::uint64_t, const std::string& operation) -> std::optional<Error> {
    if (!operation.starts_with("write journal/") || std::exchange(failed, true))
      return std::nullopt;
    return Error{Errc::no_space, "injected"};
  });
  EXPECT_FALSE(store->sync());
  expect_to_go_on_from(Lsn{last.value - 1}, std::move(store), node);
}

TEST(WriteErrors, WhatANewSegmentMadeDurableStaysWhenTheManifestCannotNameIt_E1_S3) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  node.disk().inject([](std::uint64_t, const std::string& operation) -> std::optional<Error> {
    if (operation.find("manifest-") == std::string::npos) return std::nullopt;
    return Error{Errc::no_space, "injected"};
  });
  Lsn last;
  Result<Lsn> appended;
  for (int i = 0; appended; ++i) {
    last = store->next()->lsn;
    appended = store->append(import_topology(*store->next(), fmt::format("b{}", i), 2));
  }
  expect_to_go_on_from(last, std::move(store), node);
}

// From the sync of such a file on, one bit of it is another one.
void spoil(SimDisk& disk, std::string prefix) {
  disk.observe([&disk, prefix = std::move(prefix)](std::uint64_t, const std::string& operation) {
    constexpr std::string_view kSync = "fsync ";
    if (!operation.starts_with(std::string(kSync) + prefix)) return;
    disk.content(operation.substr(kSync.size())).back() ^= std::byte{1};
  });
}

TEST(WriteErrors, AManifestOrCheckpointThatReadsBackDifferentlyIsNotUsed_S3_K1) {
  for (const char* prefix : {"manifest-", "checkpoints/"}) {
    Node node;
    auto store = *node.open();
    ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
    const std::uint64_t generation = store->manifest().generation;
    spoil(node.disk(), prefix);
    EXPECT_FALSE(store->checkpoint()) << prefix;
    node.disk().observe(nullptr);
    EXPECT_EQ(store->manifest().generation, generation) << prefix;
    store.reset();
    auto again = node.open();
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ((*again)->head()->lsn, Lsn{1});
    EXPECT_EQ((*again)->recovery().checkpoint, Lsn{0});
  }
}

TEST(WriteErrors, AFailedCheckpointLeavesTheOldOneAndWritingGoesOn_K6) {
  Node node;
  auto store = *node.open();
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "a", 2)));
  ASSERT_TRUE(store->checkpoint());
  ASSERT_TRUE(commit(*store, import_topology(*store->next(), "b", 2)));
  fail_on(node.disk(), "fsync checkpoints/", Errc::io_error);
  EXPECT_FALSE(store->checkpoint());
  node.disk().inject(nullptr);
  EXPECT_EQ(store->write_state(), WriteState::writable);
  EXPECT_TRUE(commit(*store, import_topology(*store->next(), "c", 2)));
  store.reset();
  auto again = node.open();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->recovery().checkpoint, Lsn{1});
  EXPECT_EQ((*again)->head()->lsn, Lsn{3});
}

}  // namespace
}  // namespace netml::wal::test
