// The endpoints of embedded maps (http-api.md, section 14): GraphQL with its description, errors,
// limits, and where the map begins.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "admin/web_api/graphql_run.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using net::Method;
using testing::Browser;
using testing::OpenSite;
using testing::Reply;

// a - b of owners one and two.
class GraphqlQueries : public ::testing::Test {
 protected:
  GraphqlQueries() {
    engine::test::GraphBuilder builder;
    const RecordId topology = builder.topology("urn:t");
    const RecordId one = builder.institution("urn:one", {topology});
    const RecordId two = builder.institution("urn:two", {topology});
    const RecordId a = builder.node("urn:a", {topology}, {one});
    const RecordId b = builder.node("urn:b", {topology}, {two});
    builder.link("urn:ab", {topology}, {one}, a, b);
    graph = builder.build();
  }
  json::value run(std::string_view query, const json::object& variables = {}) {
    const auto answer = web::graphql::run_query(graph, query, variables, {});
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer ? json::parse(*answer).at("data") : json::value();
  }
  std::string refused(std::string_view query, const json::object& variables = {}) {
    const auto answer = web::graphql::run_query(graph, query, variables, {});
    EXPECT_FALSE(answer.has_value());
    return answer ? "" : answer.error().message;
  }

  engine::Graph graph;
};

TEST_F(GraphqlQueries, FindRecordsWithWhatTheyReferTo) {
  const json::value nodes =
      run("query { nodes { id name owners { id } linksA { nodeB { id } } linksB { id } "
          "connectedOwners { id } __typename } }")
          .at("nodes");
  ASSERT_EQ(nodes.as_array().size(), 2U);
  const json::value& a = nodes.at(0);
  EXPECT_EQ(a.at("id"), "urn:a");
  EXPECT_EQ(a.at("owners").at(0).at("id"), "urn:one");
  EXPECT_EQ(a.at("linksA").at(0).at("nodeB").at("id"), "urn:b");
  EXPECT_TRUE(a.at("linksB").as_array().empty());
  EXPECT_EQ(a.at("connectedOwners").as_array().size(), 2U);
  EXPECT_EQ(a.at("__typename"), "NodeType");
}

TEST_F(GraphqlQueries, FindOneByIdAndManyByName) {
  EXPECT_EQ(run("{node(id: \"urn:a\") {name}}").at("node").at("name"), "urn:a");
  EXPECT_TRUE(run("{node(id: \"urn:x\") {name}}").at("node").is_null());
  EXPECT_TRUE(run("{node {name}}").at("node").is_null());
  EXPECT_TRUE(run("{node(id: \"urn:a\", name: \"other\") {name}}").at("node").is_null());
  EXPECT_EQ(run("{links(name: \"urn:ab\") {id}}").at("links").as_array().size(), 1U);
  EXPECT_EQ(run("query($n: String!) {nodes(name: $n) {id}}", {{"n", "urn:b"}})
                .at("nodes")
                .as_array()
                .size(),
            1U);
  EXPECT_EQ(
      run("query($n: String = \"urn:b\") {nodes(name: $n) {id}}").at("nodes").as_array().size(),
      1U);
}

TEST_F(GraphqlQueries, MergeFieldsAliasesAndFragments) {
  const json::value data = run(R"(
    # a comment
    query Q { first: node(id: "urn:a") { ...names owners { id } }
              second: node(id: "urn:b") { id @skip(if: true) name @include(if: true) } }
    fragment names on NodeType { id owners { name }
                                 ... on NodeType { name } ... on LinkType { start } }
  )");
  EXPECT_EQ(data.at("first").at("owners").at(0).as_object().size(), 2U) << "of both selections";
  EXPECT_EQ(data.at("first").at("name"), "urn:a");
  EXPECT_FALSE(data.at("first").as_object().contains("start"));
  EXPECT_EQ(data.at("second").as_object().size(), 1U);
}

TEST_F(GraphqlQueries, GiveTheIdentifierUnderBothNames) {
  for (const char* query : {"{nodes {id netmlId grenmlId}}", "{links {id netmlId grenmlId}}",
                            "{institutions {id netmlId grenmlId}}"}) {
    const json::value data = run(query);
    const json::value& record = data.as_object().begin()->value().at(0);
    EXPECT_TRUE(record.at("id").as_string().starts_with("urn:")) << query;
    EXPECT_EQ(record.at("netmlId"), record.at("id")) << query;
    EXPECT_EQ(record.at("grenmlId"), record.at("id")) << query;
  }
}

TEST_F(GraphqlQueries, TellWhereTheyAreWrong) {
  const auto place = [&](std::string_view query) {
    const auto answer = web::graphql::run_query(graph, query, {}, {});
    return answer ? std::string()
                  : fmt::format("{}:{}", answer.error().line, answer.error().column);
  };
  EXPECT_EQ(place("{\n  nodes { colour }\n}"), "2:11");
  EXPECT_NE(refused("{ nodes { colour } }").find("colour"), std::string::npos);
  for (const char* query :
       {"", "{", "{}", "{nodes}", "{nodes {id {x}}}", "{nodes(colour: \"x\") {id}}", "mutation {x}",
        "{nodes {...missing}}", "{nodes {id} nodes(name: \"x\") {id}}", "{nodes(name: [1]) {id}}",
        "{nodes {id}", "query A {nodes {id}} query B {nodes {id}}", "{nodes {id @x}}", "\xff",
        "{nodes(name: \"a) {id}}", "{a: nodes: {id}}", "fragment f on NodeType {id}"})
    refused(query);
}

TEST_F(GraphqlQueries, HaveBoundsThatCyclesAndBombsMeet) {
  std::string deep = "{nodes {";
  for (int i = 0; i < 20; ++i) deep += "linksA {nodeA {";
  EXPECT_NE(refused(deep), "");
  EXPECT_NE(refused("{nodes {...a}} fragment a on NodeType {linksA {nodeA {...a}}}"), "");
  EXPECT_NO_FATAL_FAILURE(
      run("{nodes {...a}} fragment a on NodeType {id ...b} "
          "fragment b on NodeType {name ...a}"));
  std::string wide = "{";
  for (int i = 0; i < 2000; ++i) wide += fmt::format("a{}: nodes {{id}} ", i);
  EXPECT_NE(refused(wide + "}"), "");
  EXPECT_NE(refused(std::string(100'000, ' ') + "{nodes {id}}"), "");
}

// As many as client libraries ask for, and more; without an end all the same.
TEST_F(GraphqlQueries, DescribeTypesWithinTypesDeeply) {
  const auto nested = [](std::string_view field, std::size_t times) {
    std::string text = "name";
    for (std::size_t i = 0; i < times; ++i) text = fmt::format("name {} {{{}}}", field, text);
    return text;
  };
  for (const std::size_t levels : {9, 20})
    run(fmt::format("{{__schema {{types {{fields {{args {{type {{{}}}}}}}}}}}}}",
                    nested("ofType", levels)));
  run(fmt::format("{{__schema {{types {{...t}}}}}} fragment t on __Type {{{}}}",
                  nested("... on __Type {kind} ofType", 20)));
  EXPECT_NE(
      refused(fmt::format("{{__schema {{types {{{}}}}}}}", nested("ofType", 40))).find("32 levels"),
      std::string::npos);
  EXPECT_NE(refused("{__schema {types {...t}}} fragment t on __Type {ofType {...t}}"), "");
  EXPECT_NE(refused("{__schema {types {...t}}} fragment t on __Type "
                    "{a: ofType {...t} b: ofType {...t} c: ofType {...t}}"),
            "");
}

TEST_F(GraphqlQueries, DescribeThemselves) {
  const json::value schema = run(R"(query IntrospectionQuery { __schema {
      queryType { name } mutationType { name } subscriptionType { name }
      types { ...FullType } directives { name locations args { ...InputValue } } } }
    fragment FullType on __Type { kind name description
      fields(includeDeprecated: true) { name args { ...InputValue } type { ...TypeRef }
                                        isDeprecated }
      inputFields { ...InputValue } interfaces { ...TypeRef }
      enumValues(includeDeprecated: true) { name } possibleTypes { ...TypeRef } }
    fragment InputValue on __InputValue { name type { ...TypeRef } defaultValue }
    fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name } } })")
                                 .at("__schema");
  EXPECT_EQ(schema.at("queryType").at("name"), "Query");
  EXPECT_TRUE(schema.at("mutationType").is_null());
  bool found = false;
  for (const json::value& type : schema.at("types").as_array()) {
    if (type.at("name") != "NodeType") continue;
    found = true;
    EXPECT_EQ(type.at("fields").at(0).at("type").at("kind"), "NON_NULL");
    EXPECT_EQ(type.at("fields").at(0).at("type").at("ofType").at("name"), "ID");
    EXPECT_TRUE(type.at("enumValues").is_null());
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(run("{__type(name: \"LinkType\") {name kind}}").at("__type").at("kind"), "OBJECT");
  EXPECT_TRUE(run("{__type(name: \"Nothing\") {name}}").at("__type").is_null());
}

// ---- over HTTP ----

class Visualization : public ::testing::Test {
 protected:
  net::Request request(Method method, const std::string& target, const std::string& type = {}) {
    net::Request request = OpenSite::request(method, target);
    if (!type.empty()) request.headers.set("Content-Type", type);
    return request;
  }
  OpenSite site;
};

TEST_F(Visualization, TakesQueriesInEveryForm) {
  const char* path = "/visualization/graphql/";
  const auto data = [&](const Reply& reply) {
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.json().at("data").at("nodes").is_array();
  };
  EXPECT_TRUE(data(
      site.send(request(Method::post, path, "application/json"), R"({"query":"{nodes{id}}"})")));
  EXPECT_TRUE(data(site.send(request(Method::post, path, "application/graphql"), "{nodes{id}}")));
  EXPECT_TRUE(data(site.send(request(Method::post, path, "application/x-www-form-urlencoded"),
                             "query=%7Bnodes%7Bid%7D%7D")));
  EXPECT_TRUE(
      data(site.send(request(Method::get, std::string(path) + "?query=%7Bnodes%7Bid%7D%7D"))));
  for (const char* body : {"", "{}", "[]", R"({"query":""})", R"({"query":"{x}"})"}) {
    const Reply refused = site.send(request(Method::post, path, "application/json"), body);
    EXPECT_EQ(refused.status, 400) << body;
    EXPECT_TRUE(refused.json().at("errors").at(0).at("locations").is_array()) << body;
  }
  EXPECT_EQ(site.send(request(Method::put, path)).status, 405);
}

TEST_F(Visualization, IsForListedPagesAndCanBeSwitchedOff_A17) {
  site.add_account("ada", engine::Role::admin);
  Browser admin(site);
  admin.sign_in("ada");
  admin.post("origins", {{"name", "on"}, {"origin", "https://on.example"}});
  const auto ask = [&](Method method, const char* origin) {
    net::Request asked = request(method, "/visualization/graphql/", "application/json");
    asked.headers.set("Origin", origin);
    return site.send(asked, R"({"query":"{nodes{id}}"})");
  };
  EXPECT_EQ(ask(Method::post, "https://on.example").status, 200);
  EXPECT_EQ(ask(Method::post, "https://on.example").headers.get("Access-Control-Allow-Origin"),
            "https://on.example");
  EXPECT_EQ(ask(Method::options, "https://on.example").headers.get("Access-Control-Allow-Headers"),
            "Content-Type");
  EXPECT_EQ(ask(Method::post, "https://off.example").status, 401);
  EXPECT_EQ(ask(Method::post, "https://off.example").body, "");
  EXPECT_EQ(ask(Method::post, "null").status, 401);
  admin.put("settings/GREN_MAP_VISUALIZATION_ENABLED", {{"value", "False"}});
  const Reply off = ask(Method::post, "https://on.example");
  EXPECT_EQ(off.status, 200);
  EXPECT_EQ(off.json().at("errors").at(0).at("message"), "Visualization is disabled");
  EXPECT_TRUE(off.json().at("data").as_object().empty());
  const Reply kept = admin.put("settings/GREN_MAP_INITIAL_COORDINATES", {{"value", "(45.5, -75"}});
  EXPECT_EQ(kept.json().at("value"), "(45.5, -75.0)");
  const Reply place = site.send(request(Method::get, "/visualization/initial_coordinates/"));
  EXPECT_EQ(place.json().at("lat").to_number<double>(), 45.5);
  EXPECT_EQ(place.json().at("lng").to_number<double>(), -75);
  const Reply zoom = site.send(request(Method::get, "/visualization/initial_zoom/"));
  EXPECT_EQ(zoom.json().at("zoom").to_number<double>(), 3);
}

}  // namespace
}  // namespace netml::admin
