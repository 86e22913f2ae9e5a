#include "admin/api/metrics_page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/answers/json_answers.hpp"
#include "admin/api/services.hpp"
#include "admin/base/build_info.hpp"
#include "admin/imports/import_queue.hpp"
#include "admin/metrics/families.hpp"
#include "admin/metrics/metrics.hpp"
#include "admin/polling/source_address.hpp"
#include "net/http/media_range.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kSourcesMax = 64;
constexpr std::size_t kSourceNameBytesMax = 40;
constexpr double kMicrosecondsInASecond = 1e6;

double seconds_of(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

double seconds_since(const Node& node, std::int64_t microseconds) {
  const std::int64_t passed = node.clock().wall().microseconds - microseconds;
  return static_cast<double>(std::max<std::int64_t>(passed, 0)) / kMicrosecondsInASecond;
}

// ---- counted ----

void add_requests(MetricsText& text, const Metrics& metrics) {
  text.begin(families::kRequests);
  for (std::size_t route = 0; route < kRoutes.size(); ++route)
    for (std::size_t status = 0; status < kStatuses.size(); ++status)
      if (const std::uint64_t count = metrics.requests[route][status].value(); count > 0)
        text.sample({{"route", kRoutes[route]}, {"status", kStatuses[status]}}, count);
  text.begin(families::kRequestSeconds);
  for (std::size_t route = 0; route < kRoutes.size(); ++route)
    if (metrics.request_seconds[route].read().up_to[kRequestScale.count] > 0)
      text.sample({{"route", kRoutes[route]}}, metrics.request_seconds[route]);
  text.begin(families::kReceived);
  text.sample(metrics.received_bytes.value());
  text.begin(families::kSent);
  text.sample(metrics.sent_bytes.value());
}

void add_refused(MetricsText& text, const Metrics& metrics) {
  text.begin(families::kRefused);
  const auto& limits = metrics.limits();
  for (std::size_t i = 0; i < limits.size(); ++i)
    if (const std::uint64_t count = metrics.refused_by(i); count > 0)
      text.sample({{"limit", limits[i]}}, count);
}

void add_imports(MetricsText& text, const Metrics& metrics) {
  text.begin(families::kImports);
  for (std::size_t origin = 0; origin < kImportOrigins.size(); ++origin)
    for (std::size_t end = 0; end < kImportEnds.size(); ++end)
      text.sample({{"origin", kImportOrigins[origin]}, {"outcome", kImportEnds[end]}},
                  metrics.imports[origin].at(end).value());
  text.begin(families::kImportSeconds);
  for (std::size_t origin = 0; origin < kImportOrigins.size(); ++origin)
    text.sample({{"origin", kImportOrigins[origin]}}, metrics.import_seconds[origin]);
  text.begin(families::kImportBytes);
  for (std::size_t origin = 0; origin < kImportOrigins.size(); ++origin)
    text.sample({{"origin", kImportOrigins[origin]}}, metrics.import_bytes[origin]);
}

template <class Counts, std::size_t kSize>
void add_outcomes(MetricsText& text, const Family& family, const Counts& counts,
                  const std::array<std::string_view, kSize>& names) {
  text.begin(family);
  for (std::size_t i = 0; i < kSize; ++i)
    text.sample({{"outcome", names[i]}}, counts.at(i).value());
}

void add_caches(MetricsText& text, const Metrics& metrics) {
  text.begin(families::kCache);
  for (std::size_t i = 0; i < kCaches.size(); ++i) {
    text.sample({{"cache", kCaches[i]}, {"result", "hit"}}, metrics.caches[i].hits.value());
    text.sample({{"cache", kCaches[i]}, {"result", "miss"}}, metrics.caches[i].misses.value());
  }
}

// ---- read now ----

void add_gauge(MetricsText& text, const Family& family, std::uint64_t value) {
  text.begin(family);
  text.sample(value);
}
void add_gauge(MetricsText& text, const Family& family, double value) {
  text.begin(family);
  text.sample({}, value);
}

// A long name is cut, not within a character, and differs from others that begin alike.
std::string label_of(std::string_view name, std::uint64_t number) {
  if (name.size() <= kSourceNameBytesMax) return std::string(name);
  std::size_t end = kSourceNameBytesMax;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U) --end;
  return fmt::format("{}~{}", name.substr(0, end), number);
}

struct ShownSource {
  std::string label;
  std::shared_ptr<const engine::PeerState> peer;
};

// What polls have found out about a source counts for the address that it has now.
void add_sources(MetricsText& text, const Node& node, const engine::Catalog& catalog) {
  std::vector<ShownSource> shown;
  std::uint64_t working = 0;
  std::uint64_t failing = 0;
  std::uint64_t never = 0;
  catalog.sources.for_each([&](std::uint64_t number, const engine::PollingSource& source) {
    if (!source.active) return;
    auto peer = catalog.peer_states.find(number);
    const bool known = peer != nullptr && peer->url == base_url(source);
    const bool succeeded = known && peer->succeeded_at;
    const bool failed = known && peer->failures > 0;
    ++(failed ? failing : succeeded ? working : never);
    if (!known || shown.size() == kSourcesMax) return;
    shown.push_back({label_of(source.name, number), std::move(peer)});
  });
  text.begin(families::kSources);
  text.sample({{"state", "working"}}, working);
  text.sample({{"state", "failing"}}, failing);
  text.sample({{"state", "never"}}, never);
  text.begin(families::kSourceAge);
  for (const ShownSource& source : shown)
    if (const auto succeeded = source.peer->succeeded_at)
      text.sample({{"source", source.label}}, seconds_since(node, succeeded->seconds * 1'000'000));
  text.begin(families::kSourceFailures);
  for (const ShownSource& source : shown)
    text.sample({{"source", source.label}}, source.peer->failures);
}

void add_webhooks(MetricsText& text, const WebhookDelivery::Counts& counts) {
  text.begin(families::kWebhooks);
  for (std::size_t i = 0; i < kWebhookStates.size(); ++i)
    text.sample({{"state", kWebhookStates[i]}}, counts[i]);
}

std::uint64_t imports_held(const engine::Catalog& catalog) {
  std::uint64_t held = 0;
  catalog.plans.for_each([&](std::uint64_t, const engine::KeptPlan& plan) {
    held += plan.held_because.empty() ? 0 : 1;
  });
  return held;
}

std::uint64_t imports_waiting(const engine::Catalog& catalog) {
  std::uint64_t waiting = 0;
  catalog.imports.for_each_with<&engine::ImportRecord::status>(
      engine::ImportStatus::in_progress,
      [&](std::uint64_t, const engine::ImportRecord& record) { waiting += is_waiting(record); });
  return waiting;
}

void add_map(MetricsText& text, const engine::State& state) {
  text.begin(families::kElements);
  for (const Kind kind : kKinds)
    text.sample({{"kind", collection_name(kind)}}, state.graph.count(kind));
  add_gauge(text, families::kLsn, state.lsn.value);
}

void add_storage(MetricsText& text, const Node& node) {
  add_gauge(text, families::kWritable, std::uint64_t{node.writable()});
  add_gauge(text, families::kJournalBytes, node.journal_bytes());
  add_gauge(text, families::kJournalAge, seconds_of(node.unchanged()));
  text.begin(families::kSyncSeconds);
  text.sample({}, node.metrics().syncs);
  if (const auto last = node.last_checkpoint()) {
    add_gauge(text, families::kCheckpointBytes, last->bytes);
    add_gauge(text, families::kCheckpointAge, seconds_since(node, last->time.microseconds));
  }
  const wal::Space space = node.space();
  if (space.total_bytes == 0) return;
  add_gauge(text, families::kDiskFree, space.free_bytes);
  add_gauge(text, families::kDiskSize, space.total_bytes);
}

void add_queues(MetricsText& text, const Services& services, const net::HttpServer& server,
                const engine::Catalog& catalog) {
  text.begin(families::kQueue);
  text.sample({{"queue", "changes"}}, services.node.changes_waiting());
  text.sample({{"queue", "imports"}}, imports_waiting(catalog));
  text.sample({{"queue", "polls"}}, services.poller.waiting());
  text.sample({{"queue", "requests"}}, server.waiting_requests());
}

void add_memory(MetricsText& text, const MemoryBudget::Report& report) {
  text.begin(families::kMemory);
  for (std::size_t i = 0; i < kMemoryUses; ++i)
    text.sample({{"part", memory_use_name(static_cast<MemoryUse>(i))}}, report.by_use[i]);
  if (report.limit.bytes != ProcessMemory::kUnlimited)
    add_gauge(text, families::kMemoryLimit, report.limit.bytes);
  text.begin(families::kMemoryRefused);
  text.sample(report.refused);
}

// Nothing of a node alone.
void add_cluster(MetricsText& text, const ClusterMember* cluster) {
  if (cluster == nullptr) return;
  const wal::MembershipStatus status = cluster->status();
  text.begin(families::kClusterRole);
  for (const wal::Role role :
       {wal::Role::starting, wal::Role::follower, wal::Role::leader, wal::Role::stopped})
    text.sample({{"role", wal::to_string(role)}}, std::uint64_t{role == status.role});
  add_gauge(text, families::kClusterEpoch, status.epoch.value);
  add_gauge(text, families::kClusterBehind, status.behind);
  add_gauge(text, families::kClusterLag, seconds_of(status.lag));
  add_gauge(text, families::kClusterReached, std::uint64_t{status.reached});
  add_gauge(text, families::kClusterStandby, std::uint64_t{status.synchronous});
  add_gauge(text, families::kClusterMembers, std::uint64_t{cluster->members().size()});
}

// The second number of the file; absent where the system has no such file.
void add_resident(MetricsText& text) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  if (!(file >> all >> resident)) return;
  add_gauge(text, families::kResident,
            resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

// Prometheus names the new format; curl names none.
MetricsFormat format_for(const net::Request& request) {
  const std::string_view accept = request.headers.get("Accept");
  const unsigned open = net::preference(accept, "application/openmetrics-text").named();
  const unsigned plain = net::preference(accept, "text/plain").named();
  return open > 0 && open >= plain ? MetricsFormat::open_metrics : MetricsFormat::prometheus;
}

}  // namespace

std::string metrics_page(Services& services, const net::HttpServer& server, MetricsFormat format) {
  const Node& node = services.node;
  const Metrics& metrics = node.metrics();
  const engine::StatePtr state = node.version().state;
  MetricsText text(format);
  text.begin(families::kBuild);
  text.sample({{"version", cli::build_info().version}, {"revision", cli::build_info().revision}},
              std::uint64_t{1});
  add_requests(text, metrics);
  add_gauge(text, families::kConnections, std::uint64_t{server.open_connections()});
  add_refused(text, metrics);
  add_imports(text, metrics);
  add_gauge(text, families::kImportsHeld, imports_held(state->catalog));
  if (const auto unmet = services.policy_watch.unmet())
    add_gauge(text, families::kPoliciesUnmet, *unmet);
  add_outcomes(text, families::kPolls, metrics.polls, kPollOutcomes);
  add_sources(text, node, state->catalog);
  add_outcomes(text, families::kWebhookMessages, metrics.webhook_messages, kWebhookOutcomes);
  // A member that does not lead does not know.
  if (services.webhook_delivery.leads()) add_webhooks(text, services.webhook_delivery.counts());
  add_outcomes(text, families::kPublications, metrics.publications, kPublicationEnds);
  add_map(text, *state);
  add_storage(text, node);
  add_queues(text, services, server, state->catalog);
  add_memory(text, node.memory().report());
  add_caches(text, metrics);
  if (const auto expires = server.certificates_expire())
    add_gauge(text, families::kCertificate, static_cast<double>(*expires));
  add_cluster(text, services.cluster);
  add_resident(text);
  return std::move(text).take();
}

void register_metrics(net::Router& router, Services& services, const net::HttpServer& server) {
  router.add(
      net::Method::get, "/metrics",
      [&services, &server](const net::Request& request) -> net::Answer {
        const MetricsFormat format = format_for(request);
        net::Response response;
        response.headers.add("Content-Type", media_type(format));
        response.headers.add("Vary", "Accept");
        response.body = metrics_page(services, server, format);
        return response;
      },
      net::Lane::urgent);
}

}  // namespace netml::admin
