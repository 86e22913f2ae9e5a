// Goal: whatever strangers do together, nobody ends the node or takes it away: /status/ is
// answered, and known clients export, import and sign in, all the while (docs/security.md).
// Method: the real program in a control group; a crowd of bad clients of each kind and of all; a
// witness that asks meanwhile what good clients ask. As the crowd takes processor time of the same
// machine, what it leaves is compared with what busy processors leave. Memory is read from /proc.
// Long: bench/attack, with more of them, for longer, which judges the time, too:
// NETML_ATTACK_CLIENTS, NETML_ATTACK_SECONDS (of each kind, in three rounds), NETML_ATTACK_KIND
// (that one only), NETML_ATTACK_MEMORY (MiB of the control group), NETML_ATTACK_IMPORT (MiB of XML
// of the large import).
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

#include "bench/generator/generator.hpp"
#include "tests/e2e/support/attack_kinds.hpp"
#include "tests/e2e/support/control_group.hpp"
#include "tests/e2e/support/witness.hpp"
#include "tests/net/support/certificate.hpp"
#include "tests/support/sanitized.hpp"

namespace netml::e2e {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kAllocatorKib = 32 * 1024;  // what it keeps in pieces
constexpr int kStatusMax = 1000;                    // ms

// What the witness saw of one state of the node, over the rounds.
struct Measured {
  std::string name;
  std::vector<Witness::Seen> rounds = {};
  std::uint64_t opened = 0;  // connections of strangers
  Witness::Count large{"large import"};
  std::vector<milliseconds> large_times = {};

  double in_a_second(Witness::Count Witness::Seen::* count) const {
    std::vector<double> rates;
    for (const Witness::Seen& seen : rounds) rates.push_back((seen.*count).in_a_second());
    std::ranges::sort(rates);
    return rates.empty() ? 0 : rates[rates.size() / 2];
  }
  milliseconds large_time() const {  // the median
    std::vector<milliseconds> times = large_times;
    std::ranges::sort(times);
    return times.empty() ? milliseconds(0) : times[times.size() / 2];
  }
  std::int64_t slowest_status() const {
    milliseconds slowest{0};
    for (const Witness::Seen& seen : rounds) slowest = std::max(slowest, seen.statuses.slowest);
    return slowest.count();
  }
};

// Percent of what busy processors leave.
double share(const Measured& measured, const Measured& floor,
             Witness::Count Witness::Seen::* count) {
  return 100 * measured.in_a_second(count) / std::max(floor.in_a_second(count), 1e-9);
}

class Attacks : public testing::Test {
 protected:
  void SetUp() override {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
    if (!group_.made()) GTEST_SKIP() << "no control group with a limit of memory may be made here";
    generator::GeneratorOptions options;
    options.topologies = 20;
    client_.map = generator::generate_text(options);
    ASSERT_EQ(node_.import(client_.map).exit_code, 0);
    client_.polling = node_.token("polling");
    client_.import = node_.token("import");
    client_.account = R"({"name":"ada","password":"a long enough one"})";
    clients_ =
        std::min(number_from_environment("NETML_ATTACK_CLIENTS", 600), raise_open_files() - 200);
  }
  void serve(bool secure) {
    std::vector<std::string> options;
    if (secure) {
      const net::TlsFiles files = net::make_certificate(node_.file(".").string(), "localhost");
      options = {"--tls-cert", files.certificate_chain, "--tls-key", files.private_key};
    }
    server_ = node_.serve(options, {}, group_.enter());
    client_.port = server_->port();
    client_.secure = secure;
    net::Headers headers;
    headers.set("Content-Type", "application/json");
    const Answer made =
        node_.control().send("POST", "/api/v1/accounts", headers,
                             R"({"name":"ada","role":"admin","password":"a long enough one"})");
    ASSERT_TRUE(made && made->status < 300) << made->body;
    // So that there are points in time to ask for.
    for (int i = 0; i < 10; ++i) {
      const Answer imported = ask(client_, upload_of(client_.map), client_.import);
      ASSERT_TRUE(imported && imported->status == 201);
    }
  }
  Witness::Seen witness_for(milliseconds time) {
    Witness witness(client_);
    std::this_thread::sleep_for(time);
    return witness.stop();
  }
  // What the node makes once for all.
  void warm_up(const std::vector<AttackKind>& kinds) {
    for (const AttackKind& kind : kinds) {
      const Crowd few(client_.port, kind.habits, kind.habits.size());
      witness_for(milliseconds(200));
    }
  }
  void wait_until_all_came(const Crowd& crowd) const {
    const auto ends = steady_clock::now() + kPatience;
    while (crowd.opened() < clients_ && steady_clock::now() < ends)
      std::this_thread::sleep_for(milliseconds(50));
    EXPECT_GE(crowd.opened(), clients_) << "connections were opened within two minutes";
  }
  // The memory does, within a minute.
  bool falls_to(std::uint64_t kib) const {
    for (int i = 0; i < 60 && server_->memory_kib("VmRSS") > kib; ++i)
      std::this_thread::sleep_for(std::chrono::seconds(1));
    return server_->memory_kib("VmRSS") <= kib;
  }
  // What it keeps at rest: when it has not fallen for some seconds.
  std::uint64_t memory_at_rest() const {
    constexpr int kSeconds = 3;
    std::uint64_t least = server_->memory_kib("VmRSS");
    for (int calm = 0; calm < kSeconds; ++calm) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      const std::uint64_t now = server_->memory_kib("VmRSS");
      if (now < least) calm = -1;
      least = std::min(least, now);
    }
    return least;
  }
  void expect_memory_back(std::uint64_t before) const {
    EXPECT_TRUE(falls_to(before + before / 5 + kAllocatorKib))
        << server_->memory_kib("VmRSS") << " KiB a minute after the attack, " << before
        << " KiB before it";
  }
  void expect_served(const Measured& measured) {
    for (const Witness::Seen& seen : measured.rounds)
      for (const Witness::Count* count :
           {&seen.statuses, &seen.exports, &seen.imports, &seen.sign_ins})
        EXPECT_TRUE(count->all_served()) << measured.name << ", " << count->failures();
    const std::optional<int> ended = server_->process().wait(milliseconds(0));
    EXPECT_EQ(ended, std::nullopt) << measured.name << ": the node ended with " << *ended;
  }
  // Only where enough time was measured to tell.
  void expect_fast(const Measured& measured, const Measured& floor) const {
    if (!is_long_) return;
    EXPECT_LE(measured.slowest_status(), kStatusMax)
        << measured.name << ": the slowest answer of /status/, in ms";
    for (const auto count : {&Witness::Seen::exports, &Witness::Seen::imports})
      EXPECT_GE(share(measured, floor, count), 50)
          << fmt::format("{}: {} {:.2f} times a second, {:.2f} beside busy processors",
                         measured.name, (measured.rounds.front().*count).what,
                         measured.in_a_second(count), floor.in_a_second(count));
  }
  void tell(const Measured& measured, const Measured& floor) const {
    fmt::print("{:<13}", measured.name);
    for (const auto count : {&Witness::Seen::exports, &Witness::Seen::imports})
      fmt::print(" {:>9.2f} {:>4.0f} %", measured.in_a_second(count),
                 share(measured, floor, count));
    fmt::print(" {:>10.2f} {:>9} ms {:>9} {:>9}\n", measured.in_a_second(&Witness::Seen::sign_ins),
               measured.slowest_status(), measured.opened, server_->memory_kib("VmRSS") / 1024);
    std::fflush(stdout);
  }
  static void tell_columns() {
    fmt::print("{:<13} {:>16} {:>16} {:>10} {:>12} {:>9} {:>9}\n", "(a second)", "exports, floor",
               "imports, floor", "sign-ins", "status max", "opened", "RSS MiB");
  }
  void attack_with(const std::vector<AttackKind>& kinds);
  void write_large_map(const std::filesystem::path& path, std::uint32_t revision) const;
  void import_large(Measured& measured);
  void witness_large_imports(Measured& measured);

  const bool is_long_ = std::getenv("NETML_ATTACK_SECONDS") != nullptr;
  const int rounds_ = is_long_ ? 3 : 1;
  const milliseconds time_ =
      milliseconds(1000 * number_from_environment("NETML_ATTACK_SECONDS", 2)) / rounds_;
  ControlGroup group_{number_from_environment("NETML_ATTACK_MEMORY", 512) * kMebibyte};
  Node node_;
  KnownClient client_;
  const std::array<std::filesystem::path, 2> large_{node_.file("large-0"), node_.file("large-1")};
  std::size_t large_imports_ = 0;
  std::size_t clients_ = 0;
  std::unique_ptr<Server> server_;
};

void Attacks::attack_with(const std::vector<AttackKind>& kinds) {
  warm_up(kinds);
  Measured undisturbed{"undisturbed"};
  Measured floor{"busy"};
  std::vector<Measured> attacks;
  const char* const only = std::getenv("NETML_ATTACK_KIND");
  for (const AttackKind& kind : kinds) attacks.push_back({kind.name});
  std::uint64_t before = 0;
  for (int round = 0; round < rounds_; ++round) {
    if (round > 0) memory_at_rest();  // what the attacks before have left behind is done
    undisturbed.rounds.push_back(witness_for(time_));
    if (round == 0) before = server_->memory_kib("VmRSS");
    {
      const BusyProcessors busy(Crowd::kThreads);
      floor.rounds.push_back(witness_for(time_));
    }
    fmt::print("round {} of {}\n", round + 1, rounds_);
    tell_columns();
    tell({"undisturbed", {undisturbed.rounds.back()}}, {"", {floor.rounds.back()}});
    tell({"busy", {floor.rounds.back()}}, {"", {floor.rounds.back()}});
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (only != nullptr && kinds[i].name != only) continue;
      const Crowd crowd(client_.port, kinds[i].habits, clients_);
      wait_until_all_came(crowd);
      attacks[i].rounds.push_back(witness_for(time_));
      attacks[i].opened += crowd.opened();
      tell({kinds[i].name, {attacks[i].rounds.back()}, crowd.opened()},
           {"", {floor.rounds.back()}});
    }
  }
  std::erase_if(attacks, [](const Measured& measured) { return measured.rounds.empty(); });
  ASSERT_FALSE(attacks.empty()) << "there is no kind " << only;
  if (rounds_ > 1) {
    fmt::print("medians of {} rounds\n", rounds_);
    tell_columns();
  }
  for (const Measured* calm : {&undisturbed, &floor}) {
    if (rounds_ > 1) tell(*calm, floor);
    expect_served(*calm);
  }
  for (const Measured& attack : attacks) {
    if (rounds_ > 1) tell(attack, floor);
    expect_served(attack);
    expect_fast(attack, floor);
  }
  expect_memory_back(before);
  EXPECT_EQ(server_->stop(), 0);
}

TEST_F(Attacks, OfStrangersTakeTheNodeFromNobody) {
  serve(false);
  attack_with(open_attacks());
}

TEST_F(Attacks, OverTlsTakeTheNodeFromNobody) {
  serve(true);
  attack_with(tls_attacks());
}

// ---- beside a large import ----

// As a form; its topologies are others than those of the map that the witness imports.
void Attacks::write_large_map(const std::filesystem::path& path, std::uint32_t revision) const {
  constexpr std::uint64_t kTopologyBytes = 50'000;
  const std::string usual = "urn:example:net";
  const std::string other = "urn:largest:net";
  generator::GeneratorOptions options;
  options.topologies = static_cast<std::uint32_t>(
      number_from_environment("NETML_ATTACK_IMPORT", 4) * kMebibyte / kTopologyBytes);
  options.revision = {.number = revision, .changed_per_mille = 100, .removed_per_mille = 10};
  std::ofstream file(path, std::ios::binary);
  file << form_head({});
  std::string text;
  generator::generate(options, [&](std::string_view piece) {
    text += piece;
    std::size_t at = 0;
    while ((at = text.find(usual, at)) != std::string::npos) text.replace(at, usual.size(), other);
    const std::size_t whole = text.size() - std::min(text.size(), usual.size());
    file << std::string_view(text).substr(0, whole);
    text.erase(0, whole);
    return true;
  });
  file << text << kFormTail;
  file.close();
  ASSERT_TRUE(file.good()) << path;
}

void Attacks::import_large(Measured& measured) {
  const std::filesystem::path& path = large_[++large_imports_ % large_.size()];
  net::ClientRequest request{"POST", UploadForm{}.path, {}, {}};
  request.headers.set("Content-Type", kFormType);
  request.body = net::FileBody{net::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), 0,
                               std::filesystem::file_size(path)};
  const auto began = steady_clock::now();
  const Answer answer = ask(client_, std::move(request), client_.import);
  const auto took = duration_cast<milliseconds>(steady_clock::now() - began);
  measured.large.count(answer, 201, took);
  fmt::print("{}: {} MiB in {} ms, {}\n", measured.name,
             std::filesystem::file_size(path) / kMebibyte, took.count(),
             answer ? answer->status : 0);
  std::fflush(stdout);
  measured.large_times.push_back(took);
}

// Over and over for the time of a round; at least once.
void Attacks::witness_large_imports(Measured& measured) {
  Witness witness(client_);
  const auto ends = steady_clock::now() + (is_long_ ? time_ : milliseconds(0));
  do import_large(measured);
  while (steady_clock::now() < ends);
  measured.rounds.push_back(witness.stop());
}

TEST_F(Attacks, OfSlowClientsStopNoLargeImport) {
  serve(true);
  for (const std::uint32_t revision : {0U, 1U}) write_large_map(large_[revision], revision);
  Measured first{"the first"};
  import_large(first);
  const AttackKind slow = slow_clients();
  warm_up({slow});
  Measured undisturbed{"undisturbed"};
  Measured floor{"busy"};
  Measured attack{slow.name};
  std::uint64_t before = 0;
  for (int round = 0; round < rounds_; ++round) {
    if (round > 0) memory_at_rest();
    witness_large_imports(undisturbed);
    {
      const BusyProcessors busy(Crowd::kThreads);
      witness_large_imports(floor);
    }
    if (round == 0) before = memory_at_rest();  // after imports of the same size
    const Crowd crowd(client_.port, slow.habits, clients_);
    wait_until_all_came(crowd);
    witness_large_imports(attack);
    attack.opened += crowd.opened();
  }
  fmt::print("medians of {} rounds\n", rounds_);
  tell_columns();
  for (const Measured* measured : {&undisturbed, &floor, &attack}) {
    tell(*measured, floor);
    fmt::print("{:<13} {} imports of {} MiB, half of them within {} ms\n", "",
               measured->large.served, std::filesystem::file_size(large_.front()) / kMebibyte,
               measured->large_time().count());
    expect_served(*measured);
    EXPECT_TRUE(measured->large.all_served())
        << measured->name << ", " << measured->large.failures();
  }
  expect_fast(attack, floor);
  if (is_long_) {
    EXPECT_LE(attack.large_time().count(), 2 * floor.large_time().count())
        << "ms for the large import, against twice those beside busy processors";
  }
  expect_memory_back(before);
  EXPECT_EQ(server_->stop(), 0);
}

}  // namespace
}  // namespace netml::e2e
