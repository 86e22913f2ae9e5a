#include "admin/api/control/control_requests.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/base/offline_request.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Answer;
using net::Request;
using net::Response;

namespace {

constexpr std::uint64_t kBodyBytesMax = 1 << 20;

}  // namespace

Caller caller_of(const Request& request) {
  const bool offline = request.id == cli::kOfflineRequest;
  return {engine::ActorKind::command_line,
          net::query_parameter(request.query, "actor").value_or("command line"),
          offline ? "command line" : "control socket", request.id};
}

// A handler for a small JSON body.
net::Handler with_body(
    std::function<Result<Response>(const Request&, const json::object&)> handle) {
  return [handle = std::move(handle)](const Request& request) -> Answer {
    return net::collect_body(kBodyBytesMax, [handle, request](const std::string& body) {
      const Result<json::object> object = parse_object(body);
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

}  // namespace netml::admin
