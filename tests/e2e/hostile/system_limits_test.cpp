// Goal: the program serves within what the system gives it: few descriptors (E4), a full disk (E1,
// E3), a log that nobody reads (O8).
// Method: the real program under real limits: `ulimit -n`; a small file system of its own, where
// the test may mount one; a full pipe.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <sstream>
#include <thread>

#include "tests/e2e/support/node.hpp"
#include "tests/net/support/raw_client.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string small_map(const std::string& id) {
  return test::topology(id, "o", test::institution("o"), test::node(id + "-node"));
}

// ---- descriptors ----

class FewDescriptors : public testing::Test {
 protected:
  void SetUp() override {
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);  // the strangers are of this process
    ASSERT_EQ(node_.import(small_map("root"), {"--root"}).exit_code, 0);
  }
  // "Max open files  1024  4096  files"
  static std::pair<std::uint64_t, std::uint64_t> limits_of(pid_t pid) {
    std::istringstream lines(read_file(fmt::format("/proc/{}/limits", pid)));
    constexpr std::string_view kName = "Max open files";
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(kName)) continue;
      std::istringstream numbers(line.substr(kName.size()));
      std::pair<std::uint64_t, std::uint64_t> found;
      numbers >> found.first >> found.second;
      return found;
    }
    return {};
  }

  Node node_;
};

TEST_F(FewDescriptors, AreMoreWhereTheSystemAllowsMore_E4) {
  const auto server = node_.serve({}, {}, "ulimit -S -n 200");
  const auto [soft, hard] = limits_of(server->process().pid());
  EXPECT_GT(soft, 200U);
  EXPECT_EQ(soft, hard);
}

TEST_F(FewDescriptors, LeaveEnoughForTheJournalAndForWhoeverIsServed_E4) {
  const std::string token = node_.token("import");
  const auto server = node_.serve({}, {}, "ulimit -n 400");
  std::deque<net::RawClient> strangers;
  for (int i = 0; i < 600; ++i) strangers.emplace_back(server->port()).send("GET / HTTP/1.1\r\n");
  const Client client = server->client(token);
  EXPECT_EQ(client.get("/status/")->status, 200);
  EXPECT_EQ(client.upload(small_map("child"))->status, 201);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"checkpoint"}, {"publish", "edition"}, {"verify"}}) {
    const CommandResult result = node_.run(words);
    EXPECT_EQ(result.exit_code, 0) << words.front() << ": " << result.err;
  }
  EXPECT_EQ(client.upload(small_map("another child"))->status, 201);
  EXPECT_THAT(node_.done({"status"}), Not(HasSubstr("connections_max              4096")));
  const std::string log = read_file(node_.log());
  EXPECT_THAT(log, HasSubstr("connections at once instead of 4096"));
  EXPECT_THAT(log, Not(HasSubstr("Too many open files")));
  strangers.clear();
  EXPECT_EQ(server->stop(), 0);
}

// ---- the disk ----

// The data directory is a file system in memory, which this thread and what it starts alone see.
class SmallDisk : public testing::Test {
 protected:
  static constexpr std::uint64_t kBytes = 400 << 20;

  void SetUp() override {
    fs::create_directory(node_.data());
    const bool own = ::unshare(CLONE_NEWNS) == 0 &&
                     ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    const std::string options = fmt::format("size={},mode=0700", kBytes);
    mounted_ = own && ::mount("netml-test", node_.data().c_str(), "tmpfs", 0, options.c_str()) == 0;
    if (!mounted_) GTEST_SKIP() << "this user may mount nothing";
    ASSERT_EQ(node_.import(small_map("root"), {"--root"}).exit_code, 0);
    exporting_ = node_.token("polling");
    importing_ = node_.token("import");
  }
  void TearDown() override {
    if (mounted_) ::umount2(node_.data().c_str(), MNT_DETACH);
  }

  std::uint64_t free_bytes() const {
    struct statvfs space{};
    EXPECT_EQ(::statvfs(node_.data().c_str(), &space), 0);
    return std::uint64_t{space.f_bavail} * space.f_frsize;
  }
  fs::path filler() const { return fs::path(node_.data()) / "filler"; }
  void fill() const {
    const net::UniqueFd file(::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
    const std::string piece(1 << 16, 'x');
    while (::write(file.get(), piece.data(), piece.size()) > 0) {
    }
    ASSERT_EQ(free_bytes(), 0U);
  }
  static std::string exported(const Server& server, const std::string& token) {
    const Answer answer = server.client(token).get("/netml_export/");
    EXPECT_TRUE(answer && answer->status == 200);
    return answer ? answer->body : "";
  }
  static int upload_status(const Server& server, const std::string& token, const std::string& id) {
    const Answer answer = server.client(token).upload(small_map(id));
    return answer ? answer->status : 0;
  }
  // As it does by itself once there is room.
  static bool accepts_again(const Server& server, const std::string& token, const std::string& id) {
    const auto give_up = std::chrono::steady_clock::now() + kPatience;
    while (upload_status(server, token, id) != 201) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }

  Node node_;
  bool mounted_ = false;
  std::string exporting_;
  std::string importing_;
};

TEST_F(SmallDisk, ThatIsFullAtTheStartIsServedFrom_E1) {
  {
    const auto server = node_.serve();
    ASSERT_EQ(upload_status(*server, importing_, "child"), 201);
    server->kill();  // as a rule before it is noted how far the journal is durable
  }
  fill();
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  EXPECT_THAT(exported(*server, exporting_), HasSubstr("child-node"));
  EXPECT_EQ(node_.run({"status"}).exit_code, 0);
  fs::remove(filler());
  EXPECT_TRUE(accepts_again(*server, importing_, "later"));
  EXPECT_EQ(server->stop(), 0);
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

TEST_F(SmallDisk, ThatIsFullAtTheStopIsServedFrom_E1) {
  {
    const auto server = node_.serve();
    ASSERT_EQ(upload_status(*server, importing_, "child"), 201);
    fill();
    // What needs no room: the segment is there. It is not noted how far the journal is durable.
    net::Headers json;
    json.add("Content-Type", "application/json");
    const Answer changed =
        node_.control().send("PUT", "/api/v1/settings/IMPORT_DAYS_KEPT", json, R"({"value":"7"})");
    ASSERT_TRUE(changed && changed->status == 200);
    server->stop();
  }
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  EXPECT_THAT(exported(*server, exporting_), HasSubstr("child-node"));
  fs::remove(filler());
  EXPECT_TRUE(accepts_again(*server, importing_, "later"));
}

TEST_F(SmallDisk, IsNotFilledByAnUploadThatDoesNotSayHowLongItIs_E3) {
  const auto server = node_.serve();
  net::RawClient stranger(server->port());
  const std::string head = form_head(UploadForm());
  ASSERT_TRUE(stranger.send(fmt::format(
      "POST /netml_import/upload/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: {}\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n",
      importing_, kFormType, head.size(), head)));
  const std::string piece(1 << 20, ' ');
  std::uint64_t least_free = free_bytes();
  for (std::uint64_t sent = 0; sent < kBytes; sent += piece.size()) {
    if (!stranger.send(fmt::format("{:x}\r\n{}\r\n", piece.size(), piece))) break;
    least_free = std::min(least_free, free_bytes());
  }
  const auto answer = stranger.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 507);
  EXPECT_THAT(answer->body, HasSubstr("not enough free space"));
  EXPECT_GT(least_free, kBytes / 20);
  EXPECT_EQ(upload_status(*server, importing_, "child"), 201);
}

TEST(Draft, OfAPublicationThatACrashLeftIsGoneAfterTheStart) {
  Node node;
  node.make();
  const fs::path draft = fs::path(node.data()) / "cache" / "draft.tmp";
  fs::create_directory(draft.parent_path());
  write_file(draft, "half of it");
  const auto server = node.serve();
  EXPECT_FALSE(fs::exists(draft));
}

// ---- the log ----

TEST(Log, ThatNobodyReadsStopsNobody_O8) {
  Node node;
  node.make();
  fs::remove(node.log());
  ASSERT_EQ(::mkfifo(node.log().c_str(), 0600), 0);
  const net::UniqueFd pipe(::open(node.log().c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  ASSERT_TRUE(pipe);
  ASSERT_GT(::fcntl(pipe.get(), F_SETPIPE_SZ, 4 * 4096), 0);
  const auto server = node.serve();
  const Client client = server->client("");
  for (int i = 0; i < 300; ++i) ASSERT_EQ(client.get("/status/")->status, 200) << i;

  const auto read_all = [&] {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t count = 0; (count = ::read(pipe.get(), buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    return text;
  };
  EXPECT_THAT(read_all(), HasSubstr("/status/"));
  ASSERT_EQ(client.get("/status/")->status, 200);
  EXPECT_EQ(server->stop(), 0);
  EXPECT_THAT(read_all(), HasSubstr("lines left out here"));
}

}  // namespace
}  // namespace netml::e2e
