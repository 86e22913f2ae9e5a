#include "admin/polling/poll_json.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/answers/record_text.hpp"
#include "admin/imports/import_json.hpp"
#include "admin/polling/source_json.hpp"

namespace netml::admin {

namespace json = boost::json;
using engine::PollStatus;

namespace {

// Of PollEnd.
constexpr std::array kEndNames{"imported", "unchanged", "failed"};

}  // namespace

const char* poll_status_name(PollStatus status) {
  constexpr std::array kNames{"aborted", "pending", "polling", "polled", "importing", "complete"};
  return kNames.at(
      static_cast<std::size_t>(static_cast<int>(status) - static_cast<int>(PollStatus::aborted)));
}

double seconds_of(std::uint64_t milliseconds) {
  return static_cast<double>(milliseconds) / 1000.0;
}

json::object source_status_json(const SourceStatus& source) {
  json::object object = source_json(source.number, *source.source);
  object["failures"] = source.peer.failures;
  object["last_success"] = web::time_or_null(source.peer.succeeded_at);
  object["last_failure"] = web::time_or_null(source.peer.failed_at);
  object["waits_until"] = web::time_or_null(source.peer.waits_until);
  object["paused"] = source.paused;
  return object;
}

json::object poll_report_json(const PollReport& report) {
  json::object object{{"source", report.source},
                      {"name", report.name},
                      {"result", kEndNames.at(static_cast<std::size_t>(report.end))},
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

}  // namespace netml::admin
