// A transaction is taken back by a new one, with and without a server (cli.md, `undo`;
// docs/undo.md).
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace json = boost::json;
using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::AllOf;
using testing::HasSubstr;

// LSN 1 holds the default rules, 2 to 4 the imports 1 to 3.
class UndoOfImports : public testing::Test {
 protected:
  void SetUp() override {
    import(topology("P", "i", institution("i"), node("a"), node("b"), link("l", "a", "b")));
    import(topology("P", "i", institution("i"), node("a"), node("c")));
  }
  void import(const std::string& xml) {
    const CommandResult result = node_.import(xml, {"--root"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    exports_.push_back(node_.export_all());
  }
  Node node_;
  std::vector<std::string> exports_;
};

TEST_F(UndoOfImports, BringsBackWhatWasDeletedAndRemovesWhatCame) {
  const CommandResult undone = node_.run({"undo", "import:2", "--actor", "ann"});
  ASSERT_EQ(undone.exit_code, 0) << undone.err;
  EXPECT_EQ(undone.out, "");
  EXPECT_THAT(undone.err, HasSubstr("took back LSN 3 at LSN 4: 2 created, 0 updated, 1 deleted"));
  EXPECT_EQ(node_.export_all(), exports_[0]);
  EXPECT_THAT(node_.done({"show", "4"}), AllOf(HasSubstr("undo"), HasSubstr("LSN 3"),
                                               HasSubstr("ann"), HasSubstr("+ Node b")));
  node_.done({"undo", "4"});
  EXPECT_EQ(node_.export_all(), exports_[1]);
  EXPECT_THAT(node_.done({"verify"}), HasSubstr("all is well"));
}

TEST_F(UndoOfImports, IsTheSameBehindAServerAndAfterARestart) {
  auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  node_.done({"checkpoint"});
  node_.done({"undo", "3"});
  EXPECT_EQ(node_.export_all(), exports_[0]);
  server->kill();
  EXPECT_EQ(node_.export_all(), exports_[0]);
  EXPECT_THAT(node_.done({"verify"}), HasSubstr("all is well"));
}

TEST_F(UndoOfImports, ChangesNothingInADryRun) {
  const CommandResult tried = node_.run({"undo", "3", "--dry-run"});
  EXPECT_EQ(tried.exit_code, 0);
  EXPECT_THAT(tried.err, HasSubstr("nothing was changed: 2 created, 0 updated, 1 deleted"));
  EXPECT_EQ(node_.export_all(), exports_[1]);
}

TEST_F(UndoOfImports, TellsWhenAllIsAsBefore) {
  node_.done({"undo", "3"});
  const CommandResult again = node_.run({"undo", "3"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("nothing to take back"));
}

TEST_F(UndoOfImports, ListsWhatWasOverwrittenSinceAndLeavesItUnlessForced) {
  const auto renamed = [](const std::string& name) {
    return topology("P", "i", institution("i"), node("a").named(name), node("c"));
  };
  import(renamed("second"));
  import(renamed("third"));
  const CommandResult blocked = node_.run({"undo", "import:3"});
  EXPECT_EQ(blocked.exit_code, 1);
  EXPECT_THAT(blocked.out, AllOf(HasSubstr("left alone: Node a, name"), HasSubstr("is third")));
  EXPECT_EQ(node_.export_all(), exports_[3]);
  const CommandResult as_json = node_.run({"undo", "import:3", "--json"});
  EXPECT_EQ(as_json.exit_code, 1);
  const json::value answer = json::parse(as_json.out);
  EXPECT_EQ(answer.at("conflicts").at(0).at("now").as_string(), "third");
  const CommandResult forced = node_.run({"undo", "import:3", "--force"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("forced: Node a, name"));
  EXPECT_EQ(node_.export_all(), exports_[1]);
}

TEST_F(UndoOfImports, TakesBackTheRestWhereSomeWasOverwritten) {
  const auto renamed = [](const std::string& a, const std::string& c) {
    return topology("P", "i", institution("i"), node("a").named(a), node("c").named(c));
  };
  import(renamed("second", "second"));
  import(renamed("third", "second"));
  const CommandResult undone = node_.run({"undo", "import:3"});
  EXPECT_EQ(undone.exit_code, 0);
  EXPECT_THAT(undone.out, HasSubstr("left alone: Node a, name"));
  EXPECT_THAT(undone.err, HasSubstr("0 created, 1 updated, 0 deleted"));
}

TEST_F(UndoOfImports, TakesBackSettingsToo) {
  node_.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "Off"});
  node_.done({"undo", "4"});
  EXPECT_EQ(node_.done({"setting", "get", "TOPOLOGY_DELETION_PROPAGATION"}), "On\n");
}

TEST_F(UndoOfImports, RefusesWhatIsNoTransaction) {
  for (const char* what : {"99", "0", "import:9", "latest", "2024-01-01T00:00:00Z", "x"}) {
    const CommandResult refused = node_.run({"undo", what});
    EXPECT_EQ(refused.exit_code, 1) << what;
    EXPECT_NE(refused.err, "") << what;
  }
}

}  // namespace
}  // namespace netml::e2e
