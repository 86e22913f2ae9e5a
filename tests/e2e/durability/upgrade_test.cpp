// Goal: a service is upgraded and downgraded under load, and nobody notices: no request fails, and
// every import that was acknowledged is there in the end.
// Method: the test holds the socket, as a service manager does, and starts this program and another
// in turn while 32 clients ask and upload. NETML_OTHER_PROGRAM names the other, such as that of the
// package before; without it this program takes both parts. NETML_UPGRADES: how many changes of
// program. Directories of earlier formats are upgraded, too.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "tests/e2e/support/golden_data.hpp"
#include "tests/e2e/support/service.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

using testing::HasSubstr;

constexpr int kClients = 32;

std::string other_program() {
  const char* other = std::getenv("NETML_OTHER_PROGRAM");
  return other != nullptr ? other : program();
}

// Clients that go on until they are stopped. Each connects anew for each request, uploads a
// topology of its own, looks whether the node answers, and remembers what was acknowledged.
class Load {
 public:
  Load(std::uint16_t port, std::string import_token)
      : port_(port), token_(std::move(import_token)) {
    for (int i = 0; i < kClients; ++i) threads_.emplace_back([this, i] { run(i); });
  }
  ~Load() { stop(); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void stop() {
    stopping_ = true;
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  // Until each has been served again, on average; false when something failed meanwhile.
  bool goes_on() {
    std::unique_lock lock(mutex_);
    const std::size_t goal = acknowledged_.size() + kClients;
    changed_.wait(lock, [&] { return acknowledged_.size() >= goal || failed_; });
    return !failed_;
  }
  std::uint64_t requests() const { return requests_; }
  std::set<std::string> acknowledged() const {
    const std::lock_guard lock(mutex_);
    return acknowledged_;
  }
  std::vector<std::string> failures() const {
    const std::lock_guard lock(mutex_);
    return failures_;
  }

 private:
  void run(int client) {
    const Client node(port_, token_);
    for (int round = 0; !stopping_ && !failed_; ++round) {
      const std::string id = fmt::format("urn:of:{}:{}", client, round);
      const std::string owner = id + ":owner";
      if (expect(201, node.upload(test::topology(id, owner, test::institution(owner))), id)) {
        const std::lock_guard lock(mutex_);
        acknowledged_.insert(id);
        changed_.notify_all();
      }
      expect(200, node.get("/status/"), "status");
    }
  }
  bool expect(int status, const Answer& answer, const std::string& what) {
    ++requests_;
    if (answer && answer->status == status) return true;
    const std::lock_guard lock(mutex_);
    failures_.push_back(fmt::format(
        "{}: {}", what,
        answer ? fmt::format("{} {}", answer->status, answer->body) : answer.error().message));
    failed_ = true;
    changed_.notify_all();
    return false;
  }

  const std::uint16_t port_;
  const std::string token_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> requests_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> acknowledged_;  // identifiers; guarded by mutex_
  std::vector<std::string> failures_;   // guarded by mutex_
  std::vector<std::thread> threads_;    // last: they use the rest
};

// So many wait at once without being refused for that.
const std::vector<std::string> kForTheLoad{"--shutdown-timeout", "100", "--limit",
                                           "uploads_at_once_max=64,imports_waiting_max=64"};

// The disk format that a program makes, as its --version says.
std::string format_of(const std::string& tested, const std::filesystem::path& out) {
  Process process(tested, {"--version"}, out.string(), out.string() + ".err");
  EXPECT_EQ(process.wait(), 0);
  const std::string text = read_file(out);
  constexpr std::string_view kFormat = "\ndisk format ";
  const std::size_t at = std::min(text.size(), text.find(kFormat) + kFormat.size());
  return text.substr(at, text.find('\n', at) - at);
}

class Upgrades : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "new")
      node_.done({"init", "--name", "N", "--owner", "O"});
    else
      unpack_golden(GetParam(), node_);
  }
  // Stopped and started as a manager does it: the socket stays.
  void change_program(const std::string& to) {
    running_->signal(SIGTERM);
    ASSERT_EQ(running_->wait(), 0) << read_file(service_.log());
    running_ = service_.start_ready(to, kForTheLoad);
    ASSERT_NE(running_, nullptr) << read_file(service_.log());
  }

  Node node_;
  Service service_{node_.file("."), node_.data()};
  std::unique_ptr<Process> running_;
};

TEST_P(Upgrades, UnderLoadFailNoRequestAndLoseNoImport_L3) {
  const std::string import = node_.token("import");
  const std::uint64_t changes = number_from_environment("NETML_UPGRADES", 4);
  running_ = service_.start_ready(program(), kForTheLoad);
  ASSERT_NE(running_, nullptr) << read_file(service_.log());
  Load load(service_.port(), import);
  for (std::uint64_t i = 0; i < changes; ++i) {
    ASSERT_TRUE(load.goes_on()) << testing::PrintToString(load.failures());
    ASSERT_NO_FATAL_FAILURE(change_program(i % 2 == 0 ? other_program() : program()));
  }
  EXPECT_TRUE(load.goes_on());
  load.stop();
  EXPECT_THAT(load.failures(), testing::IsEmpty());
  running_->signal(SIGTERM);
  EXPECT_EQ(running_->wait(), 0);
  const CommandResult verified = node_.run({"verify"});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  const std::string map = node_.export_all();
  const std::set<std::string> acknowledged = load.acknowledged();
  EXPECT_GE(acknowledged.size(), changes * kClients);
  for (const std::string& id : acknowledged)
    EXPECT_NE(map.find(" id=\"" + id + '"'), std::string::npos) << id << " is lost";
  RecordProperty("requests", std::to_string(load.requests()));
}

// The check says truly what the other program does, before anything is changed by it.
TEST_P(Upgrades, AreUndoneWhereTheCheckSaysSo_L3) {
  const std::string format = format_of(other_program(), node_.file("version"));
  node_.done({"setting", "set", "IMPORT_ANSWER", "Queued"});  // a change, so in the new format
  const bool can = node_.run({"downgrade-check", "--to-format", format}).exit_code == 0;
  running_ = service_.start(other_program());
  if (can) {
    EXPECT_TRUE(service_.notices().wait_for("READY=1").has_value()) << read_file(service_.log());
    running_->signal(SIGTERM);
    EXPECT_EQ(running_->wait(), 0);
  } else {
    EXPECT_EQ(running_->wait(), 5);
    EXPECT_THAT(read_file(service_.log()), HasSubstr("newer version"));
  }
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0) << "and nothing is damaged by trying";
}

INSTANTIATE_TEST_SUITE_P(Of, Upgrades, testing::Values("new", "v1", "v3"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace netml::e2e
