#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/polling/poll_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
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
Result<Response> poll(const Call& call) {
  NETML_TRY(const json::object body, call.fields());
  PollOrder order{.caller = call.caller()};
  NETML_TRY(order.allowed, networks_field(body, "allow"));
  NETML_TRY(order.force, flag_field(body, body.contains("force") ? "force" : kFormerForce));
  NETML_TRY(const auto place, call.services.polling.places_for_polls().take("polls"));
  std::optional<StartedPoll> started;
  if (body.contains("sources")) {
    NETML_TRY(const std::vector<std::string> names, texts_field(body, "sources"));
    NETML_TRY(const std::vector<std::uint64_t> numbers, call.services.polling.numbers_of(names));
    NETML_TRY(started, call.services.polling.collect(std::move(order), numbers));
  } else {
    NETML_TRY(started, call.services.polling.collect_all(std::move(order)));
  }
  json::array answer;
  if (!started) return json_answer(200, answer);
  for (const PollReport& report : started->reports.get())
    answer.push_back(poll_report_json(report));
  return json_answer(200, answer);
}

Result<Response> test(const Call& call) {
  NETML_TRY(const json::object body, call.fields());
  NETML_TRY(const std::vector<net::IpNetwork> allowed, networks_field(body, "allow"));
  std::vector<std::uint64_t> numbers;
  if (body.contains("sources")) {
    NETML_TRY(const std::vector<std::string> names, texts_field(body, "sources"));
    NETML_TRY(numbers, call.services.polling.numbers_of(names));
  } else {
    for (const SourceStatus& source : call.services.polling.list())
      numbers.push_back(source.number);
  }
  NETML_TRY(const std::vector<ConnectionReport> reports,
            call.services.polling.test(call.caller(), numbers, allowed));
  json::array answer;
  for (const ConnectionReport& report : reports) answer.push_back(connection_report_json(report));
  return json_answer(200, answer);
}

Result<Response> list_polls(const Call& call) {
  NETML_TRY(const auto first, call.query_number("offset"));
  NETML_TRY(const auto count_max, call.query_number("limit"));
  const engine::StatePtr state = call.state();
  json::array answer;
  for (const PollBatchView& batch :
       call.services.polling.batches({first.value_or(0), count_max.value_or(Page{}.count_max)}))
    answer.push_back(poll_batch_json(batch, state->catalog));
  return json_answer(200, answer);
}

Result<Response> show_poll(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  NETML_TRY(const PollBatchView batch, call.services.polling.batch(number));
  const engine::StatePtr state = call.state();
  json::object answer = poll_batch_json(batch, state->catalog);
  json::array records;
  for (const PollRecordView& record : batch.records)
    records.push_back(poll_record_json(record, state->catalog));
  answer["records"] = std::move(records);
  return json_answer(200, answer);
}

Result<Response> remove_poll(const Call& call) {
  NETML_TRY(const std::uint64_t number, call.number());
  NETML_TRY_VOID(call.services.polling.remove_batch(call.caller(), number));
  return no_content();
}

}  // namespace

void add_node_polls(Routes& routes) {
  routes.add(Method::post, "node/polls", kNodeVerb, poll);
  routes.add(Method::post, "node/source-tests", kNodeVerb, test);
  routes.add(Method::get, "node/polls", kNodeVerb, list_polls);
  routes.add(Method::get, "node/polls/{n}", kNodeVerb, show_poll);
  routes.add(Method::del, "node/polls/{n}", kNodeVerb, remove_poll);
}

}  // namespace netml::admin::web
