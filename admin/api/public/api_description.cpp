#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <initializer_list>
#include <string>

#include "admin/api/public/public_api.hpp"
#include "admin/api/public/site_files.hpp"
#include "engine/base/json_string.hpp"
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

// A description, in one form or the other, with the address of the node that was asked.
std::string addressed(std::string_view description, const Request& request) {
  constexpr std::string_view kAddress = "\"https://localhost\"";
  const std::size_t at = description.find(kAddress);
  NETML_ASSERT(at != description.npos);  // a file of ours, checked by the tests
  const std::string address = fmt::format("https://{}", request.headers.get("Host"));
  return fmt::format("{}{}{}", description.substr(0, at), json_string(address),
                     description.substr(at + kAddress.size()));
}

Answer describe(const std::string& as_json, const Request& request) {
  const bool is_json = wants_json(request);
  Response response = is_json ? text_response("application/json", addressed(as_json, request))
                              : text_response("application/vnd.oai.openapi; charset=utf-8",
                                              addressed(kOpenApiYaml, request));
  response.headers.set("Content-Disposition", fmt::format("inline; filename=\"public API.{}\"",
                                                          is_json ? "json" : "yaml"));
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
  const std::string as_json = json::serialize(json::parse(kOpenApiJson, error));
  NETML_ASSERT(!error);  // a file of ours, checked by the tests
  router.add(net::Method::get, "/api-schema/",
             [as_json](const Request& request) { return describe(as_json, request); });
  serve_file(router, "/swagger-ui/", "text/html; charset=utf-8", kApiHtml);
  serve_file(router, "/swagger-ui/api.css", "text/css; charset=utf-8", kApiCss);
  serve_file(router, "/swagger-ui/api.js", "text/javascript; charset=utf-8", kApiJs);
}

}  // namespace netml::admin
