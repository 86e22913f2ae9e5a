// Goal: import, export, validate and generate move files as docs/requirements/command-line.md says,
// and leave no half ones. Method: a fake node, real files in a temporary folder.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/read_netml.hpp"

namespace netml::admin::cli {
namespace {

using netml::test::file_content;
using test::CommandLineRunner;

constexpr const char* kImportAnswer =
    R"({"record":5,"lsn":9,"status":1,"log":"INFO: one\nImport complete","created":3,"updated":2,"deleted":1,"counts":{},"dry_run":false})";

// ---- import ----

TEST(ImportCommand, SendsTheFileAndPrintsTheLog) {
  CommandLineRunner cli;
  cli.script.response = {.status = 201, .head = {}, .body = kImportAnswer};
  const std::string file = cli.file("my map.xml", "<x/>");
  EXPECT_EQ(cli.run({"import", file}), 0) << cli.err;
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/node/import?name=my%20map.xml");
  EXPECT_EQ(cli.request().body_file, file);
  EXPECT_EQ(cli.out, "INFO: one\nImport complete\n");
  EXPECT_EQ(cli.err, "import 5 at LSN 9: 3 created, 2 updated, 1 deleted\n");
}

TEST(ImportCommand, PassesEveryOptionOn) {
  CommandLineRunner cli;
  cli.script.response.body = kImportAnswer;
  const std::string file = cli.file("f.xml", "");
  EXPECT_EQ(cli.run({"import", file, "--parent", "#12", "--name", "N & M", "--dry-run", "--date",
                     "2024-03-01T12:00:00Z", "--actor", "me"}),
            0)
      << cli.err;
  EXPECT_EQ(cli.request().target,
            "/api/v1/node/import?name=f.xml&parent=%2312&topology_name=N%20%26%20M&dry_run=1"
            "&date=2024-03-01T12%3A00%3A00Z&actor=me");
  cli.script.requests.clear();
  EXPECT_EQ(cli.run({"import", file, "--root"}), 0);
  EXPECT_EQ(cli.request().target, "/api/v1/node/import?name=f.xml&root=1");
}

TEST(ImportCommand, SaysThatADryRunChangedNothing) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"log":"INFO: x\n","created":1,"updated":0,"deleted":0,"dry_run":true})";
  EXPECT_EQ(cli.run({"import", cli.file("f.xml", ""), "--dry-run"}), 0);
  EXPECT_EQ(cli.out, "INFO: x\n");
  EXPECT_EQ(cli.err, "dry run, nothing was changed: 1 created, 0 updated, 0 deleted\n");
}

TEST(ImportCommand, SaysThatAnImportWouldBeHeld) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"log":"","created":0,"updated":0,"deleted":9,"dry_run":true,"held_because":"too many"})";
  EXPECT_EQ(cli.run({"import", cli.file("f.xml", ""), "--dry-run"}), 0);
  EXPECT_EQ(
      cli.err,
      "dry run, nothing was changed: 0 created, 0 updated, 9 deleted; the import would be held "
      "as a plan: too many\n");
}

TEST(ImportCommand, ListsAllErrorsOfAFileThatIsNotValid) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 400,
      .head = {},
      .body = R"({"error":{"message":"not valid","errors":[)"
              R"({"code":"a","message":"Error: one","line":3,"column":5,"id":"urn:x"},)"
              R"({"code":"b","message":"Error: two","line":4},)"
              R"({"code":"c","message":"Error: three"}],"error_count":1203}})"};
  const std::string file = cli.file("f.xml", "");
  EXPECT_EQ(cli.run({"import", file}), 3);
  EXPECT_EQ(cli.out, "");
  EXPECT_EQ(cli.err, file + ":3:5: Error: one (urn:x)\n" + file + ":4: Error: two\n" + file +
                         ": Error: three\n" + file + ": 1200 more errors\nnetml: " + file +
                         " is not valid: 1203 errors\n");
}

TEST(ImportCommand, GivesTheRefusalAsJsonWhenAsked) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 400,
      .head = {},
      .body = R"({"error":{"message":"d","errors":[{"message":"m"}],"error_count":1}})"};
  const std::string file = cli.file("f.xml", "");
  EXPECT_EQ(cli.run({"import", file, "--json"}), 3);
  EXPECT_EQ(cli.out,
            outcome_document(R"({"detail":"d","errors":[{"message":"m"}],"error_count":1})", 3,
                             file + " is not valid: 1 error"));
}

TEST(ImportCommand, FailsBeforeItAsksTheNodeWhenThereIsNoFile) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"import", cli.path("none.xml")}), 1);
  EXPECT_EQ(cli.err,
            "netml: cannot read " + cli.path("none.xml") + ": No such file or directory\n");
  EXPECT_EQ(cli.run({"import", cli.directory()}), 1);
  EXPECT_TRUE(cli.script.requests.empty());
}

TEST(ImportCommand, RefusesAFileThatMayBeOfSeveralFormats) {
  CommandLineRunner cli;
  const std::string file = cli.file("map.json", R"({"a":1})");
  EXPECT_EQ(cli.run({"import", file}), 1);
  EXPECT_NE(cli.err.find("; name one with --format\n"), std::string::npos) << cli.err;
  EXPECT_TRUE(cli.script.requests.empty()) << "nothing is sent";
}

TEST(ImportCommand, ShowsProgressOnATerminalAfterASecondOnly) {
  CommandLineRunner cli;
  cli.environment.err_is_terminal = true;
  cli.script.response.body = kImportAnswer;
  cli.script.during = [&](Progress& progress) { progress.sent(2); };
  const std::string file = cli.file("f.xml", "1234");
  EXPECT_EQ(cli.run({"import", file}), 0);
  EXPECT_EQ(cli.err.find("sending"), std::string::npos) << cli.err;
}

// ---- export ----

TEST(ExportCommand, WritesToStandardOutputAndTellsTheHead) {
  CommandLineRunner cli;
  cli.script.pieces = {"<a>", "</a>\n"};
  EXPECT_EQ(cli.run({"export", "--topology", "urn:a:b", "--published"}), 0) << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/node/export?topology=urn%3Aa%3Ab&published=1");
  EXPECT_EQ(cli.out, "<a></a>\n");
  EXPECT_EQ(cli.err, "X-NetML-Head: 7:abcd\n");
}

TEST(ExportCommand, TellsWhatTheFileDoesNotContain) {
  CommandLineRunner cli;
  cli.script.response.omitted = "1 version; 2 lifetimes";
  EXPECT_EQ(cli.run({"export"}), 0);
  EXPECT_EQ(cli.err, "X-NetML-Head: 7:abcd\nomitted: 1 version; 2 lifetimes\n");
}

TEST(ExportCommand, ReplacesTheFileWhole) {
  CommandLineRunner cli;
  cli.script.pieces = {"new ", "content"};
  const std::string file = cli.file("map.xml", "old");
  EXPECT_EQ(cli.run({"export", "-o", file}), 0) << cli.err;
  EXPECT_EQ(file_content(file), "new content");
  EXPECT_EQ(cli.files(), std::vector<std::string>{"map.xml"});
  EXPECT_EQ(cli.out, "");
  EXPECT_EQ(cli.err, "X-NetML-Head: 7:abcd\n");
}

// Where the file system has such files, nothing is left either when the process is killed.
bool has_files_without_names(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

TEST(ExportCommand, WritesWithoutANameUntilAllHasArrived) {
  CommandLineRunner cli;
  cli.script.pieces = {"new"};
  const std::string file = cli.file("map.xml", "old");
  std::size_t files_meanwhile = 0;
  cli.script.during = [&](Progress&) {
    files_meanwhile = cli.files().size();
    EXPECT_EQ(file_content(file), "old");
  };
  EXPECT_EQ(cli.run({"export", "-o", file}), 0);
  EXPECT_EQ(files_meanwhile, has_files_without_names(cli.directory()) ? 1U : 2U);
  EXPECT_EQ(file_content(file), "new");
  EXPECT_EQ(cli.files(), std::vector<std::string>{"map.xml"});
}

TEST(ExportCommand, LeavesTheFormerFileWhenTheConnectionBreaks) {
  CommandLineRunner cli;
  cli.script.pieces = {"half"};
  cli.script.broken = Error{Errc::io_error, "cut"};
  const std::string file = cli.file("map.xml", "old");
  EXPECT_EQ(cli.run({"export", "-o", file}), 1);
  EXPECT_EQ(file_content(file), "old");
  EXPECT_EQ(cli.files(), std::vector<std::string>{"map.xml"});
}

TEST(ExportCommand, LeavesNothingWhenTheNodeRefuses) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 500,
      .head = {},
      .body = R"({"error":{"message":"no main","error_type":"MissingRootTopologyException"}})"};
  EXPECT_EQ(cli.run({"export", "-o", cli.path("map.xml")}), 1);
  EXPECT_EQ(cli.err, "netml: no main (MissingRootTopologyException)\n");
  EXPECT_TRUE(cli.files().empty());
}

TEST(ExportCommand, FollowsASymbolicLinkAndKeepsIt) {
  CommandLineRunner cli;
  cli.script.pieces = {"new"};
  const std::string file = cli.file("real.xml", "old");
  std::filesystem::create_symlink("real.xml", cli.path("link.xml"));
  EXPECT_EQ(cli.run({"export", "-o", cli.path("link.xml")}), 0) << cli.err;
  EXPECT_TRUE(std::filesystem::is_symlink(cli.path("link.xml")));
  EXPECT_EQ(file_content(file), "new");
}

TEST(ExportCommand, WritesIntoADeviceInsteadOfReplacingIt) {
  CommandLineRunner cli;
  cli.script.pieces = {"new"};
  EXPECT_EQ(cli.run({"export", "-o", "/dev/null"}), 0) << cli.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(ExportCommand, FailsWhenTheFileCannotBeWritten) {
  CommandLineRunner cli;
  const std::string file = cli.path("none/map.xml");
  EXPECT_EQ(cli.run({"export", "-o", file}), 1);
  EXPECT_EQ(cli.err, "netml: cannot write " + file + ": No such file or directory\n");
  cli.script.pieces = {"x"};
  EXPECT_EQ(cli.run({"export", "-o", "/dev/full"}), 1);
  EXPECT_NE(cli.err.find("No space left on device"), std::string::npos) << cli.err;
}

TEST(ExportCommand, SummarisesAsJsonWhenAsked) {
  CommandLineRunner cli;
  cli.script.pieces = {"12345"};
  EXPECT_EQ(cli.run({"export", "--json", "-o", cli.path("m.xml")}), 0);
  const auto answer = JsonValue::parse(cli.out);
  ASSERT_TRUE(answer.has_value()) << cli.out;
  EXPECT_EQ(answer->number("bytes"), 5U);
  EXPECT_EQ(answer->text("head"), "7:abcd");
}

TEST(ExportCommand, ClearsItsProgressFromTheTerminal) {
  CommandLineRunner cli;
  cli.environment.err_is_terminal = true;
  cli.script.pieces = {"12345"};
  cli.script.during = [&](Progress&) { cli.clock.now = std::chrono::seconds(2); };
  EXPECT_EQ(cli.run({"export", "-o", cli.path("m.xml")}), 0);
  EXPECT_NE(cli.err.find("\r\x1b[Kwritten 5 B"), std::string::npos) << cli.err;
  EXPECT_TRUE(cli.err.ends_with("\r\x1b[KX-NetML-Head: 7:abcd\n")) << cli.err;
}

TEST(ExportCommand, ShowsNoProgressWhereItIsToBeQuiet) {
  CommandLineRunner cli;
  cli.environment.err_is_terminal = true;
  cli.script.pieces = {"12345"};
  cli.script.during = [&](Progress&) {
    cli.clock.now = cli.clock.now.load() + std::chrono::seconds(2);
  };
  for (const char* flag : {"-q", "--quiet"}) {
    EXPECT_EQ(cli.run({"export", "-o", cli.path("m.xml"), flag}), 0);
    EXPECT_EQ(cli.err, "X-NetML-Head: 7:abcd\n");
  }
  cli.variables["NETML_QUIET"] = "true";
  EXPECT_EQ(cli.run({"export", "-o", cli.path("m.xml")}), 0);
  EXPECT_EQ(cli.err, "X-NetML-Head: 7:abcd\n");
}

// ---- work behind a call ----

TEST(VerifyCommand, ShowsHowFarTheWorkIs) {
  CommandLineRunner cli;
  cli.environment.err_is_terminal = true;
  cli.script.response.body = R"({"ok":true})";
  bool watched = false;
  cli.script.during = [&](Progress& progress) {
    watched = progress.watched();
    progress.work({.done = 1, .total = 2});  // known before anything is drawn
    cli.clock.now = cli.clock.now.load() + std::chrono::seconds(2);
    progress.work({.done = 1, .total = 2});
  };
  EXPECT_EQ(cli.run({"verify"}), 0) << cli.err;
  EXPECT_TRUE(watched);
  EXPECT_NE(cli.err.find("\r\x1b[Kverifying [###############...............] 50 % of 2 B"),
            std::string::npos)
      << cli.err;
  EXPECT_TRUE(cli.err.ends_with("\r\x1b[K")) << cli.err;
  EXPECT_EQ(cli.run({"verify", "-q"}), 0);
  EXPECT_FALSE(watched) << "so nobody asks how far it is";
  EXPECT_EQ(cli.err, "");
}

// ---- validate and generate ----

TEST(GenerateCommand, GivesTheSameValidFileForTheSameOptions) {
  CommandLineRunner cli;
  const std::vector<std::string> options{"generate", "--topologies", "2", "--nodes", "3", "--links",
                                         "2",        "--seed",       "4"};
  EXPECT_EQ(cli.run(options), 0) << cli.err;
  const std::string first = cli.out;
  EXPECT_TRUE(codecs::read_netml(first).has_value());
  std::vector<std::string> to_file = options;
  to_file.insert(to_file.end(), {"-o", cli.path("g.xml")});
  EXPECT_EQ(cli.run(to_file), 0);
  EXPECT_EQ(file_content(cli.path("g.xml")), first);
  EXPECT_EQ(cli.out, "");
  EXPECT_NE(cli.err.find("2 topologies, 4 institutions, 6 nodes, 4 links"), std::string::npos)
      << cli.err;
  EXPECT_TRUE(cli.script.requests.empty()) << "no data directory is needed";
}

TEST(GenerateCommand, RefusesOptionsThatContradict) {
  CommandLineRunner cli;
  EXPECT_EQ(
      cli.run({"generate", "--topologies", "1", "--nodes", "3", "--links", "2", "--shared", "99"}),
      2);
  EXPECT_NE(cli.err, "");
}

TEST(GenerateCommand, FailsWhenItsOutputCannotBeWritten) {
  CommandLineRunner cli;
  cli.environment.out = [](std::string_view) -> Status {
    return netml::fail(Errc::io_error, "closed");
  };
  EXPECT_EQ(cli.run({"generate", "--topologies", "1", "--nodes", "3", "--links", "2"}), 1);
  EXPECT_EQ(cli.err, "netml: closed\n");
}

TEST(ValidateCommand, CountsWhatAValidFileHolds) {
  CommandLineRunner cli;
  const std::string file = cli.path("g.xml");
  ASSERT_EQ(cli.run({"generate", "--topologies", "1", "--nodes", "3", "--links", "2", "-o", file}),
            0);
  EXPECT_EQ(cli.run({"validate", file}), 0) << cli.err;
  EXPECT_TRUE(cli.out.starts_with(file + " is valid: 1 topology, ")) << cli.out;
  EXPECT_NE(cli.out.find("3 nodes, 2 links\n"), std::string::npos) << cli.out;
  EXPECT_TRUE(cli.script.requests.empty()) << "no data directory is needed";
  EXPECT_EQ(cli.run({"validate", file, "--json"}), 0);
  const auto answer = JsonValue::parse(cli.out);
  ASSERT_TRUE(answer.has_value()) << cli.out;
  EXPECT_TRUE(answer->flag("valid"));
  EXPECT_EQ(answer->at("counts").number("nodes"), 3U);
}

TEST(ValidateCommand, ListsEveryErrorWithItsPlace) {
  CommandLineRunner cli;
  const std::string file = cli.file("bad.xml", "<wrong/>");
  EXPECT_EQ(cli.run({"validate", file}), 3);
  EXPECT_EQ(cli.out, "");
  EXPECT_TRUE(cli.err.starts_with(file + ":1:1: Error: ")) << cli.err;
  EXPECT_NE(cli.err.find("netml: " + file + " is not valid: 1 error\n"), std::string::npos)
      << cli.err;
  EXPECT_EQ(cli.run({"validate", file, "--json"}), 3);
  const auto answer = JsonValue::parse(cli.out);
  ASSERT_TRUE(answer.has_value()) << cli.out;
  EXPECT_FALSE(answer->flag("valid"));
  EXPECT_EQ(answer->at("errors").items().at(0).text("code"), "wrong-root");
  EXPECT_EQ(answer->number("error_count"), 1U);
}

TEST(ValidateCommand, ShowsWarningsOfAValidFile) {
  CommandLineRunner cli;
  ASSERT_EQ(cli.run({"generate", "--topologies", "1", "--nodes", "1", "--links", "0"}), 0);
  std::string text = cli.out;
  // A node without a place is accepted with a warning (decision 7).
  const std::size_t node = text.find("<grenml:Node ");
  const std::size_t begin = text.find("<grenml:Location>", node);
  const std::size_t end = text.find("</grenml:Location>", begin);
  ASSERT_NE(end, std::string::npos);
  text.erase(begin, end + 18 - begin);
  const std::string file = cli.file("w.xml", text);
  EXPECT_EQ(cli.run({"validate", file}), 0) << cli.err;
  EXPECT_TRUE(cli.err.starts_with(file + ": Warning: ")) << cli.err;
}

TEST(ValidateCommand, ReadsAFileAsTheFormatThatIsNamed) {
  CommandLineRunner cli;
  const std::string file = cli.file("map.json", R"({"a":1})");
  EXPECT_EQ(cli.run({"validate", file}), 1);
  EXPECT_NE(cli.err.find("; name one with --format\n"), std::string::npos) << cli.err;
  EXPECT_EQ(cli.run({"validate", file, "--format", "netml"}), 3);
  EXPECT_TRUE(cli.err.starts_with(file + ":1:1: Error: ")) << cli.err;
}

TEST(ValidateCommand, FailsWhenThereIsNoFile) {
  CommandLineRunner cli;
  EXPECT_EQ(cli.run({"validate", cli.path("none.xml")}), 1);
}

}  // namespace
}  // namespace netml::admin::cli
