// The database alone, as a cluster's leader uses it: what an append costs by its size, what the
// standby, the storage and the order of the statements have to do with it. Primary and standby are
// started here, on one disk, which is forced; so a commit waits for that disk twice.
//
// Usage: netml_postgres_bench [ROUNDS]     (of each row; 500)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <random>
#include <thread>

#include "tests/wal/postgres/replicated_database.hpp"
#include "wal/postgres/postgres_engine.hpp"

namespace netml::bench {
namespace {

using std::chrono::nanoseconds;
using wal::Appended;
using wal::Head;
using wal::Outcome;
using wal::postgres::Connection;
using wal::test::ReplicatedDatabase;
using wal::test::steady_clock;

constexpr std::size_t kMiB = 1U << 20;

std::vector<std::byte> noise(std::size_t size) {
  std::mt19937_64 random(1);
  std::vector<std::byte> bytes(size);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random());
  return bytes;
}

// Half as long when it is compressed, about what journal frames of small changes are.
std::vector<std::byte> half_noise(std::size_t size) {
  std::vector<std::byte> bytes = noise(size);
  for (std::size_t i = 0; i < size; ++i)
    if (i / 64 % 2 == 0) bytes[i] = std::byte{'x'};
  return bytes;
}

double seconds(nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

class Bench {
 public:
  Bench() : database_(servers_.make_database()) {
    check(engine("admin").init({{}, head_, "member"}));
    log_ = open();
  }

  ReplicatedDatabase& servers() { return servers_; }
  const std::string& database() const { return database_; }
  wal::SharedEngine engine(const std::string& role) {
    return wal::postgres_engine(servers_.settings(role, database_));
  }
  std::unique_ptr<wal::SharedLog> open() {
    auto log = engine("member").open();
    if (!log) check(tl::unexpected<Error>(log.error()));
    return std::move(*log);
  }
  nanoseconds append(const std::vector<std::byte>& piece, std::size_t pieces) {
    const std::vector<std::span<const std::byte>> all(pieces, piece);
    const Head after{head_.lsn.next(), {}};
    const nanoseconds begin = steady_clock().steady();
    const Appended appended = log_->append_if({head_, after, epoch_, all});
    const nanoseconds end = steady_clock().steady();
    if (appended.outcome != Outcome::done) check(fail(Errc::internal, appended.reason));
    head_ = after;
    return end - begin;
  }
  // As an operator changes it; the log notices nothing.
  void change(const std::string& statement) { servers_.sql(database_, {statement}); }

  void small(const char* name, const std::vector<std::byte>& piece, int rounds) {
    std::vector<nanoseconds> times;
    for (int i = 0; i < rounds; ++i) times.push_back(append(piece, 1));
    print(name, std::move(times));
  }
  // Both ways to store pieces in turns, since the server works on what came before.
  void large(const char* name, const std::vector<std::byte>& piece, std::size_t pieces) {
    constexpr int kTurns = 4;
    std::array<nanoseconds, 2> times{};
    for (int turn = 0; turn < kTurns; ++turn)
      for (std::size_t way = 0; way < times.size(); ++way) {
        change(std::string("ALTER TABLE netml.frames ALTER data SET STORAGE ") + kWays.at(way));
        times.at(way) += append(piece, pieces);
      }
    const double mib = kTurns * static_cast<double>(pieces * piece.size()) / kMiB;
    for (std::size_t way = 0; way < times.size(); ++way)
      fmt::print("| {}, {} | {:.0f} MiB/s | | |\n", name, kWays.at(way),
                 mib / seconds(times.at(way)));
  }

  // The statements of an append of one piece, in either order, without the adapter.
  void order(const char* name, bool head_first, const std::vector<std::byte>& piece, int rounds) {
    auto connection = *Connection::open(servers_.settings("member", database_));
    std::vector<nanoseconds> times;
    for (int i = 0; i < rounds; ++i) {
      const std::uint64_t next = head_.lsn.value + 1;
      wal::postgres::Statement insert{
          fmt::format("INSERT INTO netml.frames SELECT {0}, chain, {1}, chain, 0, 0, 1, 1, false,"
                      " $1 FROM netml.head",
                      head_.lsn.value, next)};
      insert.parameters.add(std::span<const std::byte>(piece));
      const wal::postgres::Statement update{
          fmt::format("UPDATE netml.head SET lsn = {} WHERE lsn = {}", next, head_.lsn.value)};
      const nanoseconds begin = steady_clock().steady();
      for (const auto& each : {wal::postgres::Statement{"BEGIN"}, head_first ? update : insert,
                               head_first ? insert : update, wal::postgres::Statement{"COMMIT"}})
        check(connection->queue(each));
      const auto answers = connection->finish();
      if (!answers || answers->error) check(fail(Errc::internal, "an append failed"));
      times.push_back(steady_clock().steady() - begin);
      head_.lsn = Lsn{next};
    }
    print(name, std::move(times));
  }

  // How long another waits that needs the row of the head, while a large append is under way.
  void waiting(const char* name, bool head_first, const std::vector<std::byte>& piece) {
    const auto other = open();
    auto connection = *Connection::open(servers_.settings("member", database_));
    const wal::postgres::Statement lock{"UPDATE netml.head SET lsn = lsn"};
    std::atomic<bool> begun{false};
    std::thread appending([&] {
      check(connection->queue({"BEGIN"}));
      if (head_first) check(connection->queue(lock));
      if (head_first) check(connection->finish().map([](auto&&) {}));
      begun = true;
      for (std::uint64_t number = 0; number < 128; ++number) {
        wal::postgres::Statement insert{
            "INSERT INTO netml.frames SELECT lsn, chain, lsn + 1, chain, 99, $1, 128, 1, false, $2"
            " FROM netml.head"};
        insert.parameters.add(number).add(std::span<const std::byte>(piece));
        check(connection->queue(insert));
        check(connection->flush());
      }
      if (!head_first) check(connection->queue(lock));
      check(connection->queue({"ROLLBACK"}));
      check(connection->finish().map([](auto&&) {}));
    });
    while (!begun) wal::test::pause_shortly();
    const nanoseconds begin = steady_clock().steady();
    const auto taken = other->take_lease("other#1", epoch_, std::chrono::seconds(1));
    const nanoseconds time = steady_clock().steady() - begin;
    appending.join();
    if (taken.outcome != Outcome::done) check(fail(Errc::internal, taken.reason));
    epoch_ = taken.found.lease.epoch;
    check(other->release_lease("other#1", epoch_).outcome == Outcome::done
              ? Status{}
              : fail(Errc::internal, "no release"));
    fmt::print("| {} | | {:.1f} ms | |\n", name, seconds(time) * 1e3);
  }

 private:
  static void check(const Status& status) {
    if (status) return;
    fmt::print(stderr, "error: {}\n", status.error().message);
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): nothing is to be saved
  }
  static void print(const char* name, std::vector<nanoseconds> times) {
    std::ranges::sort(times);
    const nanoseconds sum = std::accumulate(times.begin(), times.end(), nanoseconds(0));
    fmt::print("| {} | {:.0f}/s | {:.2f} ms | {:.2f} ms |\n", name,
               static_cast<double>(times.size()) / seconds(sum),
               seconds(times[times.size() / 2]) * 1e3,
               seconds(times[times.size() * 99 / 100]) * 1e3);
  }

  static constexpr std::array<const char*, 2> kWays{"EXTENDED", "EXTERNAL"};

  ReplicatedDatabase servers_{ReplicatedDatabase::Disk::keeps};
  const std::string database_;
  std::unique_ptr<wal::SharedLog> log_;
  Head head_{};
  wal::Epoch epoch_{};
};

void measure(int rounds) {
  const auto small = half_noise(700);
  const auto middle = half_noise(20'000);
  const auto piece = noise(kMiB);
  const auto soft = half_noise(kMiB);
  const std::size_t pieces = rounds < 100 ? 2 : 64;
  Bench bench;
  fmt::print("| what | rate | median | p99 |\n|---|---|---|---|\n");
  for (const char* standbys : {"", "*"}) {
    bench.servers().wait_for(standbys);
    const std::string with = *standbys == '\0' ? "alone" : "standby";
    bench.small((with + ", 700 bytes").c_str(), small, rounds);
    bench.small((with + ", 20 kB").c_str(), middle, rounds);
    bench.large((with + ", 1 MiB pieces").c_str(), piece, pieces);
    bench.large((with + ", 1 MiB pieces that zstd halves").c_str(), soft, pieces);
  }
  bench.order("frames first, 700 bytes", false, small, rounds);
  bench.order("head first, 700 bytes", true, small, rounds);
  bench.waiting("lease during 128 MiB, frames first", false, piece);
  bench.waiting("lease during 128 MiB, head first", true, piece);
}

}  // namespace
}  // namespace netml::bench

int main(int argc, char** argv) {
  if (const std::string reason = netml::wal::test::no_postgres(); !reason.empty()) {
    fmt::print("skipped: {}\n", reason);
    return 77;
  }
  constexpr int kRounds = 500;
  netml::bench::measure(argc > 1 ? std::max(2, std::atoi(argv[1])) : kRounds);
  return 0;
}
