#include "admin/api/public/api_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <initializer_list>
#include <memory>

#include "admin/api/public/site_files.hpp"
#include "admin/api/public/yaml.hpp"
#include "net/http/media_range.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Answer;
using net::Request;
using net::Response;

namespace {

// The page takes everything from this node.
constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Response text_response(std::string_view type, std::string body) {
  Response response;
  response.headers.set("Content-Type", type);
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.body = std::move(body);
  return response;
}

bool wants_json(const Request& request) {
  if (const auto format = net::query_parameter(request.query, "format")) return *format == "json";
  const std::string_view accept = request.headers.get("Accept");
  const auto wanted = [&](std::initializer_list<std::string_view> types) {
    net::Preference most;
    for (const std::string_view type : types) most = std::max(most, net::preference(accept, type));
    return most;
  };
  return wanted({"application/json", "application/vnd.oai.openapi+json"}) >
         wanted({"application/vnd.oai.openapi", "application/yaml"});
}

Answer describe(const json::value& description, const Request& request) {
  json::value shown = description;
  const std::string host(request.headers.get("Host"));
  shown.as_object()["servers"] = json::array{{{"url", fmt::format("https://{}", host)}}};
  const bool as_json = wants_json(request);
  Response response =
      as_json ? text_response("application/json", json::serialize(shown))
              : text_response("application/vnd.oai.openapi; charset=utf-8", to_yaml(shown));
  response.headers.set("Content-Disposition",
                       fmt::format("inline; filename=\"{}.{}\"",
                                   std::string(shown.at("info").at("title").as_string()),
                                   as_json ? "json" : "yaml"));
  response.headers.set("Vary", "Accept");
  return response;
}

void serve_file(net::Router& router, std::string_view path, std::string_view type,
                std::string_view content) {
  router.add(net::Method::get, path, [type, content](const Request&) -> Answer {
    Response response = text_response(type, std::string(content));
    response.headers.set("Content-Security-Policy", kContentPolicy);
    return response;
  });
}

}  // namespace

void register_api_description(net::Router& router) {
  boost::system::error_code error;
  const auto description = std::make_shared<const json::value>(json::parse(kOpenApiJson, error));
  NETML_ASSERT(!error);  // a file of ours, checked by the tests
  router.add(net::Method::get, "/api-schema/",
             [description](const Request& request) { return describe(*description, request); });
  serve_file(router, "/swagger-ui/", "text/html; charset=utf-8", kApiHtml);
  serve_file(router, "/swagger-ui/api.css", "text/css; charset=utf-8", kApiCss);
  serve_file(router, "/swagger-ui/api.js", "text/javascript; charset=utf-8", kApiJs);
}

}  // namespace netml::admin
