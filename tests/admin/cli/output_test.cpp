// Goal: progress, tables and sizes look right. Method: a fake clock, texts compared whole.
#include <gtest/gtest.h>

#include <condition_variable>

#include "admin/cli/client/exit_code.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using namespace std::chrono_literals;

class ProgressBarTest : public ::testing::Test {
 protected:
  std::unique_ptr<ProgressBar> make(std::optional<std::uint64_t> total) {
    return std::make_unique<ProgressBar>(
        clock_, [this](std::string_view text) { drawn_ += text; },
        ProgressTexts{"sending", "planning and committing"}, total);
  }
  std::string take() { return std::exchange(drawn_, {}); }

  test::FakeClock clock_;
  std::string drawn_;
};

TEST_F(ProgressBarTest, StaysHiddenForASecond) {
  const auto bar = make(100);
  bar->sent(10);
  clock_.now = 1s;
  bar->sent(20);
  bar->finish();
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressBarTest, ShowsTheShareSentThenTheTimeOfTheWork) {
  const auto bar = make(2048);
  clock_.now = 1001ms;
  bar->sent(512);
  EXPECT_EQ(take(),
            "\r\x1b[Ksending [#######.......................] 25 % of 2.0 KiB, 511 B/s, 4 s left");
  clock_.now = 2s;
  bar->sent(2048);
  EXPECT_EQ(take(), "\r\x1b[Kplanning and committing, 2 s");
  clock_.now = 5500ms;
  bar->refresh();
  EXPECT_EQ(take(), "\r\x1b[Kplanning and committing, 5 s");
  bar->finish();
  EXPECT_EQ(take(), "\r\x1b[K");
}

TEST_F(ProgressBarTest, IsDrawnTenTimesASecondAtMost) {
  const auto bar = make(1000);
  clock_.now = 2s;
  int drawings = 0;
  for (int i = 0; i < 100; ++i) {
    clock_.now = clock_.now.load() + 10ms;
    bar->sent(static_cast<std::uint64_t>(i));
    drawings += take().empty() ? 0 : 1;
  }
  EXPECT_EQ(drawings, 10);
}

TEST_F(ProgressBarTest, CountsWhenTheEndIsUnknown) {
  const auto bar = make(std::nullopt);
  clock_.now = 3s;
  bar->sent(3 << 20);
  EXPECT_EQ(take(), "\r\x1b[Ksending 3.0 MiB, 1.0 MiB/s");
}

TEST_F(ProgressBarTest, TellsTheTimeLeftInWholeUnits) {
  const auto bar = make(1'000'000);
  clock_.now = 10s;
  bar->sent(10'000);
  EXPECT_TRUE(take().ends_with(", 1000 B/s, 16 min 30 s left"));
  clock_.now = 1000s;
  bar->sent(20'000);
  EXPECT_TRUE(take().ends_with(", 20 B/s, 13 h 36 min left"));
  clock_.now = 1'000'000s;
  bar->sent(20'001);
  EXPECT_TRUE(take().ends_with(", 0 B/s, 100 h 0 min left"));
}

TEST_F(ProgressBarTest, TellsNoTimeLeftBeforeAnythingWent) {
  const auto bar = make(1'000'000);
  clock_.now = 2s;
  bar->refresh();
  EXPECT_EQ(take(), "\r\x1b[Ksending [..............................] 0 % of 976.6 KiB");
}

// What the work itself tells goes before what was sent for it.
TEST_F(ProgressBarTest, ShowsHowFarTheWorkIsSinceItBeganToTell) {
  const auto bar = make(100);
  bar->sent(100);
  clock_.now = 2s;
  bar->work({.done = 1 << 20, .total = 4 << 20});
  EXPECT_EQ(take(),
            "\r\x1b[Kplanning and committing [#######.......................] 25 % of 4.0 MiB");
  clock_.now = 4s;
  bar->work({.done = 2 << 20, .total = 4 << 20});
  EXPECT_EQ(take(),
            "\r\x1b[Kplanning and committing [###############...............] 50 % of 4.0 MiB, "
            "512.0 KiB/s, 4 s left");
  clock_.now = 5s;
  bar->work({.done = 4 << 20, .total = 4 << 20});
  EXPECT_EQ(take(), "\r\x1b[Kplanning and committing, 5 s");
}

TEST_F(ProgressBarTest, NamesUnitsAndPartsOfTheWork) {
  const auto bar = make(std::nullopt);
  clock_.now = 2s;
  bar->work({.unit = WorkUnit::sources, .done = 0, .total = 4});
  EXPECT_EQ(take(),
            "\r\x1b[Kplanning and committing [..............................] 0 of 4 sources");
  clock_.now = 4s;
  bar->work({.unit = WorkUnit::sources, .done = 1, .total = 4});
  EXPECT_EQ(take(),
            "\r\x1b[Kplanning and committing [#######.......................] 1 of 4 sources, "
            "0.5/s, 6 s left");
  clock_.now = 5s;
  bar->work({.part = "state", .unit = WorkUnit::transactions, .done = 100});
  EXPECT_EQ(take(), "\r\x1b[Kplanning and committing: state 100 transactions");
  clock_.now = 7s;
  bar->work({.part = "state", .unit = WorkUnit::transactions, .done = 140});
  EXPECT_EQ(take(), "\r\x1b[Kplanning and committing: state 140 transactions, 20/s");
}

TEST_F(ProgressBarTest, IsSilentOnceFinished) {
  const auto bar = make(0);
  clock_.now = 3s;
  bar->refresh();
  EXPECT_EQ(take(), "\r\x1b[Kplanning and committing, 3 s");
  bar->finish();
  take();
  clock_.now = 9s;
  bar->refresh();
  bar->finish();
  EXPECT_EQ(take(), "");
}

// The thread draws by itself; the test waits for that drawing, not for a time.
TEST(ProgressTickerTest, MakesABarMoveThatNobodyReportsTo) {
  test::FakeClock clock;
  std::mutex mutex;
  std::condition_variable drawn;
  bool seen = false;
  ProgressBar bar(
      clock,
      [&](std::string_view) {
        const std::lock_guard lock(mutex);
        seen = true;
        drawn.notify_one();
      },
      {"sending", "working"}, 0);
  clock.now = 2s;
  const ProgressTicker ticker(bar);
  std::unique_lock lock(mutex);
  drawn.wait(lock, [&] { return seen; });
  EXPECT_TRUE(seen);
}

TEST(Table, AlignsByCharactersNotBytes) {
  Table table;
  table.row({"NAME", "N"});
  table.row({"Åre", "1"});
  table.row({"Liège", "22", ""});
  EXPECT_EQ(table.text(), "NAME   N\nÅre    1\nLiège  22\n");
  EXPECT_EQ(Table().text(), "");
}

TEST(Table, FitsTheWidthByBreakingItsLastColumn) {
  Table table;
  table.row({"NAME", "MEANING"});
  table.row({"Åre", "a place in the mountains of Jämtland"});
  table.row({"x", "short"});
  EXPECT_EQ(table.text(24),
            "NAME  MEANING\n"
            "Åre   a place in the\n"
            "      mountains of\n"
            "      Jämtland\n"
            "x     short\n");
  EXPECT_EQ(table.text(80), table.text());
  EXPECT_EQ(table.text(21), table.text()) << "too narrow to be read";
}

TEST(Table, LeavesAWordWholeThatIsLongerThanTheWidth) {
  Table table;
  table.row({"a", "see https://example.org/a/very/long/path for more"});
  EXPECT_EQ(table.text(20), "a  see\n   https://example.org/a/very/long/path\n   for more\n");
}

TEST(Tables, AreAsWideAsTheTerminal) {
  test::CommandLineRunner cli;
  cli.script.response.body =
      R"({"items":[{"key":"NAME","value":"1","description":"it says what the node is called"}]})";
  EXPECT_EQ(cli.run({"setting", "list"}), 0) << cli.err;
  EXPECT_NE(cli.out.find("it says what the node is called\n"), std::string::npos) << cli.out;
  cli.environment.out_columns = [] { return std::size_t{60}; };
  EXPECT_EQ(cli.run({"setting", "list"}), 0) << cli.err;
  EXPECT_NE(cli.out.find(" called\n"), std::string::npos) << cli.out;
  EXPECT_EQ(cli.out.find("it says what the node is called\n"), std::string::npos) << cli.out;
}

// Also those that are not all of the text.
TEST(Tables, AreSoWideWhereverTheyStand) {
  test::CommandLineRunner cli;
  cli.environment.out_columns = [] { return std::size_t{61}; };
  cli.script.response.body =
      R"({"data_directory":"/a directory/whose name has/many blanks/in all/its parts"})";
  EXPECT_EQ(cli.run({"status"}), 0) << cli.err;
  EXPECT_NE(cli.out.find(" parts\n"), std::string::npos) << cli.out;
  EXPECT_EQ(cli.out.find("/a directory/whose name has/many blanks/in all/its parts"),
            std::string::npos)
      << cli.out;
  cli.variables["NETML_DATA"] = "d";
  EXPECT_EQ(cli.run({"config", "show"}), 0) << cli.err;
  EXPECT_NE(cli.out.find("environment\n"), std::string::npos) << cli.out;
}

TEST(HumanSize, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(human_size(0), "0 B");
  EXPECT_EQ(human_size(1023), "1023 B");
  EXPECT_EQ(human_size(1024), "1.0 KiB");
  EXPECT_EQ(human_size(1536), "1.5 KiB");
  EXPECT_EQ(human_size((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(human_size(5ULL << 30), "5.0 GiB");
  EXPECT_EQ(human_size(~0ULL), "16384.0 PiB");
}

TEST(Printable, EscapesWhatSteersATerminal) {
  EXPECT_EQ(printable("a\x1b]0;x\x07\n\x7f é"), "a\\x1b]0;x\\x07\\x0a\\x7f é");
  EXPECT_EQ(printable("\xc2\x9b \xc2\xa0"), "\\x9b \xc2\xa0");
  EXPECT_EQ(printable_lines("a\n\tb\r\n"), "a\n\tb\\x0d\n");
}

TEST(ExitCodes, FollowFromTheKindOfError) {
  EXPECT_EQ(exit_code(Errc::corruption), ExitCode::damaged);
  for (const Errc code :
       {Errc::invalid_input, Errc::not_found, Errc::conflict, Errc::unavailable, Errc::no_space,
        Errc::io_error, Errc::too_large, Errc::denied, Errc::internal})
    EXPECT_EQ(exit_code(code), ExitCode::failed);
}

}  // namespace
}  // namespace netml::admin::cli
