#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/reported_work.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/history/audit.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/imports/import_plans.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

constexpr const char* kNobodyWrites =
    "no server runs on this data directory, so nothing will follow; start one with `netml serve`, "
    "or leave --follow out";

Result<Response> stream_answer(Result<Audit::Stream> stream) {
  if (!stream) return tl::unexpected(stream.error());
  return document_answer(std::move(*stream));
}

Result<std::string> wanted_parameter(const Call& call, std::string_view name) {
  if (auto value = given(call, name)) return std::move(*value);
  return fail(Errc::invalid_input, fmt::format("{} is missing", name));
}

// Whoever wants to follow the log must not wait for what nobody will write.
Result<Response> log(const Call& call) {
  const auto parameter = [&](std::string_view name) { return given(call, name); };
  if (parameter("follow") == "1" && call.services.listeners.empty())
    return fail(Errc::conflict, kNobodyWrites);
  LogQuery query{.since = parameter("since"),
                 .until = parameter("until"),
                 .after = parameter("after"),
                 .actor = parameter("by"),
                 .cause = parameter("cause"),
                 .element = parameter("element"),
                 .topology = parameter("topology"),
                 .oldest_first = parameter("order") == "oldest"};
  NETML_TRY(query.limit, call.query_number("limit"));
  NETML_TRY(Audit::Log answer, call.services.audit.log(query));
  NETML_TRY(Response response, stream_answer(std::move(answer.stream)));
  response.headers.set("X-NetML-Head", answer.head);
  return response;
}

// What happens from now on, to whoever follows the log.
Result<Response> events(const Call& call) {
  if (call.services.listeners.empty()) return fail(Errc::conflict, kNobodyWrites);
  auto stream =
      call.services.notifier.listen([client = call.request.client] { return !client.has_left(); });
  if (stream == nullptr) return fail(Errc::unavailable, "too many listen already");
  return event_stream(std::move(stream));
}

Result<Response> show(const Call& call) {
  NETML_TRY(const std::string when, wanted_parameter(call, "at"));
  return stream_answer(call.services.audit.show(when));
}

Result<Response> history(const Call& call) {
  NETML_TRY(const std::string element, wanted_parameter(call, "element"));
  return stream_answer(call.services.audit.history(element));
}

Result<Response> diff(const Call& call) {
  NETML_TRY(const std::string from, wanted_parameter(call, "from"));
  NETML_TRY(const std::string to, wanted_parameter(call, "to"));
  return stream_answer(call.services.audit.diff(from, to, given(call, "topology")));
}

// The plan, then what it would change.
Result<Response> show_plan(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto first, call.query_number("offset"));
  NETML_TRY(const auto count_max, call.query_number("limit"));
  const Page page{first.value_or(0), count_max.value_or(Page{}.count_max)};
  return stream_answer(
      call.services.plans.show(number, page, page.first == 0 ? PlanNow::tell : PlanNow::skip));
}

Result<Response> replay(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string until, text_of(fields, "until"));
  NETML_TRY(const std::string into, text_of(fields, "into"));
  const WorkList::Work work = reported_work(call);
  NETML_TRY(const wal::Head head, call.services.audit.replay(until, into, work.report()));
  return json_answer(
      201, {{"lsn", head.lsn.value}, {"head", to_string(head)}, {"data_directory", into}});
}

}  // namespace

void add_node_audit(Routes& routes) {
  routes.add(Method::get, "node/log", kNodeVerb, log);
  routes.add(Method::get, "node/events", kNodeVerb, events);
  routes.add(Method::get, "node/log/show", kNodeVerb, show);
  routes.add(Method::get, "node/log/history", kNodeVerb, history);
  routes.add(Method::get, "node/log/diff", kNodeVerb, diff);
  routes.add(Method::get, "node/plans/{n}", kNodeVerb, show_plan);
  routes.add(Method::post, "node/replay", kNodeVerb, replay);
}

}  // namespace netml::admin::web
