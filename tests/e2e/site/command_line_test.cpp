// Every command, with and without a running server: the user does not have to know which of the two
// happened (docs/requirements/command-line.md). Method: one data directory, copied; the same
// commands on both.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <regex>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Words = std::vector<std::string>;

std::string a_map() {
  return topology("P", "p", institution("p"), node("a"), node("b"), link("l", "a", "b"),
                  topology("C", "c", institution("c"), node("x")));
}

std::string a_rule() {
  return R"([{"name": "Decisions", "rules": [{"name": "no a",
              "match_criteria": [{"match_type": "Match Nodes by ID",
                                  "matchinfo_set": [{"key": "ID", "value": "a"}]}],
              "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]}]}])";
}

// Without what differs between two runs: times, hashes, sizes of memory, places.
std::string comparable(std::string text, const Node& node) {
  const auto without = [&](const std::string& pattern, const std::string& word) {
    text = std::regex_replace(text, std::regex(pattern), word);
  };
  for (std::size_t at; (at = text.find(node.file("").string())) != std::string::npos;)
    text.replace(at, node.file("").string().size(), "<place>/");
  without("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+(\\+00:00|Z)?", "<time>");
  without("[0-9a-f]{64}", "<hash>");
  return text;
}

// Those whose lines may differ, by the fields that do.
std::string status_without_the_process(const std::string& text) {
  return std::regex_replace(
      text, std::regex("\n?(state|listening on|memory|journal|last checkpoint|next poll) [^\n]*"),
      "");
}

class BothWays : public testing::Test {
 protected:
  // One with a server and one without, from the same data.
  void SetUp() override {
    write_both("map.xml", a_map());
    write_both("other.xml", topology("Q", "q", institution("q")));
    write_both("rules.json", a_rule());
    write_both("faulty.xml", topology("P", "p", institution("p"), link("l", "a", "b")));
    ASSERT_EQ(offline_.run({"import", offline_.file("map.xml").string()}).exit_code, 0);
    fs::copy(offline_.data(), online_.data(), fs::copy_options::recursive);
    server_ = online_.serve();
  }
  void write_both(const std::string& name, const std::string& content) {
    write_file(offline_.file(name), content);
    write_file(online_.file(name), content);
  }
  // A word "@name" is a file beside the data directory.
  static CommandResult run(Node& node, Words words) {
    for (std::string& word : words)
      if (word.starts_with('@')) word = node.file(word.substr(1)).string();
    CommandResult result = node.run(words);
    result.out = comparable(result.out, node);
    result.err = comparable(result.err, node);
    if (words.front() == "status") result.out = status_without_the_process(result.out);
    return result;
  }
  void expect_same(const Words& words, int exit_code = 0) {
    const std::string command = fmt::format("{}", fmt::join(words, " "));
    const CommandResult without = run(offline_, words);
    const CommandResult with = run(online_, words);
    EXPECT_EQ(without.exit_code, exit_code) << command << ": " << without.err;
    EXPECT_EQ(with.exit_code, exit_code) << command << ": " << with.err;
    EXPECT_EQ(with.out, without.out) << command;
    EXPECT_EQ(with.err, without.err) << command;
  }

  Node offline_;
  Node online_;
  std::unique_ptr<Server> server_;
};

TEST_F(BothWays, CommandsThatOnlyReadAnswerAlike) {
  const std::vector<Words> readers = {
      {"export"},
      {"export", "--topology", "C"},
      {"export", "--topology", "#1"},
      {"export", "-o", "@out.xml"},
      {"export", "-o", "@out.xml", "--json"},
      {"validate", "@map.xml"},
      {"validate", "@map.xml", "--json"},
      {"import", "@other.xml", "--dry-run"},
      {"import", "@other.xml", "--dry-run", "--json"},
      {"published", "list"},
      {"token", "list"},
      {"token", "list", "--json"},
      {"user", "list"},
      {"user", "list", "--json"},
      {"rules", "list"},
      {"rules", "list", "--json"},
      {"rules", "export"},
      {"rules", "export", "-o", "@out.json"},
      {"rules", "test", "@rules.json"},
      {"rules", "test", "@rules.json", "--json"},
      {"setting", "list"},
      {"setting", "list", "--json"},
      {"setting", "get", "TOPOLOGY_DELETION_PROPAGATION"},
      {"api", "nodes?sort=name"},
      {"api", "nodes", "--all", "--json"},
      {"api", "node/log"},
      {"status"},
  };
  for (const Words& words : readers) expect_same(words);
  EXPECT_EQ(read_file(offline_.file("out.xml")), read_file(online_.file("out.xml")));
  EXPECT_THAT(read_file(online_.file("out.xml")), HasSubstr("id=\"C\""));
  EXPECT_EQ(read_file(offline_.file("out.json")), read_file(online_.file("out.json")));
  EXPECT_THAT(read_file(online_.file("out.json")), HasSubstr("Default ID Collision Resolution"));
}

TEST_F(BothWays, CommandsThatChangeAnswerAlike) {
  const std::vector<Words> changers = {
      {"import", "@other.xml"},
      {"import", "@map.xml", "--json"},
      {"import", "@other.xml", "--parent", "C", "--name", "Other"},
      {"import", "@map.xml", "--root", "--actor", "someone"},
      {"export"},
      {"publish", "Spring", "--description", "Before the move"},
      {"publish", "Autumn", "--json"},
      {"published", "list"},
      {"published", "show", "#1"},
      {"published", "delete", "1"},
      {"published", "list", "--json"},
      {"export", "--published"},
      {"setting", "set", "NETML_POLLING_DATA_SUPPLY_TYPE", "Published"},
      {"setting", "get", "GRENML_POLLING_DATA_SUPPLY_TYPE"},
      {"setting", "reset", "NETML_POLLING_DATA_SUPPLY_TYPE", "--json"},
      {"rules", "import", "@rules.json"},
      {"export"},
      {"import", "@map.xml"},
      {"export"},
      {"rules", "apply"},
      {"rules", "apply", "--rule", "no a"},
      {"rules", "apply", "--ruleset", "Decisions", "--json"},
      {"rules", "restore-defaults"},
      {"rules", "list"},
      {"api", "origins", "--body", R"({"name":"Maps","origin":"https://maps.example.org"})"},
      {"api", "PUT", "origins/1", "--body", R"({"name":"M","origin":"https://example.org"})"},
      {"api", "origins", "--json"},
      {"api", "DELETE", "origins/1"},
      {"status"},
  };
  for (const Words& words : changers) expect_same(words);
  for (Node* node : {&offline_, &online_}) {
    EXPECT_EQ(node->done({"token", "create", "peer", "--kind", "polling"}).size(), 33U);
    EXPECT_THAT(node->done({"token", "list"}), AllOf(HasSubstr("peer"), HasSubstr("polling")));
    EXPECT_THAT(node->done({"checkpoint"}), HasSubstr("checkpoint at LSN"));
    EXPECT_THAT(node->done({"verify"}), HasSubstr("all is well"));
  }
  expect_same({"token", "delete", "peer"});
  expect_same({"token", "list"});
}

TEST_F(BothWays, RefusalsAreAlike) {
  const std::vector<std::pair<int, Words>> refused = {
      {1, {"import", "@absent.xml"}},
      {1, {"import", "@map.xml", "--parent", "nowhere"}},
      {1, {"init", "--name", "N", "--owner", "O"}},
      {1, {"export", "--topology", "nowhere"}},
      {1, {"export", "--published"}},
      {1, {"published", "show", "9"}},
      {1, {"published", "delete", "9"}},
      {1, {"token", "delete", "nobody"}},
      {1, {"user", "delete", "nobody"}},
      {2, {"user", "create", "x", "--role", "owner"}},
      {1, {"rules", "import", "@absent.json"}},
      {3, {"rules", "import", "@map.xml"}},
      {3, {"rules", "test", "@map.xml"}},
      {1, {"rules", "apply", "--rule", "no such"}},
      {1, {"rules", "apply", "--ruleset", "no such"}},
      {1, {"setting", "get", "NO_SUCH"}},
      {2, {"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "Maybe"}},
      {2, {"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "Maybe", "--json"}},
      {2, {"import"}},
      {2, {"log", "--limit", "-1"}},
      {1, {"show", "foo", "--json"}},
      {2, {"undo", "foo"}},
      {2, {"import", "@map.xml", "--date", "1969-12-31T23:59:59Z"}},
      {2, {"no-such-command"}},
      {1, {"api", "no/such/path"}},
      {1, {"api", "DELETE", "nodes"}},
      {1, {"api", "origins/9"}},
      {2, {"api", "origins", "--body", R"({"name":""})", "--json"}},
      {2, {"rules", "apply", "--rule", "r", "--ruleset", "s"}},
      {2, {"export", "--no-such-option"}},
      {2, {"token", "create", "x", "--kind", "other"}},
      {2, {"import", "@map.xml", "--date", "yesterday"}},
      {3, {"import", "@faulty.xml"}},
      {3, {"import", "@faulty.xml", "--dry-run"}},
      {3, {"import", "@faulty.xml", "--json"}},
      {3, {"validate", "@faulty.xml"}},
      {3, {"validate", "@faulty.xml", "--json"}},
  };
  for (const auto& [exit_code, words] : refused) expect_same(words, exit_code);
}

TEST(CommandLine, InitMakesARootThatCanBeExported) {
  Node node;
  EXPECT_THAT(node.done({"init", "--name", "My Network", "--owner", "My Institute"}),
              AllOf(HasSubstr("topology "), HasSubstr("owner ")));
  EXPECT_THAT(node.export_all(), AllOf(HasSubstr("My Network"), HasSubstr("My Institute")));
  EXPECT_EQ(node.run({"init", "--name", "Again", "--owner", "X"}).exit_code, 1);
}

TEST(CommandLine, ListsEveryErrorOfAFileWithItsPlace) {
  Node node;
  const CommandResult result =
      node.import(topology("P", "p", institution("p"), link("l1", "a", "b"), link("l2", "a", "b")));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(testing::ContainsRegex("import.xml:[0-9]+:[0-9]+: Error"),
                                HasSubstr("l1"), HasSubstr("l2")));
  EXPECT_EQ(node.run({"export"}).exit_code, 1) << "nothing was imported";
}

TEST(CommandLine, ADryRunTellsAndChangesNothing) {
  Node node;
  ASSERT_EQ(node.import(a_map()).exit_code, 0);
  const std::string head = node.run({"export"}).err;
  const std::string before = node.export_all();
  const CommandResult dry = node.import(topology("P", "p", institution("p")), {"--dry-run"});
  EXPECT_EQ(dry.exit_code, 0);
  EXPECT_THAT(dry.err, HasSubstr("nothing was changed"));
  EXPECT_THAT(dry.err, Not(HasSubstr(" 0 deleted")));
  EXPECT_EQ(node.export_all(), before);
  EXPECT_EQ(node.run({"export"}).err, head) << "not even an import record";
}

// Decision 19.
TEST(CommandLine, DatesOfImportsNeverGoBack) {
  Node node;
  ASSERT_EQ(node.import(a_map(), {"--date", "2004-03-01T00:00:00Z"}).exit_code, 0);
  const std::string head = node.run({"export"}).err;
  const CommandResult earlier = node.import(a_map(), {"--date", "2004-02-29T23:59:59Z"});
  EXPECT_EQ(earlier.exit_code, 1);
  EXPECT_THAT(earlier.err, HasSubstr("2004-03-01T00:00:00"));
  EXPECT_EQ(node.import("<faulty/>", {"--date", "2004-03-02T00:00:00Z"}).exit_code, 3);
  EXPECT_EQ(node.import(a_map(), {"--date", "2004-03-01T00:00:00Z"}).exit_code, 0)
      << "what was refused had no effect, so no time went by";
  EXPECT_EQ(node.import(a_map(), {"--date", "2005-01-01T00:00:00+02:00"}).exit_code, 0);
  EXPECT_EQ(node.import(a_map()).exit_code, 0) << "now";
}

TEST(CommandLine, AnExportThatFailsLeavesTheFormerFile) {
  Node node;
  const auto path = node.file("kept.xml");
  write_file(path, "former");
  EXPECT_EQ(node.run({"export", "-o", path.string()}).exit_code, 1);
  EXPECT_EQ(read_file(path), "former");
  ASSERT_EQ(node.import(a_map()).exit_code, 0);
  EXPECT_EQ(node.run({"export", "-o", path.string()}).exit_code, 0);
  EXPECT_EQ(read_file(path), node.export_all());
}

TEST(CommandLine, APublishedExportStaysAsItWas) {
  Node node;
  ASSERT_EQ(node.import(a_map()).exit_code, 0);
  const std::string first = node.export_all();
  node.done({"publish", "First"});
  ASSERT_EQ(node.import(topology("P", "p", institution("p"))).exit_code, 0);
  EXPECT_EQ(node.done({"export", "--published"}), first);
  fs::remove_all(fs::path(node.data()) / "cache");
  EXPECT_EQ(node.done({"export", "--published"}), first) << "made again from the checkpoint";
  EXPECT_EQ(node.run({"published", "delete", "1"}).exit_code, 1) << "it is being served";
  node.done({"publish", "Second"});
  EXPECT_EQ(node.done({"export", "--published"}), node.export_all());
  node.done({"published", "delete", "1"});
  EXPECT_THAT(node.done({"published", "list"}), Not(HasSubstr("First")));
}

TEST(CommandLine, TakesStandardInputWhereAFileIsNamed) {
  Node node;
  write_file(node.file("map.xml"), a_map());
  const auto piped = [&](const std::string& command) {
    const std::string line = fmt::format("{} {} --data {} < {} > /dev/null 2>&1", program(),
                                         command, node.data(), node.file("map.xml").string());
    return WEXITSTATUS(std::system(line.c_str()));
  };
  EXPECT_EQ(piped("validate -"), 0);
  EXPECT_EQ(piped("import -"), 0);
  EXPECT_EQ(piped("rules import -"), 3);
  EXPECT_EQ(piped("api rulesets/import --body -"), 3);
  EXPECT_THAT(node.done({"export", "-o", "-"}), HasSubstr("<grenml:Topology"));
}

TEST(CommandLine, MakesNoDataDirectoryWhereANameIsMistyped) {
  Node node;
  const std::vector<Words> commands = {{"poll"},
                                       {"checkpoint"},
                                       {"key", "create"},
                                       {"publish", "x"},
                                       {"rules", "apply"},
                                       {"token", "create", "x", "--kind", "polling"},
                                       {"token", "delete", "x"},
                                       {"setting", "set", "IMPORT_ANSWER", "Queued"}};
  for (const Words& command : commands) {
    const CommandResult result = node.run(command);
    EXPECT_EQ(result.exit_code, 1) << command.front();
    EXPECT_THAT(result.err, HasSubstr("there is no data directory"));
    EXPECT_FALSE(fs::exists(node.data())) << command.front();
  }
  fs::create_directory(node.data());
  EXPECT_EQ(node.run({"checkpoint"}).exit_code, 1);
  EXPECT_TRUE(fs::is_empty(node.data())) << "an empty directory may be one's own";
}

TEST(CommandLine, ABadCertificateIsNotABadAddress) {
  Node node;
  write_file(node.file("c.pem"), "no certificate");
  fs::permissions(node.file("c.pem"), fs::perms::owner_read);
  const std::string file = node.file("c.pem").string();
  const CommandResult served =
      node.run({"serve", "--listen", "127.0.0.1:0", "--tls-cert", file, "--tls-key", file});
  EXPECT_EQ(served.exit_code, 1);
  EXPECT_THAT(served.err, AllOf(HasSubstr("cannot use the certificate"), HasSubstr(file),
                                Not(HasSubstr("cannot listen"))));
}

TEST(CommandLine, APublicationThatFailsStaysWithItsReason) {
  Node node;
  node.make();
  const CommandResult failed = node.run({"publish", "Too early"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, HasSubstr("there is no map yet"));
  EXPECT_EQ(node.run({"export", "--published"}).exit_code, 1) << "it is not served";
  ASSERT_EQ(node.import(a_map()).exit_code, 0);
  node.done({"publish", "In time"});
  EXPECT_EQ(node.done({"export", "--published"}), node.export_all());
  EXPECT_THAT(node.done({"published", "list"}), HasSubstr("there is no map yet"));
  EXPECT_THAT(node.done({"published", "show", "1"}), HasSubstr("failed"));
  EXPECT_EQ(node.run({"verify"}).exit_code, 0);
  node.done({"published", "delete", "1"});
}

TEST(CommandLine, ValidateAndGenerateNeedNoDataDirectory) {
  Node node;
  const std::string made = node.file("made.xml").string();
  EXPECT_EQ(node.run({"generate", "--topologies", "2", "--nodes", "3", "--links", "2", "-o", made})
                .exit_code,
            0);
  EXPECT_THAT(node.run({"validate", made}).out, HasSubstr("2 topologies"));
  EXPECT_FALSE(fs::exists(node.data()));
}

TEST(CommandLine, WorksInADirectoryThatExistsAndIsEmpty) {
  Node node;
  fs::create_directory(node.data());
  fs::permissions(node.data(), fs::perms::owner_all);
  EXPECT_EQ(node.import(a_map()).exit_code, 0);
  EXPECT_THAT(node.export_all(), HasSubstr("id=\"C\""));
}

TEST(CommandLine, ADirectoryOfSomethingElseIsNotTouched) {
  Node node;
  fs::create_directory(node.data());
  fs::permissions(node.data(), fs::perms::owner_all);
  write_file(fs::path(node.data()) / "letter.txt", "dear");
  const CommandResult result = node.run({"status"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr(node.data()));
  for (const auto& entry : fs::directory_iterator(node.data()))
    EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("letter.txt", "LOCK"));
}

TEST(CommandLine, TellsItsVersionAndHelps) {
  Node node;
  EXPECT_THAT(node.done({"--version"}), AllOf(HasSubstr("netml "), HasSubstr("disk format")));
  for (const char* command : {"serve", "init", "import", "export", "validate", "generate",
                              "publish", "status", "checkpoint", "verify"}) {
    const CommandResult help = node.run({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr(std::string("netml ") + command)) << "has an example";
  }
}

}  // namespace
}  // namespace netml::e2e
