#include "admin/server/cluster_calls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "admin/cli/client/files.hpp"
#include "admin/cluster/cluster.hpp"
#include "admin/node/data_path.hpp"
#include "admin/node/key_file.hpp"
#include "admin/node/node.hpp"
#include "admin/server/member_client.hpp"
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

Result<std::string> text_of_file(const std::string& file) {
  std::string text;
  NETML_TRY_VOID(cli::read_file(file, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
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

// The members that must have no more than the directory: those that were named, and whom they
// list. One of the list may be silent, the directory's own, on which no server runs.
class OtherMembers {
 public:
  OtherMembers(const Tools& tools, Node& node, const Standing& standing,
               const cli::RefillOptions& options)
      : tools_(tools), node_(node), standing_(standing), options_(options) {}

  Status check() {
    for (const std::string& url : options_.members) {
      NETML_TRY(const wal::Head head, head_of_member(place_of(url), tools_.clock));
      NETML_TRY_VOID(check_covers(node_, standing_.head, url, head));
      asked_.insert(authority(url));
    }
    for (const std::string& url : options_.members) {
      NETML_TRY(const std::vector<ListedMember> listed,
                members_known_to(place_of(url), node_.secrets(), tools_.clock));
      for (const ListedMember& each : listed) NETML_TRY_VOID(check_listed(each));
    }
    if (silent_.size() < 2) return {};
    return fail(Errc::conflict,
                fmt::format("{} do not answer. One may be the member of this directory; each other "
                            "may have more: start it, or name it with --lost if it is gone for "
                            "good. Nothing was changed",
                            fmt::join(silent_, " and ")));
  }

 private:
  MemberPlace place_of(const std::string& url) const {
    return {.url = url, .ca_file = options_.cluster.ca_file};
  }
  static std::string authority(const std::string& url) {
    const auto peer = net::parse_peer_url(url);
    return peer ? net::authority_of(*peer) : url;
  }
  Status check_listed(const ListedMember& member) {
    if (!asked_.insert(authority(member.address)).second) return {};
    const auto head = head_of_member(place_of(member.address), tools_.clock);
    if (head) return check_covers(node_, standing_.head, member.address, *head);
    if (std::ranges::find(options_.lost, member.name) == options_.lost.end())
      silent_.push_back(fmt::format("{} ({})", member.name, member.address));
    return {};
  }

  const Tools& tools_;
  Node& node_;
  const Standing& standing_;
  const cli::RefillOptions& options_;
  std::set<std::string> asked_;  // HOST:PORT
  std::vector<std::string> silent_;
};

Result<std::string> refill(const Tools& tools, const cli::GlobalOptions& global,
                           const cli::RefillOptions& options) {
  NETML_TRY(const std::unique_ptr<Node> node, open_node(tools, global.data_directory));
  NETML_TRY(const Standing standing, standing_of(*node));
  NETML_TRY_VOID(OtherMembers(tools, *node, standing, options).check());
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
    NETML_TRY(
        net::HttpClient client,
        connect_to_member({.url = options.from, .ca_file = options.cluster.ca_file}, tools.clock));
    NETML_TRY(cli::OutputFile file, cli::OutputFile::create(path_, cli::FileReaders::owner));
    std::uint64_t bytes = 0;
    NETML_TRY(const net::ClientResponse answer,
              client.send(control_request("/api/v1/node/backup", secrets, tools.clock),
                          [&](std::string_view piece) {
                            progress.sent(bytes += piece.size());
                            return file.write(piece);
                          }));
    if (answer.status != 200)
      return fail(Errc::denied, fmt::format("{} does not give its data ({}): {}", options.from,
                                            answer.status, answer.body));
    return file.commit();
  }

 private:
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
  NETML_TRY(cli::Restored restored, restore_backup({.file = backup.path(),
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

// One that runs would be on the list again within a second.
Status leave(const Tools& tools, const cli::ClusterOptions& options) {
  NETML_TRY(const auto log, open_log(tools, options.connection));
  NETML_TRY(const std::vector<wal::Member> members, log->members());
  const auto member = std::ranges::find(members, options.name, &wal::Member::name);
  if (member == members.end())
    return fail(Errc::not_found, fmt::format("the cluster has no member {}; netml cluster status "
                                             "--cluster lists those that it has",
                                             options.name));
  if (head_of_member({.url = member->address, .ca_file = options.ca_file}, tools.clock))
    return fail(Errc::conflict, fmt::format("{} runs, at {}: stop it first. Nothing was changed",
                                            options.name, member->address));
  return log->remove_member(options.name);
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
      .leave = [tools](const auto& options) { return leave(tools, options); },
      .export_key = [tools](const auto& global,
                            const auto& file) { return export_key(tools, global, file); },
      .import_key = [tools](const auto& global,
                            const auto& file) { return import_key(tools, global, file); }};
}

}  // namespace netml::admin
