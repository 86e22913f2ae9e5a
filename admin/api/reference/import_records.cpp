// Import records, and imports that are answered with their log (docs/requirements/http-api.md,
// section 11).

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/reference/calls.hpp"
#include "admin/api/reference/forms.hpp"
#include "admin/imports/import_queue.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

bool is_file_import(const engine::ImportRecord& record) {
  return record.source != engine::ImportSource::poll;
}

Result<Response> list_imports(const Call& call) {
  json::array records;
  call.state()->catalog.imports.for_each([&](std::uint64_t, const engine::ImportRecord& record) {
    if (!is_file_import(record)) return;
    records.push_back({{"name", record.name},
                       {"import_status", import_status_text(record.status)},
                       {"import_message", record.message}});
  });
  return json_answer(200, records);
}

// An upload that was accepted is still to be imported, so its record stays.
bool is_cleared(const engine::ImportRecord& record) {
  return is_file_import(record) && !is_waiting(record);
}

Result<Response> clear(const Call& call) {
  NETML_TRY_VOID(call.commit(engine::Cause::edit, [](const engine::State& state, WallTime) {
    return Result<engine::Transaction>(plan_import_records_delete(state, is_cleared));
  }));
  return json_answer(200, json::array());
}

Result<Response> import(const Call& call) {
  NETML_TRY(const json::value text, parse_json(call.body));
  if (!text.is_string()) return fail(Errc::invalid_input, "the body must be a JSON text");
  ImportRequest request;
  request.caller = call.caller;
  request.source = engine::ImportSource::api;
  request.file_name = "test.xml";
  request.place = ImportPlace::top_level;
  request.file_bytes = text.get_string().size();
  const auto upload = call.services.intake.begin(std::move(request));
  if (!upload) return tl::unexpected(upload.error().error);
  NETML_TRY_VOID((*upload)->write(text.get_string()));
  const ImportOutcome outcome = (*upload)->finish(UploadEnd::import);
  if (outcome) return text_answer(201, outcome->log);
  const auto record = call.state()->catalog.imports.find(outcome.error().record);
  if (record == nullptr) return tl::make_unexpected(outcome.error().error);
  return text_answer(400, record->message);
}

}  // namespace

// The whole file is in memory once or twice, as a JSON text, within what bodies may take of it
// together.
void add_import_records(Routes& routes, const net::Limits& limits) {
  routes.add(Method::get, "/netml_import/test/", Access::test, list_imports);
  routes.add(Method::del, "/netml_import/test/", Access::test, clear);
  routes.add(Method::post, "/netml_import/test/upload/", Access::test, import,
             net::upload_limit(limits));
}

}  // namespace netml::admin::functional
