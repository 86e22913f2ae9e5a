#include "admin/polling/poll_json.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "admin/imports/import_json.hpp"
#include "admin/polling/source_json.hpp"

namespace netml::admin {

namespace json = boost::json;
using engine::PollStatus;

namespace {

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

json::value time_json(const std::optional<Instant>& time) {
  if (!time) return nullptr;
  return json::string(format_instant(*time));
}

}  // namespace

const char* poll_status_name(PollStatus status) {
  switch (status) {
    case PollStatus::aborted:
      return "aborted";
    case PollStatus::pending:
      return "pending";
    case PollStatus::polling:
      return "polling";
    case PollStatus::polled:
      return "polled";
    case PollStatus::importing:
      return "importing";
    case PollStatus::complete:
      break;
  }
  return "complete";
}

double seconds_of(std::uint64_t milliseconds) {
  return static_cast<double>(milliseconds) / 1000.0;
}

json::object source_status_json(const SourceStatus& source) {
  json::object object = source_json(source.number, *source.source);
  object["failures"] = source.peer.failures;
  object["succeeded"] = time_json(source.peer.succeeded_at);
  object["failed"] = time_json(source.peer.failed_at);
  object["waits_until"] = time_json(source.peer.waits_until);
  object["paused"] = source.paused;
  return object;
}

json::object poll_report_json(const PollReport& report) {
  json::object object{{"source", report.source},
                      {"name", report.name},
                      {"result", end_name(report.end)},
                      {"poll_record", report.poll_record}};
  if (report.record != 0) object["record"] = report.record;
  if (report.end == PollEnd::imported) object["import"] = import_result_json(report.result, false);
  if (report.end != PollEnd::failed) return object;
  object["reason"] = report.reason;
  object["message"] = report.message;
  if (report.http_status) object["http_status"] = *report.http_status;
  return object;
}

json::object connection_report_json(const ConnectionReport& report) {
  json::object object{{"source", report.source},
                      {"name", report.name},
                      {"good", report.good},
                      {"reason", report.reason},
                      {"message", report.message}};
  if (report.http_status) object["http_status"] = *report.http_status;
  return object;
}

json::object poll_batch_json(const PollBatchView& batch, const engine::Catalog& catalog) {
  const auto failed = std::ranges::count_if(batch.records, [](const PollRecordView& view) {
    return view.record.status == PollStatus::aborted;
  });
  json::array failing;
  for (const PollRecordView& view : batch.records)
    if (const auto source = catalog.sources.find(view.record.source);
        source && view.record.status == PollStatus::aborted)
      failing.emplace_back(source->name);
  return {{"id", batch.number},
          {"scheduled", batch.batch.scheduled},
          {"started", format_instant(batch.batch.started)},
          {"finished", batch.batch.finished},
          {"milliseconds", batch.batch.milliseconds},
          {"status", poll_status_name(batch.status)},
          {"sources", batch.records.size()},
          {"failed", failed},
          {"failing", std::move(failing)}};
}

json::object poll_record_json(const PollRecordView& view, const engine::Catalog& catalog) {
  const engine::PollRecord& record = view.record;
  const auto source = catalog.sources.find(record.source);
  json::object object{{"id", view.number},
                      {"source", record.source},
                      {"name", source ? source->name : std::string()},
                      {"status", poll_status_name(record.status)},
                      {"reason", record.reason},
                      {"message", record.message},
                      {"polled", time_json(record.polled_at)},
                      {"poll_milliseconds", record.poll_milliseconds},
                      {"imported", time_json(record.imported_at)},
                      {"import_milliseconds", record.import_milliseconds}};
  if (record.http_status != 0) object["http_status"] = record.http_status;
  if (catalog.imports.find(record.import_record)) object["record"] = record.import_record;
  return object;
}

}  // namespace netml::admin
