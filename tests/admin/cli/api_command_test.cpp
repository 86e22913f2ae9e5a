// Goal: `netml api` makes the call that is given, and prints what is answered: at once, as one
// document, or as a whole list. Method: a fake node that records requests.
#include <gmock/gmock.h>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::HasSubstr;

struct Call {
  std::vector<std::string> arguments;
  std::string method;
  std::string target;
  std::string body;
};

TEST(ApiCommand, MakesTheCallThatIsGiven) {
  const std::vector<Call> calls = {
      {{"notes"}, "GET", "/api/v1/notes", ""},
      {{"status"}, "GET", "/api/v1/status", ""},
      {{"DELETE", "notes/3"}, "DELETE", "/api/v1/notes/3", ""},
      {{"notes", "--body", "{}"}, "POST", "/api/v1/notes", "{}"},
      {{"--body", "[1,2]", "PUT", "notes/3"}, "PUT", "/api/v1/notes/3", "[1,2]"},
      {{"/polling/trigger/?scheduled=1"}, "GET", "/polling/trigger/?scheduled=1", ""},
      {{"node/log?by=Jos\xc3\xa9 B&element=#3"},
       "GET",
       "/api/v1/node/log?by=Jos%C3%A9%20B&element=%233",
       ""},
      {{"nodes?q=%C3%A9\r\n"}, "GET", "/api/v1/nodes?q=%C3%A9%0D%0A", ""},
  };
  for (const Call& call : calls) {
    CommandLineRunner cli;
    cli.script.pieces = {R"({"number":)", "3}"};
    std::vector<std::string> words = call.arguments;
    words.insert(words.begin(), "api");
    EXPECT_EQ(cli.run(words), 0) << cli.err;
    EXPECT_EQ(cli.request().method, call.method);
    EXPECT_EQ(cli.request().target, call.target);
    EXPECT_EQ(cli.request().body, call.body);
    EXPECT_FALSE(cli.request().body_file.has_value());
    EXPECT_EQ(cli.out, "{\"number\":3}\n");
    EXPECT_EQ(cli.err, "");
  }
}

TEST(ApiCommand, NeedsACallThatCanBe) {
  const std::vector<std::vector<std::string>> refused = {{"api"},
                                                         {"api", "get", "notes"},
                                                         {"api", "GET", "notes", "more"},
                                                         {"api", "DELETE", "notes", "--all"},
                                                         {"api", "notes", "--all", "--body", "{}"}};
  for (const auto& words : refused) {
    CommandLineRunner cli;
    EXPECT_EQ(cli.run(words), 2) << cli.out;
    EXPECT_TRUE(cli.script.requests.empty());
  }
}

// What is sent is never a matter of settings.
TEST(ApiCommand, TakesItsBodyFromItsArgumentsAlone) {
  CommandLineRunner cli;
  cli.variables = {{"NETML_BODY", "{}"}, {"NETML_ALL", "1"}};
  EXPECT_EQ(cli.run({"api", "notes"}), 0) << cli.err;
  EXPECT_EQ(cli.request().method, "GET");
  EXPECT_EQ(cli.request().target, "/api/v1/notes");
}

TEST(ApiCommand, PrintsNothingOfAnEmptyAnswer) {
  CommandLineRunner cli;
  cli.script.response.status = 204;
  EXPECT_EQ(cli.run({"api", "DELETE", "notes/3"}), 0);
  EXPECT_EQ(cli.out, "");
  EXPECT_EQ(cli.run({"api", "DELETE", "notes/3", "--json"}), 0);
  EXPECT_EQ(cli.out, outcome_document("{}", 0, ""));
}

// As the API calls things, not as version 0.1 did.
TEST(ApiCommand, PutsOneAnswerIntoTheDocumentOfJson) {
  CommandLineRunner cli;
  cli.script.pieces = {R"({"number":3,)", R"("title":"Works"})"};
  EXPECT_EQ(cli.run({"api", "notes/3", "--json"}), 0);
  EXPECT_EQ(cli.out, outcome_document(R"({"number":3,"title":"Works"})", 0, ""));
  cli.script.pieces = {R"([{"number":3}])"};
  EXPECT_EQ(cli.run({"api", "notes/3", "--json"}), 0);
  EXPECT_EQ(cli.out, outcome_document(R"([{"number":3}])", 0, ""));
}

TEST(ApiCommand, PrintsStreamsAndFilesAsTheyCome) {
  const std::vector<std::vector<std::string>> answers = {
      {"{\"lsn\":1}\n{\"l", "sn\":2}\n"},
      {"{\"lsn\":1}", "\n", "{\"lsn\":2}\n"},
      {"<?xml version=\"1.0\"?>", "\n<grenml:Topology/>"},
      {std::string("PK\0\n", 4), "\n\n"}};
  for (const auto& answer : answers) {
    std::string whole;
    for (const std::string& piece : answer) whole += piece;
    CommandLineRunner cli;
    cli.script.pieces = answer;
    EXPECT_EQ(cli.run({"api", "node/log"}), 0) << cli.err;
    EXPECT_EQ(cli.out, whole);
    EXPECT_EQ(cli.run({"api", "node/log", "--json"}), 0) << cli.err;
    EXPECT_EQ(cli.out, whole);
  }
}

TEST(ApiCommand, FailsWhereAStreamSaysThatItDoes) {
  CommandLineRunner cli;
  cli.script.pieces = {"{\"lsn\":1}\n{\"error\":{\"code\":",
                       "\"corruption\",\"message\":\"segment 3 is damaged\"}}\n"};
  EXPECT_EQ(cli.run({"api", "node/log"}), 5);
  EXPECT_EQ(cli.out, cli.script.pieces[0] + cli.script.pieces[1]);
  EXPECT_THAT(cli.err, HasSubstr("netml: segment 3 is damaged\n"));
  EXPECT_EQ(cli.run({"api", "node/log", "--json"}), 5);
  EXPECT_EQ(cli.out, cli.script.pieces[0] + cli.script.pieces[1] +
                         outcome_document("", 5, "segment 3 is damaged"));
}

TEST(ApiCommand, RefusesAsOtherCommandsDo) {
  CommandLineRunner cli;
  cli.script.response = {
      .status = 400,
      .head = "",
      .body = R"({"error":{"code":"invalid-input","message":"is too long","field":"title"}})"};
  EXPECT_EQ(cli.run({"api", "notes", "--body", "{}"}), 2);
  EXPECT_EQ(cli.out, "");
  EXPECT_EQ(cli.err, "netml: title: is too long\n");
  cli.script.response = {.status = 404, .head = "", .body = R"({"detail":"no such path"})"};
  EXPECT_EQ(cli.run({"api", "nothing", "--json"}), 1);
  EXPECT_EQ(cli.out, outcome_document("{}", 1, "no such path"));
  EXPECT_EQ(cli.err, "netml: no such path\n");
}

TEST(ApiCommand, ReadsAListToItsEnd) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"items":[{"number":1}],"next":"1"})";
  cli.script.during = [&](Progress&) {
    const bool more = cli.script.requests.size() % 2 == 1;
    cli.script.response.body =
        more ? R"({"items":[{"number":1}],"next":"1"})" : R"({"items":[{"number":2}],"next":null})";
  };
  EXPECT_EQ(cli.run({"api", "notes?q=a", "--all"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests[0].target, "/api/v1/notes?q=a&limit=1000");
  EXPECT_EQ(cli.script.requests[1].target, "/api/v1/notes?q=a&limit=1000&cursor=1");
  EXPECT_EQ(cli.out, "[{\"number\":1},{\"number\":2}]\n");
  EXPECT_EQ(cli.run({"api", "notes", "--all", "--json"}), 0) << cli.err;
  EXPECT_EQ(cli.out, outcome_document(R"([{"number":1},{"number":2}])", 0, ""));
}

}  // namespace
}  // namespace netml::admin::cli
