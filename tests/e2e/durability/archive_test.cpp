// Old segments moved to another directory: `netml archive`, and everybody who reads them there,
// with the real program (rules K5 and L3).
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;

class Archives : public testing::TestWithParam<bool> {
 protected:
  // Each command is a run with a segment and a checkpoint of its own.
  Archives() {
    node_.done({"init", "--name", "Net", "--owner", "Org"});
    for (const char* value : {"On", "Off", "On", "Off"})
      node_.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", value});
    if (GetParam()) server_ = node_.serve();
  }
  std::string archive() { return node_.file("archive").string(); }
  std::string into() { return restored_.data(); }

  Node node_;
  Node restored_;
  std::unique_ptr<Server> server_;
};

TEST_P(Archives, AreReadByLogShowReplayVerifyAndBackup_K5) {
  const std::string log = node_.done({"log"});
  EXPECT_THAT(node_.done({"archive", archive()}), HasSubstr("moved "));
  EXPECT_TRUE(fs::exists(archive() + "/00000000000000000001-0000000001.journal.zst"));
  EXPECT_TRUE(fs::exists(archive() + "/00000000000000000001-0000000001.journal.sha256"));
  EXPECT_FALSE(fs::exists(node_.data() + "/journal/00000000000000000001-0000000001.journal"));

  EXPECT_EQ(node_.done({"log"}), log);
  EXPECT_EQ(node_.run({"show", "1"}).exit_code, 0);
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
  EXPECT_EQ(node_.run({"replay", "--until", "2", "--into", into()}).exit_code, 0);
  EXPECT_EQ(restored_.run({"verify"}).exit_code, 0);
  fs::remove_all(into());

  node_.done({"backup", node_.file("b.tar").string()});
  EXPECT_EQ(node_.run({"restore", node_.file("b.tar").string(), "--into", into()}).exit_code, 0);
  EXPECT_EQ(restored_.done({"log"}), log);
  const CommandResult downgrade = node_.run({"downgrade-check"});
  EXPECT_EQ(downgrade.exit_code, 1);
  EXPECT_THAT(downgrade.err, AllOf(HasSubstr("archived"), HasSubstr("has format 4")));
}

TEST_P(Archives, AreMissedByThoseAloneWhoReadThePast) {
  node_.done({"archive", archive()});
  EXPECT_THAT(node_.done({"archive", archive()}), HasSubstr("nothing to move"));
  fs::rename(archive(), archive() + ".away");
  EXPECT_EQ(node_.run({"status"}).exit_code, 0);
  EXPECT_EQ(node_.run({"export"}).exit_code, 0);
  node_.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "On"});
  const CommandResult log = node_.run({"log"});
  EXPECT_EQ(log.exit_code, 1);
  EXPECT_THAT(log.err, AllOf(HasSubstr(archive()), HasSubstr("Mount it there")));
  const auto missed = [&](const CommandResult& verified) {
    EXPECT_EQ(verified.exit_code, 5);
    EXPECT_THAT(verified.err, AllOf(HasSubstr(archive()), HasSubstr("ount it there")));
  };
  missed(node_.run({"verify"}));
  fs::create_directory(archive());  // an empty mount point
  missed(node_.run({"verify"}));
  fs::remove(archive());
  fs::rename(archive() + ".away", archive());
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

TEST_P(Archives, AreRefusedInsideTheDataDirectoryAndWhereTheyCannotBeMade) {
  const CommandResult inside = node_.run({"archive", node_.data() + "/journal/old"});
  EXPECT_EQ(inside.exit_code, 2);
  EXPECT_THAT(inside.err, HasSubstr("lies in the data directory"));
  const CommandResult nowhere = node_.run({"archive", node_.file("a/b/c").string()});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot make"));
  EXPECT_EQ(node_.run({"verify"}).exit_code, 0);
}

TEST_P(Archives, TellTheirSizeByTheFormerNameToo) {
  const json::value moved = json::parse(node_.done({"archive", archive(), "--json"}));
  EXPECT_GT(moved.at("compressed_bytes").to_number<std::uint64_t>(), 0U);
  EXPECT_EQ(moved.at("packed_bytes"), moved.at("compressed_bytes"));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAServer, Archives, testing::Bool());

}  // namespace
}  // namespace netml::e2e
