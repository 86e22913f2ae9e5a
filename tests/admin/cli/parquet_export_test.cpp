// Goal: what `netml export --parquet` makes of an answer is a whole part or nothing. Method: a fake
// node that answers in pieces.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/admin/support/cli_fakes.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin::cli {
namespace {

using netml::test::file_content;
using test::CommandLineRunner;
using ::testing::HasSubstr;

constexpr const char* kAbout = "part.json 30\n{\"after\":\"0:ab\",\"head\":\"7:cd\"}";
constexpr const char* kTables = "ends.parquet 1\neeffects.parquet 1\nfimports.parquet 1\ni";

TEST(ParquetExport, MakesAPartOfPiecesOfItsFiles) {
  CommandLineRunner cli;
  cli.script.pieces = {kAbout,    "part.json 0\n", "versions.parquet 2\nv",
                       "wpart.j", "son 0\n",       kTables};
  cli.script.response.body = "";
  ASSERT_EQ(cli.run({"export", "--parquet", cli.path("history")}), 0) << cli.err;
  const std::string part = cli.path("history") + "/lsn-000000000001-000000000007/";
  EXPECT_EQ(file_content(part + "versions.parquet"), "vw");
  EXPECT_EQ(file_content(part + "imports.parquet"), "i");
  EXPECT_EQ(file_content(part + "part.json"), "{\"after\":\"0:ab\",\"head\":\"7:cd\"}");
}

TEST(ParquetExport, MakesNoPartOfAnAnswerThatLacksATable) {
  CommandLineRunner cli;
  cli.script.pieces = {kAbout, "versions.parquet 0\n", kTables};
  cli.script.response.body = "";
  EXPECT_EQ(cli.run({"export", "--parquet", cli.path("history")}), 1);
  EXPECT_THAT(cli.err, HasSubstr("it lacks versions.parquet"));
  EXPECT_FALSE(std::filesystem::exists(cli.path("history")));
}

}  // namespace
}  // namespace netml::admin::cli
