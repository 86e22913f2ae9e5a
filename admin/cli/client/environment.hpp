// All that the command line touches of the world outside, so that a test can hand in its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/cli/client/control.hpp"
#include "admin/cli/client/options.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"

namespace netml::admin::cli {

// What a command does with a data directory that it opens itself.
enum class Access : std::uint8_t {
  use,      // made if there is none
  find,     // must be there
  examine,  // must be there, in whatever state; nothing is written
};

// What `netml restore` made, verified.
struct Restored {
  std::string head;
  std::uint64_t segments = 0;
  std::uint64_t transactions = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t uploads = 0;
  std::uint64_t uploads_gone = 0;      // gone by retention
  std::uint64_t uploads_left_out = 0;  // missing where the backup was made
  bool has_key = false;
};

// What `netml repair` would do, or did.
struct RepairOutcome {
  bool done = false;
  std::string damage;
  std::uint64_t kept = 0;  // the last LSN that stays
  std::string kept_head;
  std::uint64_t lost = 0;  // transactions
  // When it is done:
  std::string aside;         // directory with what was cut
  std::uint64_t record = 0;  // LSN of the transaction that tells of it
  std::string head;
};

struct ClusterMemberSeen {
  std::string name;
  std::string address;
  std::uint64_t lsn = 0;
  std::string version;
  std::uint64_t seen_ms = 0;  // ago
};

// Where the shared log of a cluster stands, as the database says.
struct ClusterSeen {
  std::string cluster;  // the UUID that the members' directories have in common
  std::string head;
  std::uint64_t epoch = 0;
  std::string leader;  // empty: nobody holds the lease
  bool synchronous = false;
  std::vector<ClusterMemberSeen> members;
};

// What commands do to a cluster in this process; no server runs on the data directory then.
// Errc::not_found where the module of the database is missing, or no log was made;
// Errc::unavailable when the database does not answer.
struct ClusterCalls {
  // Makes the shared log, which begins behind the head of the data directory; that head.
  // Errc::conflict when the database has another log.
  std::function<Result<std::string>(const GlobalOptions&, const std::string& connection)> init;
  // The same again in a database that lost it, once no other member has more or something else.
  std::function<Result<std::string>(const GlobalOptions&, const RefillOptions&)> refill;
  // Makes the data directory.
  std::function<Result<Restored>(const GlobalOptions&, const JoinOptions&, Progress&)> join;
  std::function<Result<ClusterSeen>(const std::string& connection)> look;
  // Errc::not_found when no member has that name, Errc::conflict while it runs.
  std::function<Status(const ClusterOptions&)> leave;
  // The key of the data directory to a file that only its owner reads, and back.
  std::function<Status(const GlobalOptions&, const std::string& file)> export_key;
  std::function<Status(const GlobalOptions&, const std::string& file)> import_key;
};

// The value of an environment variable.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;

// A null pointer from `connect` says that no server runs on the data directory.
using ControlFactory = std::function<Result<std::unique_ptr<Control>>(const GlobalOptions&)>;

struct Environment {
  std::function<Status(std::string_view)> out;  // standard output, unbuffered
  // Characters of a line where standard output is a terminal; else none.
  std::function<std::optional<std::size_t>()> out_columns = [] { return std::nullopt; };
  std::function<void(std::string_view)> err;  // standard error
  bool err_is_terminal = false;
  std::function<Result<std::string>()> in_line;  // one line of standard input
  std::function<Result<std::string>(std::string_view prompt)> ask_secret;  // at the terminal
  Variables variable;
  const Clock* clock = nullptr;
  std::function<void(std::chrono::milliseconds)> pause;  // waits
  int disk_format_version = 0;                           // of new data directories
  int oldest_disk_format = 1;                            // that can be read

  // The server that runs on the data directory. Errc::unavailable: there is one, but it does not
  // answer.
  ControlFactory connect;
  // The data directory opened by this process. Errc::conflict: another process holds its lock.
  std::function<Result<std::unique_ptr<Control>>(const GlobalOptions&, Access)> open;
  // Runs until it is asked to stop. Errc::conflict as for `open`.
  std::function<Status(const GlobalOptions&, const ServeOptions&)> serve;
  // Errc::invalid_input: the file is no whole, undamaged backup, or another than was expected.
  std::function<Result<Restored>(const RestoreOptions&, Progress&)> restore;
  // Errc::conflict: a process holds the directory.
  std::function<Result<RepairOutcome>(const GlobalOptions&, const RepairOptions&)> repair;
  ClusterCalls cluster;
};

// Fills what does not need the upper layers: the process's streams and environment variables, the
// control socket of a running server. `clock` must outlive the environment.
Environment system_environment(const Clock& clock);

}  // namespace netml::admin::cli
