// Goal: the endpoints of functional tests are there in test mode only, and each keeps its rule on
// who may call it (docs/requirements/http-api.md, sections 1, 3, 11 to 13; A21). Method: the real
// program with and without --test-mode; a table of every endpoint.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/e2e/support/test_mode.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;

struct Endpoint {
  const char* path;
  std::vector<std::string> methods;
  bool basic;  // needs an account
};

const std::vector<std::string> kList{"GET", "POST"};
const std::vector<std::string> kItem{"GET", "PUT", "PATCH", "DELETE"};

const std::vector<Endpoint> kEndpoints{
    {"/test/flushdb/", {"POST"}, false},
    {"/test/loadfixture/", {"POST"}, false},
    {"/test/create_superuser/", {"POST"}, false},
    {"/test/token/", {"POST"}, false},
    {"/netml_import/test/", {"GET", "DELETE"}, false},
    {"/grenml_import/test/", {"GET", "DELETE"}, false},
    {"/netml_import/test/upload/", {"POST"}, false},
    {"/grenml_import/test/upload/", {"POST"}, false},
    {"/network_topology/test/", {"GET"}, true},
    {"/network_topology/test/topologies/", kList, true},
    {"/network_topology/test/topologies/delete/", {"DELETE"}, true},
    {"/network_topology/test/topologies/1/", kItem, true},
    {"/network_topology/test/institutions/", kList, true},
    {"/network_topology/test/institutions/1/", kItem, true},
    {"/network_topology/test/nodes/", kList, true},
    {"/network_topology/test/nodes/1/", kItem, true},
    {"/network_topology/test/links/", kList, true},
    {"/network_topology/test/links/1/", kItem, true},
    {"/network_topology/test/properties/", kList, true},
    {"/network_topology/test/properties/1/", kItem, true},
    {"/collation/test/", {"GET"}, true},
    {"/collation/test/match_types/", {"GET"}, true},
    {"/collation/test/match_types/1/", {"GET", "DELETE"}, true},
    {"/collation/test/action_types/", {"GET"}, true},
    {"/collation/test/action_types/1/", {"GET"}, true},
    {"/collation/test/match_criteria/", kList, true},
    {"/collation/test/match_criteria/1/", kItem, true},
    {"/collation/test/match_infos/", kList, true},
    {"/collation/test/match_infos/1/", kItem, true},
    {"/collation/test/actions/", kList, true},
    {"/collation/test/actions/1/", kItem, true},
    {"/collation/test/action_infos/", kList, true},
    {"/collation/test/action_infos/1/", kItem, true},
    {"/collation/test/rules/", kList, true},
    {"/collation/test/rules/1/", kItem, true},
    {"/collation/test/rules/1/apply/", {"GET", "POST"}, true},
    {"/collation/test/rules/1/status/", {"GET"}, true},
    {"/collation/test/rulesets/", kList, true},
    {"/collation/test/rulesets/1/", kItem, true},
    {"/collation/test/rulesets/1/apply/", {"GET", "POST"}, true},
    {"/collation/test/rulesets/1/status/", {"GET"}, true},
    {"/collation/test/rulesets/apply_all/", {"GET", "POST"}, true},
    {"/collation/test/rulesets/enable_all/", {"PATCH"}, true},
    {"/collation/test/rulesets/disable_all/", {"PATCH"}, true},
    {"/collation/test/rulesets/restore_default_collision_resolution/", {"POST"}, true},
    {"/collation/test/export_rulesets", {"GET"}, false},
    {"/collation/test/import_rulesets", {"POST"}, false},
    {"/visualization/test/enabled_setting/", {"GET"}, false},
    {"/visualization/test/enabled_setting/1/", {"PUT"}, false},
    {"/visualization/test/allow_origin/", {"POST"}, false},
    {"/visualization/test/allow_origin/example/", {"DELETE"}, false},
};
const std::vector<std::string> kMethods{"GET", "POST", "PUT", "PATCH", "DELETE"};

TEST(FunctionalApi, IsRefusedWithoutTestMode_A21) {
  Node node;
  const auto server = node.serve();
  const Client client = server->client({});
  for (const Endpoint& endpoint : kEndpoints)
    for (const std::string& method : kMethods)
      for (const char* body : {"", "{\"fixture\":\"x\"}", "not json"}) {
        net::Headers headers;
        headers.add("Content-Type", "application/json");
        const Answer answer = client.send(method, endpoint.path, headers, body);
        ASSERT_TRUE(answer.has_value()) << endpoint.path;
        EXPECT_EQ(answer->status, 403) << method << " " << endpoint.path;
        EXPECT_EQ(answer->body, R"({"detail":"Failed access control check"})") << endpoint.path;
      }
}

TEST(FunctionalApi, AnswersWrongMethodsWithThoseAllowed) {
  TestModeNode node;
  for (const Endpoint& endpoint : kEndpoints)
    for (const std::string& method : kMethods) {
      if (std::ranges::find(endpoint.methods, method) != endpoint.methods.end()) continue;
      const JsonAnswer answer = node.ask(method, endpoint.path);
      EXPECT_EQ(answer.status, 405) << method << " " << endpoint.path;
      for (const std::string& allowed : endpoint.methods)
        EXPECT_THAT(std::string(answer.headers.get("Allow")), testing::HasSubstr(allowed))
            << endpoint.path;
    }
}

TEST(FunctionalApi, AsksForAnAccountThatMayChangeThings) {
  TestModeNode node;
  const auto with = [](const std::string& authorization) {
    net::Headers headers;
    if (!authorization.empty()) headers.add("Authorization", authorization);
    return headers;
  };
  const std::vector<std::string> refused{
      "",
      basic("admin", "wrong-password"),
      basic("nobody", "admin123"),
      basic("", ""),
      "Basic",
      "Basic ???",
      "Basic YWRtaW4=",  // "admin" without a colon
      "Bearer admin123",
  };
  for (const Endpoint& endpoint : kEndpoints) {
    if (!endpoint.basic) continue;
    for (const std::string& method : endpoint.methods)
      EXPECT_EQ(node.send(method, endpoint.path, with(""), "").status, 403)
          << method << " " << endpoint.path;
  }
  for (const std::string& authorization : refused) {
    const JsonAnswer answer = node.send("GET", "/collation/test/rules/", with(authorization), "");
    EXPECT_EQ(answer.status, 403) << authorization;
    EXPECT_EQ(json::serialize(answer.value), R"({"detail":"Failed access control check"})");
    EXPECT_FALSE(answer.headers.has("WWW-Authenticate"));
  }
  EXPECT_EQ(node.ask("GET", "/collation/test/rules/").status, 200);
}

TEST(FunctionalApi, FollowsTheUsualRulesOnSlashes) {
  TestModeNode node;
  EXPECT_EQ(node.ask("GET", "//network_topology///test/nodes//").status, 200);
  const JsonAnswer redirect = node.ask("GET", "/network_topology/test/nodes");
  EXPECT_EQ(redirect.status, 301);
  EXPECT_EQ(redirect.headers.get("Location"), "/network_topology/test/nodes/");
  EXPECT_EQ(node.ask("POST", "//collation/test/rulesets//apply_all").status, 200)
      << "methods other than GET are not sent elsewhere";
}

// ---- bodies ----

TEST(FunctionalApi, TakesJsonAndForms) {
  TestModeNode node;
  const std::string path = "/network_topology/test/topologies/";
  const auto as = [&](const char* type) {
    net::Headers headers = node.credentials();
    headers.add("Content-Type", type);
    return headers;
  };
  EXPECT_EQ(node.send("POST", path, as("application/json"), R"({"name":"J"})").status, 201);
  const JsonAnswer form =
      node.send("POST", path, as("application/x-www-form-urlencoded"), "name=F+1%26&netml_id=f");
  EXPECT_EQ(form.status, 201);
  EXPECT_EQ(form.text("name"), "F 1&");
  const JsonAnswer parts =
      node.send("POST", path, as("multipart/form-data; boundary=b"),
                "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nM\r\n--b--\r\n");
  EXPECT_EQ(parts.status, 201);
  EXPECT_EQ(parts.text("name"), "M");
  EXPECT_EQ(node.send("POST", path, as("text/plain"), "name=T").status, 415);
}

TEST(FunctionalApi, AnswersHostileBodiesWithErrorsOfTheClient) {
  TestModeNode node;
  const std::string deep = std::string(100'000, '[');
  const std::vector<std::string> bodies{
      deep,
      R"({"name":)" + deep,
      R"({"name":{"a":{"b":[1,2]}}})",
      "{\"name\":\"\xff\xfe\"}",
      "{\"name\":\"\\ud800\"}",
      R"({"name":"a\u0000b"})",
      R"({"name":1e999})",
      R"({"name":"x","latitude":1e300,"longitude":-1e300})",
      R"({"name":"x","topologies":{"a":1}})",
      R"({"name":"x","topologies":[-1,18446744073709551615]})",
      R"({"name":"x","properties":["{'name': 'a"]})",
      R"({"name":"x","properties":["\\"]})",
      R"({"name":"x","properties":[[[]]]})",
      R"({"name":"x","version":"9999999-99-99"})",
      R"({"name":"x","netml_id":"a","grenml_id":"b"})",
      "null",
      "[]",
      "\"text\"",
      "{",
  };
  for (const char* path : {"/network_topology/test/nodes/", "/collation/test/rules/",
                           "/collation/test/import_rulesets", "/test/token/",
                           "/test/create_superuser/", "/test/loadfixture/"})
    for (const std::string& body : bodies) {
      net::Headers headers = node.credentials();
      headers.add("Content-Type", "application/json");
      EXPECT_EQ(node.send("POST", path, headers, body).status, 400)
          << path << " " << body.substr(0, 60);
    }
  net::Headers form = node.credentials();
  form.add("Content-Type", "application/x-www-form-urlencoded");
  EXPECT_EQ(node.send("POST", "/network_topology/test/nodes/", form, "name=%ff%fe").status, 400);
  const std::string long_name(3'000'000, 'x');
  EXPECT_EQ(node.ask("POST", "/network_topology/test/nodes/", {{"name", long_name}}).status, 413);
}

// ---- emptying and filling ----

TEST(FunctionalBasics, FlushingEmptiesEverything) {
  TestModeNode node;
  const std::string token = node.import_token();
  node.create("/network_topology/test/topologies/", {{"name", "T"}});
  node.create("/collation/test/rulesets/", {{"name", "R"}});
  node.ask_openly("POST", "/netml_import/test/upload/", "<not/>");
  EXPECT_EQ(node.ask_openly("POST", "/test/flushdb/").status, 200);
  EXPECT_EQ(node.ask("GET", "/network_topology/test/topologies/").status, 403) << "no account";
  EXPECT_EQ(node.ask_openly("GET", "/netml_import/test/").value.as_array().size(), 0U);
  const Answer upload = node.server().client(token).upload("<x/>");
  ASSERT_TRUE(upload.has_value());
  EXPECT_EQ(upload->status, 403) << "no token";
  EXPECT_THAT(node.node().run({"user", "list", "--json"}).out, testing::HasSubstr(R"("items":[])"));
  EXPECT_THAT(node.node().run({"rules", "list", "--json"}).out,
              testing::HasSubstr(R"("items":[])"));
}

TEST(FunctionalBasics, TokensAreAsGiven) {
  TestModeNode node;
  const auto create = [&](json::object fields) {
    return node.ask_openly("POST", "/test/token/", std::move(fields)).status;
  };
  EXPECT_EQ(create({{"client_name", "a"}, {"token", "t1"}, {"token_type", "polling"}}), 200);
  EXPECT_EQ(create({{"client_name", "b"}, {"token", "t2"}, {"token_type", nullptr}}), 200);
  EXPECT_EQ(create({{"client_name", "a"}, {"token", "t3"}, {"token_type", "polling"}}), 400);
  EXPECT_EQ(create({{"client_name", "c"}, {"token", "t1"}, {"token_type", "polling"}}), 400);
  EXPECT_EQ(create({{"client_name", "d"}, {"token", std::string(33, 'x')}, {"token_type", ""}}),
            400);
  EXPECT_EQ(create({{"client_name", "d"}, {"token", "t4"}}), 400);
  EXPECT_EQ(create({{"client_name", "d"}, {"token_type", "polling"}}), 400);
  EXPECT_EQ(create({{"token", "t4"}, {"token_type", "polling"}}), 400);
  EXPECT_EQ(create({{"client_name", "d"}, {"token", "t4"}, {"token_type", "other"}}), 400);
  const auto opens = [&](const char* token) {
    return node.server().client(token).get("/netml_export/")->status;
  };
  EXPECT_EQ(opens("t1"), 500) << "there is no topology to export";
  EXPECT_EQ(opens("t2"), 403) << "a token of no kind opens nothing";
}

TEST(FunctionalBasics, SuperusersNeedANameAndAPassword) {
  TestModeNode node;
  const auto create = [&](json::object fields) {
    return node.ask_openly("POST", "/test/create_superuser/", std::move(fields)).status;
  };
  EXPECT_EQ(create({{"username", "x"}, {"password", "password"}, {"email", "x@y.z"}}), 200);
  EXPECT_EQ(create({{"username", "x"}, {"password", "password"}, {"email", ""}}), 400);
  EXPECT_EQ(create({{"username", nullptr}, {"password", "password"}, {"email", ""}}), 400);
  EXPECT_EQ(create({{"username", "y"}, {"password", nullptr}, {"email", ""}}), 400);
  EXPECT_EQ(create({{"username", "y"}}), 400);
  EXPECT_EQ(create({{"username", "y"}, {"password", "seven77"}, {"email", ""}}), 400) << "A6";
}

TEST(FunctionalBasics, TheFixtureIsThere) {
  TestModeNode node;
  const auto load = [&](json::value body) {
    return node.ask_openly("POST", "/test/loadfixture/", std::move(body));
  };
  const JsonAnswer loaded = load({{"fixture", "test_app_configurations.json"}});
  EXPECT_EQ(loaded.status, 200);
  EXPECT_THAT(loaded.text("message"), testing::StartsWith("Installed "));
  EXPECT_EQ(load({{"fixture", "other.json"}}).status, 400);
  EXPECT_EQ(load(json::object()).status, 400);
}

}  // namespace
}  // namespace netml::e2e
