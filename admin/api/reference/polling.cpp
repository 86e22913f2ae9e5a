// Polling sources, the records of polls, and the settings of polling
// (docs/requirements/http-api.md, section 10).
#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/answers/request_values.hpp"
#include "admin/api/polling_trigger.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/polling/polling_json.hpp"
#include "admin/polling/source_address.hpp"
#include "admin/settings/cron_schedule.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

using engine::PollingSource;
using web::time_or_null;

json::object source_object(std::uint64_t number, const PollingSource& source) {
  return {{"id", number},
          {"name", source.name},
          {"protocol", enumerant_name(source.protocol)},
          {"hostname", source.hostname},
          {"port", source.port},
          {"path", source.path},
          {"active", source.active},
          {"url", base_url(source)},
          {"status_url", status_url(source)},
          {"polling_url", polling_url(source)}};
}

json::value import_json(const engine::Catalog& catalog, std::uint64_t number) {
  const auto record = catalog.imports.find(number);
  if (record == nullptr) return nullptr;
  return json::object{{"id", number},
                      {"name", record->name},
                      {"import_status", import_status_text(record->status)},
                      {"import_message", record->message},
                      {"import_date", time_or_null(record->imported_at)}};
}

json::object record_object(const PollRecordView& view, const engine::Catalog& catalog) {
  const engine::PollRecord& record = view.record;
  const auto source = catalog.sources.find(record.source);
  json::value polled_source;
  if (source) polled_source = source_object(record.source, *source);
  json::value message;
  if (!record.message.empty()) message = json::string(record.message);
  const json::value import = import_json(catalog, record.import_record);
  return {{"id", view.number},
          {"batch_poll_import", record.batch},
          {"polling_source", std::move(polled_source)},
          {"status", static_cast<int>(record.status)},
          {"status_message", std::move(message)},
          {"poll_datetime", time_or_null(record.polled_at)},
          {"poll_duration_seconds", seconds_of(record.poll_milliseconds)},
          {"import_datetime", time_or_null(record.imported_at)},
          {"import_duration_seconds", seconds_of(record.import_milliseconds)},
          {"grenml_data_import", import},
          {"netml_data_import", import},
          {"__str__", fmt::format("{}: {}", source ? source->name : "a deleted source",
                                  record.polled_at ? format_instant(*record.polled_at) : "")}};
}

json::object batch_object(std::uint64_t number, const engine::PollBatch& batch) {
  return {{"id", number},
          {"was_scheduled", batch.scheduled},
          {"timestamp", time_or_null(batch.started)},
          {"duration_seconds", seconds_of(batch.milliseconds)},
          {"status", batch.finished},
          {"__str__", fmt::format("Poll of {}", format_instant(batch.started))}};
}

Result<Response> list_batches(const Call& call) {
  json::array answer;
  const engine::StatePtr state = call.state();
  const engine::Table<engine::PollBatch>& batches = state->catalog.poll_batches;
  for (std::uint64_t number = batches.next_number() - 1; number > 0; --number)
    if (const auto batch = batches.find(number)) answer.push_back(batch_object(number, *batch));
  return json_answer(200, answer);
}

Result<Response> show_batch(const Call& call) {
  const Result<std::uint64_t> number = path_number(call.request);
  const auto batch = call.services.polling.batch(number.value_or(0));
  if (!batch) return text_answer(404, "there is no such poll");
  json::object answer = batch_object(batch->number, batch->batch);
  const engine::StatePtr state = call.state();
  json::array polls;
  for (const PollRecordView& record : batch->records)
    polls.push_back(record_object(record, state->catalog));
  answer["polls"] = std::move(polls);
  return json_answer(200, answer);
}

// ---- sources ----

Result<SourceFields> read_source(const Call& call, Completeness completeness) {
  NETML_TRY(const json::object given, call.fields());
  SourceFields fields;
  const bool whole = completeness == Completeness::whole;
  for (const auto& [name, field] :
       {std::pair{"name", &fields.name}, std::pair{"hostname", &fields.hostname}}) {
    if (whole) {
      NETML_TRY(*field, required_text(given, name));
    } else {
      NETML_TRY(*field, text_value(given, name));
    }
  }
  NETML_TRY(fields.path, text_value(given, "path"));
  NETML_TRY(fields.token, text_value(given, "token"));
  NETML_TRY(fields.port, integer_value(given, "port"));
  NETML_TRY(fields.active, flag_value(given, "active"));
  NETML_TRY(const std::optional<std::string> protocol, text_value(given, "protocol"));
  if (!protocol) return fields;
  const auto parsed = parse_protocol(*protocol);
  if (!parsed) return fail(Errc::invalid_input, "protocol", parsed.error().text());
  fields.protocol = *parsed;
  return fields;
}

Result<Response> show_source(const Call& call, std::uint64_t number) {
  const auto source = call.state()->catalog.sources.find(number);
  if (source == nullptr) return no_such_item();
  return json_answer(200, source_object(number, *source));
}

// What was made or changed is answered alike.
Result<Response> written(const Call& call, std::uint64_t number) {
  NETML_TRY(Response response, show_source(call, number));
  response.status = 201;
  return response;
}

Result<Response> list_sources(const Call& call) {
  const engine::StatePtr state = call.state();
  return table_answer(state->catalog.sources, source_object);
}

Result<Response> create_source(const Call& call) {
  NETML_TRY(SourceFields fields, read_source(call, Completeness::whole));
  fields.authority = engine::SourceAuthority::any;  // as on the reference node
  NETML_TRY(const std::uint64_t number, call.services.sources.create(call.caller, fields));
  NETML_TRY(Response response, written(call, number));
  response.headers.set("Location", fmt::format("/polling/test/sources/{}/", number));
  return response;
}

Result<Response> change_source(const Call& call) {
  NETML_TRY(const std::uint64_t number, path_number(call.request));
  NETML_TRY(const SourceFields fields, read_source(call, Completeness::partial));
  NETML_TRY_VOID(call.services.sources.update(call.caller, number, fields));
  return written(call, number);
}

Result<Response> remove_source(const Call& call) {
  const Result<std::uint64_t> number = path_number(call.request);
  const Status removed = number ? call.services.sources.remove(call.caller, *number) : Status();
  if (!removed && removed.error().code != Errc::not_found)
    return tl::make_unexpected(removed.error());
  return no_content();
}

Result<Response> trigger_source(const Call& call) {
  const Result<std::uint64_t> number = path_number(call.request);
  if (!number || call.state()->catalog.sources.find(*number) == nullptr)
    return text_answer(404, "there is no such source");
  NETML_TRY(const StartedPoll started,
            call.services.polling.collect({.caller = call.caller}, {*number}));
  return poll_started(started.batch);
}

// ---- settings ----

Result<Response> set_polling_enabled(const Call& call) {
  NETML_TRY(const std::uint64_t number, path_number(call.request));
  return set_setting(call, kPollingEnabled, number == 0 ? "False" : "True");
}

Result<Response> set_interval(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::optional<std::string> given, text_value(fields, "interval"));
  return set_setting(call, kPollingInterval, given.value_or(std::string(kDefaultSchedule)));
}

// A sandbox has no polling.
Handle outside_sandbox(Handle handle) {
  return [handle = std::move(handle)](const Call& call) -> Result<Response> {
    if (call.services.polling.sandbox()) return no_such_item();
    return handle(call);
  };
}

}  // namespace

void add_polling(Routes& routes) {
  const auto add = [&routes](Method method, std::string_view pattern, Handle handle) {
    routes.add(method, pattern, Access::test, outside_sandbox(std::move(handle)));
  };
  for (const Method method : {Method::get, Method::post})
    add(method, "/polling/trigger/",
        [](const Call& call) { return trigger_polling(call.services, call.request, call.caller); });
  routes.refuse_head("/polling/trigger/");
  add(Method::post, "/polling/test/trigger/source/{id}/", trigger_source);
  add(Method::get, "/polling/test/sources/", list_sources);
  add(Method::post, "/polling/test/sources/", create_source);
  add(Method::get, "/polling/test/sources/{id}/", [](const Call& call) -> Result<Response> {
    NETML_TRY(const std::uint64_t number, path_number(call.request));
    return show_source(call, number);
  });
  add(Method::patch, "/polling/test/sources/{id}/", change_source);
  add(Method::del, "/polling/test/sources/{id}/", remove_source);
  add(Method::get, "/polling/test/logs/batches/", list_batches);
  add(Method::get, "/polling/test/logs/batches/{id}/", show_batch);
  add(Method::get, "/polling/test/enabled/", show_setting(kPollingEnabled));
  add(Method::put, "/polling/test/enabled/{value}/", set_polling_enabled);
  add(Method::get, "/polling/test/interval/", show_setting(kPollingInterval));
  add(Method::put, "/polling/test/interval/", set_interval);
}

}  // namespace netml::admin::functional
