// Goal: commands about the past make their calls, show the stream that comes back as text or as it
// is, and tell an error that comes in the middle of it.
#include <gmock/gmock.h>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::HasSubstr;

const std::string kImport =
    R"({"lsn":12,"committed":true,"time":"2024-03-02T10:00:00.500000+00:00","effective_time":"2024-03-01T12:00:00+00:00","actor_kind":"token","actor":"peer","cause":"import","source":"map.xml from 10.0.0.1","file_hash":null,"request_id":"r","batch":0,"created":3,"updated":2,"deleted":1,"head":"12:ab"})";
const std::string kAborted = R"({"lsn":11,"committed":false,"reason":"cut off by a crash"})";
const std::string kEffect =
    R"({"record":5,"kind":"Node","id":"urn:n","action":"updated","fields":[{"field":"name","before":"old","after":null},{"field":"owners","before":["urn:a"],"after":["urn:b","urn:c"]}]})";

// However the pieces fall.
std::vector<std::string> pieces(const std::vector<std::string>& lines, std::size_t size) {
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  std::vector<std::string> cut;
  for (std::size_t at = 0; at < all.size(); at += size) cut.push_back(all.substr(at, size));
  return cut;
}

TEST(AuditCommands, LogIsALineForEachTransaction) {
  for (const std::size_t size : {1U, 7U, 100000U}) {
    CommandLineRunner cli;
    cli.script.pieces = pieces({kImport, kAborted}, size);
    EXPECT_EQ(cli.run({"log", "--limit", "2", "--actor", "peer", "--since", "import:3"}), 0);
    EXPECT_EQ(cli.request().target, "/api/v1/node/log?by=peer&since=import%3A3&limit=2");
    EXPECT_EQ(
        cli.out,
        "     LSN  TIME                  ACTOR         CAUSE          CHANGES             SOURCE\n"
        "      12  2024-03-02T10:00:00Z  peer          import         +3 ~2 -1            map.xml "
        "from 10.0.0.1\n"
        "          took effect 2024-03-01T12:00:00Z\n"
        "      11  aborted: cut off by a crash\n");
  }
}

// The rulesets of a new directory stand before every date that an import may be given.
TEST(AuditCommands, LogTellsOfTheBeginningWithoutADate) {
  CommandLineRunner cli;
  cli.script.pieces = {
      R"({"lsn":1,"committed":true,"time":"2024-03-02T10:00:00+00:00","effective_time":)"
      R"("1970-01-01T00:00:00+00:00","actor":"netml","cause":"rule","created":0,"updated":0,)"
      R"("deleted":0,"source":"first start"})"
      "\n"};
  EXPECT_EQ(cli.run({"log"}), 0);
  EXPECT_THAT(cli.out, HasSubstr("\n          took effect before all else\n"));
}

TEST(AuditCommands, StreamsAreShownAsTheyAreWithJson) {
  CommandLineRunner cli;
  cli.script.pieces = pieces({kImport, kEffect}, 10);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"log", "--json"},
                                                {"show", "12", "--json"},
                                                {"diff", "1", "2", "--json"},
                                                {"history", "urn:n", "--json"}}) {
    EXPECT_EQ(cli.run(words), 0) << cli.err;
    EXPECT_EQ(cli.out, kImport + '\n' + kEffect + '\n');
  }
}

TEST(AuditCommands, ShowTellsOldAndNewValues) {
  CommandLineRunner cli;
  cli.script.pieces = pieces({kImport, kEffect}, 1000);
  EXPECT_EQ(cli.run({"show", "12"}), 0) << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/node/log/show?at=12");
  EXPECT_THAT(cli.out, HasSubstr("~ Node urn:n\n"
                                 "    name: old -> (nothing)\n"
                                 "    owners: - urn:a\n"
                                 "            + urn:b\n"
                                 "            + urn:c\n"));
}

// A list by what it lost and gained; but a link by both of its ends.
TEST(AuditCommands, DiffTellsListsByWhatChangedInThem) {
  CommandLineRunner cli;
  cli.script.pieces =
      pieces({R"({"from":1,"to":2,"counts":{"links":{"created":0,"updated":1,"deleted":1}}})",
              R"({"kind":"Link","id":"urn:l","name":"L","action":"updated","fields":[)"
              R"({"field":"properties","before":["a=1","b=2","b=2"],"after":["b=2","c=3"]},)"
              R"({"field":"ends","before":["urn:x","urn:y"],"after":["urn:x","urn:z"]}]})",
              R"({"kind":"Link","id":"urn:m","name":"M","action":"deleted","fields":[)"
              R"({"field":"id","before":"urn:m","after":null},)"
              R"({"field":"name","before":"two\nlines","after":null}]})"},
             1000);
  EXPECT_EQ(cli.run({"diff", "1", "2"}), 0) << cli.err;
  EXPECT_EQ(cli.out,
            "from LSN 1 to LSN 2; links +0 ~1 -1\n"
            "~ Link urn:l\n"
            "    properties: - a=1\n"
            "                - b=2\n"
            "                + c=3\n"
            "    ends: urn:x, urn:y -> urn:x, urn:z\n"
            "- Link urn:m\n"
            "    name: two\n"
            "          lines\n");
}

TEST(AuditCommands, NothingIsSaidToBeNothing) {
  CommandLineRunner cli;
  cli.script.pieces = {R"({"from":1,"to":2,"counts":{}})"
                       "\n"};
  EXPECT_EQ(cli.run({"diff", "1", "2"}), 0) << cli.err;
  EXPECT_EQ(cli.out, "from LSN 1 to LSN 2; nothing differs\n");
  cli.script.pieces = {};
  EXPECT_EQ(cli.run({"log", "--actor", "nobody"}), 0);
  EXPECT_EQ(cli.out, "");
  EXPECT_THAT(cli.err, HasSubstr("no transaction"));
  EXPECT_EQ(cli.run({"log", "--actor", "nobody", "--json"}), 0);
  EXPECT_EQ(cli.out + cli.err, "");
}

TEST(AuditCommands, TellAnErrorInTheMiddleOfAStream) {
  CommandLineRunner cli;
  cli.script.pieces = {kImport + '\n',
                       R"({"error":{"message":"segment 3 is damaged","code":"corruption"}})"
                       "\n"};
  EXPECT_EQ(cli.run({"log"}), 5);
  EXPECT_THAT(cli.out, HasSubstr("map.xml"));
  EXPECT_THAT(cli.err, HasSubstr("segment 3 is damaged"));
  cli.script.pieces = {kImport};
  EXPECT_EQ(cli.run({"log"}), 1);
  EXPECT_THAT(cli.err, HasSubstr("cut off"));
}

TEST(AuditCommands, FollowShowsTheNewestInTheirOrderAndThenWhatComes) {
  CommandLineRunner cli;
  cli.script.pieces = pieces({kImport, kAborted}, 1000);
  int calls = 0;
  cli.script.during = [&](Progress&) {
    if (++calls == 2) cli.script.pieces.clear();
    if (calls == 3) cli.script.broken = Error{Errc::unavailable, "the server has gone"};
  };
  EXPECT_EQ(cli.run({"log", "--follow", "--json"}), 1);
  const std::string failure = outcome_document(
      "", 1, "the log cannot be followed any longer, is the server running? the server has gone");
  EXPECT_EQ(cli.out, kAborted + '\n' + kImport + '\n' + failure);
  ASSERT_EQ(cli.script.requests.size(), 3U);
  EXPECT_EQ(cli.script.requests[0].target, "/api/v1/node/log?limit=10&follow=1");
  EXPECT_EQ(cli.script.requests[1].target, "/api/v1/node/events");
  EXPECT_EQ(cli.script.requests[2].target, "/api/v1/node/log?after=7&order=oldest&follow=1");
}

TEST(AuditCommands, ReplayNamesAnAbsolutePath) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"lsn":7,"head":"7:ab","data_directory":"/x/copy"})";
  EXPECT_EQ(cli.run({"replay", "--until", "7", "--into", "/x/y/../copy"}), 0) << cli.err;
  EXPECT_EQ(cli.request().body, R"({"until":"7","into":"/x/copy"})");
  EXPECT_EQ(cli.out, "/x/copy holds the state at LSN 7; head 7:ab\n");
}

// The limit of the log is its own: those of the program come from the same name.
TEST(AuditCommands, TheLimitOfTheLogIsNotThatOfTheProgram) {
  CommandLineRunner cli;
  cli.variables["NETML_LIMIT"] = "imports_waiting_max=9";
  EXPECT_EQ(cli.run({"log", "--limit", "3"}), 0) << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/node/log?limit=3");
  EXPECT_EQ(cli.run({"log"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.back().target, "/api/v1/node/log");
}

}  // namespace
}  // namespace netml::admin::cli
