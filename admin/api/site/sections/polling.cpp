// Polling sources and what came of asking them (docs/api.md, section "Polling").
#include "admin/polling/polling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <set>
#include <string_view>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/calls/reported_work.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/polling/polling_json.hpp"
#include "engine/base/texts.hpp"
#include "engine/import/plan_polls.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

// ---- sources ----

// How the newest poll of the source went.
json::value last_state(const engine::Catalog& catalog, std::uint64_t source) {
  const auto record = catalog.poll_records.find(
      catalog.poll_records.newest_with<&engine::PollRecord::source>(source));
  return record == nullptr ? json::value() : json::value(poll_status_name(record->status));
}

// A form has a line for each.
json::array texts_of(std::string_view lines) {
  json::array texts;
  while (!lines.empty()) {
    const std::string_view line = take_until(lines, '\n');
    if (!line.empty()) texts.emplace_back(line);
  }
  return texts;
}

json::object source_item(const engine::Catalog& catalog, const SourceStatus& status) {
  json::object item = source_status_json(status);
  item["listed_topologies"] = fmt::format("{}", fmt::join(status.source->listed_topologies, "\n"));
  item["filters"] = fmt::format("{}", fmt::join(status.source->filters, "\n"));
  item["last_state"] = last_state(catalog, status.number);
  return item;
}

Result<Response> show_source(const Call& call, std::uint64_t number) {
  for (const SourceStatus& source : call.services.polling.list())
    if (source.number == number)
      return json_answer(200, source_item(call.state()->catalog, source));
  return fail(Errc::not_found, "there is no such source");
}

Result<Response> list_sources(const Call& call) {
  constexpr std::array<std::string_view, 2> kSearched{"name", "url"};
  const engine::StatePtr state = call.state();
  std::vector<json::object> items;
  for (const SourceStatus& source : call.services.polling.list())
    items.push_back(source_item(state->catalog, source));
  std::ranges::reverse(items);
  return list_answer(call, items, kSearched);
}

// What stands before netml_export/, which polling adds by itself.
std::string source_path(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  for (const std::string& added : {std::string("grenml_export/"), std::string("netml_export/")})
    if (path.ends_with(added)) path.remove_suffix(added.size());
  return std::string(path);
}

Result<SourceFields> read_source(json::object fields) {
  for (const char* const name : {"listed_topologies", "filters"})
    if (json::value* list = fields.if_contains(name); list && list->is_string())
      *list = texts_of(list->get_string());
  NETML_TRY(SourceFields source, source_fields_of(fields));
  if (source.path) source.path = source_path(*source.path);
  if (source.token && source.token->empty()) source.token.reset();  // unchanged (A5)
  const json::value* token = fields.if_contains("token");
  if (token != nullptr && token->is_null()) source.token.emplace();  // taken away
  return source;
}

Result<Response> create_source(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const SourceFields source, read_source(fields));
  NETML_TRY(const std::uint64_t number, call.services.sources.create(call.caller(), source));
  return created(show_source(call, number));
}

Result<Response> change_source(const Call& call, std::uint64_t number) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const SourceFields source, read_source(fields));
  NETML_TRY_VOID(call.services.sources.update(call.caller(), number, source));
  return show_source(call, number);
}

Result<engine::Transaction> plan_source_removal(const engine::State& state, std::uint64_t number,
                                                WallTime) {
  const auto source = state.catalog.sources.find(number);
  if (source == nullptr) return fail(Errc::not_found, "there is no such source");
  return plan_source_delete(state, source->name);
}

Status check_known(const Call& call, std::uint64_t source) {
  if (call.state()->catalog.sources.find(source) != nullptr) return {};
  return fail(Errc::not_found, "there is no such source");
}

// What a request names beside the networks that --poll-allow of the server lists: those that a
// command on the machine allows itself (N2).
Result<std::vector<net::IpNetwork>> allowed_networks(const Call& call, const json::object& fields) {
  NETML_TRY(const auto texts, optional_texts(fields, "allow"));
  std::vector<net::IpNetwork> networks;
  if (!texts) return networks;
  if (!call.request.control)
    return fail(Errc::denied, "allow", "networks are allowed on the machine only");
  for (const std::string& text : *texts) {
    NETML_TRY(const net::IpNetwork network, net::IpNetwork::parse(text));
    networks.push_back(network);
  }
  return networks;
}

Result<Response> test_source(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(check_known(call, number));
  NETML_TRY(const std::vector<ConnectionReport> reports,
            call.services.polling.test(call.caller(), {number}));
  if (reports.empty()) return fail(Errc::not_found, "there is no such source");
  const ConnectionReport& report = reports.front();
  json::object answer = connection_report_json(report);
  answer["state"] = report.good ? "connected" : report.reason;
  if (report.good) answer["message"] = "Connected";
  return json_answer(200, answer);
}

Result<Response> test_sources(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::vector<net::IpNetwork> allowed, allowed_networks(call, fields));
  NETML_TRY(const auto names, optional_texts(fields, "sources"));
  std::vector<std::uint64_t> numbers;
  if (names) {
    NETML_TRY(numbers, call.services.polling.numbers_of(*names));
  } else {
    for (const SourceStatus& source : call.services.polling.list())
      numbers.push_back(source.number);
  }
  NETML_TRY(const std::vector<ConnectionReport> reports,
            call.services.polling.test(call.caller(), numbers, allowed));
  json::array items;
  for (const ConnectionReport& report : reports) items.push_back(connection_report_json(report));
  return json_answer(200, {{"reports", std::move(items)}});
}

Result<Response> collect_source(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(check_known(call, number));
  NETML_TRY(const StartedPoll started,
            call.services.polling.collect({.caller = call.caller()}, {number}));
  return json_answer(202, {{"number", started.batch}});
}

// ---- polls ----

std::string polled_source(const engine::PollRecord& record, const engine::Catalog& catalog) {
  const auto source = catalog.sources.find(record.source);
  return source ? source->name : std::string();
}

json::object record_item(const PollRecordView& view, const engine::Catalog& catalog) {
  const engine::PollRecord& record = view.record;
  const auto lasted = [](const std::optional<Instant>& began, std::uint64_t milliseconds) {
    return began ? json::value(seconds_of(milliseconds)) : json::value();
  };
  return {
      {"number", view.number},
      {"source_number", record.source},
      {"source", polled_source(record, catalog)},
      {"state", poll_status_name(record.status)},
      {"reason", record.reason},
      {"message", record.message},
      {"poll_start", time_or_null(record.polled_at)},
      {"poll_seconds", lasted(record.polled_at, record.poll_milliseconds)},
      {"import_start", time_or_null(record.imported_at)},
      {"import_seconds", lasted(record.imported_at, record.import_milliseconds)},
      {"http_status", record.http_status == 0 ? json::value() : json::value(record.http_status)},
      {"import", catalog.imports.find(record.import_record) ? json::value(record.import_record)
                                                            : json::value()}};
}

json::object poll_item(const PollBatchView& view, const engine::Catalog& catalog,
                       ItemFields item = {}) {
  const bool complete = view.batch.finished;
  const auto failed = [](const PollRecordView& record) {
    return record.record.status == engine::PollStatus::aborted;
  };
  item.add("number", [&] { return view.number; });
  item.add("time", [&] { return time_text(view.batch.started); });
  item.add("day", [&] { return day_text(view.batch.started); });
  item.add("scheduled", [&] { return view.batch.scheduled; });
  item.add("complete", [&] { return complete; });
  item.add("state", [&] { return poll_status_name(view.status); });
  item.add("duration", [&] {
    return complete ? json::value(seconds_of(view.batch.milliseconds)) : json::value();
  });
  item.add("sources", [&] { return view.records.size(); });
  item.add("failed", [&] { return std::ranges::count_if(view.records, failed); });
  item.add("failing", [&] {
    json::array failing;
    for (const PollRecordView& record : view.records)
      if (failed(record)) failing.emplace_back(polled_source(record.record, catalog));
    return failing;
  });
  item.add("reasons", [&] {
    std::set<std::string_view> reasons;
    for (const PollRecordView& record : view.records)
      if (failed(record)) reasons.insert(record.record.reason);
    return fmt::format("{}", fmt::join(reasons, ", "));
  });
  item.add("records", [&] {
    json::array records;
    for (const PollRecordView& record : view.records)
      records.push_back(record_item(record, catalog));
    return records;
  });
  return item.take();
}

Result<Response> list_polls(const Call& call) {
  const engine::StatePtr state = call.state();
  const auto item = [&](std::uint64_t number, const engine::PollBatch& batch, ItemFields fields) {
    return poll_item(call.services.polling.view(state->catalog, number, batch), state->catalog,
                     std::move(fields));
  };
  constexpr std::array<std::string_view, 1> kSearched{"reasons"};
  return newest_first(call, state->catalog.poll_batches, kSearched, item);
}

Result<Response> show_poll(const Call& call, std::uint64_t number) {
  NETML_TRY(const PollBatchView batch, call.services.polling.batch(number));
  return json_answer(200, poll_item(batch, call.state()->catalog));
}

// What the command line of version 0.1 calls "force".
constexpr std::string_view kFormerForce = "whole";

Result<std::optional<StartedPoll>> start_poll(const Call& call, const json::object& fields,
                                              ReportWork report = {}) {
  PollOrder order{.caller = call.caller(), .report = std::move(report)};
  NETML_TRY(order.allowed, allowed_networks(call, fields));
  NETML_TRY(order.force, flag_of(fields, fields.contains("force") ? "force" : kFormerForce, false));
  NETML_TRY(const auto names, optional_texts(fields, "sources"));
  if (!names) return call.services.polling.collect_all(std::move(order));
  NETML_TRY(const std::vector<std::uint64_t> numbers, call.services.polling.numbers_of(*names));
  NETML_TRY(StartedPoll started, call.services.polling.collect(std::move(order), numbers));
  return started;
}

// With `wait` it is answered when the poll has ended, with what became of each source.
Result<Response> collect(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const bool wait, flag_of(fields, "wait", false));
  if (!wait) {
    NETML_TRY(const auto started, start_poll(call, fields));
    if (!started) return fail(Errc::conflict, "no source is active");
    return json_answer(202, {{"number", started->batch}});
  }
  NETML_TRY(const auto place, call.services.polling.place_for_poll());
  const WorkList::Work work = reported_work(call);
  NETML_TRY(const auto started, start_poll(call, fields, work.report()));
  json::array reports;
  if (started)
    for (const PollReport& report : started->reports.get())
      reports.push_back(poll_report_json(report));
  return json_answer(200, {{"reports", std::move(reports)}});
}

}  // namespace

void add_polling(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access editor{Needs::editor};
  routes.add_entries("sources", viewer, {Needs::admin},
                     {list_sources, create_source, show_source, change_source});
  routes.add_removal("sources", {Needs::admin}, {engine::Cause::source, plan_source_removal});
  routes.add(Method::post, "sources/test", editor, test_sources);
  routes.add(Method::post, "sources/{n}/test", editor, test_source);
  routes.add(Method::post, "sources/{n}/collect", editor, collect_source);
  routes.add(Method::get, "polls", viewer, list_polls);
  routes.add(Method::post, "polls", editor, collect);
  routes.add(Method::get, "polls/{n}", viewer, show_poll);
  routes.add_removal(
      "polls", editor,
      {engine::Cause::poll, [](const engine::State& state, std::uint64_t number, WallTime) {
         return plan_poll_batch_delete(state, number);
       }});
}

}  // namespace netml::admin::web
