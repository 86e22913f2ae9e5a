// Goal: a data directory is opened as asked: made, found, only looked at, or refused with advice.
// Method: nodes on real directories; what is there before and after is compared byte for byte.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "admin/node/data_path.hpp"
#include "engine/edit/plan_edit.hpp"
#include "tests/admin/support/open_node.hpp"
#include "tests/support/file_content.hpp"

namespace netml::admin {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

Files files_below(const fs::path& directory) {
  Files files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory))
    files[entry.path().string()] = entry.is_regular_file() ? test::file_content(entry.path()) : "";
  return files;
}

class Opening : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Node>> open(NodeOptions options) {
    if (options.data_directory.empty()) options.data_directory = data();
    return Node::open(options, clock_, random_, events_);
  }
  std::string data() const { return directory_.file("data").string(); }
  fs::path file(std::string_view name) const { return fs::path(data()) / name; }

  // A node that was stopped without a checkpoint, with a few changes.
  void make_data() {
    const auto node = *open({});
    for (int i = 0; i < 5; ++i) {
      Change change{.caller = {}, .cause = engine::Cause::setting};
      change.plan = [i](const engine::State& state, WallTime) {
        return Result<engine::Transaction>(plan_setting_set(state, "NAME", fmt::format("{}", i)));
      };
      ASSERT_TRUE(node->commit(std::move(change)));
      if (i == 1) {
        ASSERT_TRUE(node->checkpoint());
      }
    }
    before_ = node->version();
    ASSERT_TRUE(node->close(true));
  }
  void damage_journal() {
    const fs::path segment = fs::directory_iterator(file("journal"))->path();
    std::fstream bytes(segment, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(4096 + 60);
    bytes.put('!');
  }

  test::TemporaryDirectory directory_;
  netml::testing::ManualClock clock_;
  netml::testing::SeededRandom random_;
  testing::KeptEvents events_;
  Version before_;
};

// Rule E4.
TEST_F(Opening, ForReadingOnlyWritesNothing) {
  ASSERT_NO_FATAL_FAILURE(make_data());
  const Files files = files_below(data());
  {
    const auto node = open({.read_only = true});
    ASSERT_TRUE(node) << node.error().message;
    EXPECT_EQ((*node)->version().head, before_.head);
    EXPECT_TRUE((*node)->version().state->digest() == before_.state->digest());
    EXPECT_FALSE((*node)->writable());
    EXPECT_TRUE((*node)->last_checkpoint().has_value());
    const auto verified = (*node)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_TRUE(verified->findings.empty()) << verified->findings.front();
  }
  EXPECT_TRUE(files_below(data()) == files);
}

TEST_F(Opening, ForReadingOnlyIsPossibleTwiceButNotBesideAWriter) {
  ASSERT_NO_FATAL_FAILURE(make_data());
  auto first = open({.read_only = true});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(open({.read_only = true}));
  EXPECT_EQ(open({}).error().code, Errc::conflict);
  first->reset();
  const auto writer = open({});
  ASSERT_TRUE(writer) << writer.error().message;
  EXPECT_EQ(open({.read_only = true}).error().code, Errc::conflict);
}

// docs/requirements/durability-and-security.md, section 1.5: the state at the last good LSN,
// and nothing is lost of what is damaged.
TEST_F(Opening, OfDamagedDataIsRefusedUnlessForReadingOnly_P4) {
  ASSERT_NO_FATAL_FAILURE(make_data());
  damage_journal();
  const Files files = files_below(data());
  EXPECT_EQ(open({}).error().code, Errc::corruption);
  const auto node = open({.read_only = true});
  ASSERT_TRUE(node) << node.error().message;
  EXPECT_LT((*node)->version().state->lsn, before_.state->lsn);
  EXPECT_NE((*node)->reason().find("damage at LSN"), std::string::npos) << (*node)->reason();
  ASSERT_EQ(events_.errors.size(), 1U);
  const auto verified = (*node)->verify();
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_FALSE(verified->findings.empty());
  Files after = files_below(data());
  EXPECT_EQ(after.erase(file("LOCK").string()), 1U);
  for (const auto& [name, content] : after) EXPECT_TRUE(files.at(name) == content) << name;
}

TEST_F(Opening, ForReadingOnlyVerifiesWithoutMakingTheCheckpointsThatAreGone_L4) {
  ASSERT_NO_FATAL_FAILURE(make_data());
  for (const auto& entry : fs::directory_iterator(file("checkpoints"))) fs::remove(entry.path());
  const auto node = open({.read_only = true});
  ASSERT_TRUE(node) << node.error().message;
  const auto verified = (*node)->verify();
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(verified->findings.size(), 1U) << "reported once";
  EXPECT_TRUE(fs::is_empty(file("checkpoints")));
}

TEST_F(Opening, ForReadingOnlyNeedsNoKey) {
  ASSERT_NO_FATAL_FAILURE(make_data());
  fs::remove(file("node.key"));
  const auto node = open({.read_only = true});
  ASSERT_TRUE(node) << node.error().message;
  ASSERT_EQ(events_.warnings.size(), 1U);
  EXPECT_FALSE(fs::exists(file("node.key")));
}

TEST_F(Opening, WithADamagedKeyIsRefusedUnlessForReadingOnly) {
  ASSERT_NO_FATAL_FAILURE(make_data());
  ASSERT_TRUE((*open({}))->create_signing_key());
  const std::string key = test::file_content(file("node.key"));
  for (const char* name : {"node.key", "signing.key"}) {
    const std::string whole = test::file_content(file(name));
    std::fstream(file(name), std::ios::in | std::ios::out | std::ios::binary).seekp(9).put('\0');
    Files damaged = files_below(data());
    const auto refused = open({});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::corruption);
    EXPECT_NE(refused.error().message.find(fmt::format("{} is damaged", name)), std::string::npos);
    Files after = files_below(data());
    EXPECT_EQ(damaged.erase(file("LOCK").string()) + after.erase(file("LOCK").string()), 2U);
    EXPECT_TRUE(after == damaged) << "neither replaced nor anything else changed";
    {
      const auto node = open({.read_only = true});
      ASSERT_TRUE(node) << node.error().message;
      const auto found = (*node)->verify();
      ASSERT_TRUE(found) << found.error().message;
      ASSERT_EQ(found->findings.size(), 1U);
      EXPECT_NE(found->findings[0].find(name), std::string::npos) << found->findings[0];
      EXPECT_FALSE(found->journal_damaged);
    }
    std::ofstream(file(name), std::ios::binary) << whole;
    EXPECT_TRUE(open({})) << name;
  }
  EXPECT_EQ(test::file_content(file("node.key")), key);
}

TEST_F(Opening, OfWhatMustExistMakesNothing) {
  for (const NodeOptions& options :
       {NodeOptions{.must_exist = true}, NodeOptions{.read_only = true}}) {
    const auto node = open(options);
    ASSERT_FALSE(node);
    EXPECT_EQ(node.error().code, Errc::not_found);
    EXPECT_NE(node.error().message.find("--data"), std::string::npos) << node.error().message;
    EXPECT_FALSE(fs::exists(data()));
  }
}

TEST_F(Opening, OfAnotherProgramsDirectoryLeavesItAsItIs) {
  fs::create_directory(data());
  std::ofstream(file("letter.txt")) << "mine";
  const Files files = files_below(data());
  const auto node = open({});
  ASSERT_FALSE(node);
  EXPECT_EQ(node.error().code, Errc::invalid_input);
  EXPECT_NE(node.error().message.find("not a netml data directory"), std::string::npos);
  EXPECT_TRUE(files_below(data()) == files);
}

TEST_F(Opening, BelowADirectoryThatIsNotThereSaysSo) {
  const std::string path = directory_.file("missing/data/").string();
  const auto node = open({.data_directory = path});
  ASSERT_FALSE(node);
  const std::string& message = node.error().message;
  EXPECT_NE(message.find(directory_.file("missing").string()), std::string::npos) << message;
  EXPECT_NE(message.find("--data"), std::string::npos) << message;
  EXPECT_EQ(message.find("//"), std::string::npos) << message;
}

TEST_F(Opening, TakesADirectoryThatIsThereAndEmpty) {
  fs::create_directory(data());
  fs::permissions(data(), fs::perms::owner_all);
  EXPECT_TRUE(open({.data_directory = data() + "/"}));
}

// Where a link leads round in a circle nobody can tell what lies in what.
TEST_F(Opening, OfAnArchiveSaysWhatItCannotTell) {
  const fs::path circle = directory_.file("circle");
  fs::create_symlink(circle, circle);
  const std::string sound = directory_.file("archive");
  for (const auto& [archive, data] : {std::pair(sound, (circle / "data").string()),
                                      std::pair((circle / "archive").string(), sound)}) {
    const Status made = make_archive(archive, data);
    ASSERT_FALSE(made) << archive;
    EXPECT_EQ(made.error().code, Errc::io_error);
    EXPECT_NE(made.error().message.find("cannot tell whether"), std::string::npos)
        << made.error().message;
  }
  EXPECT_FALSE(fs::exists(sound));
}

}  // namespace
}  // namespace netml::admin
