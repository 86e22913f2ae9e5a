// The endpoints of embedded maps (docs/requirements/http-api.md, section 14): GraphQL with its
// description, errors, limits, and where the map begins.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/socket.h>

#include <functional>
#include <optional>
#include <utility>

#include "admin/api/graphql/graphql_answers.hpp"
#include "admin/api/graphql/graphql_writer.hpp"
#include "tests/admin/support/body_text.hpp"
#include "tests/admin/support/open_site.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/ports.hpp"

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
  // In pieces of a few bytes, which no answer may show.
  Result<std::string> written(const web::graphql::Plan& plan) {
    web::graphql::Writer writer(graph, plan);
    std::string text;
    while (true) {
      std::string piece;
      NETML_TRY(const bool more, writer.write(piece, 7));
      text += piece;
      if (!more) return text;
    }
  }
  json::value run(std::string_view query, const json::object& variables = {}) {
    const auto plan = web::graphql::plan_query(query, variables, {});
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    if (!plan) return {};
    const Result<std::string> answer = written(*plan);
    EXPECT_TRUE(answer.has_value()) << answer.error().message;
    return answer ? json::parse(*answer).at("data") : json::value();
  }
  std::string refused(std::string_view query, const json::object& variables = {}) {
    const auto plan = web::graphql::plan_query(query, variables, {});
    if (!plan) return plan.error().message;
    const Result<std::string> answer = written(*plan);
    EXPECT_FALSE(answer.has_value()) << query;
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
    const auto plan = web::graphql::plan_query(query, {}, {});
    return plan ? std::string() : fmt::format("{}:{}", plan.error().line, plan.error().column);
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
  EXPECT_EQ(refused("{nodes {...a}} fragment a on NodeType {linksA {nodeA {...a}}}"),
            "nested more than 15 levels deep");
  EXPECT_NO_FATAL_FAILURE(
      run("{nodes {...a}} fragment a on NodeType {id ...b} "
          "fragment b on NodeType {name ...a}"));
  std::string wide = "{";
  for (int i = 0; i < 2000; ++i) wide += fmt::format("a{}: nodes {{id}} ", i);
  EXPECT_NE(refused(wide + "}"), "");
  EXPECT_NE(refused(std::string(100'000, ' ') + "{nodes {id}}"), "");
}

// Each field stands on a level of its own, the root included.
TEST_F(GraphqlQueries, MayBeNestedFifteenLevels) {
  const auto nested = [](std::size_t levels) {
    std::string text = "id";
    for (std::size_t level = levels; level > 2; --level)
      text = fmt::format("{} {{{}}}", level % 2 == 0 ? "nodeA" : "linksA", text);
    return fmt::format("{{nodes {{{}}}}}", text);
  };
  EXPECT_EQ(json::serialize(run(nested(4))),
            R"({"nodes":[{"linksA":[{"nodeA":{"id":"urn:a"}}]},{"linksA":[]}]})");
  const std::string deepest = json::serialize(run(nested(15)));
  EXPECT_NE(deepest.find(R"({"linksA":[{"nodeA":{"linksA":[{"nodeA":)"), std::string::npos);
  EXPECT_EQ(refused(nested(16)), "nested more than 15 levels deep");
  // The same by fragments, whose braces are not nested.
  std::string spread = "{nodes {...f3}}";
  for (std::size_t level = 3; level <= 16; ++level)
    spread += level % 2 == 1
                  ? fmt::format(" fragment f{} on NodeType {{linksA {{...f{}}}}}", level, level + 1)
                  : fmt::format(" fragment f{} on LinkType {{nodeA {{...f{}}}}}", level, level + 1);
  EXPECT_EQ(refused(spread + " fragment f17 on NodeType {id}"), "nested more than 15 levels deep");
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

TEST_F(GraphqlQueries, DescribeATypeWhereverItIsReferredTo) {
  const json::value schema = run("{__schema {queryType {fields {name type {ofType {fields {name}}}"
                                 " args {type {kind fields {name}}}}}}}")
                                 .at("__schema");
  const json::array& fields = schema.at("queryType").at("fields").as_array();
  const auto* nodes = std::ranges::find_if(
      fields, [](const json::value& field) { return field.at("name") == "nodes"; });
  ASSERT_NE(nodes, fields.end());
  EXPECT_EQ(nodes->at("type").at("ofType").at("fields").at(0).at("name"), "id") << *nodes;
  EXPECT_TRUE(nodes->at("args").at(0).at("type").at("fields").is_null());
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

// ---- answers of any length ----

// A hub with `count` links to nodes around it.
engine::Graph star(std::size_t count) {
  engine::test::GraphBuilder builder;
  const RecordId topology = builder.topology("urn:t");
  const RecordId hub = builder.node("urn:hub", {topology}, {});
  for (std::size_t i = 0; i < count; ++i) {
    const RecordId node = builder.node(fmt::format("urn:n{}", i), {topology}, {});
    builder.link(fmt::format("urn:l{}", i), {topology}, {}, hub, node);
  }
  return builder.build();
}

TEST_F(GraphqlQueries, AreRefusedWhereTheyAskForTooMuch) {
  const auto aliases = [](int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += fmt::format("a{}: nodes {{id}} ", i);
    return text + "}";
  };
  run(aliases(30));
  EXPECT_EQ(refused(aliases(31)), "the query has more than 30 aliases");
  EXPECT_EQ(refused("{nodes {...a linksA {nodeA {...a}}}} fragment a on NodeType {"
                    "a: id b: id c: id d: id e: id f: id g: id h: id i: id j: id k: id l: id "
                    "m: id n: id o: id p: id}"),
            "the query has more than 30 aliases");
  graph = star(1'001);
  run("{links {nodeA {id}}}");
  EXPECT_EQ(refused("{links {nodeA {linksA {id}}}}"),
            "the query asks for more than 100000 records; ask for fewer at once");
  EXPECT_EQ(refused("{links {nodeA {connectedOwners {id}}}}"),
            "the query asks for more than 1000000 records to be looked at; ask for fewer at once");
  std::string wide;
  for (int i = 0; i < 900; ++i) wide += fmt::format("x{} ", i);
  std::string introspection = "{__schema {";
  for (int i = 0; i < 900; ++i) introspection += fmt::format("y{} {{...f}} ", i);
  EXPECT_EQ(refused(introspection + "}} fragment f on __Type {" + wide + "}"),
            "the query asks too much");
}

class LongAnswers : public ::testing::Test {
 protected:
  Result<net::Body> ask(std::string_view query, const net::ClientPresence& client = {}) {
    auto plan = web::graphql::plan_query(query, {}, {});
    EXPECT_TRUE(plan.has_value());
    return answers.of(state, *std::move(plan), client);
  }

  static engine::StatePtr state_of(engine::Graph graph) {
    auto made = std::make_shared<engine::State>();
    made->graph = std::move(graph);
    return made;
  }

  const engine::StatePtr state = state_of(star(3'000));
  MemoryBudget memory;
  netml::testing::ManualClock clock;
  web::graphql::Answers answers{memory, clock};
};
constexpr const char* kLong = "{links {id name nodeA {id} nodeB {id name properties {value}}}}";

TEST_F(LongAnswers, AreSentInPiecesOfTheLengthThatWasTold) {
  auto body = ask(kLong);
  ASSERT_TRUE(body.has_value()) << body.error().message;
  const auto& stream = std::get<net::StreamBody>(*body);
  const std::string text = testing::body_text(*stream.source);
  EXPECT_EQ(text.size(), stream.length);
  EXPECT_EQ(json::parse(text).at("data").at("links").as_array().size(), 3'000U);
  const auto brief = ask("{node(id: \"urn:hub\") {id}}");
  ASSERT_TRUE(brief.has_value());
  EXPECT_EQ(std::get<std::string>(*brief), R"({"data":{"node":{"id":"urn:hub"}}})");
}

TEST_F(LongAnswers, AreFewAtOnceAndTheirMemoryIsReserved) {
  std::vector<net::Body> bodies;
  for (int i = 0; i < 8; ++i) bodies.push_back(ask(kLong).value());
  EXPECT_GT(memory.report().used, 0U);
  const auto refused = ask(kLong);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unavailable);
  EXPECT_TRUE(ask("{node(id: \"urn:hub\") {id}}").has_value());
  bodies.clear();
  EXPECT_EQ(memory.report().used, 0U);
  EXPECT_TRUE(ask(kLong).has_value());
}

TEST_F(LongAnswers, AreNotHeldForThoseWhoDoNotReadOn) {
  auto body = ask(kLong).value();
  net::BodySource& source = *std::get<net::StreamBody>(body).source;
  EXPECT_TRUE(source.next().has_value());
  clock.advance(std::chrono::minutes(3));
  EXPECT_FALSE(source.next().has_value());
}

TEST_F(LongAnswers, AreNotMadeForThoseWhoHaveLeft) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const net::UniqueFd ours(ends[0]);
  net::UniqueFd theirs(ends[1]);
  EXPECT_TRUE(ask(kLong, net::ClientPresence(ours.get())).has_value());
  theirs.reset();
  EXPECT_FALSE(ask(kLong, net::ClientPresence(ours.get())).has_value());
}

// A clock that does something at each look but the first, which is for the deadline; nothing while
// it does that.
class BusyClock : public Clock {
 public:
  WallTime wall() const override { return {}; }
  std::chrono::nanoseconds steady() const override {
    if (looks_++ > 0 && act) std::exchange(act, nullptr)();
    return {};
  }
  mutable std::function<void()> act;

 private:
  mutable int looks_ = 0;
};

TEST_F(LongAnswers, AreCountedNoFurtherForThoseWhoLeave) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const net::UniqueFd ours(ends[0]);
  net::UniqueFd theirs(ends[1]);
  BusyClock leaving;
  leaving.act = [&] { theirs.reset(); };
  web::graphql::Answers watched(memory, leaving);
  const auto plan = web::graphql::plan_query(kLong, {}, {}).value();
  EXPECT_FALSE(watched.of(state, plan, net::ClientPresence(ours.get())).has_value());
}

TEST_F(LongAnswers, AreCountedAFewAtOnce) {
  BusyClock counting;
  web::graphql::Answers one(memory, counting, {.counted_at_once_max = 1});
  const auto plan = web::graphql::plan_query(kLong, {}, {}).value();
  std::optional<Result<net::Body>> second;
  counting.act = [&] { second = one.of(state, plan, {}); };
  EXPECT_TRUE(one.of(state, plan, {}).has_value());
  ASSERT_TRUE(second.has_value());
  ASSERT_FALSE(second->has_value());
  EXPECT_EQ(second->error().code, Errc::unavailable);
  EXPECT_TRUE(one.of(state, plan, {}).has_value()) << "the first is counted";
}

TEST_F(LongAnswers, AreBoundedInBytesAndTime) {
  web::graphql::Answers small(memory, clock, {.bytes_max = 1 << 20});
  std::string query = "{links {";
  for (int i = 0; i < 29; ++i) query += fmt::format("a{}: id ", i);
  const auto plan = [&] { return web::graphql::plan_query(query + "}}", {}, {}).value(); };
  const auto refused = small.of(state, plan(), {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "the answer is longer than 1 MiB; ask for fewer at once");
  web::graphql::Answers hasty(memory, clock, {.counted_within = std::chrono::seconds(-1)});
  EXPECT_FALSE(hasty.of(state, plan(), {}).has_value());
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
