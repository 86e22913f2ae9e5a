#include "admin/src/control_requests.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/src/json.hpp"
#include "admin/src/numbers.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Answer;
using net::Request;
using net::Response;

namespace {

constexpr std::uint64_t kBodyBytesMax = 1 << 20;

Result<json::object> parse_object(std::string_view body) {
  boost::system::error_code error;
  json::value value = json::parse(body, error);
  if (error || !value.is_object())
    return fail(Errc::invalid_input, "the body must be a JSON object");
  return std::move(value.get_object());
}

}  // namespace

Result<std::string> text_field(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr) return fail(Errc::invalid_input, fmt::format("\"{}\" is missing", name));
  if (!value->is_string())
    return fail(Errc::invalid_input, fmt::format("\"{}\" must be a text", name));
  return std::string(value->get_string());
}

Result<std::uint64_t> path_number(const Request& request) {
  if (const auto number = parse_integer<std::uint64_t>(request.parameters.at(0))) return *number;
  return fail(Errc::not_found, "there is no such item");
}

Result<std::optional<std::uint64_t>> query_number(const Request& request, std::string_view name) {
  const auto text = net::query_parameter(request.query, name);
  if (!text) return std::nullopt;
  if (const auto number = parse_integer<std::uint64_t>(*text)) return number;
  return fail(Errc::invalid_input, fmt::format("{} must be a number", name));
}

Caller caller_of(const Request& request) {
  return {engine::ActorKind::command_line,
          net::query_parameter(request.query, "actor").value_or("command line"), "control socket",
          request.id};
}

// A handler for a small JSON body.
net::Handler with_body(
    std::function<Result<Response>(const Request&, const json::object&)> handle) {
  return [handle = std::move(handle)](const Request& request) -> Answer {
    return net::collect_body(kBodyBytesMax, [handle, request](const std::string& body) {
      const Result<json::object> object = parse_object(body.empty() ? "{}" : body);
      if (!object) return error_answer(object.error());
      Result<Response> response = handle(request, *object);
      return response ? std::move(*response) : error_answer(response.error());
    });
  };
}

net::Handler without_body(std::function<Result<Response>(const Request&)> handle) {
  return [handle = std::move(handle)](const Request& request) -> Answer {
    Result<Response> response = handle(request);
    return response ? std::move(*response) : error_answer(response.error());
  };
}

Response no_content() {
  Response response;
  response.status = 204;
  return response;
}

}  // namespace netml::admin
