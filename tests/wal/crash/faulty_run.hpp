// A short life of a store during which anything may fail, and what must hold afterwards.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/wal/support/node.hpp"

namespace netml::wal::test {

using OpenStore = std::function<Result<std::unique_ptr<Store>>()>;

struct FaultyRun {
  std::map<std::uint64_t, engine::Digest> digests{{0, {}}};  // every state that was aimed at
  Lsn acknowledged;
  bool sound = true;  // nothing has failed
};

// Commits until something fails, goes on when the store says it can.
inline void work(const OpenStore& open, FaultyRun& run) {
  auto opened = open();
  run.sound = opened.has_value();
  if (!opened) return;
  Store& store = **opened;
  for (int i = 0; i < 4; ++i) {
    if (store.write_state() == WriteState::no_space) static_cast<void>(store.resume().has_value());
    const engine::Transaction transaction =
        testing::import_topology(*store.next(), fmt::format("t{}", i), 40);
    // An aborted transaction consumes its LSN, so the next one may be any of these.
    const Lsn before = store.head_hash().lsn;
    Result<Lsn> lsn = store.append(transaction);
    if (lsn) run.digests[lsn->value] = store.next()->digest();
    const engine::StatePtr shown = store.head();
    const Status synced = lsn ? store.sync() : Status(tl::make_unexpected(lsn.error()));
    if (synced) {
      run.acknowledged = *lsn;
      ASSERT_EQ(store.head()->lsn, *lsn);
    } else {
      run.sound = false;
      ASSERT_LE(store.head_hash().lsn, before.next()) << "only what a rotation made durable";
      ASSERT_NE(store.write_state(), WriteState::writable);
    }
    if (i == 1 && !store.checkpoint()) run.sound = false;
  }
}

// After a start when nothing fails any more.
inline void check_start(const OpenStore& open, const FaultyRun& run) {
  auto store = open();
  ASSERT_TRUE(store) << store.error().message;
  const Lsn lsn = (*store)->head()->lsn;
  ASSERT_GE(lsn, run.acknowledged);
  const auto expected = run.digests.find(lsn.value);
  ASSERT_TRUE(expected != run.digests.end());
  EXPECT_TRUE(expected->second == (*store)->head()->digest());
  EXPECT_TRUE(commit(**store, testing::import_topology(*(*store)->next(), "later", 2)));
}

}  // namespace netml::wal::test
