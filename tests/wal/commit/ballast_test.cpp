// Goal: the reserve for a full disk is whole or not there, and never in the way of a start (E3).
#include <gtest/gtest.h>

#include "tests/wal/support/node.hpp"

namespace netml::wal::test {
namespace {

std::vector<std::byte>& ballast(Node& node) {
  return node.disk().content(std::string(kBallastFile));
}

TEST(Ballast, ThatIsTooShortIsMadeAnew_E3) {
  Node node;
  ASSERT_TRUE(node.open());
  ASSERT_EQ(ballast(node).size(), node.options().ballast_bytes);
  ballast(node).resize(100);
  ASSERT_TRUE(node.open());
  EXPECT_EQ(ballast(node).size(), node.options().ballast_bytes);
}

TEST(Ballast, CutOffByACrashIsMadeAnewAtTheNextStart_E3_T2) {
  Node node;
  int seen = 0;
  node.disk().observe([&](std::uint64_t, const std::string& operation) {
    if (operation.find("ballast") == std::string::npos) return;
    for (const testing::CrashPattern& pattern : node.disk().patterns(1)) {
      ++seen;
      Node after(node.disk().crashed(pattern), node.options());
      ASSERT_TRUE(after.open());
      EXPECT_EQ(ballast(after).size(), node.options().ballast_bytes);
    }
  });
  ASSERT_TRUE(node.open());
  EXPECT_GT(seen, 5);
}

TEST(Ballast, ForWhichThereIsNoRoomDoesNotPreventTheStart_E3_T6) {
  Node node;
  node.disk().inject([](std::uint64_t, const std::string& operation) -> std::optional<Error> {
    if (!operation.starts_with("write ballast")) return std::nullopt;
    return Error{Errc::no_space, "No space left on device"};
  });
  auto store = node.open();
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_EQ((*store)->recovery().warnings.size(), 1U);
  for (const std::string& file : node.disk().files())
    EXPECT_EQ(file.find("ballast"), std::string::npos) << file;
  EXPECT_TRUE(commit(**store, testing::import_topology(*(*store)->next(), "a", 2)));
  node.disk().inject(nullptr);
  store->reset();
  ASSERT_TRUE(node.open());
  EXPECT_EQ(ballast(node).size(), node.options().ballast_bytes);
}

}  // namespace
}  // namespace netml::wal::test
