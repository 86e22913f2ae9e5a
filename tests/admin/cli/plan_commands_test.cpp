// Goal: imports are planned, looked at and applied by command, and a refusal names what moved.
#include <gmock/gmock.h>

#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kPlan =
    R"({"id":3,"name":"map.xml","format":"netbox","format_parameters":"mapping=\"nodes=device\"","topology_name":"","parent":null,"token":"peer","file_hash":"ab","planned_at":"2024-03-02T10:00:00+00:00","lsn":7,"created":1,"updated":2,"deleted":30,"import_record":5,"held_because":"it would delete 30 elements")";

TEST(PlanCommands, AnImportIsKeptAsAPlan) {
  CommandLineRunner cli;
  cli.script.response = {.status = 201,
                         .head = "",
                         .body = R"({"log":"Status: Import complete","plan":3,"created":1})"};
  EXPECT_EQ(cli.run({"import", cli.file("map.xml", "x"), "--plan"}), 0) << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/node/import?name=map.xml&plan=1");
  EXPECT_EQ(cli.out, "Status: Import complete\n");
  EXPECT_EQ(cli.err, "plan 3, nothing was changed: 1 created, 0 updated, 0 deleted\n");
}

TEST(PlanCommands, APlanHasNoDate) {
  CommandLineRunner cli;
  const std::string file = cli.file("map.xml", "x");
  EXPECT_EQ(cli.run({"import", file, "--plan", "--date", "2024-01-01T00:00:00Z"}), 2);
  EXPECT_EQ(cli.run({"import", file, "--plan", "--dry-run"}), 2);
}

TEST(PlanCommands, AnImportThatIsHeldTellsWhatToDo) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 409,
      .head = "",
      .body = R"({"error":{"message":"held as plan 3","code":"conflict","plan":3}})"};
  EXPECT_EQ(cli.run({"import", cli.file("map.xml", "x")}), 1);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("held as plan 3"), HasSubstr("`netml plan show 3`"),
                             HasSubstr("`netml apply 3`")));
}

TEST(PlanCommands, ListShowsEachWithTheReasonItIsHeldFor) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"items":[)" + kPlan + "}]}";
  EXPECT_EQ(cli.run({"plan", "list"}), 0);
  EXPECT_EQ(cli.request().target, "/api/v1/plans?sort=id&limit=1000");
  EXPECT_EQ(cli.out,
            "PLAN  FILE     MADE                       ON LSN  CHANGES    HELD BECAUSE\n"
            "3     map.xml  2024-03-02T10:00:00+00:00  7       +1 ~2 -30  it would delete 30 "
            "elements\n");
}

TEST(PlanCommands, ShowTellsWhatWouldChangeAPageAtATime) {
  CommandLineRunner cli;
  cli.script.pieces = {
      kPlan + R"(,"log":"Status: Import complete","rules":[],"elements":32})" + '\n',
      R"({"kind":"Node","id":"urn:n","action":"deleted","fields":[{"field":"name","before":"N","after":null}]})"
      "\n"};
  EXPECT_EQ(cli.run({"plan", "show", "#3", "--offset", "10", "--limit", "1"}), 0) << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/node/plans/3?offset=10&limit=1");
  EXPECT_THAT(cli.out, AllOf(HasSubstr("format         netbox; mapping=\"nodes=device\"\n"),
                             HasSubstr("below          (top level)\n"),
                             HasSubstr("\nStatus: Import complete\n"),
                             HasSubstr("- Node urn:n\n    name: N\n")));
}

TEST(PlanCommands, ShowSaysFirstThatAPlanNoLongerFits) {
  CommandLineRunner cli;
  const std::string why = "plan 3 cannot be applied: since LSN 7, 1 element moved";
  cli.script.pieces = {kPlan + R"(,"stale":")" + why + R"(","log":"x","rules":[],"elements":0})" +
                       '\n'};
  EXPECT_EQ(cli.run({"plan", "show", "3"}), 0) << cli.err;
  EXPECT_TRUE(cli.out.starts_with(why + "\n\nplan ")) << cli.out;
}

const std::string kMoves =
    R"("moves":[{"text":"GEANT <urn:geant> moves from Research <urn:r> to the top level"}])";

TEST(PlanCommands, AChangeOfParentIsSaidFirst) {
  CommandLineRunner cli;
  const std::string said = "GEANT <urn:geant> moves from Research <urn:r> to the top level\n";
  cli.script.pieces = {kPlan + "," + kMoves + R"(,"log":"x","rules":[],"elements":0})" + '\n'};
  EXPECT_EQ(cli.run({"plan", "show", "3"}), 0) << cli.err;
  EXPECT_TRUE(cli.out.starts_with(said)) << cli.out;
  cli.script.pieces = {};
  cli.script.response = {
      .status = 200, .head = "", .body = R"({"log":"l","dry_run":true,)" + kMoves + "}"};
  EXPECT_EQ(cli.run({"import", cli.file("map.xml", "x"), "--dry-run"}), 0) << cli.err;
  EXPECT_TRUE(cli.out.starts_with(said)) << cli.out;
}

TEST(PlanCommands, ApplyPrintsTheImport) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 201,
      .head = "",
      .body = R"({"log":"Status: Import complete","record":6,"lsn":9,"plan":0,"created":1})"};
  EXPECT_EQ(cli.run({"apply", "3", "--actor", "ann"}), 0);
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/plans/3/apply?actor=ann");
  EXPECT_EQ(cli.err, "import 6 at LSN 9: 1 created, 0 updated, 0 deleted\n");
}

TEST(PlanCommands, ApplyNamesWhatMoved) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 409,
      .head = "",
      .body =
          R"({"error":{"message":"plan 3 cannot be applied","code":"conflict","moved":[{"kind":"Node","id":"urn:n"}],"moved_count":2}})"};
  EXPECT_EQ(cli.run({"apply", "3"}), 1);
  EXPECT_EQ(cli.out, "moved: Node urn:n\nand 1 more\n");
  EXPECT_THAT(cli.err, HasSubstr("plan 3 cannot be applied"));
}

TEST(PlanCommands, AgainShowsWhatDiffers) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 200,
      .head = "",
      .body =
          R"({"log": "Status: Import complete", "plan": 3, "lsn": 9, "created": 1,
              "difference_count": 3, "differences": [
  {"kind": "Node", "id": "urn:n",
   "planned": {"kind": "Node", "id": "urn:n", "action": "updated",
               "fields": [{"field": "name", "before": "A", "after": "N"}]},
   "now": {"kind": "Node", "id": "urn:n", "action": "updated",
           "fields": [{"field": "name", "before": "B", "after": "N"}]}},
  {"kind": "Link", "id": "urn:l",
   "planned": {"kind": "Link", "id": "urn:l", "action": "deleted", "fields": []},
   "now": null}]})"};
  EXPECT_EQ(cli.run({"plan", "again", "#3", "--actor", "ann"}), 0) << cli.err;
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/plans/3/again?actor=ann");
  EXPECT_EQ(cli.out,
            "planned: ~ Node urn:n\n    name: A -> N\n"
            "now:     ~ Node urn:n\n    name: B -> N\n"
            "planned: - Link urn:l\n"
            "now:     nothing for Link urn:l\n"
            "and 1 more\n"
            "Status: Import complete\n");
  EXPECT_EQ(cli.err, "plan 3, nothing was changed: 1 created, 0 updated, 0 deleted\n");
}

TEST(PlanCommands, AgainCanOnlyLook) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 200,
      .head = "",
      .body = R"({"log":"","dry_run":true,"difference_count":0,"differences":[]})"};
  EXPECT_EQ(cli.run({"plan", "again", "3", "--dry-run"}), 0) << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/plans/3/again");
  EXPECT_EQ(cli.out, "nothing would be done otherwise than planned\n");
}

TEST(PlanCommands, DeleteSaysSo) {
  CommandLineRunner cli;
  cli.script.response = {.status = 204, .head = "", .body = ""};
  EXPECT_EQ(cli.run({"plan", "delete", "3"}), 0);
  EXPECT_EQ(cli.request().method, "DELETE");
  EXPECT_EQ(cli.request().target, "/api/v1/plans/3");
  EXPECT_EQ(cli.out, "deleted plan 3\n");
  EXPECT_EQ(cli.run({"plan", "delete", "three"}), 2);
}

}  // namespace
}  // namespace netml::admin::cli
