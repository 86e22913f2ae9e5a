#include "admin/services/status.hpp"

#include <boost/json.hpp>

#include "admin/cli/version.hpp"
#include "admin/services/control_api.hpp"
#include "admin/services/settings.hpp"
#include "admin/src/json.hpp"
#include "codecs/xlsx_reader.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

json::value main_topology_json(const engine::Graph& graph) {
  if (graph.mains().size() != 1) return nullptr;
  const engine::Attributes& main = graph.attributes(graph.mains().front());
  return json::object{{"id", main.id()}, {"name", main.name()}};
}

json::value last_import_json(const engine::Catalog& catalog) {
  const std::uint64_t last = catalog.imports.next_number() - 1;
  const auto record = catalog.imports.find(last);
  if (record == nullptr) return nullptr;
  return json::object{{"record", last},
                      {"name", record->name},
                      {"status", import_status_text(record->status)},
                      {"time", format_instant(record->imported_at)}};
}

json::value latest_published_json(const engine::Catalog& catalog) {
  const std::uint64_t latest = latest_published(catalog);
  if (latest == 0) return nullptr;
  return published_item_json(latest, *catalog.published.find(latest), true);
}

json::value last_checkpoint_json(const Node& node) {
  const std::optional<LastCheckpoint> last = node.last_checkpoint();
  if (!last) return nullptr;
  return json::object{{"lsn", last->lsn.value}, {"time", format_instant(last->time.instant())}};
}

json::object limits_json(const net::Limits& limits) {
  const codecs::XlsxLimits workbook;
  const auto seconds = [](std::chrono::milliseconds time) { return time.count() / 1000; };
  return {{"request_line_bytes_max", limits.request_line_bytes_max},
          {"header_bytes_max", limits.header_bytes_max},
          {"header_fields_max", limits.header_fields_max},
          {"upload_bytes_max", limits.upload_bytes_max},
          {"form_bytes_max", limits.form_bytes_max},
          {"multipart_parts_max", limits.multipart_parts_max},
          {"tls_handshake_seconds_max", seconds(limits.tls_handshake_max)},
          {"header_complete_seconds_max", seconds(limits.header_complete_max)},
          {"transfer_bytes_per_second_min", limits.transfer_bytes_per_second_min},
          {"keep_alive_idle_seconds_max", seconds(limits.keep_alive_idle_max)},
          {"connections_max", limits.connections_max},
          {"connections_per_address_max", limits.connections_per_address_max},
          {"requests_per_connection_max", limits.requests_per_connection_max},
          {"xlsx_file_bytes_max", workbook.file_bytes},
          {"xlsx_expanded_bytes_max", workbook.expanded_bytes},
          {"xlsx_expanded_ratio_max", workbook.expanded_ratio},
          {"xlsx_entries_max", workbook.entries}};
}

json::object settings_json(const engine::Catalog& catalog) {
  json::object settings;
  for (const SettingDefinition& definition : setting_definitions())
    settings[definition.name] = setting_value(catalog, definition.name);
  return settings;
}

const char* state_name(const Services& services) {
  if (!services.node.writable()) return "read_only";
  return services.listeners.empty() ? "offline" : "ready";
}

}  // namespace

json::object status_json(const Services& services) {
  const Version version = services.node.version();
  const engine::Graph& graph = version.state->graph;
  const engine::Catalog& catalog = version.state->catalog;
  return {{"version", cli::build_info().version},
          {"revision", cli::build_info().revision},
          {"state", state_name(services)},
          {"reason", services.node.reason()},
          {"data_directory", services.node.directory()},
          {"listeners", json::value_from(services.listeners)},
          {"lsn", version.state->lsn.value},
          {"head", version.head},
          {"counts",
           {{"topologies", graph.count(Kind::topology)},
            {"institutions", graph.count(Kind::institution)},
            {"nodes", graph.count(Kind::node)},
            {"links", graph.count(Kind::link)}}},
          {"main_topology", main_topology_json(graph)},
          {"last_checkpoint", last_checkpoint_json(services.node)},
          {"last_import", last_import_json(catalog)},
          {"latest_published", latest_published_json(catalog)},
          {"journal_bytes", services.node.journal_bytes()},
          {"memory_bytes", graph.memory_bytes()},
          {"limits", limits_json(services.limits)},
          {"settings", settings_json(catalog)}};
}

}  // namespace netml::admin
