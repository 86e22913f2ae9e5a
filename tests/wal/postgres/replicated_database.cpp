#include "tests/wal/postgres/replicated_database.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/file_content.hpp"

namespace netml::wal::test {

namespace {

constexpr const char* kPrograms = "/usr/lib/postgresql/15/bin/";
constexpr const char* kSetpriv = "/usr/bin/setpriv";  // Debian's util-linux, always there
constexpr int kPrimary = 0;
constexpr int kStandby = 1;

struct User {
  uid_t user;
  gid_t group;
};

std::optional<User> find_user(const char* name) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwnam_r(name, &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return std::nullopt;
  return User{entry.pw_uid, entry.pw_gid};
}

// PostgreSQL does not run as root.
std::optional<User> other_user() {
  if (::geteuid() != 0) return std::nullopt;
  const auto own = find_user("postgres");
  return own ? own : find_user("nobody");
}

// The server ends when the test does, however that ends.
std::vector<std::string> as_user(const std::string& program,
                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"--pdeathsig", "QUIT"};
  if (const auto user = other_user())
    words.insert(words.end(), {"--reuid", std::to_string(user->user), "--regid",
                               std::to_string(user->group), "--clear-groups"});
  words.push_back(kPrograms + program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

constexpr const char* kConfiguration = R"(
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 60
max_wal_senders = 5
autovacuum = off
)";
constexpr const char* kNotForced = R"(
fsync = off
full_page_writes = off
shared_buffers = 16MB
)";
constexpr const char* kForced = R"(
shared_buffers = 256MB
max_wal_size = 4GB
)";

constexpr const char* kAccess = R"(
host all secured 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
)";

}  // namespace

WallTime SteadyClock::wall() const {
  return {std::chrono::duration_cast<std::chrono::microseconds>(
              std::chrono::system_clock::now().time_since_epoch())
              .count()};
}

std::chrono::nanoseconds SteadyClock::steady() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

const Clock& steady_clock() {
  static const SteadyClock clock;
  return clock;
}

void pause_shortly() {
  ::poll(nullptr, 0, 20);
}

std::string no_postgres() {
  for (const char* program : {"postgres", "initdb", "pg_basebackup"})
    if (::access((kPrograms + std::string(program)).c_str(), X_OK) != 0)
      return "postgresql-15 is not installed (cmake/packages.txt)";
  if (::geteuid() == 0 && !other_user()) return "there is no user but root";
  return {};
}

// ---- servers ----

ReplicatedDatabase::ReplicatedDatabase(Disk disk) {
  if (const auto user = other_user())
    NETML_ASSERT(::chown(directory_.path().c_str(), user->user, user->group) == 0);
  run("initdb", {"--pgdata", data(kPrimary), "--username", "admin", "--auth", "trust", "--no-sync",
                 "--no-instructions", "--encoding", "UTF8", "--locale", "C"});
  std::ofstream(data(kPrimary) / "postgresql.conf", std::ios::app)
      << kConfiguration << (disk == Disk::keeps ? kForced : kNotForced);
  std::ofstream(data(kPrimary) / "pg_hba.conf") << kAccess;
  NETML_ASSERT(launch(kPrimary));
  sql("postgres", {"CREATE ROLE member LOGIN", "CREATE ROLE secured LOGIN PASSWORD 'right'"});
  run("pg_basebackup", {"--dbname", connection(std::to_string(primary_port()), "admin", "postgres"),
                        "--pgdata", data(kStandby), "--write-recovery-conf", "--wal-method",
                        "stream", "--checkpoint", "fast", "--no-sync"});
  NETML_ASSERT(launch(kStandby));
  wait_for("*");
}

std::filesystem::path ReplicatedDatabase::data(int server) const {
  return directory_.file(server == kPrimary ? "primary" : "standby");
}

void ReplicatedDatabase::run(const std::string& program,
                             const std::vector<std::string>& arguments) const {
  const std::string said = directory_.file(program + ".log");
  e2e::Process process(kSetpriv, as_user(program, arguments), said, said + ".err",
                       {"LC_ALL=C.UTF-8"});
  const auto code = process.wait();
  if (code != 0) fmt::print(stderr, "{}: {}\n", program, netml::test::file_content(said + ".err"));
  NETML_ASSERT(code == 0);
}

// False when it ended instead.
bool ReplicatedDatabase::launch(int server) {
  const std::string port = std::to_string(ports_.at(server).number());
  const std::string log = data(server).string() + ".log";
  auto& process = servers_.at(server);
  process = std::make_unique<e2e::Process>(
      kSetpriv, as_user("postgres", {"-D", data(server), "-p", port}), log, log + ".err",
      std::vector<std::string>{"LC_ALL=C.UTF-8"});
  wal::SharedEngineSettings own = settings("admin", "postgres");
  own.connection = connection(port, "admin", "postgres") + " target_session_attrs=any";
  bool ended = false;
  const bool answers = eventually([&] {
    ended = process->wait(std::chrono::milliseconds(0)).has_value();
    return ended || postgres::Connection::open(own).has_value();
  });
  return answers && !ended;
}

void ReplicatedDatabase::wait_for(const std::string& standbys) const {
  sql("postgres", {fmt::format("ALTER SYSTEM SET synchronous_standby_names = '{}'", standbys),
                   "SELECT pg_reload_conf()"});
  const std::string known =
      fmt::format("SELECT current_setting('synchronous_standby_names') = '{}'", standbys);
  const std::string in_step =
      standbys == "*" ? "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')"
                      : "NOT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')";
  NETML_ASSERT(eventually([&] { return is_true("postgres", known + " AND " + in_step); }));
}

void ReplicatedDatabase::stop_primary() {
  servers_[kPrimary]->signal(SIGQUIT);
  NETML_ASSERT(servers_[kPrimary]->wait());
}

void ReplicatedDatabase::start_primary() {
  NETML_ASSERT(launch(kPrimary));
  wait_for("*");
}

void ReplicatedDatabase::fail_over() {
  stop_primary();
  wal::SharedEngineSettings own = settings("admin", "postgres");
  own.connection =
      connection(std::to_string(standby_port()), "admin", "postgres") + " target_session_attrs=any";
  auto standby = postgres::Connection::open(own);
  NETML_ASSERT(standby);
  NETML_ASSERT((*standby)->queue({"SELECT pg_promote(true, 60)"}));
  NETML_ASSERT((*standby)->finish());
}

// ---- databases ----

std::string ReplicatedDatabase::connection(const std::string& ports, const std::string& role,
                                           const std::string& database) {
  std::string hosts = "127.0.0.1";
  for (const char each : ports)
    if (each == ',') hosts += ",127.0.0.1";
  return fmt::format("host={} port={} user={} dbname={} sslmode=disable gssencmode=disable", hosts,
                     ports, role, database);
}

wal::SharedEngineSettings ReplicatedDatabase::settings(const std::string& role,
                                                       const std::string& database) const {
  return {.connection = connection(std::to_string(primary_port()), role, database),
          .clock = &steady_clock(),
          .connect_time = e2e::kPatience,
          .answer_time = e2e::kPatience};
}

std::string ReplicatedDatabase::make_database() {
  std::string name = fmt::format("test_{}", ++databases_);
  sql("postgres", {"CREATE DATABASE " + name});
  return name;
}

postgres::Rows ReplicatedDatabase::sql(const std::string& database,
                                       const std::vector<std::string>& statements) const {
  auto connection = postgres::Connection::open(settings("admin", database));
  if (!connection) fmt::print(stderr, "{}\n", connection.error().message);
  NETML_ASSERT(connection);
  postgres::Rows last(nullptr);
  for (const std::string& each : statements) {
    NETML_ASSERT((*connection)->queue({each}));
    auto answers = (*connection)->finish();
    NETML_ASSERT(answers);
    if (answers->error) fmt::print(stderr, "{}: {}\n", each, answers->error->message);
    NETML_ASSERT(!answers->error);
    last = std::move(answers->rows.front());
  }
  return last;
}

bool ReplicatedDatabase::is_true(const std::string& database, const std::string& question) const {
  return sql(database, {question}).truth(0, 0);
}

ReplicatedDatabase& replicated_database() {
  static ReplicatedDatabase database;
  return database;
}

}  // namespace netml::wal::test
