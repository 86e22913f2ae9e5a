// Goal: the program says what it is, and which formats it reads and writes. No node is asked.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;

TEST(Version, NamesProgramBuildFormatAndLibraries) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"--version"}), 0);
  EXPECT_TRUE(cli.out.starts_with("netml 0.")) << cli.out;
  for (const char* word : {"\nrevision ", "\nbuild ", "\ndisk format 1\n", "libraries Boost 1."})
    EXPECT_NE(cli.out.find(word), std::string::npos) << word << " in " << cli.out;
}

TEST(Version, IsAlsoOneJsonDocument) {
  CommandLineRunner cli;
  cli.environment.disk_format_version = 3;
  EXPECT_EQ(cli.run({"--version", "--json"}), 0);
  const std::string by_flag = cli.out;
  EXPECT_EQ(cli.run({"version", "--json"}), 0) << cli.err;
  EXPECT_EQ(cli.out, by_flag);
  const auto document = JsonValue::parse(cli.out);
  ASSERT_TRUE(document.has_value()) << cli.out;
  EXPECT_EQ(document->number("disk_format"), 3U);
  EXPECT_EQ(document->at("disk_formats").number("written"), 3U);
  EXPECT_EQ(document->at("disk_formats").at("read").items().size(), 3U);
  EXPECT_EQ(document->at("backup_formats").number("written"), 3U);
  EXPECT_EQ(document->at("backup_formats").at("read").items().size(), 3U);
  EXPECT_EQ(document->text("commit"), document->text("revision"));
  EXPECT_FALSE(document->text("version").empty());
  EXPECT_FALSE(document->at("libraries").text("OpenSSL").empty());
}

// What the reader of spreadsheets takes and its writer writes stands in tests/codecs.
TEST(Version, NamesTheVersionsOfFormatsThatMapsAreExchangedIn) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"version", "--json"}), 0) << cli.err;
  const auto document = JsonValue::parse(cli.out);
  ASSERT_TRUE(document.has_value()) << cli.out;
  const std::vector<JsonValue> formats = document->at("exchange_formats").items();
  ASSERT_GE(formats.size(), 2U);
  EXPECT_EQ(formats[0].text("name"), "netml");
  EXPECT_EQ(formats[0].text("written"), "http://schemas.ogf.org/nml/2020/01/grenml");
  ASSERT_EQ(formats[0].at("read").items().size(), 1U);
  EXPECT_EQ(formats[0].at("read").items()[0].text(), formats[0].text("written"));
  EXPECT_EQ(formats[1].text("name"), "xlsx");
  EXPECT_EQ(formats[1].text("written"), "v1.0");
  ASSERT_EQ(formats[1].at("read").items().size(), 2U);
  EXPECT_EQ(formats[1].at("read").items()[0].text(), "v0.0");
}

}  // namespace
}  // namespace netml::admin::cli
