// What is there after the server ended and began again, and when it must not begin (rules P1, P4,
// O4, L1, L2, A4 and A18). Method: the real program, ended by SIGTERM and SIGKILL; damage is done
// to its files in between.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>

#include "bench/generator/generator.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
using test::institution;
using test::node;
using test::topology;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string some_map(std::uint64_t seed) {
  generator::GeneratorOptions options;
  options.seed = seed;
  options.topologies = 3;
  return generator::generate_text(options);
}

std::vector<fs::path> files_below(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// ---- what stays ----

class Restart : public testing::TestWithParam<int> {};

TEST_P(Restart, KeepsDataHeadTokensSettingsAndWhatIsPublished) {
  Node node;
  const std::string polling = node.token("polling");
  const std::string import = node.token("import");
  auto server = node.serve();
  const auto see = [&] {
    const Client client = server->client(polling);
    const Answer live = client.get("/test/netml_export/");
    const Answer published = client.get("/published_network_data/current/netml_export/");
    EXPECT_EQ(live->status, 200);
    EXPECT_EQ(published->status, 200);
    return std::vector<std::string>{live->body,
                                    std::string(live->headers.get("ETag")),
                                    std::string(live->headers.get("X-NetML-Head")),
                                    published->body,
                                    std::string(published->headers.get("ETag")),
                                    node.done({"published", "list"}),
                                    node.done({"token", "list"}),
                                    node.done({"setting", "list"})};
  };
  ASSERT_EQ(server->client(import).upload(some_map(1))->status, 201);
  node.done({"publish", "One"});
  ASSERT_EQ(server->client(import).upload(some_map(2))->status, 201);
  node.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "Off"});
  const std::vector<std::string> before = see();
  ASSERT_NE(before[0], before[3]);

  for (int times = 0; times < 2; ++times) {
    server->process().signal(GetParam());
    const int expected = GetParam() == SIGKILL ? 128 + SIGKILL : 0;
    ASSERT_EQ(server->process().wait(), expected);
    server = node.serve();
    const std::vector<std::string> after = see();
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(after[i] == before[i]) << "item " << i << " was\n"
                                         << before[i].substr(0, 500) << "\nand is\n"
                                         << after[i].substr(0, 500);
  }
  EXPECT_EQ(server->client(import).get("/netml_import/records/1/")->status, 200);
  ASSERT_EQ(server->client(import).upload(some_map(1))->status, 201) << "it goes on";
  EXPECT_EQ(node.run({"verify"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(AfterASignal, Restart, testing::Values(SIGTERM, SIGINT, SIGKILL),
                         [](const auto& tested) {
                           return tested.param == SIGKILL   ? "Kill"
                                  : tested.param == SIGTERM ? "Terminate"
                                                            : "Interrupt";
                         });

// A client that promises more than it sends and then waits.
std::unique_ptr<net::ByteChannel> begin_upload(const Server& server, const std::string& token) {
  auto channel = net::connect_tcp({"127.0.0.1", server.port()}, kPatience);
  EXPECT_TRUE(channel.has_value());
  const std::string head = fmt::format(
      "POST /netml_import/upload/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
      "Content-Type: {}\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n",
      token, kFormType);
  EXPECT_EQ((*channel)->write_some(head).value_or(0), head.size());
  EXPECT_EQ(*(*channel)->wait(false, kPatience), net::ByteChannel::Ready::to_read)
      << "asked to go on: the upload has begun";
  return *std::move(channel);
}

// Without the second signal it would wait for longer than any test may last.
TEST(Shutdown, IsAtOnceAfterASecondSignal_O4) {
  Node node;
  node.done({"init", "--name", "N", "--owner", "O"});
  const std::string import = node.token("import");
  const std::string before = node.export_all();
  auto server = node.serve({"--shutdown-timeout", "10000"});
  const auto upload = begin_upload(*server, import);
  server->process().signal(SIGTERM);
  while (read_file(node.log()).find("finishing requests") == std::string::npos)
    ASSERT_FALSE(server->process().wait(std::chrono::milliseconds(1)).has_value());
  server->process().signal(SIGTERM);
  EXPECT_EQ(server->process().wait(), 0);
  EXPECT_EQ(node.export_all(), before);
}

TEST(Shutdown, LeavesNoSocketAndNoUnfinishedUpload) {
  Node node;
  const std::string import = node.token("import");
  auto server = node.serve();
  const auto upload = begin_upload(*server, import);
  server->process().signal(SIGKILL);
  ASSERT_TRUE(server->process().wait().has_value());
  server = node.serve();
  EXPECT_TRUE(fs::is_empty(fs::path(node.data()) / "tmp"));
  EXPECT_EQ(server->stop(), 0);
  EXPECT_FALSE(fs::exists(node.data() + "/control.sock"));
}

TEST(ReadOnly, ServesExportsAndTakesNoChange) {
  Node node;
  ASSERT_EQ(node.import(some_map(1)).exit_code, 0);
  const std::string polling = node.token("polling");
  const std::string import = node.token("import");
  const std::string before = node.export_all();
  const auto server = node.serve({"--read-only"});
  EXPECT_EQ(server->client(polling).get("/netml_export/")->body, before);
  EXPECT_EQ(server->client(import).upload(some_map(2))->status, 503);
  EXPECT_EQ(node.import(some_map(2)).exit_code, 1);
  EXPECT_EQ(node.run({"publish", "One"}).exit_code, 1);
  EXPECT_THAT(node.done({"status"}), HasSubstr("read_only"));
  EXPECT_EQ(server->stop(), 0);
  EXPECT_EQ(node.export_all(), before);
}

// ---- one owner (L1) ----

TEST(Ownership, ASecondServerIsTurnedAwayAndTheFirstGoesOn) {
  Node node;
  const auto first = node.serve();
  const CommandResult second = node.run({"serve", "--listen", "127.0.0.1:0"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr(std::to_string(first->process().pid())));
  EXPECT_EQ(first->client("").get("/status/")->status, 200);
  EXPECT_EQ(node.run({"status"}).exit_code, 0) << "its control socket is still its own";
}

TEST(Ownership, AServerThatDoesNotAnswerIsExitCodeFour) {
  Node node;
  const auto server = node.serve();
  server->process().signal(SIGSTOP);
  const CommandResult status = node.run({"status"});
  EXPECT_EQ(status.exit_code, 4) << status.err;
  EXPECT_THAT(status.err, HasSubstr(node.data()));
  server->process().signal(SIGCONT);
  EXPECT_EQ(node.run({"status"}).exit_code, 0);
}

TEST(Ownership, ALockHeldWithoutAServerIsExitCodeFour) {
  Node node;
  node.done({"checkpoint"});  // makes the directory
  const net::UniqueFd lock(::open((node.data() + "/LOCK").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(lock.get(), LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(node.run({"status"}).exit_code, 4);
  EXPECT_EQ(node.run({"serve", "--listen", "127.0.0.1:0"}).exit_code, 4);
}

// ---- permissions (L2) ----

TEST(Permissions, AreForTheOwnerAlone) {
  Node node;
  const auto server = node.serve();
  EXPECT_EQ(fs::status(node.data()).permissions(), fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(node.data()))
    EXPECT_EQ(entry.symlink_status().permissions() & (fs::perms::group_all | fs::perms::others_all),
              fs::perms::none)
        << entry.path();
}

TEST(Permissions, ThatLetOthersWriteStopTheStart) {
  Node node;
  node.done({"checkpoint"});  // makes the directory
  for (const fs::perms open : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(node.data(), fs::perms::owner_all | open);
    const CommandResult served = node.run({"serve", "--listen", "127.0.0.1:0"});
    EXPECT_EQ(served.exit_code, 1) << served.err;
    EXPECT_THAT(served.err, HasSubstr(node.data()));
    EXPECT_EQ(node.run({"export"}).exit_code, 1);
  }
  fs::permissions(node.data(), fs::perms::owner_all);
  node.done({"status"});
}

// ---- damage (P4) ----

void flip_byte(const fs::path& path, std::size_t at) {
  std::string content = read_file(path);
  ASSERT_LT(at, content.size()) << path;
  content[at] = static_cast<char>(content[at] ^ 0x10);
  write_file(path, content);
}

std::vector<fs::path> segments(const Node& node) {
  return files_below(fs::path(node.data()) / "journal");
}

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    const auto server = node_.serve();
    for (std::uint64_t seed : {1, 2, 3}) ASSERT_EQ(node_.import(some_map(seed)).exit_code, 0);
    before_ = node_.export_all();
  }
  Node node_;
  std::string before_;
};

TEST_F(Damage, InASealedPartIsFoundByVerify) {
  // Each ends with a sealed segment; the first may go on where the killed server was.
  for (std::uint64_t seed : {4, 5}) ASSERT_EQ(node_.import(some_map(seed)).exit_code, 0);
  ASSERT_GE(segments(node_).size(), 2U);
  const fs::path sealed = segments(node_).front();
  ASSERT_EQ(node_.run({"verify"}).exit_code, 0);
  flip_byte(sealed, fs::file_size(sealed) / 2);
  const CommandResult verified = node_.run({"verify"});
  EXPECT_EQ(verified.exit_code, 5);
  EXPECT_THAT(verified.err, HasSubstr(sealed.filename().string()));
}

// Imports that were acknowledged, killed before any checkpoint, then a bit of the first one gone.
TEST_F(Damage, InWhatMustBeReplayedStopsTheStartAndChangesNothing) {
  {
    const auto server = node_.serve();
    for (std::uint64_t seed : {4, 5, 6}) ASSERT_EQ(node_.import(some_map(seed)).exit_code, 0);
    server->kill();
  }
  const fs::path live = segments(node_).back();
  constexpr std::size_t kAfterHeaderAndFirstFrame = 4096 + 400;
  flip_byte(live, kAfterHeaderAndFirstFrame);
  const std::string damaged = read_file(live);
  for (const char* command : {"status", "export"}) {
    const CommandResult result = node_.run({command});
    EXPECT_EQ(result.exit_code, 5) << command << ": " << result.err;
    EXPECT_EQ(result.out, "") << command;
  }
  const CommandResult verified = node_.run({"verify"});
  EXPECT_EQ(verified.exit_code, 5);
  EXPECT_THAT(verified.err, HasSubstr(live.filename().string()));
  const CommandResult served = node_.run({"serve", "--listen", "127.0.0.1:0"});
  EXPECT_EQ(served.exit_code, 5);
  EXPECT_THAT(served.err, HasSubstr(live.filename().string()));
  EXPECT_THAT(served.err,
              HasSubstr("\n  serve the state before the damage: netml serve --read-only"));
  EXPECT_TRUE(read_file(live) == damaged) << "damage is left for a person to look at";
}

// docs/requirements/durability-and-security.md, section 1.5, and E4: what stood before the
// damage can be exported, and nothing else.
TEST_F(Damage, LeavesTheStateBeforeItToAServerThatOnlyReads) {
  node_.done({"checkpoint"});
  {
    const auto server = node_.serve();
    for (std::uint64_t seed : {4, 5, 6}) ASSERT_EQ(node_.import(some_map(seed)).exit_code, 0);
    server->kill();
  }
  const fs::path live = segments(node_).back();
  flip_byte(live, 4096 + 400);
  const std::string damaged = read_file(live);
  const auto server = node_.serve({"--read-only"});
  EXPECT_TRUE(node_.export_all() == before_);
  EXPECT_EQ(node_.import(some_map(7)).exit_code, 1);
  EXPECT_THAT(node_.done({"status"}), HasSubstr("read_only"));
  EXPECT_TRUE(read_file(live) == damaged);
}

TEST_F(Damage, OfEveryFileNeverGivesAnEmptyNode) {
  fs::remove(node_.data() + "/control.sock");  // left by a server that was killed
  for (const fs::path& path : files_below(node_.data())) {
    if (fs::file_size(path) == 0 || path.filename() == "ballast") continue;
    Node copy;
    fs::copy(node_.data(), copy.data(), fs::copy_options::recursive);
    const fs::path damaged = copy.data() / fs::relative(path, node_.data());
    flip_byte(damaged, fs::file_size(damaged) / 3);
    const CommandResult exported = copy.run({"export"});
    EXPECT_TRUE(exported.exit_code != 0 || exported.out == before_)
        << path << ": exit code " << exported.exit_code;
  }
}

// ---- secrets (A4, A18) ----

TEST(Secrets, StandInNoFileAndInNoLog) {
  Node node;
  std::vector<std::string> values;
  for (int i = 0; i < 5; ++i) values.push_back(node.token(i % 2 == 0 ? "import" : "polling"));
  auto server = node.serve();
  values.push_back("UnknownUnknownUnknownUnknown1234");
  for (const std::string& value : values) {
    const Client client = server->client(value);
    EXPECT_TRUE(client.get("/netml_export/").has_value());
    EXPECT_TRUE(client.upload(topology("P", "p", institution("p"))).has_value());
    EXPECT_TRUE(client.upload("<not-a-map/>").has_value());
    EXPECT_TRUE(client.get("/netml_import/records/1/").has_value());
  }
  node.done({"checkpoint"});
  EXPECT_THAT(node.done({"token", "list"}), Not(HasSubstr(values[0])));
  ASSERT_EQ(server->stop(), 0);
  std::vector<fs::path> files = files_below(node.data());
  files.push_back(node.log());
  ASSERT_GT(files.size(), 5U);
  for (const fs::path& path : files) {
    const std::string content = read_file(path);
    for (const std::string& value : values)
      EXPECT_EQ(content.find(value), std::string::npos) << path;
  }
}

// A client's text cannot forge a line of the log or obey a terminal (A19).
TEST(Secrets, AndLinesOfTheLogCannotBeForged) {
  Node node;
  const std::string import = node.token("import");
  auto server = node.serve();
  const Answer refused =
      server->client(import).upload("<x/>", {.file_name = "a\x1b[2J\tb.xml", .fields = {}});
  EXPECT_EQ(refused->status, 400);
  ASSERT_EQ(server->stop(), 0);
  const std::string log = read_file(node.log());
  EXPECT_EQ(log.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace netml::e2e
