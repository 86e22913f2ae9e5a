// All that a process counts by itself (docs/monitoring/README.md), and the values that the labels
// of it may have: those below, and no text of a client.
//
// Owner: main, or whoever opens a node; it outlives both server and node. Thread: any.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "admin/metrics/counter.hpp"

namespace netml::admin {

// What the paths of a route begin with; the first that fits counts, and the last one fits all.
inline constexpr std::array<std::string_view, 14> kRoutes{
    "/netml_export/",  "/published_network_data/",
    "/netml_import/",  "/status/",
    "/visualization/", "/admin/",
    "/api/v1/map",     "/api/v1/events",
    "/api/v1/session", "/api/v1/imports",
    "/api/v1/node/",   "/api/v1/",
    "/metrics",        "other"};
std::size_t route_of(std::string_view path);

// The last but one stands for all others, the last for clients that had gone.
inline constexpr std::array<std::string_view, 15> kStatuses{"200", "201", "204", "304",   "400",
                                                            "401", "403", "404", "409",   "413",
                                                            "429", "500", "503", "other", "left"};
std::size_t status_of(int status);

// As engine::ImportSource has them.
inline constexpr std::array<std::string_view, 4> kImportOrigins{"site", "api", "command_line",
                                                                "poll"};
enum class ImportEnd : std::uint8_t { imported, held, invalid, refused, failed };
inline constexpr std::array<std::string_view, 5> kImportEnds{"imported", "held", "invalid",
                                                             "refused", "failed"};

enum class PollOutcome : std::uint8_t { imported, unchanged, held, failed };
inline constexpr std::array<std::string_view, 4> kPollOutcomes{"imported", "unchanged", "held",
                                                               "failed"};

enum class WebhookOutcome : std::uint8_t { taken, failed };
inline constexpr std::array<std::string_view, 2> kWebhookOutcomes{"taken", "failed"};

enum class PublicationEnd : std::uint8_t { published, failed };
inline constexpr std::array<std::string_view, 2> kPublicationEnds{"published", "failed"};

enum class CacheName : std::uint8_t {
  exports,
  maps,
  differences,
  outages,
  analyses,
  previews,
  past,
  known_files,
  views,
};
inline constexpr std::array<std::string_view, 9> kCaches{"exports", "maps",        "differences",
                                                         "outages", "analyses",    "previews",
                                                         "past",    "known_files", "views"};

inline constexpr double kNanosecondsInASecond = 1e9;
inline constexpr Scale kRequestScale{
    {5'000'000, 25'000'000, 100'000'000, 500'000'000, 2'500'000'000, 10'000'000'000},
    6,
    kNanosecondsInASecond};
inline constexpr Scale kImportScale{
    {10'000'000, 100'000'000, 500'000'000, 2'000'000'000, 10'000'000'000, 60'000'000'000},
    6,
    kNanosecondsInASecond};
inline constexpr Scale kSizeScale{{1 << 10, 16 << 10, 256 << 10, 4 << 20, 64 << 20, 1 << 30}, 6, 1};
inline constexpr Scale kSyncScale{
    {200'000, 500'000, 1'000'000, 2'000'000, 5'000'000, 25'000'000, 100'000'000, 500'000'000},
    8,
    kNanosecondsInASecond};

class Metrics {
 public:
  // The limits that a refusal may name; others are not counted.
  explicit Metrics(std::vector<std::string_view> limits = {});

  void answered(std::string_view path, int status, std::chrono::nanoseconds duration) {
    const std::size_t route = route_of(path);
    requests[route][status_of(status)].add();
    request_seconds[route].observe(duration);
  }
  void refused(std::string_view limit);

  const std::vector<std::string_view>& limits() const { return limits_; }
  std::uint64_t refused_by(std::size_t limit) const { return refused_[limit].value(); }

  CacheCounts& cache(CacheName name) { return caches[static_cast<std::size_t>(name)]; }

  std::array<std::array<Counter, kStatuses.size()>, kRoutes.size()> requests;
  std::array<ScaledHistogram<kRequestScale>, kRoutes.size()> request_seconds;
  Counter received_bytes;
  Counter sent_bytes;
  std::array<Counters<ImportEnd, kImportEnds.size()>, kImportOrigins.size()> imports;
  std::array<ScaledHistogram<kImportScale>, kImportOrigins.size()> import_seconds;
  std::array<ScaledHistogram<kSizeScale>, kImportOrigins.size()> import_bytes;
  Counters<PollOutcome, kPollOutcomes.size()> polls;
  Counters<WebhookOutcome, kWebhookOutcomes.size()> webhook_messages;
  Counters<PublicationEnd, kPublicationEnds.size()> publications;
  ScaledHistogram<kSyncScale> syncs;
  std::array<CacheCounts, kCaches.size()> caches;

 private:
  const std::vector<std::string_view> limits_;  // sorted
  const std::unique_ptr<Counter[]> refused_;
};

}  // namespace netml::admin
