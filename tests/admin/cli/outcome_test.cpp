// Goal: a script learns from --json and the exit code alone how a command ended
// (docs/requirements/command-line.md). Method: a fake node; what is printed is compared whole, or
// read as the one document that it is.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admin/base/key_texts.hpp"
#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(OutcomeDocument, TellsHowACommandEndedBeforeWhatItGave) {
  EXPECT_EQ(outcome_document(R"({"lsn":7})", 0, ""),
            R"({"ok":true,"error":null,"exit_code":0,"lsn":7})"
            "\n");
  EXPECT_EQ(outcome_document(R"([{"id":1}])", 0, ""),
            R"({"ok":true,"error":null,"exit_code":0,"items":[{"id":1}]})"
            "\n");
  EXPECT_EQ(outcome_document("", 2, "a \"word\""),
            R"({"ok":false,"error":"a \"word\"","exit_code":2})"
            "\n");
  EXPECT_EQ(outcome_document("<html>", 1, "no"), R"({"ok":false,"error":"no","exit_code":1})"
                                                 "\n");
}

TEST(OutcomeDocument, HasEachMemberOnce) {
  EXPECT_EQ(outcome_document(R"({"ok":true,"exit_code":9,"lsn":7})", 5, "bad"),
            R"({"ok":false,"error":"bad","exit_code":5,"lsn":7})"
            "\n");
}

// Commands whose result is printed and is a failure all the same.
struct FailedResult {
  const char* name;
  std::vector<std::string> arguments;
  std::string answer;
  int exit;
};

void PrintTo(const FailedResult& shown, std::ostream* out) {
  *out << shown.name;
}
class ResultThatFails : public ::testing::TestWithParam<FailedResult> {};

TEST_P(ResultThatFails, IsOneDocumentWithJson) {
  CommandLineRunner cli;
  std::vector<std::string> arguments = GetParam().arguments;
  if (arguments.front() == "rules") arguments.push_back(cli.file("rules.json", "[]"));
  arguments.emplace_back("--json");
  const bool reports = GetParam().answer.starts_with('[');
  cli.script.response.body =
      reports ? R"({"reports":)" + GetParam().answer + '}' : GetParam().answer;
  EXPECT_EQ(cli.run(arguments), GetParam().exit);
  const auto document = JsonValue::parse(cli.out);
  ASSERT_TRUE(document.has_value()) << cli.out;
  EXPECT_EQ(document->text("ok"), "false");
  EXPECT_EQ(document->number("exit_code"), static_cast<std::uint64_t>(GetParam().exit));
  EXPECT_THAT(cli.err, HasSubstr("netml: " + document->text("error") + '\n'));
  EXPECT_EQ(outcome_document(GetParam().answer, GetParam().exit, document->text("error")), cli.out);
}

const std::string kFailedPoll = R"([{"name":"a","result":"failed","message":"gone"}])";

INSTANTIATE_TEST_SUITE_P(
    All, ResultThatFails,
    ::testing::Values(
        FailedResult{"verify", {"verify"}, R"({"ok":false,"findings":["bad frame"]})", 5},
        FailedResult{"poll", {"poll"}, kFailedPoll, 1},
        FailedResult{"collect", {"source", "collect", "a"}, kFailedPoll, 1},
        FailedResult{"source_test", {"source", "test"}, R"([{"name":"a","good":false}])", 1},
        FailedResult{"rules_import",
                     {"rules", "import"},
                     R"({"lsn":5,"invalid_rulesets":[{"name":"B","reason":"no"}]})",
                     3},
        FailedResult{"downgrade_check",
                     {"downgrade-check"},
                     R"({"format":2,"oldest_format":1,"backup_format":1})",
                     1}),
    [](const auto& test) { return std::string(test.param.name); });

// The one before this program's, unless another is named.
TEST(DowngradeCheck, GoesByTheFormatOfTheProgramToGoBackTo) {
  CommandLineRunner cli;
  cli.environment.disk_format_version = 4;
  cli.script.response.body = R"({"format":3,"oldest_format":1,"backup_format":3,"reasons":["r"]})";
  EXPECT_EQ(cli.run({"downgrade-check"}), 0) << cli.err;
  EXPECT_THAT(cli.err, HasSubstr("It becomes 4 when"));
  EXPECT_EQ(cli.run({"downgrade-check", "--to-format", "2"}), 1);
  EXPECT_THAT(cli.err, HasSubstr("r\nnetml: a program of format 2 cannot open it, nor a backup"));
  cli.script.response.body = R"({"format":4,"oldest_format":1,"backup_format":3,"reasons":[]})";
  EXPECT_EQ(cli.run({"downgrade-check"}), 1);
  EXPECT_THAT(cli.err, HasSubstr("a program of format 3 cannot open it. A backup"));
  EXPECT_EQ(cli.run({"downgrade-check", "--to-format", "4"}), 0);
}

TEST(WrongUsage, IsADocumentWithJson) {
  const std::vector<std::vector<std::string>> wrong{{"--json", "status", "--nonsense"},
                                                    {"log", "--json", "--limit", "-1"},
                                                    {"--json"},
                                                    {"no-such-command", "--json"}};
  for (const std::vector<std::string>& arguments : wrong) {
    CommandLineRunner cli;
    EXPECT_EQ(cli.run(arguments), 2);
    const auto document = JsonValue::parse(cli.out);
    ASSERT_TRUE(document.has_value()) << cli.out;
    EXPECT_EQ(document->text("ok"), "false");
    EXPECT_EQ(document->number("exit_code"), 2U);
    EXPECT_THAT(cli.err, HasSubstr(document->text("error")));
  }
}

TEST(WrongUsage, IsADocumentWhereAVariableAsksForJson) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"status", "--nonsense"}), 2);
  EXPECT_EQ(cli.out, "");
  cli.variables["NETML_JSON"] = "true";
  EXPECT_EQ(cli.run({"status", "--nonsense"}), 2);
  EXPECT_THAT(cli.out, HasSubstr(R"("exit_code":2)"));
}

TEST(WrongUsage, IsWhatTheNodeSaysOfArguments) {
  CommandLineRunner cli;
  cli.script.response.status = 400;
  cli.script.response.body =
      R"({"error":{"message":"'foo' is no point in time","code":"invalid-input"}})";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"show", "foo"}, {"undo", "foo"}, {"source", "add", "a", "--host", "h"}}) {
    EXPECT_EQ(cli.run(arguments), 2);
    EXPECT_EQ(cli.err, "netml: 'foo' is no point in time\n");
  }
}

TEST(LimitAdvice, NamesTheListAndTheServerWhoseLimitItIs) {
  CommandLineRunner cli;
  const std::string file = cli.file("map.xml", "<a/>");
  cli.script.response.status = 413;
  cli.script.response.body =
      R"({"error":{"message":"bytes of the file: above upload_bytes_max (10); raise it with --limit upload_bytes_max=N","code":"too-large"}})";
  EXPECT_EQ(cli.run({"import", file, "--limit", "upload_bytes_max=20"}), 1);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("the running server: give --limit where it is started"),
                             HasSubstr("netml status --help lists all limits")));
  constexpr const char* kDeep =
      R"(<Topology xmlns="http://schemas.ogf.org/nml/2020/01/grenml" id="t"><Institution id="i">)"
      R"(<name>I</name></Institution></Topology>)";
  EXPECT_EQ(cli.run({"validate", cli.file("deep.xml", kDeep), "--limit", "xml_depth_max=2"}), 3);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("xml_depth_max (2)"), Not(HasSubstr("running server")),
                             HasSubstr("netml status --help lists all limits")));
  cli.script.response.body = R"({"error":{"message":"there is no such item"}})";
  EXPECT_EQ(cli.run({"import", file}), 1);
  EXPECT_THAT(cli.err, Not(HasSubstr("limit")));
}

// Of what changes nothing, it is not said that it may have been done when its server is lost.
TEST(Questions, AreKnownToChangeNothing) {
  CommandLineRunner cli;
  const std::string file = cli.file("map.xml", "<a/>");
  const std::string rules = cli.file("rules.json", "[]");
  const auto only_asks = [&](const std::vector<std::string>& arguments) {
    cli.script.requests.clear();
    cli.run(arguments);
    return !cli.script.requests.empty() && cli.script.requests.front().only_asks;
  };
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"verify"},
                                             {"import", file, "--dry-run"},
                                             {"rules", "test", rules},
                                             {"rules", "import", rules, "--dry-run"},
                                             {"rules", "apply", "--dry-run"},
                                             {"source", "test"},
                                             {"plan", "again", "1", "--dry-run"},
                                             {"undo", "5", "--dry-run"}})
    EXPECT_TRUE(only_asks(arguments)) << ::testing::PrintToString(arguments);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"import", file},
                                             {"rules", "import", rules},
                                             {"rules", "apply"},
                                             {"plan", "again", "1"},
                                             {"undo", "5"},
                                             {"checkpoint"}})
    EXPECT_FALSE(only_asks(arguments)) << ::testing::PrintToString(arguments);
}

TEST(DamageAdvice, NamesNoCuttingForDataOfANewerVersion) {
  CommandLineRunner cli;
  const auto advised =
      AllOf(HasSubstr("Nothing was changed"), HasSubstr("Use that version of the program"),
            Not(HasSubstr("truncate")));
  cli.script.broken = Error{Errc::newer_version, "m: its format is 3"};
  EXPECT_EQ(cli.run({"log"}), 5);
  EXPECT_THAT(cli.err, advised);

  cli.script.broken.reset();
  cli.script.response.status = 500;
  cli.script.response.body = R"({"error":{"message":"m: its format is 3","code":"newer-version"}})";
  EXPECT_EQ(cli.run({"status"}), 5);
  EXPECT_THAT(cli.err, advised);

  cli.script.response.status = 200;
  cli.script.response.body =
      R"({"ok":false,"findings":["f"],"newer_version":true,"journal_damaged":true})";
  EXPECT_EQ(cli.run({"verify"}), 5);
  EXPECT_THAT(cli.err, advised);
  EXPECT_THAT(cli.out, HasSubstr("of a newer version"));
}

TEST(VerifyTells, WhatIsMadeAgainWhatMayBeWrongAndWhatACrashLeft) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"ok":true,"cache":["index/1"],"warnings":["node.key"],"remains":["journal/1"]})";
  EXPECT_EQ(cli.run({"verify"}), 0);
  EXPECT_THAT(cli.err,
              AllOf(HasSubstr("warning: index/1; it is made again"),
                    HasSubstr("warning: node.key\n"), HasSubstr("journal/1: what a crash leaves")));
}

TEST(DamageAdvice, FollowsAnAnswerThatEndsAtDamage) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"transactions":[]})";
  cli.script.response.damage = "only the state at LSN 2 can be shown";
  EXPECT_EQ(cli.run({"log"}), 5);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("LSN 2"), HasSubstr("truncate")));
}

TEST(VerifyAdvice, NamesCuttingForADamagedJournalAlone) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"ok":false,"findings":["f"],"journal_damaged":true})";
  EXPECT_EQ(cli.run({"verify"}), 5);
  EXPECT_THAT(cli.err, HasSubstr("netml repair --truncate-at"));

  cli.script.response.body = R"({"ok":false,"findings":["f"],"another_history":true})";
  EXPECT_EQ(cli.run({"verify", "--head", "1:" + std::string(64, 'a')}), 5);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("not the history that --head or --key stands for"),
                             HasSubstr("nothing stored is damaged"), Not(HasSubstr("truncate"))));
  EXPECT_THAT(cli.out, AllOf(HasSubstr("another history"), Not(HasSubstr("damaged"))));

  cli.script.response.body = R"({"ok":false,"findings":["uploads/ab: is missing"]})";
  EXPECT_EQ(cli.run({"verify"}), 5);
  EXPECT_THAT(cli.out, HasSubstr("damaged"));
  EXPECT_THAT(cli.err, AllOf(HasSubstr("nothing to cut"), HasSubstr("--without-missing-uploads"),
                             Not(HasSubstr("truncate"))));
}

std::string damaged_key() {
  return fmt::format("data/node.key{}put back a copy", kDamagedKeyText);
}

// No backup holds it, and the journal has nothing to do with it.
TEST(KeyAdvice, NamesNeitherCuttingNorBackupsForADamagedKey) {
  CommandLineRunner cli;
  cli.script.broken = Error{Errc::corruption, damaged_key()};
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"status"}, {"backup", cli.path("x.tar")}}) {
    EXPECT_EQ(cli.run(command), 5);
    EXPECT_THAT(cli.err, AllOf(HasSubstr("node.key is damaged"), HasSubstr("in no backup"),
                               HasSubstr("netml serve --read-only"), Not(HasSubstr("truncate")),
                               Not(HasSubstr("netml restore")), Not(HasSubstr("netml backup"))));
  }
}

TEST(Restore, TakesOneOfBackupAndKeyFromStandardInput) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"restore", "-", "--into", "d", "--key", "-"}), 2);
  EXPECT_THAT(cli.err, HasSubstr("cannot both be standard input"));
  EXPECT_EQ(cli.out, "");
}

TEST(KeyAdvice, IsApartFromThatForOtherFiles) {
  CommandLineRunner cli;
  cli.script.response.body = fmt::format(R"({{"ok":false,"findings":["{}"]}})", damaged_key());
  EXPECT_EQ(cli.run({"verify"}), 5);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("in no backup"), HasSubstr("nothing to cut"),
                             Not(HasSubstr("the node goes on")), Not(HasSubstr("netml restore")),
                             Not(HasSubstr("netml backup"))));

  cli.script.response.body =
      fmt::format(R"({{"ok":false,"findings":["{}","uploads/ab: is missing"]}})", damaged_key());
  EXPECT_EQ(cli.run({"verify"}), 5);
  EXPECT_THAT(cli.err, AllOf(HasSubstr("in no backup"), HasSubstr("bring other files back"),
                             HasSubstr("netml backup"), Not(HasSubstr("the node goes on"))));
}

}  // namespace
}  // namespace netml::admin::cli
