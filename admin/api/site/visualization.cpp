// What maps embedded in other pages ask for (docs/requirements/http-api.md, section 14): GraphQL,
// and where to begin.
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/graphql/graphql_plan.hpp"
#include "admin/api/site/calls/calls.hpp"
#include "admin/api/site/calls/map_access.hpp"
#include "admin/api/site/web_api.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

namespace {

constexpr const char* kGraphql = "/visualization/graphql/";

struct GraphqlRequest {
  std::string query;
  json::object variables;
  std::string operation;
};

Response graphql_error(const graphql::QueryError& error) {
  return json_answer(400,
                     {{"errors",
                       {{{"message", error.message},
                         {"locations", {{{"line", error.line}, {"column", error.column}}}}}}}});
}

bool is_type(const Request& request, std::string_view type) {
  const std::string_view given = request.headers.get("Content-Type");
  return equals_ignoring_case(given.substr(0, given.find(';')), type);
}

std::optional<json::object> parse_object(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

// From a query or a form.
std::optional<GraphqlRequest> from_parameters(std::string_view parameters) {
  GraphqlRequest wanted;
  wanted.query = net::query_parameter(parameters, "query").value_or("");
  wanted.operation = net::query_parameter(parameters, "operationName").value_or("");
  const std::string variables = net::query_parameter(parameters, "variables").value_or("");
  if (variables.empty()) return wanted;
  auto object = parse_object(variables);
  if (!object) return std::nullopt;
  wanted.variables = *std::move(object);
  return wanted;
}

std::optional<GraphqlRequest> from_json(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return std::nullopt;
  const auto text = [&](const char* name) -> std::string {
    const json::value* value = object->if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
  };
  GraphqlRequest wanted{text("query"), {}, text("operationName")};
  if (const json::value* variables = object->if_contains("variables");
      variables != nullptr && variables->is_object())
    wanted.variables = variables->get_object();
  return wanted;
}

std::optional<GraphqlRequest> read_request(const Request& request, const std::string& body) {
  if (request.method != Method::post) return from_parameters(request.query);
  if (is_type(request, "application/graphql")) return GraphqlRequest{body, {}, {}};
  if (is_type(request, "application/x-www-form-urlencoded")) return from_parameters(body);
  return from_json(body);
}

Response run(Site& site, const engine::StatePtr& state, const Request& request,
             const std::string& body) {
  const auto wanted = read_request(request, body);
  if (!wanted) return graphql_error({"the request must be JSON with a query"});
  if (wanted->query.empty()) return graphql_error({"Must provide query string."});
  auto plan = graphql::plan_query(wanted->query, wanted->variables, wanted->operation);
  if (!plan) return graphql_error(plan.error());
  auto seen = site.services.views.seen_by_public(state);
  if (!seen) return net::refusal(seen.error());
  auto answer = site.graphql.of(*std::move(seen), *std::move(plan), request.client);
  if (!answer && answer.error().code == Errc::invalid_input)
    return graphql_error({std::move(answer.error().message)});
  if (!answer) return net::refusal(answer.error());
  Response response;
  response.headers.set("Content-Type", "application/json");
  response.body = *std::move(answer);
  return response;
}

Response graphql_answer(Site& site, const Request& request, const std::string& body) {
  const engine::StatePtr state = site.services.node.version().state;
  Response response;
  if (!is_admitted_origin(state->catalog, request))
    response.status = 401;
  else if (!is_map_enabled(state->catalog))
    response = net::json_response(
        200, R"({"errors":[{"message":"Visualization is disabled"}],"data":{}})");
  else
    response = run(site, state, request, body);
  add_cors(response, state->catalog, request);
  return response;
}

// Where the map begins is no secret of a node whose map is off.
net::Handler open_answer(Site& open_site, json::object (*make)(const MapView&)) {
  return of_site(open_site, [make](Site& site, const Request& request) {
    const engine::StatePtr state = site.services.node.version().state;
    Response response = json_answer(200, make(map_view(state->catalog)));
    add_cors(response, state->catalog, request);
    return response;
  });
}

}  // namespace

void register_visualization(net::Router& router, Site& open_site) {
  router.add(Method::options, kGraphql, of_site(open_site, [](Site& site, const Request& request) {
               Response response;
               add_cors(response, site.services.node.version().state->catalog, request);
               return response;
             }));
  router.add(Method::get, kGraphql, of_site(open_site, [](Site& site, const Request& request) {
               return graphql_answer(site, request, {});
             }));
  router.add(Method::post, kGraphql, [&site = open_site](const Request& request) -> Answer {
    const NamedLimit bytes_max = net::open_form_limit(site.services.limits.get()->http);
    return net::collect_body(bytes_max, [&site, request](const std::string& body) {
      return graphql_answer(site, request, body);
    });
  });
  router.add(Method::get, "/visualization/initial_coordinates/",
             open_answer(open_site, [](const MapView& view) {
               return json::object{{"lat", view.latitude}, {"lng", view.longitude}};
             }));
  router.add(Method::get, "/visualization/initial_zoom/",
             open_answer(open_site,
                         [](const MapView& view) { return json::object{{"zoom", view.zoom}}; }));
}

}  // namespace netml::admin::web
