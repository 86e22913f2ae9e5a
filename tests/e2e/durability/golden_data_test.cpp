// Goal: data directories that earlier programs wrote are opened, proved whole, replayed and
// exported (rule C4). Method: each compressed directory of tests/golden/data, unpacked anew.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <random>

#include "tests/e2e/lose_unsynced/lost_writes.hpp"
#include "tests/e2e/support/golden_data.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;

class GoldenData : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { unpack_golden(GetParam(), node_); }
  static std::string expected_export() { return golden_export(GetParam()); }
  void remove_files(std::string_view folder) {
    for (const auto& entry : fs::directory_iterator(fs::path(node_.data()) / folder))
      fs::remove(entry.path());
  }

  Node node_;
};

TEST_P(GoldenData, IsWholeAndExportsAsItDidThen_C4) {
  const CommandResult verified = node_.run({"verify"});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_EQ(node_.export_all(), expected_export());
  EXPECT_NE(node_.done({"token", "list"}).find("collector"), std::string::npos);
  EXPECT_NE(node_.done({"user", "list"}).find("ann"), std::string::npos);
}

TEST_P(GoldenData, IsReplayedFromTheJournalAlone_C4) {
  remove_files("checkpoints");
  const CommandResult exported = node_.run({"export"});
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(exported.out, expected_export());
}

TEST_P(GoldenData, TakesChangesAndStartsAgain_C4) {
  const test::TopologyText later =
      test::topology("urn:later", "urn:owner", test::institution("urn:owner"));
  EXPECT_EQ(node_.import(later).exit_code, 0);
  const std::string changed = node_.export_all();
  EXPECT_NE(changed, expected_export());
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
  EXPECT_EQ(node_.export_all(), changed);
}

// Whoever tries this program and changes nothing can go back (rule L3).
TEST_P(GoldenData, KeepsItsFormatUntilSomethingIsChanged_L3) {
  const auto format = [&] {
    const CommandResult checked = node_.run({"downgrade-check"});
    return checked.out.substr(0, checked.out.find(':'));
  };
  const std::string before = format();
  node_.done({"export"});
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
  EXPECT_EQ(format(), before);
  EXPECT_EQ(before, fmt::format("disk format {}", GetParam().substr(1)));
  node_.done({"setting", "set", "IMPORT_ANSWER", "Queued"});
  EXPECT_EQ(format(), "disk format 4");
  EXPECT_EQ(node_.run({"downgrade-check"}).exit_code, 1);
}

// An upgrade: the first starts of a later program, cut off at random times.
TEST_P(GoldenData, OutlastsPowerCutsDuringItsFirstStarts_T2_L3) {
  std::mt19937 random(1);
  for (int i = 0; i < 12; ++i) {
    LostWrites lost(node_.data());
    Process start(program(), {"serve", "--data", node_.data(), "--listen", "127.0.0.1:0"},
                  node_.file("out"), node_.file("err"), lost.variables());
    start.wait(std::chrono::milliseconds(std::uniform_int_distribution<>(0, 80)(random)));
    start.signal(SIGKILL);
    ASSERT_EQ(start.wait(), 128 + SIGKILL);
    lost.lose();
  }
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
  EXPECT_EQ(node_.export_all(), expected_export());
}

// Its checkpoint knows fewer tables than there are now.
TEST_P(GoldenData, TakesEntriesOfATableThatCameLater_C3) {
  const CommandResult none = node_.run({"source", "list"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(none.out, "NAME  ACTIVE  URL  REMARKS\n");
  EXPECT_EQ(none.err, "") << "the checkpoint is not passed over";
  node_.done({"source", "add", "peer", "--host", "peer.example.org"});
  node_.done({"checkpoint"});
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
  EXPECT_NE(node_.done({"source", "list"}).find("https://peer.example.org:443/"),
            std::string::npos);
  EXPECT_EQ(node_.export_all(), expected_export());
}

INSTANTIATE_TEST_SUITE_P(Released, GoldenData, testing::ValuesIn(golden_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace netml::e2e
