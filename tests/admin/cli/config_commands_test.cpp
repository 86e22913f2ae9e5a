// Goal: netml config tells what counts and why, every mistake of a file with its place, and a file
// that has everything.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "admin/cli/client/json.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/config_check.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// "VALUES from WHERE" of the option.
std::string shown(CommandLineRunner& cli, const std::string& option) {
  const auto document = JsonValue::parse(cli.out);
  EXPECT_TRUE(document.has_value()) << cli.out;
  for (const JsonValue& item : document->at("items").items()) {
    if (item.text("name") != option) continue;
    std::string values;
    for (const JsonValue& value : item.at("values").items())
      values += (values.empty() ? "" : ",") + value.text();
    return fmt::format("{} from {} {}", values, item.text("from"), item.text("where"));
  }
  return "is not there";
}

TEST(ConfigShow, TellsEachValueAndWhereItComesFrom) {
  CommandLineRunner cli;
  const std::string file = cli.file("netml.toml",
                                    "listen = [\"127.0.0.1:1\", \"[::1]:2\"]\n"
                                    "shutdown-timeout = 7\nsandbox = true\ndata = \"of file\"\n");
  cli.variables = {{"NETML_SHUTDOWN_TIMEOUT", "8"},
                   {"DJANGO_ALLOWED_HOSTS", "a b"},
                   {"NETML_DATA", "of variable"}};
  ASSERT_EQ(cli.run({"config", "show", "--config", file, "--json", "--data", "of flag"}), 0)
      << cli.err;
  EXPECT_EQ(shown(cli, "listen"), "127.0.0.1:1,[::1]:2 from file " + file);
  EXPECT_EQ(shown(cli, "sandbox"), "true from file " + file);
  EXPECT_EQ(shown(cli, "shutdown-timeout"), "8 from environment NETML_SHUTDOWN_TIMEOUT");
  EXPECT_EQ(shown(cli, "allowed-hosts"), "a,b from environment DJANGO_ALLOWED_HOSTS");
  EXPECT_EQ(shown(cli, "data"), "of flag from command line ");
  EXPECT_EQ(shown(cli, "read-only"), "false from default ");
  EXPECT_EQ(shown(cli, "tls-cert"), " from default ");
  EXPECT_EQ(shown(cli, "help"), "is not there");
  ASSERT_EQ(cli.run({"config", "show"}), 0);
  EXPECT_THAT(cli.out, ::testing::ContainsRegex("\nlisten +127.0.0.1:8080 +default\n"));
  EXPECT_TRUE(cli.script.requests.empty()) << "no node is asked";
}

TEST(ConfigShow, HasEveryOptionOfServe) {
  CommandLineRunner cli;
  ASSERT_EQ(cli.run({"config", "show", "--json"}), 0);
  Grammar grammar(define_commands);
  for (const CLI::Option* option : grammar.app().get_subcommand("serve")->get_options()) {
    if (!is_for_files(*option)) continue;
    EXPECT_THAT(shown(cli, option->get_lnames().front()), Not(HasSubstr("not there")));
  }
}

std::vector<std::string> problems(const std::string& text) {
  std::vector<std::string> lines;
  for (const ConfigProblem& problem : check_config(text, define_commands))
    lines.push_back(
        fmt::format("{}:{} {}", problem.place.line, problem.place.column, problem.text));
  return lines;
}

TEST(ConfigCheck, ListsEveryMistakeWithItsPlaceAndTheNearestName) {
  EXPECT_THAT(problems("data = \"d\"\n"
                       "lisen = \"127.0.0.1:1\"\n"
                       "  shutdown-timeout = -1\n"
                       "poll-allow = [\"10.0.0.0/8\", \"everywhere\"]\n"
                       "body = \"{}\"\n"
                       "ratio = 1.5\n"
                       "limit = [\"xml_depht_max=1\"]\n"
                       "completely-different = 1\n"),
              ElementsAre(HasSubstr("2:1 there is no option lisen (did you mean listen?)"),
                          HasSubstr("3:22 --shutdown-timeout: -1 is not a whole number"),
                          HasSubstr("4:29 --poll-allow: "), "5:1 body can be given as a flag only",
                          HasSubstr("6:9 a value is a string"), HasSubstr("7:10 --limit: "),
                          "8:1 there is no option completely-different"));
}

TEST(ConfigCheck, ListsEachWrongValueOfAList) {
  EXPECT_THAT(
      problems("trusted-proxy = [\"nobody\", \"10.0.0.0/8\", \"nowhere\"]\n"
               "data = [\"a\", \"b\"]\n"),
      ElementsAre("1:18 --trusted-proxy: not a network: nobody",
                  "1:42 --trusted-proxy: not a network: nowhere", HasSubstr("2:8 --data: ")));
  EXPECT_THAT(problems("\ntrusted-proxy = [\n  \"10.0.0.0/8\",\n  # near\n    \"nowhere\",\n]\n"),
              ElementsAre("5:5 --trusted-proxy: not a network: nowhere"));
}

TEST(ConfigCheck, SaysThatNothingBehindASyntaxErrorWasLookedAt) {
  EXPECT_THAT(problems("lisen = 1\nroot = \nalso-wrong = 1\n"),
              ElementsAre(AllOf(HasSubstr("2:8 "), HasSubstr("what follows was not looked at"))));
  EXPECT_THAT(problems("lisen = 1\n"), ElementsAre(Not(HasSubstr("not looked at"))));
}

TEST(ConfigCheck, TakesOptionsOfAnyCommandAlone) {
  EXPECT_THAT(problems(""), ElementsAre());
  EXPECT_THAT(problems("role = \"admin\"\nkind = \"polling\"\nwhole = true\njson = false\n"),
              ElementsAre());
  EXPECT_THAT(problems("role = \"king\""), ElementsAre(HasSubstr("1:8 --role: ")));
}

TEST(ConfigCheck, WantsACertificateWithItsKey) {
  EXPECT_THAT(problems("\ntls-cert = \"c\""), ElementsAre("2:1 tls-cert needs tls-key"));
  EXPECT_THAT(problems("tls-key = \"k\""), ElementsAre("1:1 tls-key needs tls-cert"));
  EXPECT_THAT(problems("tls-cert = \"c\"\ntls-key = \"k\""), ElementsAre());
}

TEST(ConfigCheck, IsExitCodeThreeAndReadsAlsoWhatTheVariableNames) {
  CommandLineRunner cli;
  const std::string bad = cli.file("bad.toml", "lisen = 1\n[a]\nb = 1\n");
  cli.variables["NETML_CONFIG"] = bad;
  EXPECT_EQ(cli.run({"config", "check", bad}), 3);
  EXPECT_THAT(cli.err, HasSubstr(bad + ":1:1: there is no option lisen (did you mean listen?)\n"));
  EXPECT_THAT(cli.err, HasSubstr(bad + ":2:1: sections"));
  EXPECT_THAT(cli.err, HasSubstr("2 errors"));
  EXPECT_EQ(cli.run({"config", "check", bad, "--json"}), 3);
  const auto document = JsonValue::parse(cli.out);
  ASSERT_TRUE(document.has_value());
  ASSERT_EQ(document->at("items").items().size(), 2U);
  EXPECT_EQ(document->at("items").items()[1].number("line"), 2U);
  EXPECT_EQ(cli.run({"config", "show"}), 2) << "what would use it refuses it";
  EXPECT_EQ(cli.run({"config", "check", cli.file("good.toml", "sandbox = true")}), 0) << cli.err;
}

// Each option of it, no longer commented out, is accepted.
TEST(ConfigExample, HasEveryOptionWithAValueThatCanBeUsed) {
  CommandLineRunner cli;
  ASSERT_EQ(cli.run({"config", "example"}), 0) << cli.err;
  EXPECT_THAT(problems(cli.out), ElementsAre());
  EXPECT_TRUE(examine_config(cli.out).entries.empty()) << "it changes nothing as it is";
  std::string live;
  std::size_t options = 0;
  std::istringstream lines(cli.out);
  for (std::string line; std::getline(lines, line);) {
    const bool option = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    EXPECT_LE(line.size(), 140U) << line;
    live += (option ? line.substr(1) : line) + '\n';
    options += option ? 1 : 0;
  }
  EXPECT_THAT(problems(live), ElementsAre()) << live;
  const ConfigContent content = examine_config(live);
  EXPECT_EQ(content.entries.size(), options);
  Grammar grammar(define_commands);
  for (CLI::App* app : {&grammar.app(), grammar.app().get_subcommand("serve")}) {
    for (const CLI::Option* option : app->get_options()) {
      if (!is_for_files(*option)) continue;
      EXPECT_THAT(cli.out, HasSubstr(fmt::format("\n#{} = ", option->get_lnames().front())));
    }
  }
  EXPECT_THAT(cli.out, Not(HasSubstr("\"...\""))) << "each has a sample or a default";
}

}  // namespace
}  // namespace netml::admin::cli
