#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/polling/poll_json.hpp"
#include "admin/polling/source_json.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

// In the query, since the name may hold a slash.
Result<std::string> name_of(const Request& request) {
  const auto name = net::query_parameter(request.query, "name");
  if (!name) return fail(Errc::invalid_input, "\"name\" is missing");
  return *name;
}

Result<Response> show_source(const Services& services, std::uint64_t number, int status) {
  for (const SourceStatus& source : services.polling.list())
    if (source.number == number) return json_answer(status, source_status_json(source));
  return fail(Errc::not_found, "there is no such source");
}

Result<Response> list_sources(const Services& services, const Request& request) {
  const engine::StatePtr state = services.node.version().state;
  const auto name = net::query_parameter(request.query, "name");
  if (name) return show_source(services, find_source(state->catalog, *name), 200);
  json::array answer;
  for (const SourceStatus& source : services.polling.list())
    answer.push_back(source_status_json(source));
  return json_answer(200, answer);
}

}  // namespace

void register_source_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/sources/", without_body([&services](const Request& request) {
               return list_sources(services, request);
             }));
  router.add(
      Method::post, "/control/sources/",
      with_body([&services](const Request& request, const json::object& body) -> Result<Response> {
        NETML_TRY(const SourceFields fields, source_fields_of(body));
        NETML_TRY(const std::uint64_t number, services.sources.create(caller_of(request), fields));
        return show_source(services, number, 201);
      }));
  router.add(
      Method::patch, "/control/sources/",
      with_body([&services](const Request& request, const json::object& body) -> Result<Response> {
        NETML_TRY(const std::string name, name_of(request));
        NETML_TRY(const SourceFields fields, source_fields_of(body));
        NETML_TRY(const std::uint64_t number,
                  services.sources.update(caller_of(request), name, fields));
        return show_source(services, number, 200);
      }));
  router.add(Method::del, "/control/sources/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::string name, name_of(request));
               NETML_TRY_VOID(services.sources.remove(caller_of(request), name));
               return no_content();
             }));
}

}  // namespace netml::admin
