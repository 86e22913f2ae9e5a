// GraphQL libraries of others understand the node: they fetch the description of the schema, build
// the schema from it and check their queries against that.
// After a change of the schema that was meant, tests/golden/graphql/schema.graphql changes too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using test::institution;
using test::link;
using test::node;
using test::topology;

class GraphqlClients : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(node_
                  .import(topology("t", "org", institution("org"), node("a").owned_by("org"),
                                   node("b").owned_by("org"), link("l", "a", "b")))
                  .exit_code,
              0);
    server_ = node_.serve();
    ASSERT_NE(server_->port(), 0);
  }
  // The program is given the endpoint and the schema, and prints the answers to the queries.
  void expect_understood(const std::string& program, std::vector<std::string> words) {
    words.push_back(fmt::format("http://127.0.0.1:{}/visualization/graphql/", server_->port()));
    words.push_back(NETML_GOLDEN_GRAPHQL);
    const std::string out = node_.file("answers");
    const std::string errors = node_.file("errors");
    Process process(program, words, out, errors);
    const std::optional<int> exit_code = process.wait();
    if (exit_code == 77) GTEST_SKIP() << read_file(errors);
    ASSERT_EQ(exit_code, 0) << read_file(errors);
    std::istringstream lines(read_file(out));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(json::parse(line), json::parse(R"({"nodes":[
      {"id":"a","netmlId":"a","grenmlId":"a","name":"a","__typename":"NodeType",
       "owners":[{"netmlId":"org"}]},
      {"id":"b","netmlId":"b","grenmlId":"b","name":"b","__typename":"NodeType",
       "owners":[{"netmlId":"org"}]}]})"));
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(json::parse(line), json::parse(R"({"links":[{"id":"l","netmlId":"l","grenmlId":"l",
      "nodeA":{"netmlId":"a"},"nodeB":{"grenmlId":"b"}}]})"));
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(json::parse(line).at("institutions").is_array());
  }

  Node node_;
  std::unique_ptr<Server> server_;
};

TEST_F(GraphqlClients, OfPythonBuildTheSchema) {
  expect_understood("/usr/bin/python3", {"-B", NETML_GRAPHQL_CORE});
}

TEST_F(GraphqlClients, OfJavaScriptBuildTheSchema) {
  expect_understood("/usr/bin/env", {"node", NETML_GRAPHQL_JS, NETML_TEST_TOOLS});
}

}  // namespace
}  // namespace netml::e2e
