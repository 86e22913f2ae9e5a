// What an operator does on a bad night without a backup: `netml repair` on a damaged directory,
// with the real program (docs/requirements/durability-and-security.md, section 1.5).
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Repairs : public testing::Test {
 protected:
  // Each command is a run with a segment of its own.
  Repairs() {
    node_.done({"init", "--name", "Net", "--owner", "Org"});
    for (const char* value : {"On", "Off", "On", "Off"})
      node_.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", value});
    last_ = std::stoull(node_.done({"verify", "--json"})
                            .substr(node_.done({"verify", "--json"}).find("\"lsn\":") + 6));
    for (const auto& entry : fs::directory_iterator(node_.data() + "/journal"))
      segments_.push_back(entry.path());
    std::sort(segments_.begin(), segments_.end());
    for (const auto& entry : fs::directory_iterator(node_.data() + "/checkpoints"))
      fs::remove(entry.path());  // so that all of the journal is needed
  }
  void damage(const fs::path& segment) {
    std::string content = read_file(segment);
    content[4096 + 60] ^= 1;
    write_file(segment, content);
  }
  CommandResult repair(std::uint64_t keep, std::vector<std::string> options = {}) {
    std::vector<std::string> words{"repair", "--truncate-at", std::to_string(keep)};
    words.insert(words.end(), options.begin(), options.end());
    return node_.run(words);
  }

  Node node_;
  std::vector<fs::path> segments_;
  std::uint64_t last_ = 0;
};

TEST_F(Repairs, SayWhatWouldBeLostThenDoItAndKeepARecord) {
  damage(segments_[segments_.size() - 2]);
  const CommandResult start = node_.run({"setting", "list"});
  EXPECT_EQ(start.exit_code, 5);
  EXPECT_THAT(start.err, HasSubstr("netml repair --truncate-at"));
  const std::uint64_t kept = last_ - 2;

  const CommandResult asked = repair(kept);
  EXPECT_EQ(asked.exit_code, 1);
  const std::string accept =
      "--truncate-at " + std::to_string(kept) + " --i-accept-losing 2-transactions";
  EXPECT_THAT(asked.out, HasSubstr("2 transactions, LSN"));
  EXPECT_THAT(asked.err, AllOf(HasSubstr("nothing was changed"), HasSubstr(accept)));
  EXPECT_FALSE(fs::exists(node_.data() + "/quarantine/repair-1"));
  EXPECT_EQ(repair(kept, {"--i-accept-losing", "1-transaction"}).exit_code, 1);
  EXPECT_EQ(repair(kept, {"--i-accept-losing", "all"}).exit_code, 2);

  const CommandResult done = repair(kept, {"--i-accept-losing", "2-transactions"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("quarantine/repair-1"));
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
  EXPECT_THAT(node_.done({"log", "--cause", "repair"}),
              HasSubstr("cut after LSN " + std::to_string(kept) + ": 2 transactions lost"));
  EXPECT_EQ(node_.done({"setting", "get", "TOPOLOGY_DELETION_PROPAGATION"}), "Off\n");
}

// A list that ends at damage looks like one of a shorter history.
TEST_F(Repairs, AreOfferedWithAListThatEndsAtDamage) {
  damage(segments_[segments_.size() - 2]);
  const CommandResult log = node_.run({"log"});
  EXPECT_EQ(log.exit_code, 5);
  EXPECT_THAT(log.out, HasSubstr("first start"));
  EXPECT_THAT(log.err, HasSubstr("netml repair --truncate-at"));
  EXPECT_THAT(node_.run({"log", "--json"}).out, HasSubstr("\"exit_code\":5"));
}

TEST_F(Repairs, AreRefusedForWhatIsNotGoodAndWhereNothingIsDamaged) {
  const CommandResult whole = repair(2);
  EXPECT_EQ(whole.exit_code, 1);
  EXPECT_THAT(whole.err, HasSubstr("is in order as far as a start can tell"));
  damage(segments_[segments_.size() - 2]);
  const CommandResult beyond = repair(last_);
  EXPECT_EQ(beyond.exit_code, 1);
  EXPECT_THAT(beyond.err, HasSubstr("the last good LSN is " + std::to_string(last_ - 2)));
}

TEST_F(Repairs, NeverTouchADirectoryInUse) {
  const auto server = node_.serve();
  const CommandResult result = repair(2, {"--i-accept-losing", "1-transaction"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("stop it first"), HasSubstr("nothing was changed")));
}

}  // namespace
}  // namespace netml::e2e
