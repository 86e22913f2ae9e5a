// What commands ask of the world outside, as the command line says it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/base/limits.hpp"
#include "engine/base/result.hpp"

namespace netml::admin::cli {

// Where the value of an option comes from.
enum class Origin : std::uint8_t { standard, file, environment, command_line };

// What an option of the program or of the command has.
struct GivenOption {
  std::string name;                 // without its dashes
  std::vector<std::string> values;  // of a flag "true" or "false"
  Origin origin = Origin::standard;
  std::string where;  // the variable, or the path of the file
};

// Whether a running server takes it from the file and the environment again (SIGHUP).
inline bool is_read_again(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames{"limit", "log-level", "tls-cert", "tls-key",
                                                   "trusted-proxy"};
  return std::ranges::find(kNames, name) != kNames.end();
}

struct GlobalOptions {
  std::string data_directory = "./netml-data";
  bool json = false;
  bool quiet = false;    // no progress
  bool sandbox = false;  // no connection to other nodes
  Limits limits;
  std::optional<std::uint64_t> memory_max;  // bytes; none: what the system allows decides
  std::vector<GivenOption> given;           // all of these and of the command, as help lists them
};

// The same command line with the file and the certificates' names as they are now.
// Errc::invalid_input where it cannot be followed any more.
struct ServeOptions;
using Reread = std::function<Status(GlobalOptions& global, ServeOptions& serve)>;

// The cluster that a node is a member of (docs/cluster.md).
struct ClusterOptions {
  std::string connection;              // of PostgreSQL, without a password; empty: a node alone
  std::string name;                    // of this member
  std::string address;                 // where the others reach it: "https://alpha.example:8443"
  std::string ca_file;                 // PEM, for the members' certificates; empty: the system's
  std::string require_standby = "on";  // or off
  std::uint32_t keep_days = 7;         // in the database, what all members have; 0: for ever
  bool redirect = false;               // changes at a follower are redirected, not forwarded
};

struct ServeOptions {
  std::vector<std::string> listen{"127.0.0.1:8080"};  // HOST:PORT
  std::optional<std::string> tls_certificate;         // both or none
  std::optional<std::string> tls_key;
  std::vector<std::string> metrics_listen;   // HOST:PORT; empty: on the control socket only
  std::string log_format = "text";           // or json
  std::string log_level = "information";     // or debug, warning, error
  std::vector<std::string> allowed_hosts;    // empty = loopback names and own addresses
  std::vector<std::string> poll_allow;       // CIDR
  std::vector<std::string> trusted_proxies;  // CIDR
  std::vector<std::string> sso_proxies;      // CIDR
  std::vector<std::string> admin_eppns;
  bool test_mode = false;
  bool development = false;
  bool read_only = false;
  std::uint32_t shutdown_timeout_s = 10;
  ClusterOptions cluster;
  Reread reread;  // none: there is nothing to read again
};

// Of a new member's directory, which begins as a copy of another member's.
struct JoinOptions {
  ClusterOptions cluster;
  std::string from;  // URL of the other member
  std::string key;   // file that netml cluster key export wrote
};

// Of a database that lost what it had.
struct RefillOptions {
  ClusterOptions cluster;
  std::vector<std::string> members;  // URLs of others; those that they list are asked, too
  std::vector<std::string> lost;     // names of those that need not answer
};

struct RestoreOptions {
  std::string file;  // "-": standard input
  std::string into;
  std::optional<std::string> key;   // file; "-": standard input
  std::optional<std::string> head;  // "LSN:hash"
};

struct RepairOptions {
  std::uint64_t truncate_at = 0;          // the last LSN that stays
  std::optional<std::uint64_t> accepted;  // transactions that may be lost; none: only asked
};

}  // namespace netml::admin::cli
