// Goal: the real program loses nothing it answered, whenever it is killed (T7): after each start
// every change is there whole or not at all (P2), and all that was answered is there (P1). Method:
// users import, edit, publish and read over sockets, each writing down every answer before it asks
// again, until the server is killed at a random moment. Every tenth round kills starts, too; every
// fiftieth takes away what was not synced before the next start.
//
// The short form runs with the other tests; the long form is
//
//   NETML_KILL_SECONDS=600 NETML_KILL_SEED=2
//     build/release/tests/e2e/e2e_tests --gtest_filter='Kill.*'
//
// NETML_KILL_ROUNDS=N for so many rounds, and NETML_KILL_CHANGES=N for as many answered changes in
// them (more rounds where those are too few), NETML_ATTACK_MEMORY=N for a control group of so many
// MiB, NETML_BINARY for another program.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "bench/generator/generator.hpp"
#include "tests/e2e/lose_unsynced/lost_writes.hpp"
#include "tests/e2e/support/control_group.hpp"
#include "tests/e2e/support/users.hpp"

namespace netml::e2e {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

// How many requests of all users were answered in one life of the server. Thread: any.
class Answers {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  // Until there are so many, and then for some time more.
  void wait(int wanted, Milliseconds more) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, kPatience, [&] { return count_ >= wanted; }));
    changed_.wait_for(lock, more, [] { return false; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

// When the server is killed: after some of the answers, up to so many and so long after the last.
struct Moment {
  int answers_max = 0;
  Milliseconds more_max{};
};

class Kill : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::uint64_t mebibytes = number_from_environment("NETML_ATTACK_MEMORY", 0)) {
      group_.emplace(mebibytes << 20);
      ASSERT_TRUE(group_->made()) << "no control group with a limit of memory may be made here";
    }
    ASSERT_EQ(node_.run({"init", "--name", "Main", "--owner", "Owner"}).exit_code, 0);
    import_token_ = node_.token("import");
    polling_token_ = node_.token("polling");
  }

  std::unique_ptr<Server> serve(std::vector<std::string> variables = {}) {
    return node_.serve({"--limit", "imports_waiting_max=32"}, std::move(variables),
                       group_ ? group_->enter() : "");
  }
  Doors doors(const Server& server) const {
    return {node_.control(), server.client(import_token_), server.client(polling_token_)};
  }

  void run_rounds(std::uint64_t rounds, Moment moment) {
    const std::uint64_t wanted = number_from_environment("NETML_KILL_ROUNDS", rounds);
    const std::uint64_t changes = number_from_environment("NETML_KILL_CHANGES", 0);
    const std::uint64_t seconds = number_from_environment("NETML_KILL_SECONDS", 0);
    // Two answers of five are those to a change, and half of the most is usual.
    if (changes > 0) moment.answers_max = static_cast<int>(5 * changes / wanted);
    const auto begin = std::chrono::steady_clock::now();
    const auto goes_on = [&](std::uint64_t round) {
      if (seconds == 0) return round < wanted || changes_answered() < changes;
      return std::chrono::steady_clock::now() - begin < std::chrono::seconds(seconds);
    };
    std::uint64_t round = 0;
    for (; goes_on(round) && !HasFailure(); ++round) {
      if (round % 10 == 9) kill_a_start();
      live_and_die(moment, round % 50 == 49);
    }
    check_at_the_end();
    report(round);
  }

  // As long as a start takes at most, about.
  void kill_a_start() {
    Process start(program(), {"serve", "--data", node_.data(), "--listen", "127.0.0.1:0"},
                  node_.file("killed.out"), node_.file("killed.err"));
    start.wait(std::chrono::duration_cast<std::chrono::milliseconds>(
        random_time(Milliseconds(40))));  // it goes on
    start.signal(SIGKILL);
    ++killed_starts_;
  }

  // One life of the server: all that was answered before is there, then it is killed.
  void live_and_die(const Moment& moment, bool power_cut) {
    LostWrites lost(node_.data());
    const auto server = serve(power_cut ? lost.variables() : std::vector<std::string>());
    const Doors into = doors(*server);
    for (const auto& user : users_) user->check(into);
    Answers answers;
    std::vector<std::thread> threads;
    for (const auto& user : users_)
      threads.emplace_back([&answers, &into, user = user.get()] {
        while (user->ask(into)) answers.add();
      });
    answers.wait(std::uniform_int_distribution<>(0, moment.answers_max)(random_),
                 random_time(moment.more_max));
    server->kill();
    for (std::thread& thread : threads) thread.join();
    if (power_cut) {
      lost_changes_ += lost.lose();
      ++power_cuts_;
    }
  }

  void check_at_the_end() {
    const auto server = serve();
    for (const auto& user : users_) user->check(doors(*server));
    server->stop();
    const CommandResult verified = node_.run({"verify"});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }

  std::uint64_t changes_answered() const {
    std::uint64_t count = 0;
    for (const auto& user : users_)
      if (user->makes_changes()) count += static_cast<std::uint64_t>(user->answered());
    return count;
  }

  void report(std::uint64_t rounds) {
    int answered = 0;
    int kept = 0;
    for (const auto& user : users_) {
      answered += user->answered();
      kept += user->kept_unanswered();
    }
    fmt::print(
        "{} rounds of {} users: {} answers, {} of them to changes, {} changes found without an "
        "answer, {} starts killed, {} changes lost in {} power cuts\n",
        rounds, users_.size(), answered, changes_answered(), kept, killed_starts_, lost_changes_,
        power_cuts_);
    EXPECT_GT(answered, 0);
  }

  Milliseconds random_time(Milliseconds at_most) {
    return at_most * std::uniform_real_distribution<>(0.0, 1.0)(random_);
  }

  std::optional<ControlGroup> group_;
  Node node_;
  std::string import_token_;
  std::string polling_token_;
  std::vector<std::unique_ptr<User>> users_;
  std::mt19937_64 random_{number_from_environment("NETML_KILL_SEED", 1)};
  int killed_starts_ = 0;
  int power_cuts_ = 0;
  std::uint64_t lost_changes_ = 0;
};

TEST_F(Kill, LosesNoAnsweredChangeOf32Users_T7_P1_P2) {
  const auto server = serve();
  const Doors into = doors(*server);
  for (int i = 0; i < 18; ++i) users_.push_back(make_importer(small_map(i), into));
  for (int i = 0; i < 8; ++i) users_.push_back(make_editor(i));
  for (int i = 0; i < 2; ++i) users_.push_back(make_publisher(i));
  for (int i = 0; i < 3; ++i) users_.push_back(make_reader());
  users_.push_back(make_keeper());
  server->kill();
  run_rounds(200, {.answers_max = 100, .more_max = Milliseconds(10)});
}

// Most kills come during an import.
TEST_F(Kill, LeavesEachLargeImportWholeOrAbsent_T7_P2) {
  TwoMaps map{"urn:example:net0000", {}};
  generator::GeneratorOptions options;
  options.topologies = 10;
  options.nodes = options.links = 300;
  for (std::uint32_t revision : {0U, 1U}) {
    options.revision = {.number = revision, .changed_per_mille = 300, .removed_per_mille = 100};
    map.files[revision] = generator::generate_text(options);
  }
  const auto server = serve();
  const auto begin = std::chrono::steady_clock::now();
  users_.push_back(make_importer(map, doors(*server)));
  const Milliseconds one_import = (std::chrono::steady_clock::now() - begin) / 2;
  server->kill();
  run_rounds(8, {.answers_max = 2, .more_max = 2 * one_import});
}

}  // namespace
}  // namespace netml::e2e
