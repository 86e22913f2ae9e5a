// Goal: each command about the node makes its call of the API and shows the answer.
// Method: a fake node that records requests; the texts printed are compared whole.
#include <gtest/gtest.h>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;

struct Case {
  const char* name;
  std::vector<std::string> arguments;
  std::string method;
  std::string target;
  std::string body;    // of the request
  std::string answer;  // of the node
  std::string out;
  std::string json = {};  // what --json makes of the answer; empty: it is reported as it is
};

void PrintTo(const Case& shown, std::ostream* out) {
  *out << shown.name;
}
// A list comes in pages.
std::string body_of(const Case& given) {
  const bool paged = given.answer.starts_with('[') && !given.target.starts_with("/api/v1/node/");
  return paged ? R"({"items":)" + given.answer + R"(,"next":null})" : given.answer;
}

class AdminCommand : public ::testing::TestWithParam<Case> {};

TEST_P(AdminCommand, MakesItsCallAndShowsTheAnswer) {
  CommandLineRunner cli;
  cli.script.response.body = body_of(GetParam());
  EXPECT_EQ(cli.run(GetParam().arguments), 0) << cli.err;
  ASSERT_EQ(cli.script.requests.size(), 1U);
  EXPECT_EQ(cli.request().method, GetParam().method);
  EXPECT_EQ(cli.request().target, GetParam().target);
  EXPECT_EQ(cli.request().body, GetParam().body);
  EXPECT_FALSE(cli.request().body_file.has_value());
  EXPECT_EQ(cli.out, GetParam().out);
  EXPECT_EQ(cli.err, "");
}

TEST_P(AdminCommand, PrintsTheAnswerInOneDocumentWithJson) {
  CommandLineRunner cli;
  cli.script.response.body = body_of(GetParam());
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.emplace_back("--json");
  EXPECT_EQ(cli.run(arguments), 0) << cli.err;
  const std::string& reported = GetParam().json.empty() ? GetParam().answer : GetParam().json;
  EXPECT_EQ(cli.out, outcome_document(reported, 0, ""));
}

const std::string kItem =
    R"({"id":3,"name":"Spring","description":"d","version":"v","file_date":"2024-03-01T12:00:00+00:00","status":"success","lsn":9,"failure":null,"latest":true})";
const std::string kItemText =
    "number        3\n"
    "name          Spring\n"
    "description   d\n"
    "version       v\n"
    "date          2024-03-01T12:00:00+00:00\n"
    "status        success\n"
    "LSN           9\n"
    "being served  yes\n";

const std::vector<Case> kPublishingCases = {
    Case{"init",
         {"init", "--name", "Net \"A\"", "--owner", "Ö"},
         "POST",
         "/api/v1/node/init",
         R"({"name":"Net \"A\"","owner":"Ö"})",
         R"({"lsn":1,"topology":"urn:t","owner":"urn:o"})",
         "topology urn:t\nowner urn:o\n"},
    Case{"publish",
         {"publish", "Spring", "--description", "d"},
         "POST",
         "/api/v1/publications",
         R"({"name":"Spring","description":"d"})",
         kItem,
         kItemText},
    Case{"published_list",
         {"published", "list"},
         "GET",
         "/api/v1/publications?sort=number&limit=1000",
         "",
         R"([{"id":2,"name":"Zürich","status":"failed","file_date":"T1","lsn":4,"latest":false},)" +
             kItem + "]",
         "NUMBER  NAME    STATUS   DATE                       LSN\n"
         "2       Zürich  failed   T1                         4\n"
         "3       Spring  success  2024-03-01T12:00:00+00:00  9    being served\n"},
    Case{"published_show",
         {"published", "show", "#3"},
         "GET",
         "/api/v1/publications/3",
         "",
         kItem,
         kItemText},
    Case{"published_delete",
         {"published", "delete", "3"},
         "DELETE",
         "/api/v1/publications/3",
         "",
         "",
         "deleted published item 3\n"},
};

const std::vector<Case> kTokenCases = {
    Case{"token_create",
         {"token", "create", "peer", "--kind", "polling"},
         "POST",
         "/api/v1/tokens",
         R"({"name":"peer","type":"polling"})",
         R"({"id":1,"client_name":"peer","kind":"polling","created":"T","value":"s3cret"})",
         "s3cret\n"},
    Case{"token_list",
         {"token", "list"},
         "GET",
         "/api/v1/tokens?sort=number&limit=1000",
         "",
         R"([{"id":1,"client_name":"peer","kind":"polling","created":"T"}])",
         "NAME  KIND     CREATED\n"
         "peer  polling  T\n"},
    Case{"user_list",
         {"user", "list"},
         "GET",
         "/api/v1/accounts?sort=number&limit=1000",
         "",
         R"([{"id":1,"name":"ann","email":"a@b.c","role":"admin","enabled":true,"created":"T1"},)"
         R"({"id":2,"name":"bo","email":"","role":"viewer","enabled":false,"created":"T2"}])",
         "NAME  ROLE    ENABLED  EMAIL  CREATED\n"
         "ann   admin   yes      a@b.c  T1\n"
         "bo    viewer  no              T2\n"},
};

const std::string kRuleLog =
    R"({"rule":{"pk":4,"name":"no a"},"problem":null,)"
    R"("matched_elements":{"type":"Node","quantity":1,"primary_keys":[7]},)"
    R"("actions":[{"action":"Delete Node","element":"a <a> [7]","message":"deleted","succeeded":true},)"
    R"({"action":"Merge into Node","element":"b <b> [6]","message":"no target","succeeded":false}],)"
    R"("action_count":3,"affected":{"institutions":[],"nodes":[7],"links":[]},)"
    R"("cascaded":{"institutions":[],"nodes":[],"links":[8,9],"topologies":[]},)"
    R"("warnings":["mind this"]})";
const std::string kRuleLogText =
    "no a: 1 Node(s) matched, 1 changed, 2 more changed with them\n"
    "    a <a> [7]: Delete Node: deleted\n"
    "    b <b> [6]: Merge into Node: aborted: no target\n"
    "    and 1 more\n"
    "    WARNING: mind this\n";

const std::vector<Case> kRuleCases = {
    Case{"rules_list",
         {"rules", "list"},
         "GET",
         "/api/v1/rulesets?limit=1000",
         "",
         R"([{"id":1,"name":"Mine","enabled":false,"priority":-1,"rules":[)"
         R"({"id":4,"name":"no a","enabled":true,"priority":10,"ready":true,"warnings":["no n"]},)"
         R"({"id":5,"name":"odd","enabled":true,"priority":20,"ready":false,"detail":"why"}]}])",
         "PRIORITY  ENABLED  RULESET / RULE  STATUS\n"
         "-1        no       Mine\n"
         "10        yes        no a          ready; no n\n"
         "20        yes        odd           why\n"},
};

// Those that end with a line on standard error.
TEST(RulesCommand, AppliesRulesAndTellsWhatTheyDid) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"lsn":9,"created":0,"updated":1,"deleted":3,"rules":[)" + kRuleLog + "]}";
  EXPECT_EQ(cli.run({"rules", "apply"}), 0);
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/rulesets/apply");
  EXPECT_EQ(cli.out, kRuleLogText);
  EXPECT_EQ(cli.err, "at LSN 9: 1 rule ran: 0 created, 1 updated, 3 deleted\n");
}

TEST(RulesCommand, TestsAFileAndFailsWhenARulesetWasLeftOut) {
  CommandLineRunner cli;
  const std::string file = cli.file("rules.json", "[]");
  cli.script.response.body =
      R"({"lsn":0,"created":0,"updated":0,"deleted":1,"created_rulesets":["A"],)"
      R"("invalid_rulesets":[{"name":"B","reason":"no"}],)"
      R"("unhealthy_rules":[{"ruleset":"A","rule":"r","problem":"p"}],"rules":[)" +
      kRuleLog + "]}";
  EXPECT_EQ(cli.run({"rules", "test", file}), 3);
  EXPECT_EQ(cli.request().target, "/api/v1/rulesets/try");
  EXPECT_EQ(cli.request().body_file, file);
  EXPECT_EQ(cli.out, "tested A\ninvalid  B: no\nunhealthy  A, r: p\n" + kRuleLogText);
  EXPECT_EQ(cli.err,
            "test, nothing was changed: 1 rule ran: 0 created, 0 updated, 1 deleted\n"
            "netml: 1 ruleset(s) of the file are invalid and were left out\n");
}

TEST(RulesCommand, RehearsesAFileImportByImport) {
  CommandLineRunner cli;
  const std::string file = cli.file("rules.json", "[]");
  const std::string same = R"("created":0,"updated":0,"deleted":0,"examples":[])";
  cli.script.pieces = {
      R"({"from":3,"to":9,"created_rulesets":["A"],"invalid_rulesets":[],"unhealthy_rules":[],)" +
      same + "}\n" + R"({"progress":{"done":2,"total":6}})" + "\n" +
      R"({"import":{"lsn":6,"time":"2024-03-01T00:00:00Z","number":1,"name":"a.xml",)"
      R"("outcome":"planned","reason":null,"created":0,"updated":0,"deleted":2,"examples":[)"
      R"({"kind":"Node","id":"urn:a","name":"A","action":"deleted","fields":[]}]}})" +
      "\n" +
      R"({"import":{"lsn":7,"time":"2024-03-02T00:00:00Z","number":2,"name":"b.xml",)"
      R"("outcome":"carried_over","reason":"gone",)" +
      same + "}}\n" +
      R"({"end":{"lsn":9,"imports":{"planned":1,"refused":0,"carried_over":1},"left_out":1,)" +
      same + "}}\n"};
  EXPECT_EQ(cli.run({"rules", "rehearse", file, "--since", "2024-03-01"}), 0) << cli.err;
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/rulesets/rehearsal?since=2024-03-01");
  EXPECT_EQ(cli.request().body_file, file);
  EXPECT_EQ(cli.out,
            "rehearsed A\n"
            "LSN 3, the rules run at once: nothing differs\n"
            "LSN 6  2024-03-01T00:00:00Z  a.xml: +0 ~0 -2\n"
            "- Node urn:a\n"
            "and 1 more\n"
            "LSN 7  2024-03-02T00:00:00Z  b.xml, carried over without its file (gone): nothing "
            "differs\n"
            "LSN 9, in the end: nothing differs\n");
  EXPECT_EQ(cli.err,
            "rehearsal, nothing was changed: 1 import planned again, 0 refused, 1 carried over "
            "without their files; 1 value could not be carried over\n");
}

TEST(RulesCommand, ImportsAFile) {
  CommandLineRunner cli;
  const std::string file = cli.file("rules.json", "[]");
  cli.script.response.body = R"({"lsn":5,"created_rulesets":["A"],"rules":[]})";
  EXPECT_EQ(cli.run({"rules", "import", file}), 0);
  EXPECT_EQ(cli.request().target, "/api/v1/rulesets/import");
  EXPECT_EQ(cli.out, "stored A\n");
  EXPECT_EQ(cli.err, "at LSN 5: 0 rules ran: 0 created, 0 updated, 0 deleted\n");
  EXPECT_EQ(cli.run({"rules", "import", cli.path("absent.json")}), 1);
}

TEST(RulesCommand, RestoresTheRulesetsShippedAndTellsWhatRan) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"lsn":4,"rulesets":[{"name":"Default"},{"name":"Custom"}],"rules":[]})";
  EXPECT_EQ(cli.run({"rules", "restore-defaults"}), 0);
  EXPECT_EQ(cli.request().target, "/api/v1/rulesets/restore-defaults");
  EXPECT_EQ(cli.out, "restored Default\nrestored Custom\n");
  EXPECT_EQ(cli.err, "at LSN 4: 0 rules ran: 0 created, 0 updated, 0 deleted\n");
}

TEST(RulesCommand, SaysWhatWouldRunBeforeAFileIsStored) {
  CommandLineRunner cli;
  const std::string file = cli.file("rules.json", "[]");
  cli.script.response.body =
      R"({"lsn":0,"created":0,"updated":1,"deleted":3,"created_rulesets":["A"],"rules":[)" +
      kRuleLog + "]}";
  EXPECT_EQ(cli.run({"rules", "import", file, "--dry-run"}), 0);
  EXPECT_EQ(cli.request().target, "/api/v1/rulesets/import?preview=true");
  EXPECT_EQ(cli.out, "would store A\n" + kRuleLogText);
  EXPECT_EQ(cli.err,
            "nothing was changed; it would be: 1 rule ran: 0 created, 1 updated, 3 deleted\n");
  EXPECT_EQ(cli.run({"rules", "apply", "--dry-run"}), 0);
  EXPECT_EQ(cli.script.requests.back().target, "/api/v1/rulesets/apply?preview=true");
}

TEST(RulesCommand, NamesThePlaceWhereAFileIsMalformed) {
  for (const char* command : {"import", "test"}) {
    CommandLineRunner cli;
    const std::string file = cli.file("rules.json", "[}");
    cli.script.response.status = 400;
    cli.script.response.body =
        R"({"error":{"message":"malformed file at line 1, column 2: why","code":"invalid-input",)"
        R"("errors":[{"code":"malformed-file","message":"Error: why","line":1,"column":2}],)"
        R"("error_count":1}})";
    EXPECT_EQ(cli.run({"rules", command, file}), 3);
    EXPECT_EQ(cli.err, file + ":1:2: Error: why\nnetml: malformed file at line 1, column 2: why\n");
  }
}

const std::vector<Case> kSettingCases = {
    Case{"setting_list",
         {"setting", "list"},
         "GET",
         "/api/v1/settings?limit=1000",
         "",
         R"([{"key":"A","name":"A","description":"the first","value":"1","default":"0",)"
         R"("choices":["0","1"],"stored":true},)"
         R"({"key":"LONGER","name":"","value":"","default":"","stored":false}])",
         "NAME    VALUE  DEFAULT  ALLOWED  MEANING\n"
         "A       1      0        0, 1     the first\n"
         "LONGER         (same)\n",
         R"([{"name":"A","display_name":"A","description":"the first","value":"1","default":"0",)"
         R"("allowed":["0","1"],"stored":true},)"
         R"({"name":"LONGER","display_name":"","value":"","default":"","stored":false}])"},
    Case{"setting_get",
         {"setting", "get", "A"},
         "GET",
         "/api/v1/settings/A",
         "",
         R"({"key":"A","value":"1"})",
         "1\n",
         R"({"name":"A","value":"1"})"},
    Case{"setting_set",
         {"setting", "set", "A", "Off"},
         "PUT",
         "/api/v1/settings/A",
         R"({"value":"Off"})",
         R"({"key":"A","value":"Off"})",
         "A = Off\n",
         R"({"name":"A","value":"Off"})"},
    Case{"setting_reset",
         {"setting", "reset", "A"},
         "DELETE",
         "/api/v1/settings/A",
         "",
         R"({"key":"A","value":"On"})",
         "A = On\n",
         R"({"name":"A","value":"On"})"},
};

const std::vector<Case> kMaintenanceCases = {
    Case{"checkpoint",
         {"checkpoint"},
         "POST",
         "/api/v1/node/checkpoint",
         "",
         R"({"lsn":12,"bytes":1536,"file":"checkpoints/12"})",
         "checkpoint at LSN 12: checkpoints/12, 1.5 KiB\n"},
    Case{
        "verify",
        {"verify"},
        "POST",
        "/api/v1/node/verify",
        "",
        R"({"ok":true,"lsn":12,"head":"ab","findings":[],"segments":1,"transactions":30,"bytes":4096,"checkpoints":2,"uploads":3})",
        "result        all is well\n"
        "LSN           12\n"
        "head          ab\n"
        "segments      1\n"
        "transactions  30\n"
        "checkpoints   2\n"
        "stored files  3\n"
        "read          4.0 KiB\n"},
};

std::string case_name(const ::testing::TestParamInfo<Case>& test) {
  return test.param.name;
}

INSTANTIATE_TEST_SUITE_P(FirstTopologyAndPublishing, AdminCommand,
                         ::testing::ValuesIn(kPublishingCases), case_name);
INSTANTIATE_TEST_SUITE_P(Tokens, AdminCommand, ::testing::ValuesIn(kTokenCases), case_name);
INSTANTIATE_TEST_SUITE_P(Rules, AdminCommand, ::testing::ValuesIn(kRuleCases), case_name);
INSTANTIATE_TEST_SUITE_P(Settings, AdminCommand, ::testing::ValuesIn(kSettingCases), case_name);
INSTANTIATE_TEST_SUITE_P(Maintenance, AdminCommand, ::testing::ValuesIn(kMaintenanceCases),
                         case_name);

TEST(VerifyCommand, EndsWithDamagedAndListsTheFindings) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"ok":false,"lsn":12,"head":"ab","findings":["segment 1: bad frame at 4096"]})";
  EXPECT_EQ(cli.run({"verify"}), 5);
  EXPECT_NE(cli.out.find("result        damaged\n"), std::string::npos);
  EXPECT_TRUE(cli.err.starts_with("segment 1: bad frame at 4096\nnetml: ")) << cli.err;
}

// It mends itself, so nothing is damaged.
TEST(VerifyCommand, WarnsOfFilesOfTheCache) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"ok":true,"lsn":12,"head":"ab","findings":[],"cache":["cache/a.xml: it is wrong"]})";
  EXPECT_EQ(cli.run({"verify"}), 0);
  EXPECT_NE(cli.out.find("result        all is well\n"), std::string::npos);
  EXPECT_TRUE(cli.err.starts_with("warning: cache/a.xml: it is wrong; it is made again"))
      << cli.err;
}

TEST(VerifyCommand, WarnsOfSignInsThatAreNoLongerCounted) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"ok":true,"lsn":12,"head":"ab","findings":[],"cache":[],"sign_ins":["it is damaged"]})";
  EXPECT_EQ(cli.run({"verify"}), 0);
  EXPECT_EQ(cli.err, "warning: it is damaged\n");
}

TEST(PublishCommand, ShowsTheItemThatFailed) {
  CommandLineRunner cli;
  cli.script.response.status = 409;
  cli.script.response.body =
      R"({"error":{"code":"conflict","message":"no owner",)"
      R"("publication":{"number":1,"state":"failed","failure":"no owner"}}})";
  EXPECT_EQ(cli.run({"publish", "x"}), 1);
  EXPECT_TRUE(cli.out.starts_with("number        1\n")) << cli.out;
  EXPECT_EQ(cli.err, "netml: no owner\n");
  EXPECT_EQ(cli.run({"publish", "x", "--json"}), 1);
  EXPECT_EQ(cli.out,
            outcome_document(R"({"id":1,"status":"failed","failure":"no owner"})", 1, "no owner"));
}

TEST(Commands, ShowStoredTextsWithoutTheirControlCharacters) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"items":[{"name":"a\u001b[2Jb\nc\u009b","type":"polling","created":"T"}]})";
  EXPECT_EQ(cli.run({"token", "list"}), 0);
  EXPECT_EQ(cli.out,
            "NAME                KIND     CREATED\n"
            "a\\x1b[2Jb\\x0ac\\x9b  polling  T\n");
}

// ---- how failures end ----

struct Ending {
  const char* name;
  int status;
  std::string body;
  int exit;
  std::string err;
};

void PrintTo(const Ending& shown, std::ostream* out) {
  *out << shown.name;
}
class RefusedCommand : public ::testing::TestWithParam<Ending> {};

TEST_P(RefusedCommand, TellsWhyAndEndsWithItsCode) {
  CommandLineRunner cli;
  cli.script.response.status = GetParam().status;
  cli.script.response.body = GetParam().body;
  EXPECT_EQ(cli.run({"status"}), GetParam().exit);
  EXPECT_EQ(cli.out, "");
  EXPECT_EQ(cli.err.substr(0, cli.err.find('\n')), "netml: " + GetParam().err);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedCommand,
    ::testing::Values(
        Ending{"bad_request", 400, R"({"error":{"message":"no","code":"invalid-input"}})", 2, "no"},
        Ending{"not_found", 404, R"({"error":{"message":"none","code":"not-found"}})", 1, "none"},
        Ending{"conflict", 409, R"({"error":{"message":"twice","code":"conflict"}})", 1, "twice"},
        Ending{"unavailable", 503, R"({"error":{"message":"busy","code":"unavailable"}})", 1,
               "busy"},
        Ending{"damaged", 500, R"({"error":{"message":"bad frame","code":"corruption"}})", 5,
               "bad frame"},
        Ending{"export_error", 500, R"({"error":{"error_type":"NoTopologyOwnerError"}})", 1,
               "the node answered with status 500 (NoTopologyOwnerError)"},
        Ending{"no_json", 502, "<html>", 1, "the node answered with status 502"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Commands, GiveTheRefusalAsJsonWhenAsked) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 409, .head = {}, .body = R"({"error":{"message":"twice","code":"conflict"}})"};
  EXPECT_EQ(cli.run({"status", "--json"}), 1);
  EXPECT_EQ(cli.out, outcome_document(R"({"detail":"twice","code":"conflict"})", 1, "twice"));
  EXPECT_EQ(cli.err, "netml: twice\n");
}

TEST(Commands, FailWhenTheAnswerIsNoJson) {
  CommandLineRunner cli;
  cli.script.response.body = "OK";
  EXPECT_EQ(cli.run({"status"}), 1);
  EXPECT_NE(cli.err.find("the answer is not JSON"), std::string::npos);
}

TEST(Commands, FailWhenTheConnectionBreaks) {
  CommandLineRunner cli;
  cli.script.broken = Error{Errc::io_error, "it ends before its time"};
  EXPECT_EQ(cli.run({"checkpoint"}), 1);
  EXPECT_EQ(cli.err, "netml: it ends before its time\n");
}

TEST(Commands, FailWhenStandardOutputCannotBeWritten) {
  CommandLineRunner cli;
  cli.environment.out = [](std::string_view) -> Status {
    return netml::fail(Errc::io_error, "no space left");
  };
  EXPECT_EQ(cli.run({"status"}), 1);
  EXPECT_EQ(cli.err, "netml: no space left\n");
}

// ---- who holds the data directory ----

TEST(Connecting, OpensTheDataDirectoryWhenNoServerRuns) {
  CommandLineRunner cli;
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return std::unique_ptr<Control>();
  };
  std::string opened;
  cli.environment.open = [&](const GlobalOptions& options,
                             Access) -> Result<std::unique_ptr<Control>> {
    opened = options.data_directory;
    return std::make_unique<test::FakeControl>(cli.script);
  };
  EXPECT_EQ(cli.run({"status", "--data", "here"}), 0) << cli.err;
  EXPECT_EQ(opened, "here");
  EXPECT_EQ(cli.script.requests.size(), 1U);
}

TEST(Connecting, EndsWithInUseWhenTheServerDoesNotAnswer) {
  CommandLineRunner cli;
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return netml::fail(Errc::unavailable, "no answer");
  };
  EXPECT_EQ(cli.run({"status"}), 4);
  EXPECT_EQ(cli.err,
            "netml: the data directory ./netml-data cannot be used: no answer. Wait until that "
            "process is done, or stop it.\n");
}

TEST(Connecting, MakesADataDirectoryOnlyForWhatFillsIt) {
  CommandLineRunner cli;
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return std::unique_ptr<Control>();
  };
  std::optional<Access> wanted;
  cli.environment.open = [&](const GlobalOptions&,
                             Access access) -> Result<std::unique_ptr<Control>> {
    wanted = access;
    return std::make_unique<test::FakeControl>(cli.script);
  };
  const std::string file = cli.file("f", "");
  const std::map<std::vector<std::string>, Access> expected{
      {{"init", "--name", "N", "--owner", "O"}, Access::use},
      {{"import", file}, Access::use},
      {{"import", file, "--dry-run"}, Access::find},
      {{"import", file, "--plan"}, Access::use},
      {{"status"}, Access::find},
      {{"export"}, Access::find},
      {{"verify"}, Access::examine},
      {{"publish", "a"}, Access::find},
      {{"setting", "set", "A", "b"}, Access::find},
      {{"poll"}, Access::find},
      {{"checkpoint"}, Access::find},
      {{"key", "create"}, Access::find},
      {{"rules", "apply"}, Access::find},
      {{"token", "create", "a", "--kind", "polling"}, Access::find},
      {{"token", "delete", "a"}, Access::find},
      {{"published", "delete", "1"}, Access::find}};
  for (const auto& [arguments, access] : expected) {
    wanted.reset();
    cli.run(arguments);
    EXPECT_TRUE(wanted == access) << arguments.front();
  }
}

// docs/requirements/durability-and-security.md, section 1.5: each choice on its own line,
// and only commands that there are.
TEST(DamagedData, AreToldWithTheChoicesThereAre) {
  CommandLineRunner cli;
  cli.environment.serve = [](const GlobalOptions&, const ServeOptions&) -> Status {
    return netml::fail(Errc::corruption, "journal/1: offset 4096: damage at LSN 7");
  };
  EXPECT_EQ(cli.run({"serve", "--data", "d"}), 5);
  EXPECT_TRUE(cli.err.starts_with("netml: journal/1: offset 4096: damage at LSN 7\n")) << cli.err;
  EXPECT_NE(cli.err.find("\n  serve the state before the damage: netml serve --read-only --data d"),
            std::string::npos)
      << cli.err;
  EXPECT_EQ(cli.err.find("\\x0a"), std::string::npos);
  EXPECT_NE(cli.err.find("netml restore FILE --into"), std::string::npos) << cli.err;
}

struct OpenError {
  Errc code;
  int exit;
};

void PrintTo(const OpenError& shown, std::ostream* out) {
  *out << static_cast<int>(shown.code);
}
class OpeningFails : public ::testing::TestWithParam<OpenError> {};

TEST_P(OpeningFails, EndsWithTheCodeOfTheReason) {
  CommandLineRunner cli;
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return std::unique_ptr<Control>();
  };
  cli.environment.open = [](const GlobalOptions&, Access) -> Result<std::unique_ptr<Control>> {
    return netml::fail(GetParam().code, "because");
  };
  EXPECT_EQ(cli.run({"status"}), GetParam().exit);
  EXPECT_NE(cli.err.find("because"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, OpeningFails,
                         ::testing::Values(OpenError{Errc::conflict, 4},
                                           OpenError{Errc::corruption, 5},
                                           OpenError{Errc::unavailable, 1},
                                           OpenError{Errc::io_error, 1},
                                           OpenError{Errc::internal, 1}));

TEST(ServeCommand, IsGivenItsOptions) {
  CommandLineRunner cli;
  std::vector<std::string> listen;
  cli.environment.serve = [&](const GlobalOptions&, const ServeOptions& options) -> Status {
    listen = options.listen;
    return {};
  };
  EXPECT_EQ(cli.run({"serve", "--listen", "h:0"}), 0) << cli.err;
  EXPECT_EQ(listen, std::vector<std::string>{"h:0"});
}

// L1: the second server on a directory says whether the first one is well.
TEST(ServeCommand, DistinguishesALivingOwnerFromADeadOne) {
  CommandLineRunner cli;
  cli.environment.serve = [](const GlobalOptions&, const ServeOptions&) -> Status {
    return netml::fail(Errc::conflict, "in use by process 12");
  };
  EXPECT_EQ(cli.run({"serve"}), 1);
  EXPECT_EQ(cli.err, "netml: in use by process 12\n");
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return std::unique_ptr<Control>();
  };
  EXPECT_EQ(cli.run({"serve"}), 4);
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return netml::fail(Errc::unavailable, "no answer");
  };
  EXPECT_EQ(cli.run({"serve"}), 4);
}

// ---- usage, help, version ----

TEST(Commands, EndWithUsageWhenTheCommandLineIsWrong) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"nonsense"}), 2);
  EXPECT_EQ(cli.out, "");
  EXPECT_TRUE(cli.err.starts_with("netml: ")) << cli.err;
  EXPECT_TRUE(cli.script.requests.empty());
}

TEST(Commands, PrintHelpOnStandardOutput) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"import", "--help"}), 0);
  EXPECT_NE(cli.out.find("Example:"), std::string::npos);
  EXPECT_EQ(cli.err, "");
}

}  // namespace
}  // namespace netml::admin::cli
