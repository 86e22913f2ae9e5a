// Goal: whatever strangers do together, nobody ends the node or takes it away: /status/ is
// answered, and good clients export and sign in, all the while (docs/security.md).
// Method: the real program in a control group; a crowd of bad clients of each kind and of all; a
// witness that asks meanwhile what good clients ask. Memory is read from /proc.
// Long: bench/attack, with more of them, for longer, which judges the time, too:
// NETML_ATTACK_CLIENTS, NETML_ATTACK_SECONDS (of each kind), NETML_ATTACK_KIND (that one only),
// NETML_ATTACK_MEMORY (MiB of the control group).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>

#include "bench/generator/generator.hpp"
#include "tests/e2e/support/control_group.hpp"
#include "tests/e2e/support/crowd.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/support/sanitized.hpp"

namespace netml::e2e {
namespace {

using std::chrono::steady_clock;

constexpr std::uint64_t kMebibyte = 1 << 20;

std::string asking(std::string_view line, std::string_view more = "") {
  return fmt::format("{} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}\r\n", line, more);
}

std::string query(std::string_view text) {
  return asking("POST /visualization/graphql/",
                fmt::format("Content-Type: application/graphql\r\nContent-Length: {}\r\n",
                            text.size())) +
         std::string(text);
}

// A body of which all but the last bytes come.
std::string unfinished(std::string_view path, std::size_t bytes) {
  return asking(fmt::format("POST {}", path),
                fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", bytes)) +
         std::string(bytes - 100, ' ');
}

struct Kind {
  std::string name;
  std::vector<Habit> habits;
};

std::vector<Kind> kinds() {
  const std::string head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: ";
  const std::string map = asking("GET /api/v1/map");
  const std::string all_of_it = query(
      "{nodes {id name owners {id name} properties {name value}} links {id nodeA {id name}}}");
  const std::string nested = query("{nodes {linksA {nodeB {linksA {nodeB {linksA {id}}}}}}}");
  std::vector<Kind> kinds{
      {"heads", {{.opening = head, .drop = "a"}}},
      {"bodies",
       {{.opening = unfinished("/visualization/graphql/", 200'000), .drop = " "},
        {.opening = unfinished("/api/v1/session", 200'000), .drop = " "}}},
      {"readers",
       {{.opening = map, .reads = false},
        {.opening = all_of_it, .reads = false},
        {.opening = asking("GET /admin/"), .reads = false}}},
      {"queries", {{.opening = nested}, {.opening = all_of_it}}},
      {"deserters", {{.opening = nested, .leaves = true}, {.opening = map, .leaves = true}}},
      {"past",
       {{.opening = asking("GET /api/v1/map?at=2")},
        {.opening = asking("GET /api/v1/map/difference?from=2&to=3")}}},
      {"guesses",
       {{.opening = asking("GET /netml_export/", "Authorization: Bearer guessed\r\n")},
        {.opening = asking("POST /api/v1/session",
                           "Content-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n"
                           "Content-Length: 34\r\n") +
                    R"({"name":"eve","password":"guessed"})"}}},
  };
  Kind everything{"everything", {}};
  for (const Kind& kind : kinds)
    everything.habits.insert(everything.habits.end(), kind.habits.begin(), kind.habits.end());
  kinds.push_back(std::move(everything));
  return kinds;
}

// Asks what good clients ask, over and over, until it goes away.
class Witness {
 public:
  struct Seen {
    int statuses = 0;
    int exports = 0;
    int sign_ins = 0;
    std::chrono::milliseconds slowest_status{0};
    std::vector<std::string> faults;
  };

  Witness(const Server& server, std::string polling)
      : server_(server), polling_(std::move(polling)) {
    threads_.emplace_back([this] { ask_for_status(); });
    threads_.emplace_back([this] { exports(); });
    threads_.emplace_back([this] { sign_in(); });
  }
  Seen stop() {
    stopping_ = true;
    for (std::thread& thread : threads_) thread.join();
    return seen_;
  }

 private:
  void expect(std::string_view what, const Answer& answer, int& count) {
    if (answer && answer->status == 200)
      ++count;
    else
      fault(fmt::format("{}: {}", what, answer ? answer->body : answer.error().message));
  }
  void fault(std::string text) {
    const std::lock_guard lock(mutex_);
    seen_.faults.push_back(std::move(text));
  }
  void ask_for_status() {
    while (!stopping_) {
      const auto began = steady_clock::now();
      expect("/status/", server_.client("").get("/status/"), seen_.statuses);
      seen_.slowest_status = std::max(
          seen_.slowest_status,
          std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - began));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  void exports() {
    while (!stopping_)
      expect("export", server_.client(polling_).get("/netml_export/"), seen_.exports);
  }
  void sign_in() {
    while (!stopping_) {
      net::Headers headers;
      headers.set("Content-Type", "application/json");
      headers.set("Sec-Fetch-Site", "same-origin");
      expect("sign-in",
             server_.client("").send("POST", "/api/v1/session", headers,
                                     R"({"name":"ada","password":"a long enough one"})"),
             seen_.sign_ins);
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }

  const Server& server_;
  const std::string polling_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  Seen seen_;  // each count by one thread; faults guarded by mutex_
  std::vector<std::thread> threads_;
};

class Attacks : public testing::Test {
 protected:
  void SetUp() override {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
    if (!group_.made()) GTEST_SKIP() << "no control group with a limit of memory may be made here";
    generator::GeneratorOptions options;
    options.topologies = 20;
    ASSERT_EQ(node_.import(generator::generate_text(options)).exit_code, 0);
    polling_ = node_.token("polling");
    import_ = node_.token("import");
    clients_ =
        std::min(number_from_environment("NETML_ATTACK_CLIENTS", 600), raise_open_files() - 200);
    server_ = node_.serve({}, {}, group_.enter());
    net::Headers headers;
    headers.set("Content-Type", "application/json");
    const Answer made =
        node_.control().send("POST", "/control/accounts/", headers,
                             R"({"name":"ada","role":"admin","password":"a long enough one"})");
    ASSERT_TRUE(made && made->status < 300) << made->body;
    ASSERT_EQ(server_->client(polling_).get("/netml_export/")->status, 200);
  }
  Witness::Seen witness_for(std::chrono::milliseconds time) {
    Witness witness(*server_, polling_);
    std::this_thread::sleep_for(time);
    return witness.stop();
  }
  // The memory does, within a minute.
  bool falls_to(std::uint64_t kib) const {
    for (int i = 0; i < 60 && server_->memory_kib("VmRSS") > kib; ++i)
      std::this_thread::sleep_for(std::chrono::seconds(1));
    return server_->memory_kib("VmRSS") <= kib;
  }
  void expect_served(const Witness::Seen& seen, std::string_view kind) {
    EXPECT_TRUE(seen.faults.empty())
        << kind << ": " << seen.faults.size() << " faults, " << seen.faults.front();
    EXPECT_GT(seen.statuses, 0) << kind;
    EXPECT_GT(seen.exports, 0) << kind;
    EXPECT_GT(seen.sign_ins, 0) << kind;
    EXPECT_EQ(server_->process().wait(std::chrono::milliseconds(0)), std::nullopt) << kind;
  }

  const std::chrono::seconds seconds_{number_from_environment("NETML_ATTACK_SECONDS", 2)};
  ControlGroup group_{number_from_environment("NETML_ATTACK_MEMORY", 512) * kMebibyte};
  Node node_;
  std::string polling_;
  std::string import_;
  std::size_t clients_ = 0;
  std::unique_ptr<Server> server_;
};

TEST_F(Attacks, OfStrangersTakeTheNodeFromNobody) {
  for (const Kind& kind : kinds()) {  // what the node makes once for all
    const Crowd few(server_->port(), kind.habits, kind.habits.size());
    witness_for(std::chrono::milliseconds(300));
  }
  const Witness::Seen undisturbed = witness_for(seconds_);
  expect_served(undisturbed, "undisturbed");
  const std::uint64_t before = server_->memory_kib("VmRSS");
  const auto in_a_second = [&](int count) {
    return static_cast<double>(count) / static_cast<double>(seconds_.count());
  };
  fmt::print("{:<12} {:>10} {:>10} {:>10} {:>12} {:>10}\n", "", "exports/s", "sign-ins/s", "opened",
             "status max", "RSS MiB");
  const auto tell = [&](std::string_view name, const Witness::Seen& seen, std::uint64_t opened) {
    fmt::print("{:<12} {:>10.1f} {:>10.1f} {:>10} {:>9} ms {:>10}\n", name,
               in_a_second(seen.exports), in_a_second(seen.sign_ins), opened,
               seen.slowest_status.count(), server_->memory_kib("VmRSS") / 1024);
  };
  tell("undisturbed", undisturbed, 0);
  const char* const only = std::getenv("NETML_ATTACK_KIND");
  for (const Kind& kind : kinds()) {
    if (only != nullptr && kind.name != only) continue;
    Crowd crowd(server_->port(), kind.habits, clients_);
    while (crowd.opened() < clients_) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Witness::Seen seen = witness_for(seconds_);
    tell(kind.name, seen, crowd.opened());
    expect_served(seen, kind.name);
    EXPECT_GE(crowd.opened(), clients_) << kind.name;
    if (std::getenv("NETML_ATTACK_SECONDS") == nullptr) continue;  // where time is measured
    EXPECT_LE(seen.slowest_status.count(), 1000) << kind.name;
    EXPECT_GE(seen.exports, undisturbed.exports / 2) << kind.name;
  }
  EXPECT_EQ(server_->client(import_).upload(node_.export_all())->status, 201);
  constexpr std::uint64_t kAllocatorKib = 32 * 1024;  // what it keeps in pieces
  EXPECT_TRUE(falls_to(before + before / 5 + kAllocatorKib))
      << server_->memory_kib("VmRSS") << " KiB, " << before << " before";
  EXPECT_EQ(server_->stop(), 0);
}

}  // namespace
}  // namespace netml::e2e
