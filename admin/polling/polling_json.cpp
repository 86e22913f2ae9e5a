#include "admin/polling/polling_json.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <limits>

#include "admin/answers/record_text.hpp"
#include "admin/answers/request_values.hpp"
#include "admin/imports/import_json.hpp"
#include "admin/polling/source_address.hpp"

namespace netml::admin {

namespace json = boost::json;
using engine::PollStatus;

namespace {

json::value limit_json(const std::optional<std::uint32_t>& limit) {
  if (!limit) return nullptr;
  return *limit;
}

// Null: none.
Status take_limit(const json::object& fields, std::string_view name,
                  std::optional<std::optional<std::uint32_t>>& into) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return {};
  const bool fits = value->is_int64() && value->get_int64() >= 0 &&
                    value->get_int64() <= std::numeric_limits<std::int32_t>::max();
  if (!fits && !value->is_null()) return wrong_field(name, "must be a whole number, or null");
  into.emplace();
  if (fits) *into = static_cast<std::uint32_t>(value->get_int64());
  return {};
}

Status take_authority(const json::object& fields, SourceFields& source) {
  NETML_TRY(const auto authority, optional_text(fields, "authority"));
  if (authority) {
    source.authority = engine::parse_enumerant<engine::SourceAuthority>(*authority);
    if (!source.authority)
      return wrong_field("authority", "must be \"own\", \"listed\" or \"any\"");
  }
  NETML_TRY(source.listed_topologies, optional_texts(fields, "listed_topologies"));
  return {};
}

Status take_kind(const json::object& fields, SourceFields& source) {
  NETML_TRY(const auto kind, optional_text(fields, "kind"));
  if (kind) {
    source.kind = engine::parse_enumerant<engine::SourceKind>(*kind);
    if (!source.kind) return wrong_field("kind", "must be \"netml\" or \"netbox\"");
  }
  NETML_TRY(source.filters, optional_texts(fields, "filters"));
  NETML_TRY(source.mapping, optional_text(fields, "mapping"));
  return {};
}

// Of PollEnd.
constexpr std::array kEndNames{"imported", "unchanged", "failed"};

}  // namespace

json::object source_json(std::uint64_t number, const engine::PollingSource& source) {
  return {{"number", number},
          {"name", source.name},
          {"protocol", enumerant_name(source.protocol)},
          {"hostname", source.hostname},
          {"port", source.port},
          {"path", source.path},
          {"active", source.active},
          {"has_token", !source.sealed_token.empty()},
          {"plain_http", source.plain_http},
          {"unverified", source.unverified},
          {"own_ca", !source.ca_certificates.empty()},
          {"deletions_max", limit_json(source.deletions_max)},
          {"deletion_percent_max", limit_json(source.deletion_percent_max)},
          {"authority", enumerant_name(source.authority)},
          {"listed_topologies", json::value_from(source.listed_topologies)},
          {"kind", enumerant_name(source.kind)},
          {"filters", json::value_from(source.filters)},
          {"mapping", source.mapping},
          {"url", base_url(source)},
          {"status_url", status_url(source)},
          {"polling_url", polling_url(source)},
          {"created", web::time_text(source.created)}};
}

Result<SourceFields> source_fields_of(const json::object& fields) {
  SourceFields source;
  NETML_TRY(source.name, optional_text(fields, "name"));
  NETML_TRY(source.hostname, optional_text(fields, "hostname"));
  NETML_TRY(source.path, optional_text(fields, "path"));
  NETML_TRY(source.token, optional_text(fields, "token"));
  NETML_TRY(source.ca_certificates, optional_text(fields, "ca_certificates"));
  NETML_TRY(source.active, optional_flag(fields, "active"));
  NETML_TRY(source.plain_http, optional_flag(fields, "plain_http"));
  NETML_TRY(source.unverified, optional_flag(fields, "unverified"));
  NETML_TRY_VOID(take_limit(fields, "deletions_max", source.deletions_max));
  NETML_TRY_VOID(take_limit(fields, "deletion_percent_max", source.deletion_percent_max));
  NETML_TRY_VOID(take_authority(fields, source));
  NETML_TRY_VOID(take_kind(fields, source));
  NETML_TRY(const auto protocol, optional_text(fields, "protocol"));
  if (protocol) {
    NETML_TRY(source.protocol, parse_protocol(*protocol));
  }
  if (const json::value* port = given_field(fields, "port")) {
    boost::system::error_code error;
    source.port = port->to_number<std::int64_t>(error);
    if (error) return wrong_field("port", "must be a whole number");
  }
  return source;
}

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
