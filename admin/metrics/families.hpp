// Every family of metrics, declared once: name, unit, type, help. docs/monitoring/README.md lists
// the same, which a test compares.
//
// A counter is named without the `_total` that its samples end with. Names end with their unit.
// Thread: any (immutable).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace netml::admin {

enum class FamilyType : std::uint8_t { counter, gauge, histogram };

struct Family {
  std::string_view name;
  FamilyType type = FamilyType::gauge;
  std::string_view unit;  // the end of the name; empty: it only counts
  std::string_view help;
};

namespace families {

using enum FamilyType;

inline constexpr Family kBuild{"netml_build_info", gauge, "", "1, for the version of the program."};

inline constexpr Family kRequests{"netml_requests", counter, "",
                                  "Requests that were answered, by route and status."};
inline constexpr Family kRequestSeconds{
    "netml_request_duration_seconds", histogram, "seconds",
    "From the first byte of a request to the last byte of its answer."};
inline constexpr Family kReceived{"netml_received_bytes", counter, "bytes",
                                  "Bytes of requests that were received."};
inline constexpr Family kSent{"netml_sent_bytes", counter, "bytes",
                              "Bytes of answers that were sent."};
inline constexpr Family kConnections{"netml_connections", gauge, "", "Connections that are open."};
inline constexpr Family kRefused{"netml_refused", counter, "",
                                 "Requests and connections that a limit refused."};

inline constexpr Family kImports{"netml_imports", counter, "",
                                 "Imports that were tried, by origin and outcome."};
inline constexpr Family kImportSeconds{"netml_import_duration_seconds", histogram, "seconds",
                                       "From the end of a file to the end of its import."};
inline constexpr Family kImportBytes{"netml_import_size_bytes", histogram, "bytes",
                                     "Bytes of files that were to be imported."};
inline constexpr Family kImportsHeld{"netml_imports_held", gauge, "",
                                     "Imports that are held until somebody looks at them."};
inline constexpr Family kPoliciesUnmet{"netml_redundancy_policies_unmet", gauge, "",
                                       "Redundancy policies that elements of the map are below."};

inline constexpr Family kPolls{"netml_polls", counter, "", "Polls of sources, by outcome."};
inline constexpr Family kSources{"netml_sources", gauge, "", "Active sources, by their state."};
inline constexpr Family kSourceAge{"netml_source_last_success_age_seconds", gauge, "seconds",
                                   "Since a source was polled with success."};
inline constexpr Family kSourceFailures{"netml_source_failures", gauge, "",
                                        "Polls of a source that failed since one succeeded."};
inline constexpr Family kWebhookMessages{"netml_webhook_messages", counter, "",
                                         "Messages that were posted to webhooks, by outcome."};
inline constexpr Family kWebhooks{"netml_webhooks", gauge, "", "Webhooks, by their state."};
inline constexpr Family kPublications{"netml_publications", counter, "",
                                      "Attempts to publish the map, by outcome."};

inline constexpr Family kElements{"netml_elements", gauge, "", "Elements of the map, by kind."};
inline constexpr Family kLsn{"netml_lsn", gauge, "", "The number of the last change."};
inline constexpr Family kWritable{"netml_writable", gauge, "", "1 where changes can be written."};
inline constexpr Family kJournalBytes{"netml_journal_size_bytes", gauge, "bytes",
                                      "Bytes of the journal that are not archived."};
inline constexpr Family kJournalAge{"netml_journal_age_seconds", gauge, "seconds",
                                    "Since the last change, or since the start."};
inline constexpr Family kSyncSeconds{"netml_journal_sync_duration_seconds", histogram, "seconds",
                                     "Until changes that somebody waits for are on the disk."};
inline constexpr Family kCheckpointBytes{"netml_checkpoint_size_bytes", gauge, "bytes",
                                         "Bytes of the last checkpoint."};
inline constexpr Family kCheckpointAge{"netml_checkpoint_age_seconds", gauge, "seconds",
                                       "Since the last checkpoint was taken."};
inline constexpr Family kDiskFree{"netml_disk_free_bytes", gauge, "bytes",
                                  "Free bytes of the file system of the data."};
inline constexpr Family kDiskSize{"netml_disk_size_bytes", gauge, "bytes",
                                  "Bytes of the file system of the data."};

inline constexpr Family kQueue{"netml_queue_length", gauge, "", "What waits, by what it is for."};
inline constexpr Family kMemory{"netml_memory_used_bytes", gauge, "bytes",
                                "Bytes of the memory budget in use, by what for."};
inline constexpr Family kMemoryLimit{"netml_memory_limit_bytes", gauge, "bytes",
                                     "Bytes of the memory budget."};
inline constexpr Family kMemoryRefused{"netml_memory_refused", counter, "",
                                       "Reservations of memory that were refused."};
inline constexpr Family kCache{"netml_cache_requests", counter, "",
                               "Look-ups in caches, by cache and result."};
inline constexpr Family kCertificate{"netml_certificate_expiry_timestamp_seconds", gauge, "seconds",
                                     "When the first certificate of the listeners expires."};
inline constexpr Family kResident{"process_resident_memory_bytes", gauge, "bytes",
                                  "Resident memory of the process."};

}  // namespace families

// Of a member of a cluster alone.
namespace families {

inline constexpr Family kClusterRole{"netml_cluster_role", gauge, "",
                                     "1 for the role of this member of the cluster."};
inline constexpr Family kClusterEpoch{"netml_cluster_epoch", gauge, "",
                                      "The newest epoch of the cluster that was seen."};
inline constexpr Family kClusterBehind{"netml_cluster_behind", gauge, "",
                                       "Transactions that the cluster has and this member not."};
inline constexpr Family kClusterLag{"netml_cluster_lag_seconds", gauge, "seconds",
                                    "Since what this member shows was the newest."};
inline constexpr Family kClusterReached{"netml_cluster_database_reached", gauge, "",
                                        "1 where the database answered the last question."};
inline constexpr Family kClusterStandby{"netml_cluster_standby", gauge, "",
                                        "1 where a second database confirms changes."};
inline constexpr Family kClusterMembers{"netml_cluster_members", gauge, "",
                                        "Members that the cluster knows."};

}  // namespace families

// In the order in which they are written.
inline constexpr std::array kFamilies{families::kBuild,
                                      families::kRequests,
                                      families::kRequestSeconds,
                                      families::kReceived,
                                      families::kSent,
                                      families::kConnections,
                                      families::kRefused,
                                      families::kImports,
                                      families::kImportSeconds,
                                      families::kImportBytes,
                                      families::kImportsHeld,
                                      families::kPoliciesUnmet,
                                      families::kPolls,
                                      families::kSources,
                                      families::kSourceAge,
                                      families::kSourceFailures,
                                      families::kWebhookMessages,
                                      families::kWebhooks,
                                      families::kPublications,
                                      families::kElements,
                                      families::kLsn,
                                      families::kWritable,
                                      families::kJournalBytes,
                                      families::kJournalAge,
                                      families::kSyncSeconds,
                                      families::kCheckpointBytes,
                                      families::kCheckpointAge,
                                      families::kDiskFree,
                                      families::kDiskSize,
                                      families::kQueue,
                                      families::kMemory,
                                      families::kMemoryLimit,
                                      families::kMemoryRefused,
                                      families::kCache,
                                      families::kCertificate,
                                      families::kClusterRole,
                                      families::kClusterEpoch,
                                      families::kClusterBehind,
                                      families::kClusterLag,
                                      families::kClusterReached,
                                      families::kClusterStandby,
                                      families::kClusterMembers,
                                      families::kResident};

}  // namespace netml::admin
