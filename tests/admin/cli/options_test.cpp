// Goal: a command line means what docs/requirements/command-line.md says. Method: parse lists of
// arguments with a map as environment and files in a temporary folder, and look at what the
// commands then ask of a fake node and a fake environment.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <sstream>

#include "admin/base/limits.hpp"
#include "admin/cli/commands/commands.hpp"
#include "admin/cli/grammar/command_line.hpp"
#include "admin/cli/grammar/grammar.hpp"
#include "bench/generator/generator.hpp"
#include "engine/base/wording.hpp"
#include "tests/admin/support/cli_fakes.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin::cli {
namespace {

using Arguments = std::vector<std::string>;
using VariableMap = std::map<std::string, std::string>;

tl::expected<CommandLine, std::string> parse(const Arguments& arguments,
                                             const VariableMap& environment = {}) {
  const auto variable = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  return parse_command_line(arguments, variable, define_commands)
      .map_error([](const WrongUsage& usage) { return usage.message; });
}

// What a command line prints.
std::string printed(const Arguments& arguments) {
  test::CommandLineRunner cli;
  EXPECT_EQ(cli.run(arguments), 0) << cli.err;
  return cli.out;
}

// What the one request of a command line is.
ControlRequest requested(const Arguments& arguments, const VariableMap& environment = {}) {
  test::CommandLineRunner cli;
  cli.variables = environment;
  EXPECT_EQ(cli.run(arguments), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.size(), 1U);
  return cli.script.requests.empty() ? ControlRequest() : cli.script.requests.back();
}

ServeOptions served(const Arguments& arguments, const VariableMap& environment = {}) {
  test::CommandLineRunner cli;
  cli.variables = environment;
  std::optional<ServeOptions> given;
  cli.environment.serve = [&](const GlobalOptions&, const ServeOptions& options) -> Status {
    given = options;
    return {};
  };
  EXPECT_EQ(cli.run(arguments), 0) << cli.err;
  EXPECT_TRUE(given.has_value()) << "another command";
  return given.value_or(ServeOptions());
}

TEST(CommandLineOptions, AllOfServeAreUnderstood) {
  const auto serve = served({"serve",
                             "--listen",
                             "127.0.0.1:0",
                             "--listen=[::1]:8081",
                             "--tls-cert",
                             "c.pem",
                             "--tls-key",
                             "k.pem",
                             "--metrics-listen",
                             "127.0.0.1:9464,[::1]:0",
                             "--log-format",
                             "json",
                             "--log-level",
                             "debug",
                             "--allowed-hosts",
                             "a.example,b.example",
                             "--poll-allow",
                             "10.0.0.0/8",
                             "--trusted-proxy",
                             "10.1.1.1",
                             "--sso-proxy",
                             "10.2.0.0/16",
                             "--admin-eppns",
                             "a@example.org,b@example.org",
                             "--test-mode",
                             "--development",
                             "--read-only",
                             "--shutdown-timeout",
                             "3"});
  EXPECT_EQ(serve.listen, (Arguments{"127.0.0.1:0", "[::1]:8081"}));
  EXPECT_EQ(serve.tls_certificate, "c.pem");
  EXPECT_EQ(serve.tls_key, "k.pem");
  EXPECT_EQ(serve.metrics_listen, (Arguments{"127.0.0.1:9464", "[::1]:0"}));
  EXPECT_EQ(serve.log_format, "json");
  EXPECT_EQ(serve.log_level, "debug");
  EXPECT_EQ(serve.allowed_hosts, (Arguments{"a.example", "b.example"}));
  EXPECT_EQ(serve.poll_allow, Arguments{"10.0.0.0/8"});
  EXPECT_EQ(serve.trusted_proxies, Arguments{"10.1.1.1"});
  EXPECT_EQ(serve.sso_proxies, Arguments{"10.2.0.0/16"});
  EXPECT_EQ(serve.admin_eppns, (Arguments{"a@example.org", "b@example.org"}));
  EXPECT_TRUE(serve.test_mode && serve.development && serve.read_only);
  EXPECT_EQ(serve.shutdown_timeout_s, 3U);
}

TEST(CommandLineOptions, ServeHasTheDocumentedDefaults) {
  const auto line = parse({"serve"});
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->global.data_directory, "./netml-data");
  EXPECT_FALSE(line->global.json);
  const ServeOptions serve = served({"serve"});
  EXPECT_EQ(serve.listen, Arguments{"127.0.0.1:8080"});
  EXPECT_EQ(serve.metrics_listen, Arguments{});
  EXPECT_EQ(serve.log_format, "text");
  EXPECT_EQ(serve.log_level, "information");
  EXPECT_FALSE(serve.test_mode || serve.development || serve.read_only);
  EXPECT_EQ(serve.shutdown_timeout_s, 10U);
}

TEST(CommandLineOptions, GlobalOnesMayStandBeforeAndAfterTheCommand) {
  for (const Arguments& arguments : {Arguments{"--data", "d", "--json", "token", "list"},
                                     Arguments{"token", "--data", "d", "list", "--json"},
                                     Arguments{"token", "list", "--json", "--data=d"}}) {
    const auto line = parse(arguments);
    ASSERT_TRUE(line.has_value()) << line.error();
    EXPECT_EQ(line->global.data_directory, "d");
    EXPECT_TRUE(line->global.json);
  }
}

TEST(CommandLineOptions, TakeTheMemoryInWholeUnits) {
  const auto line = parse({"serve", "--memory-max", "384M"});
  ASSERT_TRUE(line.has_value()) << line.error();
  EXPECT_EQ(line->global.memory_max, 384ULL << 20);
  EXPECT_EQ(parse({"status"}, {{"NETML_MEMORY_MAX", "2G"}})->global.memory_max, 2ULL << 30);
  EXPECT_EQ(parse({"status"})->global.memory_max, std::nullopt);
  EXPECT_FALSE(parse({"serve", "--memory-max", "much"}).has_value());
}

// docs/requirements/durability-and-security.md, section 3: every limit can be set; decision 16:
// nesting too.
TEST(CommandLineOptions, OfNumbersTakeNoOtherTextAndNothingBelowZero) {
  struct Place {
    CLI::App* app;
    Arguments words;
  };
  Grammar grammar(define_commands);
  std::vector<Place> pending{{&grammar.app(), {}}};
  std::size_t options = 0;
  while (!pending.empty()) {
    const Place place = pending.back();
    pending.pop_back();
    for (CLI::App* below : place.app->get_subcommands([](CLI::App*) { return true; })) {
      Place next{below, place.words};
      next.words.push_back(below->get_name());
      pending.push_back(next);
    }
    for (const CLI::Option* option : place.app->get_options()) {
      if (option->get_type_name() != "UINT") continue;
      ++options;
      for (const std::string text : {"foo", "-1"}) {
        Arguments words = place.words;
        if (option->get_lnames().empty())
          words.insert(words.end(), {"--", text});
        else
          words.push_back(fmt::format("--{}={}", option->get_lnames().front(), text));
        const auto line = parse(words);
        ASSERT_FALSE(line.has_value()) << fmt::format("{}", fmt::join(words, " "));
        EXPECT_NE(line.error().find(text + " is not a whole number"), std::string::npos)
            << line.error();
      }
    }
  }
  EXPECT_GT(options, 10U);
}

TEST(CommandLineOptions, OfPointsInTimeNameADay) {
  for (const Arguments& command : {Arguments{"show", "--help"}, {"export", "--help"}})
    EXPECT_NE(printed(command).find("2024-03-01,"), std::string::npos);
}

TEST(CommandLineOptions, SetLimitsByName) {
  const auto line = parse({"serve", "--limit", "xml_depth_max=100000,upload_bytes_max=5", "--limit",
                           "tls_handshake_seconds_max=7"});
  ASSERT_TRUE(line.has_value()) << line.error();
  EXPECT_EQ(line->global.limits.files.xml.depth, 100'000U);
  EXPECT_EQ(line->global.limits.http.upload_bytes_max, 5U);
  EXPECT_EQ(line->global.limits.http.tls_handshake_max, std::chrono::seconds(7));
  const auto variable = parse({"validate", "f.xml"}, {{"NETML_LIMIT", "imports_waiting_max=9"}});
  ASSERT_TRUE(variable.has_value()) << variable.error();
  EXPECT_EQ(variable->global.limits.imports_waiting_max, 9U);
}

// ---- names of version 0.1, taken for one release ----

constexpr const char* kForced = R"({"force":true,"wait":true})";

TEST(FormerNames, OfFlagsMeanTheSameAndAreNotListed) {
  for (const char* flag : {"--force", "--whole"}) {
    EXPECT_EQ(requested({"poll", flag}).body, kForced) << flag;
    EXPECT_EQ(requested({"source", "collect", "peer", flag}).body,
              R"({"sources":["peer"],"force":true,"wait":true})")
        << flag;
  }
  EXPECT_EQ(requested({"poll"}).body, R"({"wait":true})");
  for (const char* flag : {"--no-own-limits", "--no-own-brake"}) {
    test::CommandLineRunner cli;
    cli.script.response.body = R"({"items":[{"number":1,"name":"peer"}],"next":null})";
    EXPECT_EQ(cli.run({"source", "set", "peer", flag}), 0) << cli.err;
    EXPECT_EQ(cli.script.requests.back().body,
              R"({"deletions_max":null,"deletion_percent_max":null})")
        << flag;
  }
  EXPECT_EQ(printed({"poll", "--help"}).find("--whole"), std::string::npos);
  EXPECT_EQ(printed({"source", "set", "--help"}).find("brake"), std::string::npos);
}

TEST(FormerNames, OfFlagsMeanTheSameInTheEnvironmentAndInTheFile) {
  EXPECT_EQ(requested({"poll"}, {{"NETML_WHOLE", "1"}}).body, kForced);
  EXPECT_EQ(requested({"poll"}, {{"NETML_FORCE", "1"}}).body, kForced);
  const test::CommandLineRunner folder;
  const std::string config = folder.file("netml.toml", "whole = true");
  EXPECT_EQ(requested({"poll", "--config", config}).body, kForced);
}

TEST(FormerNames, OfLimitsMeanTheSame) {
  for (const char* name : {"export_cache_bytes_max", "export_kept_bytes_max"}) {
    Limits limits;
    ASSERT_TRUE(set_limit(limits, fmt::format("{}=7", name)).has_value()) << name;
    EXPECT_EQ(limits.export_cache_bytes_max, 7U) << name;
  }
  for (const LimitDefinition& definition : limit_definitions())
    EXPECT_NE(definition.name, "export_kept_bytes_max");
}

TEST(Limits, AreListedWithoutANode) {
  const std::string help = printed({"status", "--help"});
  for (const LimitDefinition& definition : limit_definitions())
    EXPECT_NE(help.find(definition.name), std::string::npos) << definition.name;
}

TEST(Limits, StandOnThePage) {
  std::string table;
  for (const LimitDefinition& definition : limit_definitions())
    table += fmt::format("| `{}` | {} | {} | {} |\n", definition.name, definition.get({}),
                         definition.unit, definition.meaning);
  const std::string page = netml::test::file_content(NETML_SOURCE_DIR "/docs/limits.md");
  EXPECT_NE(page.find("|---|---|---|---|\n" + table + "\n"), std::string::npos)
      << "the table should be:\n"
      << table;
}

TEST(Limits, SayHowToBeRaisedAndCanBe) {
  for (const LimitDefinition& definition : limit_definitions()) {
    EXPECT_FALSE(definition.unit.empty() || definition.meaning.empty()) << definition.name;
    EXPECT_TRUE(speaks_of_limit(beyond_limit("it is too much", definition.name, 1)));
    EXPECT_TRUE(speaks_of_limit(below_limit("it is too slow", definition.name, 1)));
  }
}

TEST(Limits, ShowWhatWasSet) {
  Limits limits;
  for (const LimitDefinition& definition : limit_definitions()) {
    const std::uint64_t value = definition.get(limits) + 1;
    EXPECT_TRUE(set_limit(limits, fmt::format("{}={}", definition.name, value)).has_value());
    EXPECT_EQ(definition.get(limits), value) << definition.name;
  }
}

TEST(Limits, LeaveRoomForAHeadInItsBuffer) {
  Limits limits;
  ASSERT_TRUE(set_limit(limits, "header_bytes_max=100000").has_value());
  ASSERT_TRUE(set_limit(limits, "receive_buffer_bytes=1").has_value());
  EXPECT_GT(limits.http.receive_buffer_bytes, limits.http.header_bytes_max);
}

TEST(CommandLineOptions, NamesThatAreCommandsAreStillNames) {
  EXPECT_EQ(requested({"publish", "status"}).body, R"({"name":"status"})");
  EXPECT_EQ(requested({"token", "create", "import", "--kind", "import"}).body,
            R"({"name":"import","type":"import"})");
  test::CommandLineRunner cli;
  EXPECT_EQ(cli.run({"token", "delete", "list"}), 1);
  EXPECT_EQ(cli.err, "netml: there is no token for \"list\"; `netml token list` shows them\n");
}

TEST(CommandLineOptions, ValuesMayBeginWithADashAfterTheDoubleDash) {
  const ControlRequest set =
      requested({"setting", "set", "--", "NAME", "-1"}, {{"NETML_DATA", "elsewhere"}});
  EXPECT_EQ(set.target, "/api/v1/settings/NAME");
  EXPECT_EQ(set.body, R"({"value":"-1"})");
}

TEST(CommandLineOptions, TakeTokenKindsByEveryName) {
  for (const std::string kind :
       {"polling", "import", "netml_export", "netml_import", "grenml_export", "grenml_import"})
    EXPECT_EQ(requested({"token", "create", "x", "--kind", kind}).body,
              R"({"name":"x","type":")" + kind + R"("})");
}

TEST(CommandLineOptions, TakeAddressesOfEveryForm) {
  for (const char* address : {"127.0.0.1:0", "localhost:65535", "[::1]:8080"})
    EXPECT_EQ(served({"serve", "--listen", address}).listen, std::vector<std::string>{address});
}

TEST(CommandLineOptions, OfImportExcludeEachOtherWhereTheyContradict) {
  EXPECT_FALSE(parse({"import", "f.xml", "--root", "--parent", "urn:x"}).has_value());
  EXPECT_TRUE(parse({"import", "f.xml", "--parent", "#12"}).has_value());
}

TEST(CommandLineOptions, OfGenerateReachTheGenerator) {
  generator::GeneratorOptions tree;
  tree.topologies = 3;
  tree.nodes = 5;
  tree.links = 7;
  tree.seed = 9;
  tree.shared_percent = 20;
  std::string generated;
  const auto counts = generator::generate(tree, [&](std::string_view piece) {
    generated += piece;
    return true;
  });
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(printed({"generate", "--topologies", "3", "--nodes", "5", "--links", "7", "--seed", "9",
                     "--shared", "20"}),
            generated);
}

TEST(CommandLineOptions, WrongUsesAreRefusedWithAHint) {
  const std::vector<Arguments> wrong{
      {},
      {"unknown"},
      {"status", "--unknown"},
      {"import"},
      {"import", "a.xml", "b.xml"},
      {"import", "a.xml", "--date", "yesterday"},
      {"init", "--name", "N"},
      {"token"},
      {"token", "create", "x"},
      {"token", "create", "x", "--kind", "other"},
      {"published", "show"},
      {"published", "show", "abc"},
      {"published", "delete", "-1"},
      {"serve", "--listen", "foo"},
      {"serve", "--listen", "127.0.0.1:99999"},
      {"serve", "--listen", ":80"},
      {"serve", "--listen", "::1:80"},
      {"serve", "--listen", "127.0.0.1:80,foo"},
      {"serve", "--metrics-listen", ":9464"},
      {"serve", "--log-format", "xml"},
      {"serve", "--log-level", "everything"},
      {"setting", "set", "NAME"},
      {"generate", "--topologies", "-1", "--nodes", "1", "--links", "1"},
      {"serve", "--tls-cert", "c.pem"},
      {"serve", "--shutdown-timeout", "soon"},
      {"serve", "--limit", "no_such=1"},
      {"serve", "--limit", "xml_depth_max"},
      {"serve", "--limit", "xml_depth_max=0"},
      {"serve", "--limit", "xml_depth_max=4294967296"},
      {"serve", "--limit", "xml_depth_max=many"},
      {"status", "--data"},
      {"status", "--config", "/nonexistent/netml.toml"},
  };
  for (const Arguments& arguments : wrong) {
    const auto line = parse(arguments);
    ASSERT_FALSE(line.has_value()) << ::testing::PrintToString(arguments);
    EXPECT_FALSE(line.error().empty());
  }
  EXPECT_NE(parse({"token", "create"}).error().find("Run 'netml token create --help' for help."),
            std::string::npos);
}

// ---- where values come from ----

struct Source {
  const char* name;
  Arguments flags;
  VariableMap variables;
  std::string config;
  const char* expected;
};

void PrintTo(const Source& shown, std::ostream* out) {
  *out << shown.name;
}
class OptionSources : public ::testing::TestWithParam<Source> {};

TEST_P(OptionSources, TheFirstOfFlagEnvironmentFileAndDefaultWins) {
  const test::CommandLineRunner folder;
  Arguments arguments{"status"};
  if (!GetParam().config.empty())
    arguments.insert(arguments.end(), {"--config", folder.file("c.toml", GetParam().config)});
  arguments.insert(arguments.end(), GetParam().flags.begin(), GetParam().flags.end());
  const auto line = parse(arguments, GetParam().variables);
  ASSERT_TRUE(line.has_value()) << line.error();
  EXPECT_EQ(line->global.data_directory, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, OptionSources,
    ::testing::Values(
        Source{"default_alone", {}, {}, "", "./netml-data"},
        Source{"file_over_default", {}, {}, "data = 'file'", "file"},
        Source{"variable_over_file", {}, {{"NETML_DATA", "variable"}}, "data = 'file'", "variable"},
        Source{"flag_over_all",
               {"--data", "flag"},
               {{"NETML_DATA", "variable"}},
               "data = 'file'",
               "flag"},
        Source{"empty_variable_is_absent", {}, {{"NETML_DATA", ""}}, "data = 'file'", "file"},
        Source{"hash_and_blanks_in_quotes", {}, {}, "data = \"a # b, c\" # note", "a # b, c"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(CommandLineOptions, RequiredOnesMayComeFromTheEnvironment) {
  const ControlRequest init =
      requested({"init"}, {{"NETML_NAME", "A \"quoted\" name"}, {"NETML_OWNER", "O"}});
  EXPECT_EQ(init.body, R"({"name":"A \"quoted\" name","owner":"O"})");
}

TEST(CommandLineOptions, FlagsAndListsMayComeFromTheEnvironment) {
  const auto serve = served({"serve"}, {{"NETML_LISTEN", "h:1,h:2"},
                                        {"NETML_TEST_MODE", "0"},
                                        {"TEST_MODE", "1"},
                                        {"DEVELOPMENT", "True"},
                                        {"DJANGO_ALLOWED_HOSTS", "a.example *"}});
  EXPECT_EQ(serve.listen, (Arguments{"h:1", "h:2"}));
  EXPECT_FALSE(serve.test_mode) << "its own variable goes before the inherited one";
  EXPECT_TRUE(serve.development);
  EXPECT_EQ(serve.allowed_hosts, (Arguments{"a.example", "*"}));
}

// Decision 41: the reference node's test mode is on when DEBUG is a number but 0.
TEST(CommandLineOptions, IgnoreDebug) {
  EXPECT_FALSE(served({"serve"}, {{"DEBUG", "1"}}).test_mode);
  EXPECT_TRUE(served({"serve"}, {{"DEBUG", "0"}, {"TEST_MODE", "1"}}).test_mode);
}

TEST(CommandLineOptions, TheConfigFileMayBeNamedByTheEnvironmentAndHoldLists) {
  const test::CommandLineRunner folder;
  const std::string config = folder.file("netml.toml",
                                         "# the node\n"
                                         "listen = [\n  \"h:1\", # public\n  'h:2',\n]\n"
                                         "test-mode = true\n"
                                         "shutdown-timeout = 7\n"
                                         "kind = \"polling\"  # of another command\n");
  const auto serve = served({"serve"}, {{"NETML_CONFIG", config}});
  EXPECT_EQ(serve.listen, (Arguments{"h:1", "h:2"}));
  EXPECT_TRUE(serve.test_mode);
  EXPECT_EQ(serve.shutdown_timeout_s, 7U);
}

TEST(CommandLineOptions, AListGivenAsFlagReplacesTheOneOfTheFile) {
  const test::CommandLineRunner folder;
  const std::string config = folder.file("netml.toml", "listen = ['h:1', 'h:2']");
  EXPECT_EQ(served({"serve", "--config", config, "--listen", "h:3"}).listen, Arguments{"h:3"});
}

TEST(CommandLineOptions, UnknownKeysInTheFileAreRefused) {
  const test::CommandLineRunner folder;
  const std::string config = folder.file("netml.toml", "json = true\n dta = 'x'");
  const auto line = parse({"status", "--config", config});
  ASSERT_FALSE(line.has_value());
  EXPECT_EQ(line.error(), config + ":2:2: there is no option dta (did you mean data?)");
  for (const char* text : {"help = true", "config = 'other.toml'"}) {
    const std::string refused = folder.file("refused.toml", text);
    const auto other = parse({"status", "--config", refused});
    ASSERT_FALSE(other.has_value()) << text;
    EXPECT_NE(other.error().find("can be given as a flag only"), std::string::npos);
  }
}

// Nothing is lost because of a setting (1.5).
TEST(CommandLineOptions, ALossIsAcceptedOnTheCommandLineAlone) {
  const Arguments repair{"repair", "--truncate-at", "7"};
  test::CommandLineRunner cli;
  cli.variables = {{"NETML_I_ACCEPT_LOSING", "3-transactions"}};
  cli.environment.connect = [](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return std::unique_ptr<Control>();
  };
  std::optional<RepairOptions> asked;
  cli.environment.repair = [&](const GlobalOptions&,
                               const RepairOptions& options) -> Result<RepairOutcome> {
    asked = options;
    return RepairOutcome();
  };
  EXPECT_EQ(cli.run(repair), 1);
  ASSERT_TRUE(asked.has_value());
  EXPECT_FALSE(asked->accepted.has_value());
  const test::CommandLineRunner folder;
  const std::string config = folder.file("netml.toml", "i-accept-losing = '3-transactions'");
  const auto line = parse(repair, {{"NETML_CONFIG", config}});
  ASSERT_FALSE(line.has_value());
  EXPECT_NE(line.error().find("can be given as a flag only"), std::string::npos) << line.error();
}

TEST(CommandLineOptions, AValueOfTheWrongTypeIsRefusedWhereverItComesFrom) {
  EXPECT_FALSE(parse({"serve"}, {{"NETML_SHUTDOWN_TIMEOUT", "soon"}}).has_value());
  EXPECT_FALSE(parse({"status"}, {{"NETML_JSON", "perhaps"}}).has_value());
}

// ---- help ----

TEST(CommandLineHelp, ExistsForEachCommandWithAnExample) {
  const std::vector<Arguments> commands{{"serve"},
                                        {"init"},
                                        {"import"},
                                        {"export"},
                                        {"validate"},
                                        {"generate"},
                                        {"publish"},
                                        {"published", "list"},
                                        {"published", "show"},
                                        {"published", "delete"},
                                        {"token", "create"},
                                        {"token", "list"},
                                        {"token", "delete"},
                                        {"setting", "list"},
                                        {"setting", "get"},
                                        {"setting", "set"},
                                        {"setting", "reset"},
                                        {"api"},
                                        {"status"},
                                        {"checkpoint"},
                                        {"verify"}};
  for (Arguments command : commands) {
    std::string name = "netml";
    for (const std::string& word : command) name += " " + word;
    command.push_back("--help");
    const std::string text = printed(command);
    EXPECT_NE(text.find("Example:\n  " + name), std::string::npos) << text;
  }
}

TEST(CommandLineHelp, OfTheProgramNamesAllCommandsAndTheEnvironment) {
  const std::string text = printed({"--help"});
  for (const char* word : {"serve", "import", "export", "validate", "published", "token", "setting",
                           "verify", "NETML_<OPTION>"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(CommandLineHelp, IsGivenEvenIfTheRestIsIncomplete) {
  printed({"import", "--help"});
  printed({"token", "--help"});
}

// The example of each command is itself a command line that parses.
TEST(CommandLineHelp, HasExamplesThatWork) {
  for (const Arguments& command : {Arguments{"serve"},
                                   {"import"},
                                   {"generate"},
                                   {"token", "create"},
                                   {"setting", "set"},
                                   {"api"}}) {
    Arguments asked = command;
    asked.push_back("--help");
    const std::string text = printed(asked);
    const std::string rest = text.substr(text.find("Example:\n  ") + 11);
    std::istringstream example(rest.substr(0, rest.find('\n')));
    Arguments words;
    for (std::string word; example >> word;) words.push_back(word);
    ASSERT_EQ(words.at(0), "netml");
    words.erase(words.begin());
    EXPECT_TRUE(parse(words).has_value()) << text;
  }
}

}  // namespace
}  // namespace netml::admin::cli
