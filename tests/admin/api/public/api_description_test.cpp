// The description of the public API: complete in itself, in both forms, without another host.
#include "admin/api/public/public_api.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "admin/api/public/site_files.hpp"

namespace netml::admin {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

net::Response get(const std::string& path, const std::string& query = {},
                  const std::string& accept = {}, const std::string& host = "map.example.org") {
  net::Router router;
  register_api_description(router);
  const auto found = router.resolve(net::Method::get, path);
  const auto* route = std::get_if<net::Router::Found>(&found);
  if (route == nullptr) return net::refusal(404, path);
  net::Request request;
  request.path = path;
  request.query = query;
  request.headers.add("Host", host);
  if (!accept.empty()) request.headers.add("Accept", accept);
  return std::get<net::Response>((*route->handler)(request));
}
std::string body_of(const net::Response& response) {
  return std::get<std::string>(response.body);
}

TEST(ApiDescription, IsYamlUnlessJsonIsAskedFor) {
  const net::Response yaml = get("/api-schema/");
  EXPECT_EQ(yaml.headers.get("Content-Type"), "application/vnd.oai.openapi; charset=utf-8");
  EXPECT_EQ(yaml.headers.get("Content-Disposition"), "inline; filename=\"public API.yaml\"");
  EXPECT_THAT(body_of(yaml),
              StartsWith("\"openapi\": \"3.0.3\"\n\"info\":\n  \"title\": \"public API\""));
  for (const auto& [query, accept] :
       {std::pair("format=json", ""), std::pair("", "application/json"),
        std::pair("", "application/vnd.oai.openapi+json"),
        std::pair("", "application/json, text/plain, */*"),
        std::pair("", "application/vnd.oai.openapi;q=0.5, application/json;q=0.6")}) {
    const net::Response response = get("/api-schema/", query, accept);
    EXPECT_EQ(response.headers.get("Content-Type"), "application/json");
    EXPECT_EQ(response.headers.get("Content-Disposition"), "inline; filename=\"public API.json\"");
    EXPECT_TRUE(json::parse(body_of(response)).is_object());
  }
  for (const auto& [query, accept] :
       {std::pair("format=yaml", "application/json"), std::pair("", "*/*"),
        std::pair("", "application/*"), std::pair("", "text/html"),
        std::pair("", "application/json;q=0, */*"), std::pair("", "application/x-json-lines"),
        std::pair("", "application/json;q=0.5, application/vnd.oai.openapi")})
    EXPECT_THAT(body_of(get("/api-schema/", query, accept)), StartsWith("\"openapi\""))
        << query << accept;
}

TEST(ApiDescription, NamesTheHostThatWasAsked) {
  const json::value shown = json::parse(body_of(get("/api-schema/", "format=json")));
  EXPECT_EQ(shown.at_pointer("/info/version").as_string(), "0.1.0");
  EXPECT_EQ(shown.at_pointer("/servers/0/url").as_string(), "https://map.example.org");
}

// Every "$ref" leads to something, and operations are distinguished by their names.
TEST(ApiDescription, IsCompleteInItself) {
  const json::value description = json::parse(kOpenApiJson);
  std::set<std::string> operations;
  std::vector<const json::value*> open{&description};
  while (!open.empty()) {
    const json::value& value = *open.back();
    open.pop_back();
    if (const json::array* array = value.if_array())
      for (const json::value& item : *array) open.push_back(&item);
    const json::object* object = value.if_object();
    if (object == nullptr) continue;
    for (const auto& member : *object) open.push_back(&member.value());
    if (const json::value* reference = object->if_contains("$ref")) {
      boost::system::error_code error;
      const std::string pointer(reference->as_string().subview(1));
      EXPECT_NE(description.find_pointer(pointer, error), nullptr) << pointer;
    }
    if (const json::value* operation = object->if_contains("operationId")) {
      EXPECT_TRUE(operations.insert(std::string(operation->as_string())).second);
      EXPECT_TRUE(object->contains("responses"));
      EXPECT_TRUE(object->contains("security"));
    }
  }
  EXPECT_THAT(operations,
              testing::ElementsAre("netml_export_delta_retrieve", "netml_export_retrieve",
                                   "netml_import_upload_create",
                                   "published_network_data_current_netml_export_retrieve",
                                   "status_retrieve"));
}

TEST(ApiDescription, IsShownByAPageThatAsksNoOtherHost) {
  const net::Response page = get("/swagger-ui/");
  EXPECT_EQ(page.headers.get("Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(std::string(page.headers.get("Content-Security-Policy")),
              AllOf(HasSubstr("default-src 'none'"), HasSubstr("script-src 'self'")));
  for (const char* path : {"/swagger-ui/", "/swagger-ui/api.css", "/swagger-ui/api.js"}) {
    const net::Response response = get(path);
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_THAT(body_of(response), AllOf(Not(HasSubstr("http://")), Not(HasSubstr("https://"))))
        << path;
  }
}

bool is_filled(const json::value& value) {
  return (value.is_object() && !value.get_object().empty()) ||
         (value.is_array() && !value.get_array().empty());
}

// A line of YAML for each value, depth first, with texts as in JSON.
std::string yaml_of(const json::value& all) {
  struct Line {
    std::string begin;
    const json::value* value;
    std::size_t indent;
  };
  std::string yaml;
  std::vector<Line> open{{"", &all, 0}};
  while (!open.empty()) {
    const auto [begin, value, indent] = open.back();
    open.pop_back();
    if (value != &all)
      yaml += begin + (is_filled(*value) ? "" : " " + json::serialize(*value)) + '\n';
    std::vector<Line> within;
    const std::string blanks(indent, ' ');
    if (const json::array* array = value->if_array())
      for (const json::value& item : *array) within.push_back({blanks + '-', &item, indent + 2});
    if (const json::object* object = value->if_object())
      for (const auto& [name, member] : *object)
        within.push_back({blanks + json::serialize(json::string(name)) + ':', &member, indent + 2});
    open.insert(open.end(), within.rbegin(), within.rend());
  }
  return yaml;
}

TEST(ApiDescription, SaysTheSameInBothForms) {
  json::value description = json::parse(kOpenApiJson);
  EXPECT_EQ(kOpenApiYaml, yaml_of(description));
  // One that needs escapes.
  description.at("servers").at(0).at("url") = "https://a\"b\\";
  EXPECT_EQ(body_of(get("/api-schema/", "", "", "a\"b\\")), yaml_of(description));
  EXPECT_EQ(body_of(get("/api-schema/", "format=json", "", "a\"b\\")),
            json::serialize(description));
}

}  // namespace
}  // namespace netml::admin
