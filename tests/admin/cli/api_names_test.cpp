// Goal: commands find by its name what the API knows by its number, read lists to their end, and
// print members under the names of version 0.1. Method: a fake node that records requests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "admin/cli/client/json.hpp"
#include "tests/admin/support/cli_fakes.hpp"

namespace netml::admin::cli {
namespace {

using test::CommandLineRunner;

// The API knows entries by their numbers.
TEST(NamedEntries, AreFoundByTheirNameFirst) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"items":[{"number":1,"name":"a/b"},{"number":7,"name":"a/b c?%"}],"next":null})";
  EXPECT_EQ(cli.run({"token", "delete", "a/b c?%"}), 0) << cli.err;
  ASSERT_EQ(cli.script.requests.size(), 2U);
  EXPECT_EQ(cli.script.requests[0].target, "/api/v1/tokens?name=a%2Fb%20c%3F%25");
  EXPECT_TRUE(cli.script.requests[0].only_asks);
  EXPECT_EQ(cli.script.requests[1].method, "DELETE");
  EXPECT_EQ(cli.script.requests[1].target, "/api/v1/tokens/7");
  EXPECT_EQ(cli.out, "deleted token a/b c?%\n");
  EXPECT_EQ(cli.run({"user", "delete", "a/b"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests[3].target, "/api/v1/accounts/1");
  EXPECT_EQ(cli.out, "deleted account a/b\n");
}

// A filter without a value would be none.
TEST(NamedEntries, AreNeverTakenForOthers) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"items":[{"number":1,"name":"ann"}],"next":null})";
  for (const char* name : {"", "an", "ANN"}) {
    cli.script.requests.clear();
    EXPECT_EQ(cli.run({"user", "delete", name}), 1);
    EXPECT_EQ(cli.script.requests.size(), 1U);
    EXPECT_EQ(
        cli.err,
        fmt::format("netml: there is no account \"{}\"; `netml user list` shows them\n", name));
  }
}

// As scripts know them since version 0.1.
TEST(FormerNamesOfMembers, ArePrintedInPlaceOfThoseOfTheApi) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"items":[{"number":1,"name":"peer","type":"polling","created":"2024-03-01T12:00:00Z"}],)"
      R"("next":null})";
  EXPECT_EQ(cli.run({"token", "list", "--json"}), 0);
  EXPECT_EQ(
      cli.out,
      outcome_document(
          R"([{"id":1,"client_name":"peer","kind":"polling","created":"2024-03-01T12:00:00+00:00"}])",
          0, ""));
  cli.script.response.body =
      R"({"items":[{"key":"A","name":"The first","choices":["0"]}],"next":null})";
  EXPECT_EQ(cli.run({"setting", "list", "--json"}), 0);
  EXPECT_EQ(cli.out, outcome_document(
                         R"([{"name":"A","display_name":"The first","allowed":["0"]}])", 0, ""));
}

TEST(Lists, AreReadToTheirEnd) {
  CommandLineRunner cli;
  cli.script.response.body = R"({"items":[{"number":1,"name":"a"}],"next":"1"})";
  cli.script.during = [&](Progress&) {
    if (cli.script.requests.size() == 2)
      cli.script.response.body = R"({"items":[{"number":2,"name":"b"}],"next":null})";
  };
  EXPECT_EQ(cli.run({"token", "list", "--json"}), 0);
  EXPECT_EQ(cli.script.requests.back().target, "/api/v1/tokens?sort=number&limit=1000&cursor=1");
  EXPECT_EQ(cli.out,
            outcome_document(R"([{"id":1,"client_name":"a"},{"id":2,"client_name":"b"}])", 0, ""));
}

TEST(RulesCommand, FindsTheRuleOrRulesetNamed) {
  CommandLineRunner cli;
  cli.script.response.body =
      R"({"items":[{"number":3,"name":"Mine","rules":[{"number":8,"name":"no a"}]}],"next":null})";
  EXPECT_EQ(cli.run({"rules", "apply", "--rule", "no a"}), 0) << cli.err;
  EXPECT_TRUE(cli.script.requests.front().only_asks);
  EXPECT_EQ(cli.script.requests.back().target, "/api/v1/rules/8/apply");
  EXPECT_EQ(cli.run({"rules", "apply", "--ruleset", "Mine"}), 0) << cli.err;
  EXPECT_EQ(cli.script.requests.back().target, "/api/v1/rulesets/3/apply");
  cli.script.requests.clear();
  for (const char* name : {"", "Mine"}) {
    EXPECT_EQ(cli.run({"rules", "apply", "--rule", name}), 1);
    EXPECT_EQ(cli.err,
              fmt::format("netml: there is no rule \"{}\"; `netml rules list` shows them\n", name));
  }
  for (const ControlRequest& request : cli.script.requests) EXPECT_EQ(request.method, "GET");
}

}  // namespace
}  // namespace netml::admin::cli
