// Goal: each command about sources makes its call and shows the answer, and takes tokens from
// standard input alone (A18). Method: a fake node that records requests.
#include <gmock/gmock.h>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSource =
    R"({"number":1,"name":"a/b","protocol":"http","active":true,"has_token":true,"unverified":false,"own_ca":true,"url":"http://h:80/","polling_url":"http://h:80/netml_export/","status_url":"http://h:80/status/","created":"T"})";

// What finds a source by its name, and what is answered then; the fake gives both at once.
std::string found_as(const std::string& name, const std::string& source) {
  return R"({"items":[{"number":1,"name":")" + name + R"("}],)" + source.substr(1);
}

class SourceCommand : public ::testing::Test {
 protected:
  SourceCommand() {
    cli.script.response.body = kSource;
    cli.environment.in_line = []() -> Result<std::string> { return std::string("s3cret"); };
  }
  CommandLineRunner cli;
};

TEST_F(SourceCommand, AddsAPeerWithWhatIsGiven) {
  EXPECT_EQ(cli.run({"source", "add", "a/b", "--host", "h"}), 0) << cli.err;
  EXPECT_EQ(cli.request().method, "POST");
  EXPECT_EQ(cli.request().target, "/api/v1/sources");
  EXPECT_EQ(cli.request().body, R"({"name":"a/b","hostname":"h"})");
  EXPECT_EQ(cli.out, "added source a/b, http://h:80/\n");
}

TEST_F(SourceCommand, SendsAllThatASourceHas) {
  const std::string certificates = cli.file("ca.pem", "-----BEGIN CERTIFICATE-----\n");
  EXPECT_EQ(cli.run({"source", "add", "p", "--host", "h", "--protocol", "http", "--port", "8080",
                     "--path", "x/", "--token-stdin", "--plain-http", "--ca-file", certificates,
                     "--unverified", "--inactive"}),
            0)
      << cli.err;
  EXPECT_EQ(
      cli.request().body,
      R"({"name":"p","protocol":"http","hostname":"h","port":8080,"path":"x/","token":"s3cret",)"
      R"("plain_http":true,"unverified":true,)"
      R"("ca_certificates":"-----BEGIN CERTIFICATE-----\u000a","active":false})");
  EXPECT_THAT(cli.out, Not(HasSubstr("s3cret")));
}

TEST_F(SourceCommand, TakesTheTokenFromAFile) {
  const std::string file = cli.file("token", "s3cret\n");
  EXPECT_EQ(cli.run({"source", "add", "p", "--host", "h", "--token-file", file}), 0) << cli.err;
  EXPECT_EQ(cli.request().body, R"({"name":"p","hostname":"h","token":"s3cret"})");
}

TEST_F(SourceCommand, TakesNoTokenAsAnArgument) {
  EXPECT_EQ(cli.run({"source", "add", "p", "--host", "h", "--token", "s3cret"}), 2);
  EXPECT_TRUE(cli.script.requests.empty());
}

TEST_F(SourceCommand, ChangesWhatIsNamedAndNothingElse) {
  cli.script.response.body = found_as("a/b", kSource);
  EXPECT_EQ(
      cli.run({"source", "set", "a/b", "--rename", "c", "--no-token", "--verified", "--system-ca"}),
      0)
      << cli.err;
  EXPECT_EQ(cli.request().target, "/api/v1/sources?name=a%2Fb");
  EXPECT_EQ(cli.script.requests.at(1).method, "PUT");
  EXPECT_EQ(cli.script.requests.at(1).target, "/api/v1/sources/1");
  EXPECT_EQ(cli.script.requests.at(1).body,
            R"({"name":"c","token":null,"unverified":false,"ca_certificates":""})");
}

TEST_F(SourceCommand, SetsTheAuthorityOfAPeerAndWarnsOfTheLast) {
  cli.script.response.body = found_as("p", kSource);
  EXPECT_EQ(cli.run({"source", "set", "p", "--authority", "listed", "--listed-topology", "urn:a",
                     "--listed-topology", "urn:b"}),
            0)
      << cli.err;
  EXPECT_EQ(cli.script.requests.at(1).body,
            R"({"authority":"listed","listed_topologies":["urn:a","urn:b"]})");
  EXPECT_THAT(cli.out, Not(HasSubstr("overwrite")));
  cli.script.requests.clear();
  EXPECT_EQ(cli.run({"source", "set", "p", "--authority", "any"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.at(1).body, R"({"authority":"any"})");
  EXPECT_THAT(cli.out, HasSubstr("may now overwrite what others deliver"));
  EXPECT_EQ(cli.run({"source", "set", "p", "--authority", "all"}), 2);
}

TEST_F(SourceCommand, TellsThatAPeerElsewhereHasNoToken) {
  cli.script.response.body = found_as("p", R"({"name":"p","has_token":false})");
  EXPECT_EQ(cli.run({"source", "set", "p", "--host", "elsewhere"}), 0) << cli.err;
  EXPECT_EQ(cli.out, "changed source p, which has no token\n");
}

TEST_F(SourceCommand, EnablesDisablesAndDeletes) {
  struct Row {
    const char* word;
    const char* method;
    const char* body;
    const char* out;
  };
  cli.script.response.body = found_as("p", kSource);
  for (const Row& row : {Row{"enable", "PUT", R"({"active":true})", "enabled source p\n"},
                         Row{"disable", "PUT", R"({"active":false})", "disabled source p\n"},
                         Row{"delete", "DELETE", "", "deleted source p\n"}}) {
    cli.script.requests.clear();
    EXPECT_EQ(cli.run({"source", row.word, "p"}), 0) << cli.err;
    EXPECT_EQ(cli.request().target, "/api/v1/sources?name=p");
    EXPECT_EQ(cli.script.requests.at(1).method, row.method);
    EXPECT_EQ(cli.script.requests.at(1).target, "/api/v1/sources/1");
    EXPECT_EQ(cli.script.requests.at(1).body, row.body);
    EXPECT_EQ(cli.out, row.out);
  }
}

TEST_F(SourceCommand, ListsAndShowsWhatMattersForSafety) {
  cli.script.response.body = R"({"items":[)" + kSource + R"(],"next":null})";
  EXPECT_EQ(cli.run({"source", "list"}), 0) << cli.err;
  EXPECT_EQ(cli.out,
            "NAME  ACTIVE  URL           REMARKS\n"
            "a/b   yes     http://h:80/  token, in clear, own CA\n");
  cli.script.response.body = found_as("a/b", kSource);
  EXPECT_EQ(cli.run({"source", "show", "a/b"}), 0) << cli.err;
  EXPECT_THAT(cli.out, HasSubstr("http://h:80/netml_export/"));
}

TEST_F(SourceCommand, PrintsTheNamesAndValuesOfVersion01WithJson) {
  cli.script.response.body =
      R"({"items":[{"number":1,"name":"p","last_success":null,"created":"2024-03-01T12:00:00Z",)"
      R"("listed_topologies":"urn:a\nurn:b"}],"next":null})";
  EXPECT_EQ(cli.run({"source", "list", "--json"}), 0) << cli.err;
  EXPECT_EQ(cli.out, outcome_document(R"([{"id":1,"name":"p","succeeded":null,)"
                                      R"("created":"2024-03-01T12:00:00+00:00",)"
                                      R"("listed_topologies":["urn:a","urn:b"]}])",
                                      0, ""));
  cli.script.response.body =
      R"({"items":[{"number":4,"state":"aborted","duration":0.25,"records":[)"
      R"({"number":9,"source":"p","source_number":1,"poll_seconds":null}]}],"next":null})";
  EXPECT_EQ(cli.run({"source", "log", "--limit", "1", "--json"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.back().target, "/api/v1/polls?limit=1");
  EXPECT_EQ(cli.out,
            outcome_document(R"([{"id":4,"status":"aborted","milliseconds":250,"records":[)"
                             R"({"id":9,"name":"p","source":1,"poll_milliseconds":0}]}])",
                             0, ""));
}

}  // namespace
}  // namespace netml::admin::cli
