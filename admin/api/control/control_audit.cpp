#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/history/audit.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<Response> stream_answer(Result<Audit::Stream> stream) {
  if (!stream) return tl::unexpected(stream.error());
  Response response;
  response.headers.set("Content-Type", "application/x-ndjson");
  response.body = net::StreamBody{std::move(*stream), std::nullopt};
  return response;
}

Result<std::string> wanted_parameter(const Request& request, std::string_view name) {
  if (auto value = net::query_parameter(request.query, name)) return std::move(*value);
  return fail(Errc::invalid_input, fmt::format("{} is missing", name));
}

constexpr const char* kNobodyWrites =
    "no server runs on this data directory, so nothing will follow; start one with `netml serve`, "
    "or leave --follow out";

// Whoever wants to follow the log must not wait for what nobody will write.
Result<Response> log(Services& services, const Request& request) {
  const auto parameter = [&](std::string_view name) {
    return net::query_parameter(request.query, name);
  };
  if (parameter("follow") == "1" && services.listeners.empty())
    return fail(Errc::conflict, kNobodyWrites);
  LogQuery query{.since = parameter("since"),
                 .until = parameter("until"),
                 .after = parameter("after"),
                 .actor = parameter("by"),
                 .cause = parameter("cause"),
                 .element = parameter("element"),
                 .topology = parameter("topology"),
                 .oldest_first = parameter("order") == "oldest"};
  NETML_TRY(query.limit, query_number(request, "limit"));
  NETML_TRY(Audit::Log answer, services.audit.log(query));
  NETML_TRY(Response response, stream_answer(std::move(answer.stream)));
  response.headers.set("X-NetML-Head", answer.head);
  return response;
}

Result<Response> replay(Services& services, const json::object& body) {
  NETML_TRY(const std::string until, text_of(body, "until"));
  NETML_TRY(const std::string into, text_of(body, "into"));
  NETML_TRY(const wal::Head head, services.audit.replay(until, into));
  return json_answer(
      201, {{"lsn", head.lsn.value}, {"head", to_string(head)}, {"data_directory", into}});
}

// What happens from now on, to whoever follows the log.
Result<Response> events(Services& services, const Request& request) {
  if (services.listeners.empty()) return fail(Errc::conflict, kNobodyWrites);
  auto stream = services.notifier.listen([client = request.client] { return !client.has_left(); });
  if (stream == nullptr) return fail(Errc::unavailable, "too many listen already");
  return event_stream(std::move(stream));
}

}  // namespace

void register_audit_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/audit/log/",
             without_body([&services](const Request& request) { return log(services, request); }));
  router.add(Method::get, "/control/events/", without_body([&services](const Request& request) {
               return events(services, request);
             }));
  router.add(Method::get, "/control/audit/show/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::string when, wanted_parameter(request, "at"));
               return stream_answer(services.audit.show(when));
             }));
  router.add(Method::get, "/control/audit/history/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::string element, wanted_parameter(request, "element"));
               return stream_answer(services.audit.history(element));
             }));
  router.add(Method::get, "/control/audit/diff/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::string from, wanted_parameter(request, "from"));
               NETML_TRY(const std::string to, wanted_parameter(request, "to"));
               return stream_answer(
                   services.audit.diff(from, to, net::query_parameter(request.query, "topology")));
             }));
  router.add(Method::post, "/control/audit/replay/",
             with_body([&services](const Request&, const json::object& body) {
               return replay(services, body);
             }));
}

}  // namespace netml::admin
