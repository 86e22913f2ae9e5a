// Goal: what a group holds for the shared log is what a journal would hold, wherever it lies, and
// comes out of the shared log as it went in.
#include "wal/commit/held_group.hpp"

#include <gtest/gtest.h>

#include "tests/wal/support/node.hpp"
#include "wal/commit/incoming_group.hpp"

namespace netml::wal::test {
namespace {

using testing::import_topology;

const NodeUuid kCluster{};
const Head kStart{Lsn{0}, Chain::origin(NodeUuid{})};

class HeldGroupTest : public ::testing::Test {
 protected:
  HeldGroup::Options options(std::uint64_t memory_bytes) const {
    HeldGroup::Options options;
    options.memory_bytes = memory_bytes;
    return options;
  }
  // Each onto the state before.
  static void append(HeldGroup& group, std::initializer_list<const char*> names) {
    auto state = std::make_shared<const engine::State>();
    std::uint64_t lsn = 0;
    for (const char* name : names) {
      const engine::Transaction transaction = import_topology(*state, name, 40);
      state =
          std::make_shared<const engine::State>(*engine::apply(*state, transaction, Lsn{++lsn}));
      ASSERT_TRUE(group.append_effects(transaction));
      const auto committed = group.append_commit(transaction, state->digest());
      ASSERT_TRUE(committed);
      ASSERT_EQ(*committed, Lsn{lsn});
    }
  }
  static std::vector<std::byte> bytes_of(HeldGroup& group) {
    std::vector<std::byte> bytes;
    const auto appended = group.append();
    EXPECT_TRUE(appended);
    for (const auto piece : appended->pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
    return bytes;
  }

  testing::SimDisk disk_;
  std::unique_ptr<Storage> temporary_ = disk_.root();
};

TEST_F(HeldGroupTest, IsTheSameInMemoryAndInAFile) {
  HeldGroup small(kCluster, kStart, *temporary_, options(64 << 20));
  HeldGroup large(kCluster, kStart, *temporary_, options(1000));
  append(small, {"a", "b", "c"});
  EXPECT_TRUE(disk_.files().empty());
  append(large, {"a", "b", "c"});
  EXPECT_EQ(disk_.files().size(), 1U);
  EXPECT_EQ(bytes_of(small), bytes_of(large));
  large.begin(kStart);
  EXPECT_TRUE(disk_.files().empty());
  EXPECT_TRUE(large.empty());
  append(large, {"a"});
  small.begin(kStart);
  append(small, {"a"});
  EXPECT_EQ(bytes_of(small), bytes_of(large));
}

TEST_F(HeldGroupTest, ForgetsATransactionThatDoesNotFit) {
  for (const std::uint64_t memory : {64U << 20, 1000U}) {
    HeldGroup with(kCluster, kStart, *temporary_, options(memory));
    append(with, {"a"});
    const engine::State empty;
    ASSERT_TRUE(with.append_effects(import_topology(empty, "dropped", 50)));
    with.drop_open();
    const std::vector<std::byte> bytes = bytes_of(with);
    HeldGroup without(kCluster, kStart, *temporary_, options(64 << 20));
    append(without, {"a"});
    EXPECT_EQ(bytes, bytes_of(without));
  }
}

TEST_F(HeldGroupTest, ComesBackFrameByFrame) {
  HeldGroup group(kCluster, kStart, *temporary_, options(64 << 20));
  append(group, {"a", "b"});
  const auto appended = group.append();
  ASSERT_TRUE(appended);
  IncomingGroup incoming(kCluster, appended->before, appended->after);
  std::uint64_t commits = 0;
  for (const auto piece : appended->pieces)
    ASSERT_TRUE(incoming.add(piece, [&](const Frame& frame) -> Status {
      commits += frame.header.is(format::FrameKind::commit) ? 1 : 0;
      EXPECT_EQ(frame.header.incarnation, 0U);
      EXPECT_EQ(frame.header.durable, Lsn{0});
      return {};
    }));
  EXPECT_TRUE(incoming.finish());
  EXPECT_EQ(commits, 2U);
}

}  // namespace
}  // namespace netml::wal::test
