// What an operator does with backups: `netml backup` and `netml restore`, with the real program
// (rules A4, O6 and L4).
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <thread>

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

std::string a_map(const std::string& id) {
  return topology("P", "p", institution("p"), node(id));
}

// "1234:abcd...\n"
std::string head_of(const std::string& out) {
  return out.substr(0, out.find('\n'));
}

class Backups : public testing::Test {
 protected:
  Backups() { EXPECT_EQ(node_.import(a_map("a")).exit_code, 0); }

  std::string path(const std::string& name) { return node_.file(name).string(); }
  CommandResult restore(std::vector<std::string> options = {}) {
    std::vector<std::string> words{"restore", path("b.tar"), "--into", restored_.data()};
    words.insert(words.end(), options.begin(), options.end());
    return node_.run(words);
  }
  Node node_;
  Node restored_;
};

class BackupsBothWays : public Backups, public testing::WithParamInterface<bool> {};

TEST_P(BackupsBothWays, AreRestoredWithKeyAndHead_A4_O6) {
  const std::string token = node_.token("polling");
  node_.done({"publish", "First"});
  std::unique_ptr<Server> server;
  if (GetParam()) server = node_.serve();
  const std::string head = head_of(node_.done({"backup", path("b.tar")}));
  const std::string exported = node_.export_all();
  if (server) {
    EXPECT_EQ(server->stop(), 0);
  }
  struct stat status{};
  ASSERT_EQ(::stat(path("b.tar").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);

  const CommandResult restored = restore({"--key", node_.data() + "/node.key", "--head", head});
  ASSERT_EQ(restored.exit_code, 0) << restored.err;
  EXPECT_THAT(restored.out, HasSubstr(head));
  EXPECT_THAT(restored.err, AllOf(HasSubstr("netml serve --data"), Not(HasSubstr("node.key"))));
  EXPECT_EQ(restored_.run({"verify", "--head", head}).exit_code, 0);
  EXPECT_EQ(restored_.export_all(), exported);
  EXPECT_EQ(restored_.run({"export", "--published"}).exit_code, 0);

  const auto again = restored_.serve();
  EXPECT_EQ(again->client(token).get("/netml_export/")->status, 200);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAServer, BackupsBothWays, testing::Bool());

TEST_F(Backups, WithoutTheKeySayWhatIsLost) {
  node_.done({"backup", path("b.tar")});
  const CommandResult restored = restore();
  ASSERT_EQ(restored.exit_code, 0) << restored.err;
  EXPECT_THAT(restored.err, AllOf(HasSubstr("There is no node.key"), HasSubstr("--head")));
  EXPECT_FALSE(fs::exists(restored_.data() + "/node.key"));
  EXPECT_EQ(read_file(path("b.tar")).find("node.key"), std::string::npos);
}

TEST_F(Backups, AreNotRestoredWithTheKeyOfAnotherNode) {
  node_.done({"token", "create", "client", "--kind", "polling"});
  node_.done({"backup", path("b.tar")});
  Node other;
  other.done({"init", "--name", "Other", "--owner", "Org"});
  const CommandResult wrong = restore({"--key", other.data() + "/node.key"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("is not the node.key of this backup"),
                               HasSubstr("nothing was restored")));
  EXPECT_FALSE(fs::exists(restored_.data()));
  EXPECT_EQ(restore({"--key", node_.data() + "/node.key"}).exit_code, 0);
}

TEST_F(Backups, BringPlansBackWithTheirFiles) {
  ASSERT_EQ(node_.import(a_map("b"), {"--plan"}).exit_code, 0);
  const std::string shown = node_.done({"plan", "show", "1"});
  node_.done({"backup", path("b.tar")});
  ASSERT_EQ(restore().exit_code, 0);
  EXPECT_EQ(restored_.done({"plan", "show", "1"}), shown);
  EXPECT_EQ(restored_.run({"apply", "1"}).exit_code, 0);
  EXPECT_EQ(node_.run({"apply", "1"}).exit_code, 0);
  EXPECT_EQ(restored_.export_all(), node_.export_all());
}

TEST_F(Backups, AreConsistentWhileImportsGoOn_O6) {
  const std::string token = node_.token("import");
  const auto server = node_.serve();
  std::atomic<bool> done = false;
  std::thread importer([&] {
    const Client client = server->client(token);
    for (int i = 0; !done; ++i) (void)client.upload(a_map("n" + std::to_string(i)));
  });
  for (int i = 0; i < 5; ++i) {
    const std::string head = head_of(node_.done({"backup", path("b.tar")}));
    const CommandResult restored = restore({"--head", head});
    EXPECT_EQ(restored.exit_code, 0) << restored.err;
    EXPECT_THAT(restored.out, HasSubstr(head));
    fs::remove_all(restored_.data());
  }
  done = true;
  importer.join();
}

TEST_F(Backups, ThatAreDamagedLeaveNothingBehind) {
  node_.done({"backup", path("b.tar")});
  std::string bytes = read_file(path("b.tar"));
  bytes[bytes.size() / 2] ^= 1;
  write_file(path("b.tar"), bytes);
  const CommandResult restored = restore();
  EXPECT_EQ(restored.exit_code, 3);
  EXPECT_THAT(restored.err, HasSubstr("no whole, undamaged backup"));
  EXPECT_FALSE(fs::exists(restored_.data()));

  fs::create_directory(restored_.data());  // as a mount point is
  EXPECT_EQ(restore().exit_code, 3);
  EXPECT_TRUE(fs::is_empty(restored_.data()));
}

TEST_F(Backups, FillAnEmptyDirectoryAndNoOther) {
  node_.done({"backup", path("b.tar")});
  fs::create_directory(restored_.data());
  EXPECT_EQ(restore().exit_code, 0);
  const CommandResult again = restore();
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("not empty; nothing was changed"));
  EXPECT_EQ(restored_.run({"verify"}).exit_code, 0);
}

TEST_F(Backups, OfAnotherHistoryAreRefused_L4) {
  node_.done({"backup", path("b.tar")});
  const std::string wrong = "1:" + std::string(64, 'a');
  const CommandResult restored = restore({"--head", wrong});
  EXPECT_EQ(restored.exit_code, 3);
  EXPECT_THAT(restored.err, HasSubstr("LSN 1"));
  EXPECT_EQ(node_.run({"verify", "--head", wrong}).exit_code, 5);
  EXPECT_EQ(node_.run({"verify", "--head", "x"}).exit_code, 2);
}

TEST_F(Backups, AreNotMadeOfDamagedData_P4) {
  for (const auto& entry : fs::directory_iterator(node_.data() + "/uploads"))
    write_file(entry.path(), "something else");
  for (const bool running : {false, true}) {
    std::unique_ptr<Server> server;
    if (running) server = node_.serve();
    const CommandResult result = node_.run({"backup", path("b.tar")});
    EXPECT_EQ(result.exit_code, running ? 1 : 5);
    EXPECT_THAT(result.err, HasSubstr("b.tar was not written"));
    EXPECT_FALSE(fs::exists(path("b.tar")));
    if (running) {
      EXPECT_THAT(read_file(node_.log()), HasSubstr("/uploads/"));
    }
  }
}

TEST_P(BackupsBothWays, AreNotMadeWithoutAKeptFileUnlessAsked) {
  fs::remove_all(node_.data() + "/uploads");
  fs::create_directory(node_.data() + "/uploads");
  std::unique_ptr<Server> server;
  if (GetParam()) server = node_.serve();
  const CommandResult refused = node_.run({"backup", path("b.tar")});
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("import 1 ("), HasSubstr("b.tar was not written"),
                    HasSubstr("--without-missing-uploads"), Not(HasSubstr("truncate-at"))));
  EXPECT_FALSE(fs::exists(path("b.tar")));

  const CommandResult made = node_.run({"backup", path("b.tar"), "--without-missing-uploads"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("left out: 1 missing stored file: import 1 ("));
  const CommandResult restored = restore({"--head", head_of(made.out)});
  EXPECT_EQ(restored.exit_code, 0) << restored.err;
  EXPECT_THAT(restored.out, HasSubstr("1 stored file, of the backup that this came from"));
  EXPECT_EQ(restored_.run({"verify"}).exit_code, 0);
  EXPECT_EQ(restored_.run({"backup", path("again.tar")}).exit_code, 0) << "it is known by now";
}

TEST_F(Backups, GoThroughPipes) {
  const std::string netml = program() + " --data " + node_.data();
  const std::string into = " restore - --into " + restored_.data();
  EXPECT_EQ(std::system(
                (netml + " backup - 2>/dev/null | " + netml + into + " > /dev/null 2>&1").c_str()),
            0);
  EXPECT_EQ(restored_.export_all(), node_.export_all());
}

TEST_F(Backups, NameAMissingFileOrKey) {
  EXPECT_THAT(restore().err, HasSubstr("b.tar"));
  node_.done({"backup", path("b.tar")});
  write_file(path("key"), "short");
  const CommandResult restored = restore({"--key", path("key")});
  EXPECT_EQ(restored.exit_code, 3);
  EXPECT_THAT(restored.err, HasSubstr("is no node.key"));
  EXPECT_FALSE(fs::exists(restored_.data()));
}

}  // namespace
}  // namespace netml::e2e
