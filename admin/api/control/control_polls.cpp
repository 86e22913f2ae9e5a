#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/api/polling_trigger.hpp"
#include "admin/polling/poll_json.hpp"

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

Result<std::vector<net::IpNetwork>> networks_field(const json::object& body,
                                                   std::string_view name) {
  NETML_TRY(const std::vector<std::string> texts, texts_field(body, name));
  std::vector<net::IpNetwork> networks;
  for (const std::string& text : texts) {
    NETML_TRY(const net::IpNetwork network, net::IpNetwork::parse(text));
    networks.push_back(network);
  }
  return networks;
}

// What the command line of version 0.1 calls "force".
constexpr std::string_view kFormerForce = "whole";

Result<bool> flag_field(const json::object& body, std::string_view name) {
  const json::value* value = body.if_contains(name);
  if (value == nullptr) return false;
  if (value->is_bool()) return value->get_bool();
  return fail(Errc::invalid_input, fmt::format("\"{}\" must be true or false", name));
}

// Answers when the poll has ended.
Result<Response> poll(Services& services, const Request& request, const json::object& body) {
  PollOrder order{.caller = caller_of(request)};
  NETML_TRY(order.allowed, networks_field(body, "allow"));
  NETML_TRY(order.force, flag_field(body, body.contains("force") ? "force" : kFormerForce));
  NETML_TRY(const auto place, services.polling.places_for_polls().take("polls"));
  std::optional<StartedPoll> started;
  if (body.contains("sources")) {
    NETML_TRY(const std::vector<std::string> names, texts_field(body, "sources"));
    NETML_TRY(const std::vector<std::uint64_t> numbers, services.polling.numbers_of(names));
    NETML_TRY(started, services.polling.collect(std::move(order), numbers));
  } else {
    NETML_TRY(started, services.polling.collect_all(std::move(order)));
  }
  json::array answer;
  if (!started) return json_answer(200, answer);
  for (const PollReport& report : started->reports.get())
    answer.push_back(poll_report_json(report));
  return json_answer(200, answer);
}

Result<Response> test(Services& services, const Request& request, const json::object& body) {
  NETML_TRY(const std::vector<net::IpNetwork> allowed, networks_field(body, "allow"));
  std::vector<std::uint64_t> numbers;
  if (body.contains("sources")) {
    NETML_TRY(const std::vector<std::string> names, texts_field(body, "sources"));
    NETML_TRY(numbers, services.polling.numbers_of(names));
  } else {
    for (const SourceStatus& source : services.polling.list()) numbers.push_back(source.number);
  }
  NETML_TRY(const std::vector<ConnectionReport> reports,
            services.polling.test(caller_of(request), numbers, allowed));
  json::array answer;
  for (const ConnectionReport& report : reports) answer.push_back(connection_report_json(report));
  return json_answer(200, answer);
}

Result<Response> list_polls(const Services& services, const Request& request) {
  NETML_TRY(const auto first, query_number(request, "offset"));
  NETML_TRY(const auto count_max, query_number(request, "limit"));
  const engine::StatePtr state = services.node.version().state;
  json::array answer;
  for (const PollBatchView& batch :
       services.polling.batches({first.value_or(0), count_max.value_or(Page{}.count_max)}))
    answer.push_back(poll_batch_json(batch, state->catalog));
  return json_answer(200, answer);
}

Result<Response> show_poll(const Services& services, const Request& request) {
  NETML_TRY(const std::uint64_t number, path_number(request));
  NETML_TRY(const PollBatchView batch, services.polling.batch(number));
  const engine::StatePtr state = services.node.version().state;
  json::object answer = poll_batch_json(batch, state->catalog);
  json::array records;
  for (const PollRecordView& record : batch.records)
    records.push_back(poll_record_json(record, state->catalog));
  answer["records"] = std::move(records);
  return json_answer(200, answer);
}

}  // namespace

void register_poll_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/poll/",
             with_body([&services](const Request& request, const json::object& body) {
               return poll(services, request, body);
             }));
  router.add(Method::post, "/control/source-tests/",
             with_body([&services](const Request& request, const json::object& body) {
               return test(services, request, body);
             }));
  router.add(Method::get, "/control/polls/", without_body([&services](const Request& request) {
               return list_polls(services, request);
             }));
  router.add(Method::get, "/control/polls/{id}/", without_body([&services](const Request& request) {
               return show_poll(services, request);
             }));
  router.add(Method::del, "/control/polls/{id}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::uint64_t number, path_number(request));
               NETML_TRY_VOID(services.polling.remove_batch(caller_of(request), number));
               return no_content();
             }));
  for (const Method method : {Method::get, Method::post})
    router.add(method, "/polling/trigger/", without_body([&services](const Request& request) {
                 return trigger_polling(services, request, caller_of(request));
               }));
  router.refuse_head("/polling/trigger/");
}

}  // namespace netml::admin
