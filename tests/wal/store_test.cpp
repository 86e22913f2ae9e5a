// Goal: what the store promises holds without faults: durable order, groups, reopening.
#include "wal/store.hpp"

#include <gtest/gtest.h>

#include "tests/wal/node.hpp"

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

}  // namespace
}  // namespace netml::wal::test
