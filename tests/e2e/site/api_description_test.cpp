// What the description of the public API promises, against what the program answers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using test::institution;
using test::topology;
using testing::HasSubstr;

class ApiDescription : public testing::Test {
 protected:
  void SetUp() override {
    import_ = node_.token("import");
    polling_ = node_.token("polling");
    server_ = node_.serve();
    description_ = json::parse(client("").get("/api-schema/?format=json")->body);
  }
  Client client(const std::string& token) const { return server_->client(token); }

  const json::value& resolved(const json::value& value) const {
    const json::value* reference =
        value.is_object() ? value.as_object().if_contains("$ref") : nullptr;
    if (reference == nullptr) return value;
    return description_.at_pointer(reference->as_string().subview(1));
  }

  // The answer has a status that is described, and a JSON body the required fields and a value of
  // the enumeration, if there is one.
  void expect_described(const std::string& path, const std::string& method, int status,
                        const Answer& answer) {
    SCOPED_TRACE(fmt::format("{} {} {}", method, path, status));
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->status, status);
    const json::object& responses =
        description_.at("paths").at(path).at(method).at("responses").as_object();
    const json::value* described = responses.if_contains(std::to_string(answer->status));
    ASSERT_NE(described, nullptr) << answer->status;
    const json::object& response = resolved(*described).as_object();
    const json::value* content = response.if_contains("content");
    if (content == nullptr) {
      EXPECT_EQ(answer->body, "");
      return;
    }
    const json::value* as_json = content->as_object().if_contains("application/json");
    if (as_json == nullptr) return;
    EXPECT_THAT(std::string(answer->headers.get("Content-Type")), HasSubstr("application/json"));
    expect_shape(resolved(as_json->at("schema")), json::parse(answer->body));
  }

  // Of the schemas of a oneOf the one of the body's type.
  const json::value& chosen(const json::value& schema, const json::value& body) const {
    const json::value* choices = schema.as_object().if_contains("oneOf");
    if (choices == nullptr) return schema;
    for (const json::value& choice : choices->as_array())
      if ((resolved(choice).at("type") == "string") == body.is_string()) return resolved(choice);
    ADD_FAILURE() << "no schema fits " << body;
    return schema;
  }

  void expect_shape(const json::value& described, const json::value& body) {
    const json::value& schema = chosen(described, body);
    EXPECT_EQ(schema.at("type") == "string", body.is_string()) << body;
    if (body.is_string()) return;
    for (const json::value& name : schema.at("required").as_array())
      EXPECT_TRUE(body.as_object().contains(name.as_string())) << name;
    for (const auto& [name, property] : schema.at("properties").as_object()) {
      const json::value* choices = property.as_object().if_contains("enum");
      if (choices == nullptr || !body.as_object().contains(name)) continue;
      EXPECT_THAT(choices->as_array(), testing::Contains(body.at(name)));
    }
  }

  Node node_;
  std::string import_;
  std::string polling_;
  std::unique_ptr<Server> server_;
  json::value description_;
};

TEST_F(ApiDescription, HoldsForExports) {
  const std::string published = "/published_network_data/current/netml_export/";
  expect_described("/status/", "get", 200, client("").get("/status/"));
  for (const std::string& path : {std::string("/netml_export/"), published})
    expect_described(path, "get", 403, client("").get(path));
  expect_described("/netml_export/", "get", 500, client(polling_).get("/netml_export/"));
  expect_described(published, "get", 404, client(polling_).get(published));
  ASSERT_EQ(client(import_).upload(topology("P", "p", institution("p")))->status, 201);
  expect_described("/netml_export/", "get", 200, client(polling_).get("/netml_export/"));
  node_.done({"publish", "first"});
  expect_described(published, "get", 200, client(polling_).get(published));
}

TEST_F(ApiDescription, HoldsForImports) {
  const std::string path = "/netml_import/upload/";
  const std::string file = topology("P", "p", institution("p"));
  expect_described(path, "post", 403, client("").upload(file));
  expect_described(path, "post", 406,
                   client(import_).upload(file, {.file_name = "a.txt", .fields = {}}));
  expect_described(path, "post", 400, client(import_).upload("no xml"));
  expect_described(path, "post", 400,
                   client(import_).upload(file, {.fields = {{"parent_topology_id", "none"}}}));
  const Answer done = client(import_).upload(file);
  expect_described(path, "post", 201, done);
  EXPECT_NE(done->headers.get("Location"), "");
}

TEST_F(ApiDescription, HoldsForQueuedImports) {
  const std::string path = "/netml_import/upload/";
  node_.done({"setting", "set", "IMPORT_ANSWER", "Queued"});
  const auto expect_text = [&](int status, const std::string& file, const UploadForm& form) {
    const Answer answer = client(import_).upload(file, form);
    expect_described(path, "post", status, answer);
    EXPECT_TRUE(json::parse(answer->body).is_string()) << answer->body;
  };
  expect_text(406, "x", {.file_name = "a.txt", .fields = {}});
  expect_text(400, "\xff", {});
  expect_text(400, "x", {.fields = {{"parent_topology_id", "none"}}});
  const Answer stored = client(import_).upload("no xml");
  expect_described(path, "post", 201, stored);
  EXPECT_NE(stored->headers.get("Location"), "");
}

TEST_F(ApiDescription, IsForEverybodyAndNamesTheHostAsked) {
  net::Headers headers;
  EXPECT_EQ(client("").get("/swagger-ui/", headers)->status, 200);
  EXPECT_THAT(std::string(description_.at_pointer("/servers/0/url").as_string()),
              HasSubstr("https://"));
  EXPECT_THAT(client("").get("/api-schema/")->body, HasSubstr("\"openapi\": \"3.0.3\""));
}

}  // namespace
}  // namespace netml::e2e
