#include <fmt/format.h>

#include <boost/json.hpp>
#include <limits>

#include "admin/services/source_address.hpp"
#include "admin/src/control_requests.hpp"
#include "admin/src/json.hpp"
#include "admin/src/poll_json.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Status take_text(const json::object& body, std::string_view name,
                 std::optional<std::string>& into) {
  if (!body.contains(name)) return {};
  NETML_TRY(into, text_field(body, name));
  return {};
}

Status take_flag(const json::object& body, std::string_view name, std::optional<bool>& into) {
  const json::value* value = body.if_contains(name);
  if (value == nullptr) return {};
  if (!value->is_bool())
    return fail(Errc::invalid_input, fmt::format("\"{}\" must be true or false", name));
  into = value->get_bool();
  return {};
}

// Null: none.
Status take_limit(const json::object& body, std::string_view name,
                  std::optional<std::optional<std::uint32_t>>& into) {
  const json::value* value = body.if_contains(name);
  if (value == nullptr) return {};
  const bool fits = value->is_int64() && value->get_int64() >= 0 &&
                    value->get_int64() <= std::numeric_limits<std::int32_t>::max();
  if (!fits && !value->is_null())
    return fail(Errc::invalid_input, fmt::format("\"{}\" must be a whole number, or null", name));
  into.emplace();
  if (fits) *into = static_cast<std::uint32_t>(value->get_int64());
  return {};
}

Result<SourceFields> fields_of(const json::object& body) {
  SourceFields fields;
  NETML_TRY_VOID(take_text(body, "name", fields.name));
  NETML_TRY_VOID(take_text(body, "hostname", fields.hostname));
  NETML_TRY_VOID(take_text(body, "path", fields.path));
  NETML_TRY_VOID(take_text(body, "token", fields.token));
  NETML_TRY_VOID(take_text(body, "ca_certificates", fields.ca_certificates));
  NETML_TRY_VOID(take_flag(body, "active", fields.active));
  NETML_TRY_VOID(take_flag(body, "plain_http", fields.plain_http));
  NETML_TRY_VOID(take_flag(body, "unverified", fields.unverified));
  NETML_TRY_VOID(take_limit(body, "deletions_max", fields.deletions_max));
  NETML_TRY_VOID(take_limit(body, "deletion_percent_max", fields.deletion_percent_max));
  if (body.contains("protocol")) {
    NETML_TRY(const std::string protocol, text_field(body, "protocol"));
    NETML_TRY(fields.protocol, parse_protocol(protocol));
  }
  if (const json::value* port = body.if_contains("port")) {
    if (!port->is_int64()) return fail(Errc::invalid_input, "\"port\" must be a whole number");
    fields.port = port->get_int64();
  }
  return fields;
}

// In the query, since the name may hold a slash.
Result<std::string> name_of(const Request& request) {
  const auto name = net::query_parameter(request.query, "name");
  if (!name) return fail(Errc::invalid_input, "\"name\" is missing");
  return *name;
}

Result<Response> show(const Services& services, std::uint64_t number, int status) {
  for (const SourceStatus& source : services.polling.list())
    if (source.number == number) return json_answer(status, source_status_json(source));
  return fail(Errc::not_found, "there is no such source");
}

Result<Response> list(const Services& services, const Request& request) {
  const engine::StatePtr state = services.node.version().state;
  const auto name = net::query_parameter(request.query, "name");
  if (name) return show(services, find_source(state->catalog, *name), 200);
  json::array answer;
  for (const SourceStatus& source : services.polling.list())
    answer.push_back(source_status_json(source));
  return json_answer(200, answer);
}

}  // namespace

void register_source_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/sources/",
             without_body([&services](const Request& request) { return list(services, request); }));
  router.add(
      Method::post, "/control/sources/",
      with_body([&services](const Request& request, const json::object& body) -> Result<Response> {
        NETML_TRY(const SourceFields fields, fields_of(body));
        NETML_TRY(const std::uint64_t number, services.sources.create(caller_of(request), fields));
        return show(services, number, 201);
      }));
  router.add(
      Method::patch, "/control/sources/",
      with_body([&services](const Request& request, const json::object& body) -> Result<Response> {
        NETML_TRY(const std::string name, name_of(request));
        NETML_TRY(const SourceFields fields, fields_of(body));
        NETML_TRY(const std::uint64_t number,
                  services.sources.update(caller_of(request), name, fields));
        return show(services, number, 200);
      }));
  router.add(Method::del, "/control/sources/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::string name, name_of(request));
               NETML_TRY_VOID(services.sources.remove(caller_of(request), name));
               return no_content();
             }));
}

}  // namespace netml::admin
