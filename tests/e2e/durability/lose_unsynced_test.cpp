// Goal: the power cut of the tests takes what was not synced, and nothing else. What it is used for
// (kill_test.cpp) could not fail otherwise.
// Method: a shell works in a directory; then everything must be as it was at the last syncs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/e2e/lose_unsynced/lost_writes.hpp"
#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;

class LoseUnsynced : public testing::Test {
 protected:
  void SetUp() override { fs::create_directory(data_); }

  void work(const std::string& script) {
    Process shell("/bin/sh", {"-e", "-c", fmt::format("cd {}; {}", data_.string(), script)},
                  directory_.file("out").string(), directory_.file("err").string(),
                  lost_.variables());
    ASSERT_EQ(shell.wait(), 0) << read_file(directory_.file("err"));
  }
  std::string content(const char* name) const { return read_file(data_ / name); }
  bool exists(const char* name) const { return fs::exists(data_ / name); }

  test::TemporaryDirectory directory_;
  fs::path data_ = directory_.file("data");
  LostWrites lost_{data_};
};

TEST_F(LoseUnsynced, KeepsWhatWasSynced) {
  work("echo one > a; echo two > b; sync a b; mv b c; sync .");
  EXPECT_EQ(lost_.lose(), 0U);
  EXPECT_EQ(content("a"), "one\n");
  EXPECT_EQ(content("c"), "two\n");
  EXPECT_FALSE(exists("b"));
}

TEST_F(LoseUnsynced, PutsBackBytesAndLengths) {
  work("echo long enough > a; echo second >> a; sync a .; echo x > a; echo more >> a");
  EXPECT_GT(lost_.lose(), 0U);
  EXPECT_EQ(content("a"), "long enough\nsecond\n");
}

TEST_F(LoseUnsynced, LosesNamesWithoutASyncOfTheirDirectory) {
  work("echo one > a; sync a");
  EXPECT_GT(lost_.lose(), 0U);
  EXPECT_FALSE(exists("a"));
}

TEST_F(LoseUnsynced, LosesBytesWithoutASyncOfTheirFile) {
  work("echo one > a; sync .");
  EXPECT_GT(lost_.lose(), 0U);
  EXPECT_TRUE(exists("a"));
  EXPECT_EQ(content("a"), "");
}

TEST_F(LoseUnsynced, TakesBackRenamesAndDeletions) {
  work(
      "for name in a b c d; do echo $name > $name; sync $name; done; sync .; mv a b; rm c; mv d e");
  EXPECT_GT(lost_.lose(), 0U);
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(content(name), fmt::format("{}\n", name));
  EXPECT_FALSE(exists("e"));
}

TEST_F(LoseUnsynced, TakesBackWhatOneRunDidAfterAnother) {
  work("echo one > a; sync a .");
  EXPECT_EQ(lost_.lose(), 0U);
  work("echo two > a");
  EXPECT_GT(lost_.lose(), 0U);
  EXPECT_EQ(content("a"), "one\n");
}

}  // namespace
}  // namespace netml::e2e
