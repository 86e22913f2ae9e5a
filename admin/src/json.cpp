#include "admin/src/json.hpp"

#include <boost/json.hpp>

#include "admin/services/source_address.hpp"
#include "admin/services/tokens.hpp"
#include "engine/sha256.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

// What is not known is left out.
json::object input_error_json(const engine::InputError& error) {
  json::object object{{"code", error.code}, {"message", error.message}};
  if (!error.sheet.empty()) object["sheet"] = error.sheet;
  if (error.line > 0) object["line"] = error.line;
  if (error.column > 0) object["column"] = error.column;
  if (!error.id.empty()) object["id"] = error.id;
  return object;
}

}  // namespace

const char* collection_name(Kind kind) {
  constexpr std::array<const char*, kKindCount> kNames{"topologies", "institutions", "nodes",
                                                       "links"};
  return kNames[static_cast<std::size_t>(kind)];
}

const char* published_status_name(engine::PublishedStatus status) {
  switch (status) {
    case engine::PublishedStatus::pending:
      return "pending";
    case engine::PublishedStatus::success:
      return "success";
    case engine::PublishedStatus::failed:
      break;
  }
  return "failed";
}

json::object counts_json(const std::array<engine::ImportCounts, kKindCount>& counts) {
  json::object object;
  for (const Kind kind : kKinds) {
    const engine::ImportCounts& count = counts[static_cast<std::size_t>(kind)];
    object[collection_name(kind)] = {{"parsed", count.parsed}, {"imported", count.imported}};
  }
  return object;
}

const char* error_code_name(Errc code) {
  switch (code) {
    case Errc::invalid_input:
      return "invalid_input";
    case Errc::not_found:
      return "not_found";
    case Errc::conflict:
      return "conflict";
    case Errc::unavailable:
      return "unavailable";
    case Errc::no_space:
      return "no_space";
    case Errc::io_error:
      return "io_error";
    case Errc::corruption:
      return "corruption";
    case Errc::newer_version:
      return "newer_version";
    case Errc::too_large:
      return "too_large";
    case Errc::denied:
      return "denied";
    case Errc::internal:
      break;
  }
  return "internal";
}

json::array moves_json(const std::vector<engine::TopologyMove>& moves) {
  const auto name = [](const std::optional<engine::TopologyName>& topology) -> json::value {
    if (!topology) return nullptr;
    return json::object{{"id", topology->id}, {"name", topology->name}};
  };
  json::array items;
  for (const engine::TopologyMove& move : moves)
    items.push_back(json::object{{"topology", name(move.topology)},
                                 {"from", name(move.from)},
                                 {"to", name(move.to)},
                                 {"leaves_export", move.leaves_export},
                                 {"text", move_text(move)}});
  return items;
}

json::object import_result_json(const ImportResult& result, bool dry_run) {
  return {{"record", result.record},
          {"lsn", result.lsn.value},
          {"status", static_cast<int>(result.status)},
          {"log", result.log},
          {"created", result.changes.created},
          {"updated", result.changes.updated},
          {"deleted", result.changes.deleted},
          {"counts", counts_json(result.counts)},
          {"moves", moves_json(result.moves)},
          {"plan", result.plan},
          {"dry_run", dry_run}};
}

json::object error_json(const Error& error, const engine::InputErrors& errors) {
  json::object object{{"detail", error.message}, {"code", error_code_name(error.code)}};
  if (errors.count == 0) return object;
  json::array first;
  for (const engine::InputError& input : errors.first) first.push_back(input_error_json(input));
  object["errors"] = std::move(first);
  object["error_count"] = errors.count;
  return object;
}

int import_failure_status(const ImportFailure& failure) {
  return failure.no_memory ? 507 : net::http_status(failure.error.code);
}

json::object import_failure_json(const ImportFailure& failure) {
  json::object object = error_json(failure.error, failure.errors);
  object["record"] = failure.record;
  object["plan"] = failure.plan;
  return object;
}

json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                 bool latest) {
  return {{"id", number},
          {"name", item.name},
          {"description", item.description},
          {"version", item.version},
          {"file_date", format_instant(item.file_date)},
          {"status", published_status_name(item.status)},
          {"lsn", item.lsn.value},
          {"failure", item.failure},
          {"latest", latest}};
}

json::object kept_plan_json(std::uint64_t number, const engine::KeptPlan& plan,
                            const engine::State& state) {
  json::object object{{"id", number},
                      {"name", plan.name},
                      {"topology_name", plan.topology_name},
                      {"parent", nullptr},
                      {"token", plan.token_client_name},
                      {"file_hash", to_hex(plan.file_hash)},
                      {"file_bytes", plan.file_bytes},
                      {"planned_at", format_instant(plan.planned_at)},
                      {"lsn", plan.lsn.value},
                      {"created", plan.created},
                      {"updated", plan.updated},
                      {"deleted", plan.deleted},
                      {"import_record", plan.import_record},
                      {"held_because", plan.held_because}};
  if (state.graph.contains(plan.parent_topology)) {
    object["parent"] = state.graph.attributes(plan.parent_topology).id();
    object["parent_name"] = state.graph.attributes(plan.parent_topology).name();
  }
  return object;
}

json::object token_json(std::uint64_t number, const engine::Token& token) {
  return {{"id", number},
          {"client_name", token.client_name},
          {"kind", token_kind_name(token.kind)},
          {"created", format_instant(token.created)}};
}

json::object account_json(std::uint64_t number, const engine::Account& account) {
  return {{"id", number},
          {"name", account.name},
          {"email", account.email},
          {"role", role_name(account.role)},
          {"enabled", account.enabled},
          {"created", format_instant(account.created)}};
}

namespace {
json::value limit_json(const std::optional<std::uint32_t>& limit) {
  if (!limit) return nullptr;
  return *limit;
}
}  // namespace

json::object source_json(std::uint64_t number, const engine::PollingSource& source) {
  return {{"id", number},
          {"name", source.name},
          {"protocol", protocol_name(source.protocol)},
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
          {"authority", authority_name(source.authority)},
          {"listed_topologies", json::value_from(source.listed_topologies)},
          {"url", base_url(source)},
          {"status_url", status_url(source)},
          {"polling_url", polling_url(source)},
          {"created", format_instant(source.created)}};
}

json::object setting_json(const SettingDefinition& definition, const engine::Catalog& catalog,
                          Mode mode) {
  json::object object{{"name", definition.name},
                      {"display_name", definition.display_name},
                      {"value", setting_value(catalog, definition.name, mode)},
                      {"default", default_value(definition, mode)},
                      {"allowed", json::array()},
                      {"description", definition.description},
                      {"stored", is_stored(catalog, definition)}};
  if (definition.is_number())
    object["maximum"] = definition.number_max;
  else if (!definition.is_text())
    object["allowed"] = json::value_from(definition.allowed);
  return object;
}

net::Response json_answer(int status, const json::value& value) {
  return net::json_response(status, json::serialize(value));
}

net::Response no_content() {
  net::Response response;
  response.status = 204;
  return response;
}

net::Response error_answer(const Error& error) {
  return json_answer(net::http_status(error.code),
                     {{"detail", error.message}, {"code", error_code_name(error.code)}});
}

}  // namespace netml::admin
