#include "admin/server/cluster_calls.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "admin/cli/client/files.hpp"
#include "admin/cluster/cluster.hpp"
#include "admin/cluster/gate.hpp"
#include "admin/cluster/member_request.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/key_file.hpp"
#include "admin/node/node.hpp"
#include "admin/server/restore.hpp"
#include "net/client/peer_url.hpp"

namespace netml::admin {

namespace {

namespace fs = std::filesystem;

// What all of them work with.
struct Tools {
  const Clock& clock;
  Random& random;
  EventLog& events;
};

// ---- the database ----

Result<wal::SharedEngine> engine_for(const Tools& tools, const std::string& connection) {
  return load_shared_engine({.connection = connection, .clock = &tools.clock});
}

Result<std::unique_ptr<wal::SharedLog>> open_log(const Tools& tools,
                                                 const std::string& connection) {
  NETML_TRY(const wal::SharedEngine engine, engine_for(tools, connection));
  return engine.open();
}

// ---- the data directory ----

Result<std::unique_ptr<Node>> open_node(const Tools& tools, const std::string& directory) {
  return Node::open({.data_directory = directory, .must_exist = true}, tools.clock, tools.random,
                    tools.events);
}

// Where the directory stands once it is closed, and whose it is.
struct Standing {
  wal::NodeUuid cluster;
  wal::Head head;
};

Result<Standing> standing_of(Node& node) {
  NETML_TRY(const wal::Manifest manifest, node.manifest());
  const auto head = wal::parse_head(node.version().head);
  NETML_ASSERT(head.has_value());
  return Standing{manifest.node, *head};
}

Result<std::string> begin_log(const Tools& tools, const std::string& connection,
                              const Standing& standing) {
  NETML_TRY(const wal::SharedEngine engine, engine_for(tools, connection));
  NETML_TRY_VOID(engine.init({.cluster = standing.cluster, .head = standing.head, .role = {}}));
  return wal::to_string(standing.head);
}

Result<std::string> init_cluster(const Tools& tools, const cli::GlobalOptions& global,
                                 const std::string& connection) {
  NETML_TRY(const std::unique_ptr<Node> node, open_node(tools, global.data_directory));
  NETML_TRY(const Standing standing, standing_of(*node));
  NETML_TRY_VOID(node->close());
  return begin_log(tools, connection, standing);
}

// ---- another member ----

Result<std::string> text_of_file(const std::string& file) {
  std::string text;
  if (file.empty()) return text;
  NETML_TRY_VOID(cli::read_file(file, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
}

Result<net::HttpClient> connect(const Tools& tools, const std::string& url,
                                const std::string& ca_file) {
  NETML_TRY(net::Peer peer, net::parse_peer_url(url));
  NETML_TRY(peer.ca_certificates, text_of_file(ca_file));
  net::OutgoingRules rules;
  rules.internal_allowed = true;  // an operator named it
  auto channel = net::connect_to_peer(peer, rules, tools.clock);
  if (!channel)
    return fail(Errc::unavailable,
                fmt::format("cannot reach {}: {}", url, channel.error().message));
  net::ClientLimits limits;
  limits.body_bytes_max = NamedLimit(UINT64_MAX);
  limits.total_max = std::chrono::hours(24);
  return net::HttpClient(*std::move(channel), net::authority_of(peer), tools.clock, limits);
}

// What it shows, whatever its health.
Result<wal::Head> head_of(const Tools& tools, const std::string& url, const std::string& ca_file) {
  NETML_TRY(net::HttpClient client, connect(tools, url, ca_file));
  net::ClientRequest asked;
  asked.target = "/health/live";
  NETML_TRY(const net::ClientResponse answer, client.send(asked));
  const auto head = wal::parse_head(answer.headers.get(kHeadHeader));
  if (!head)
    return fail(Errc::invalid_input,
                fmt::format("{} does not answer as a member of a cluster does; start it with netml "
                            "serve --cluster",
                            url));
  return *head;
}

// ---- refill ----

// That this directory has all that the other member has.
Status check_covers(Node& node, const wal::Head& own, const std::string& url,
                    const wal::Head& other) {
  if (other.lsn > own.lsn)
    return fail(Errc::conflict,
                fmt::format("{} has more: LSN {}, while this directory ends with {}; stop that "
                            "member and refill from its directory. Nothing was changed",
                            url, other.lsn.value, own.lsn.value));
  if (other == own || other.lsn == Lsn{}) return {};
  NETML_TRY(wal::JournalReader reader, node.journal());
  NETML_TRY(const wal::HistoryEntry entry, reader.entry(other.lsn));
  if (entry.chain == other.chain) return {};
  return fail(Errc::conflict,
              fmt::format("{} has another history: at LSN {} its hash is not the one here; look at "
                          "both with netml log before one of them is given up. Nothing was changed",
                          url, other.lsn.value));
}

Result<std::string> refill(const Tools& tools, const cli::GlobalOptions& global,
                           const cli::RefillOptions& options) {
  NETML_TRY(const std::unique_ptr<Node> node, open_node(tools, global.data_directory));
  NETML_TRY(const Standing standing, standing_of(*node));
  for (const std::string& url : options.members) {
    NETML_TRY(const wal::Head other, head_of(tools, url, options.cluster.ca_file));
    NETML_TRY_VOID(check_covers(*node, standing.head, url, other));
  }
  NETML_TRY_VOID(node->close());
  return begin_log(tools, options.cluster.connection, standing);
}

// ---- join ----

Result<SecretKey> read_exported_key(const std::string& file) {
  NETML_TRY(const std::string text, text_of_file(file));
  const auto key = decode_key_file(std::as_bytes(std::span(text)));
  if (key) return *key;
  return fail(
      Errc::invalid_input,
      fmt::format("{} is no key; write it with netml cluster key export FILE on a member", file));
}

// The backup of a member, in a file beside the directory that it will become.
class FetchedBackup {
 public:
  explicit FetchedBackup(const std::string& directory) : path_(directory + ".joining.tar") {}
  ~FetchedBackup() {
    std::error_code error;
    fs::remove(path_, error);
  }
  FetchedBackup(const FetchedBackup&) = delete;
  FetchedBackup& operator=(const FetchedBackup&) = delete;

  const std::string& path() const { return path_; }

  Status fetch(const Tools& tools, const cli::JoinOptions& options, const Secrets& secrets,
               cli::Progress& progress) {
    NETML_TRY(net::HttpClient client, connect(tools, options.from, options.cluster.ca_file));
    NETML_TRY(cli::OutputFile file, cli::OutputFile::create(path_, cli::FileReaders::owner));
    std::uint64_t bytes = 0;
    NETML_TRY(const net::ClientResponse answer,
              client.send(asked(tools, secrets), [&](std::string_view piece) {
                progress.sent(bytes += piece.size());
                return file.write(piece);
              }));
    if (answer.status != 200)
      return fail(Errc::denied, fmt::format("{} does not give its data ({}): {}", options.from,
                                            answer.status, answer.body));
    return file.commit();
  }

 private:
  static net::ClientRequest asked(const Tools& tools, const Secrets& secrets) {
    net::Request request;
    request.path = std::string(kMemberPath) + "/api/v1/node/backup";
    request.id = "join";
    request.control = true;
    net::ClientRequest asked;
    asked.target = target_of(request);
    asked.headers.add(kForwardedHeader, sign(secrets, request, origin_of(request, "a new member"),
                                             tools.clock.wall()));
    return asked;
  }

  const std::string path_;
};

Result<cli::Restored> join(const Tools& tools, const cli::GlobalOptions& global,
                           const cli::JoinOptions& options, cli::Progress& progress) {
  std::error_code error;
  if (fs::exists(global.data_directory, error) && !fs::is_empty(global.data_directory, error))
    return fail(Errc::conflict, fmt::format("{} is not empty: name a new directory with --data",
                                            global.data_directory));
  NETML_TRY(const SecretKey key, read_exported_key(options.key));
  NETML_TRY(const auto log, open_log(tools, options.cluster.connection));
  NETML_TRY(const wal::SharedHead shared, log->head());
  FetchedBackup backup(global.data_directory);
  NETML_TRY_VOID(backup.fetch(tools, options, Secrets(key), progress));
  NETML_TRY(const cli::Restored restored, restore_backup({.file = backup.path(),
                                                          .into = global.data_directory,
                                                          .key = options.key,
                                                          .head = std::nullopt},
                                                         progress));
  NETML_TRY(const std::unique_ptr<Node> node, open_node(tools, global.data_directory));
  NETML_TRY(const Standing standing, standing_of(*node));
  NETML_TRY_VOID(node->close());
  if (standing.cluster == shared.cluster) return restored;
  return fail(Errc::conflict,
              fmt::format("{} is of the cluster {}, the database of {}: delete {} and name a "
                          "member of that cluster with --from",
                          options.from, wal::to_string(standing.cluster),
                          wal::to_string(shared.cluster), global.data_directory));
}

// ---- status, leave ----

Result<cli::ClusterSeen> look(const Tools& tools, const std::string& connection) {
  NETML_TRY(const auto log, open_log(tools, connection));
  NETML_TRY(const wal::SharedHead head, log->head());
  NETML_TRY(const std::vector<wal::Member> members, log->members());
  cli::ClusterSeen seen{.cluster = wal::to_string(head.cluster),
                        .head = wal::to_string(head.head),
                        .epoch = head.lease.epoch.value,
                        .leader = {},
                        .synchronous = head.synchronous,
                        .members = {}};
  if (head.lease.left.count() > 0)  // a holder is one run of a member: "alpha#8c2b0a3e"
    seen.leader = head.lease.holder.substr(0, head.lease.holder.find('#'));
  for (const wal::Member& each : members)
    seen.members.push_back(
        {.name = each.name,
         .address = each.address,
         .lsn = each.applied.lsn.value,
         .version = each.version,
         .seen_ms = static_cast<std::uint64_t>(
             std::chrono::duration_cast<std::chrono::milliseconds>(each.seen_ago).count())});
  return seen;
}

Status leave(const Tools& tools, const std::string& connection, const std::string& name) {
  NETML_TRY(const auto log, open_log(tools, connection));
  return log->remove_member(name);
}

// ---- key ----

Status export_key(const Tools& tools, const cli::GlobalOptions& global, const std::string& file) {
  NETML_TRY(const auto data,
            open_data_path(global.data_directory, IfMissing::refuse, tools.random));
  NETML_TRY(const SecretKey key, read_key_file(*data, kNodeKeyFile));
  const std::vector<std::byte> bytes = encode_key_file(key);
  NETML_TRY(cli::OutputFile out, cli::OutputFile::create(file, cli::FileReaders::owner));
  NETML_TRY_VOID(
      out.write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  return out.commit();
}

// Another key than the one that is there would make what is sealed unreadable.
Status import_key(const Tools& tools, const cli::GlobalOptions& global, const std::string& file) {
  NETML_TRY(const SecretKey key, read_exported_key(file));
  NETML_TRY(const auto data,
            open_data_path(global.data_directory, IfMissing::refuse, tools.random));
  const auto known = read_key_file(*data, kNodeKeyFile);
  if (known && *known == key) return {};
  if (known)
    return fail(Errc::conflict,
                fmt::format("{}/{} is another key: put it aside first, if the secrets that it "
                            "sealed are not needed. Nothing was changed",
                            global.data_directory, kNodeKeyFile));
  if (known.error().code != Errc::not_found) return tl::make_unexpected(known.error());
  return write_key_file(*data, kNodeKeyFile, key);
}

}  // namespace

cli::ClusterCalls cluster_calls(const Clock& clock, Random& random, EventLog& events) {
  const Tools tools{clock, random, events};
  return {
      .init = [tools](const auto& global,
                      const auto& connection) { return init_cluster(tools, global, connection); },
      .refill = [tools](const auto& global,
                        const auto& options) { return refill(tools, global, options); },
      .join = [tools](const auto& global, const auto& options,
                      auto& progress) { return join(tools, global, options, progress); },
      .look = [tools](const auto& connection) { return look(tools, connection); },
      .leave = [tools](const auto& connection,
                       const auto& name) { return leave(tools, connection, name); },
      .export_key = [tools](const auto& global,
                            const auto& file) { return export_key(tools, global, file); },
      .import_key = [tools](const auto& global,
                            const auto& file) { return import_key(tools, global, file); }};
}

}  // namespace netml::admin
