#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/src/control_requests.hpp"
#include "admin/src/json.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<std::vector<std::string>> texts_field(const json::object& body, std::string_view name) {
  std::vector<std::string> texts;
  const json::value* value = body.if_contains(name);
  if (value == nullptr) return texts;
  if (!value->is_array())
    return fail(Errc::invalid_input, fmt::format("\"{}\" must be a list of texts", name));
  for (const json::value& item : value->get_array()) {
    if (!item.is_string())
      return fail(Errc::invalid_input, fmt::format("\"{}\" must be a list of texts", name));
    texts.emplace_back(item.get_string());
  }
  return texts;
}

const char* end_name(PollEnd end) {
  switch (end) {
    case PollEnd::imported:
      return "imported";
    case PollEnd::unchanged:
      return "unchanged";
    case PollEnd::failed:
      break;
  }
  return "failed";
}

json::object report_json(const PollReport& report) {
  json::object object{
      {"source", report.source}, {"name", report.name}, {"result", end_name(report.end)}};
  if (report.record != 0) object["record"] = report.record;
  if (report.end == PollEnd::imported) object["import"] = import_result_json(report.result, false);
  if (report.end != PollEnd::failed) return object;
  object["reason"] = report.reason;
  object["message"] = report.message;
  if (report.http_status) object["http_status"] = *report.http_status;
  return object;
}

Result<Response> poll(Services& services, const Request& request, const json::object& body) {
  NETML_TRY(const std::vector<std::string> names, texts_field(body, "sources"));
  NETML_TRY(const std::vector<std::string> allow, texts_field(body, "allow"));
  std::vector<net::IpNetwork> allowed;
  for (const std::string& text : allow) {
    NETML_TRY(const net::IpNetwork network, net::IpNetwork::parse(text));
    allowed.push_back(network);
  }
  NETML_TRY(const std::vector<PollReport> reports,
            services.poller.poll(caller_of(request), names, allowed));
  json::array answer;
  for (const PollReport& report : reports) answer.push_back(report_json(report));
  return json_answer(200, answer);
}

}  // namespace

void register_poll_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/poll/",
             with_body([&services](const Request& request, const json::object& body) {
               return poll(services, request, body);
             }));
}

}  // namespace netml::admin
