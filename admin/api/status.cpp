#include "admin/api/status.hpp"

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/services.hpp"
#include "admin/base/build_info.hpp"
#include "admin/cluster/cluster_json.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/exports/publisher.hpp"
#include "admin/polling/polling_json.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "net/server/http_server.hpp"

namespace netml::admin {

namespace json = boost::json;

namespace {

// Null, too, where the map is damaged: the status says so, and must be given all the same.
json::value main_topology_json(const engine::Graph& graph) {
  if (graph.mains().size() != 1) return nullptr;
  const auto described = guarded([&]() -> Result<json::value> {
    const engine::Attributes& main = graph.attributes(graph.mains().front());
    return json::object{{"id", main.id()}, {"name", main.name()}};
  });
  return described.value_or(nullptr);
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

json::value last_poll_json(const Services& services) {
  const std::vector<PollBatchView> newest = services.polling.batches({.first = 0, .count_max = 1});
  if (newest.empty()) return nullptr;
  return poll_batch_json(newest.front(), services.node.version().state->catalog);
}

json::value next_poll_json(const Services& services) {
  const auto next = services.schedule == nullptr ? std::nullopt : services.schedule->next_run();
  if (!next) return nullptr;
  return json::string(format_instant(*next));
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

json::object limits_json(const cli::Limits& limits) {
  json::object values;
  for (const cli::LimitDefinition& definition : cli::limit_definitions())
    values[definition.name] = definition.get(limits);
  return values;
}

// Null of a node alone.
json::value cluster_of(const Services& services) {
  if (services.cluster == nullptr) return nullptr;
  return cluster_json(*services.cluster, ClusterDetail::for_operators);
}

json::object settings_json(const engine::Catalog& catalog, Mode mode) {
  json::object settings;
  for (const SettingDefinition& definition : setting_definitions())
    settings[definition.name] = setting_value(catalog, definition.name, mode);
  return settings;
}

// Bytes; null where there is no limit.
json::object memory_json(const MemoryBudget::Report& report) {
  json::object uses;
  for (std::size_t i = 0; i < kMemoryUses; ++i)
    uses[memory_use_name(static_cast<MemoryUse>(i))] = report.by_use[i];
  const bool limited = report.limit.bytes != ProcessMemory::kUnlimited;
  return {{"limit_bytes", limited ? json::value(report.limit.bytes) : json::value(nullptr)},
          {"limit_origin", report.limit.origin},
          {"used_bytes", report.used},
          {"refused", report.refused},
          {"uses", std::move(uses)}};
}

json::object disk_json(const wal::Space& space) {
  return {{"free_bytes", space.free_bytes}, {"total_bytes", space.total_bytes}};
}

// Null without a server, and where it has no certificate.
json::value certificates_expire_json(const Services& services) {
  if (services.server == nullptr) return nullptr;
  std::optional<Instant> first;
  if (const auto seconds = services.server->certificates_expire()) first = Instant{*seconds};
  return web::time_or_null(first);
}

const char* state_name(const Services& services) {
  if (!services.node.writable()) return "read_only";
  return services.listeners.empty() ? "offline" : "ready";
}

}  // namespace

json::object start_proof_json(const Node& node) {
  const StartProof proof = node.start_proof();
  return {{"state", proof.state}, {"bytes_checked", proof.bytes_checked}, {"bytes", proof.bytes}};
}

json::object upkeep_json(const Services& services) {
  return {{"last_checkpoint", last_checkpoint_json(services.node)},
          {"journal_bytes", services.node.journal_bytes()},
          {"disk", disk_json(services.node.space())},
          {"certificates_expire", certificates_expire_json(services)}};
}

json::object status_json(const Services& services) {
  const Version version = services.node.version();
  const engine::Graph& graph = version.state->graph;
  const engine::Catalog& catalog = version.state->catalog;
  json::object status{{"version", cli::build_info().version},
                      {"revision", cli::build_info().revision},
                      {"state", state_name(services)},
                      {"reason", services.node.reason()},
                      {"data_directory", services.node.directory()},
                      {"listeners", json::value_from(services.listeners)},
                      {"lsn", version.state->lsn.value},
                      {"head", version.head},
                      {"counts", each_kind_json([&](Kind kind) { return graph.count(kind); })},
                      {"main_topology", main_topology_json(graph)},
                      {"export", export_state_json(*services.export_watch.now())},
                      {"start_proof", start_proof_json(services.node)},
                      {"last_import", last_import_json(catalog)},
                      {"last_poll", last_poll_json(services)},
                      {"next_poll", next_poll_json(services)},
                      {"latest_published", latest_published_json(catalog)},
                      {"memory_bytes", graph.memory_bytes()},
                      {"memory", memory_json(services.node.memory().report())},
                      {"limits", limits_json(*services.limits.get())},
                      {"settings", settings_json(catalog, services.node.mode())}};
  for (auto& [name, value] : upkeep_json(services)) status[name] = std::move(value);
  if (json::value cluster = cluster_of(services); !cluster.is_null())
    status["cluster"] = std::move(cluster);
  return status;
}

}  // namespace netml::admin
