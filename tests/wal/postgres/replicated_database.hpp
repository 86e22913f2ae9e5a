// PostgreSQL as a cluster of ours has it, from Debian's package: a primary and a synchronous
// standby on free ports, in a temporary directory, as a user that is not root. Both end with it.
//
// By default what is written is not forced to the disk: tests end processes, not machines.
// All waits are bounded. Thread: one at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.hpp"
#include "tests/e2e/support/process.hpp"
#include "tests/support/reserved_port.hpp"
#include "tests/support/temporary_directory.hpp"
#include "wal/postgres/detail/connection.hpp"
#include "wal/shared/shared_engine.hpp"

namespace netml::wal::test {

class SteadyClock final : public Clock {
 public:
  WallTime wall() const override;
  std::chrono::nanoseconds steady() const override;
};
// Outlives everything.
const Clock& steady_clock();

void pause_shortly();
// Calls `is_so` until it is; false when it never is.
template <class Condition>
bool eventually(Condition is_so) {
  constexpr int kTries = 3000;
  for (int tried = 0; tried < kTries; ++tried) {
    if (is_so()) return true;
    pause_shortly();
  }
  return false;
}

// Why there can be no tests against PostgreSQL here; empty when there can.
std::string no_postgres();

class ReplicatedDatabase {
 public:
  enum class Disk : bool { forgets, keeps };
  explicit ReplicatedDatabase(Disk disk = Disk::forgets);
  ReplicatedDatabase(const ReplicatedDatabase&) = delete;
  ReplicatedDatabase& operator=(const ReplicatedDatabase&) = delete;

  std::uint16_t primary_port() const { return ports_[0].number(); }
  std::uint16_t standby_port() const { return ports_[1].number(); }

  // Roles: `admin` may do everything, `member` nothing; `secured` asks for the password "right".
  static std::string connection(const std::string& ports, const std::string& role,
                                const std::string& database);
  wal::SharedEngineSettings settings(const std::string& role, const std::string& database) const;
  // An empty one, with a name of its own.
  std::string make_database();

  // As `admin`, each statement by itself; the answer to the last. Aborts when one fails.
  postgres::Rows sql(const std::string& database, const std::vector<std::string>& statements) const;
  bool is_true(const std::string& database, const std::string& question) const;

  // Whom commits wait for: "*" is any standby, "" nobody. Returns when it is so.
  void wait_for(const std::string& standbys) const;
  // The primary ends at once, and is there again where it was, with the standby in step.
  void stop_primary();
  void start_primary();
  // The primary is killed, and the standby takes its place.
  void fail_over();

 private:
  std::filesystem::path data(int server) const;
  void run(const std::string& program, const std::vector<std::string>& arguments) const;
  bool launch(int server);

  const netml::test::TemporaryDirectory directory_;
  const std::array<netml::test::ReservedPort, 2> ports_;
  std::array<std::unique_ptr<e2e::Process>, 2> servers_;
  int databases_ = 0;
};

// The one of this process, made when it is first asked for.
ReplicatedDatabase& replicated_database();

}  // namespace netml::wal::test
