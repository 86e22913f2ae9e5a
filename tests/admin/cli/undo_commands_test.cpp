// Goal: `netml undo` asks for what was wanted, lists conflicts, and fails when nothing was done.
#include <gmock/gmock.h>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kConflict =
    R"("conflicts":[{"kind":"Node","id":"urn:n","field":"name","reason":"it was changed since","wanted":"old","now":null,"forced":false}],"conflict_count":3)";

TEST(UndoCommand, TellsWhatWasUndoneAndWhatWasLeft) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"undone":7,"lsn":9,"created":1,"updated":2,"deleted":3,"entries":4,)" + kConflict + '}';
  EXPECT_EQ(cli.run({"undo", "import:3", "--force", "--actor", "ann"}), 0) << cli.err;
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/activity/undo?actor=ann");
  EXPECT_EQ(cli.request().body, R"({"of":"import:3","force":true})");
  EXPECT_EQ(cli.out,
            "left alone: Node urn:n, name: it was changed since; it was old, and is (nothing)\n"
            "and 2 more\n");
  EXPECT_EQ(cli.err,
            "undid LSN 7 at LSN 9: 1 created, 2 updated, 3 deleted, 4 settings, tokens, "
            "accounts or rules; 3 left alone\n");
}

TEST(UndoCommand, SaysThatADryRunChangesNothing) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"undone":7,"lsn":0,"created":1,"dry_run":true})";
  EXPECT_EQ(cli.run({"undo", "7", "--dry-run"}), 0);
  EXPECT_EQ(cli.request().target, "/api/v1/activity/undo?preview=true");
  EXPECT_EQ(cli.request().body, R"({"of":"7","force":false})");
  EXPECT_THAT(cli.err, HasSubstr("nothing was changed: 1 created"));
}

TEST(UndoCommand, FailsWithTheListWhenNothingCouldBeDone) {
  CommandLineRunner cli;
  cli.script.response.status = 409;
  cli.script.response.body = R"({"error":{"message":"nothing can be undone",)" + kConflict + "}}";
  EXPECT_EQ(cli.run({"undo", "7"}), 1);
  EXPECT_THAT(cli.out, HasSubstr("left alone: Node urn:n, name"));
  EXPECT_THAT(cli.err, AllOf(HasSubstr("--force"), HasSubstr("nothing can be undone")));
  EXPECT_EQ(cli.run({"undo", "7", "--json"}), 1);
  EXPECT_EQ(cli.out, outcome_document(R"({"detail":"nothing can be undone",)" + kConflict + '}', 1,
                                      "nothing can be undone"));
}

}  // namespace
}  // namespace netml::admin::cli
