// A transaction is undone by a new one, with and without a server
// (docs/requirements/command-line.md, "Undo"; docs/undo.md).
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <set>

#include "tests/e2e/support/dated_series.hpp"
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
  EXPECT_THAT(undone.err, HasSubstr("undid LSN 3 at LSN 4: 2 created, 0 updated, 1 deleted"));
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
  EXPECT_THAT(again.err, HasSubstr("nothing to undo"));
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

// The same node deleted by two imports: either undo brings it back, not both.
TEST(UndoOfTwoDeletions, BringsBackOneNodeAndRefusesAnother) {
  const std::string with =
      topology("P", "i", institution("i"), node("a"), node("n"), link("l", "a", "n"));
  const std::string without = topology("P", "i", institution("i"), node("a"));
  const auto nodes_in = [](const std::string& exported) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = exported.find("<grenml:Node id=\"n\"", at)) != exported.npos;
         ++at)
      ++count;
    return count;
  };
  for (const bool restarted : {false, true}) {
    Node node;
    for (const std::string& map : {with, without, with, without})
      ASSERT_EQ(node.import(map, {"--root"}).exit_code, 0);
    std::unique_ptr<Server> server = restarted ? node.serve() : nullptr;
    EXPECT_EQ(node.run({"undo", "3"}).exit_code, 0);
    if (server) {
      server->kill();
      server = node.serve();
    }
    const std::string once = node.export_all();
    ASSERT_EQ(nodes_in(once), 1U);
    const CommandResult again = node.run({"undo", "5"});
    EXPECT_EQ(again.exit_code, 1) << again.out << again.err;
    EXPECT_THAT(again.out, HasSubstr("left alone: Node n"));
    EXPECT_EQ(node.export_all(), once);
    const CommandResult forced = node.run({"undo", "5", "--force"});
    EXPECT_EQ(forced.exit_code, 0) << forced.err;
    EXPECT_THAT(forced.out, HasSubstr("forced: Node n"));
    EXPECT_EQ(nodes_in(node.export_all()), 1U) << "both have it, and a file holds it once";
    EXPECT_THAT(node.done({"verify"}), HasSubstr("all is well"));
  }
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
  for (const auto& [what, exit_code] : {std::pair{"99", 1},
                                        {"import:9", 1},
                                        {"0", 2},
                                        {"latest", 2},
                                        {"2024-01-01T00:00:00Z", 2},
                                        {"x", 2}}) {
    const CommandResult refused = node_.run({"undo", what});
    EXPECT_EQ(refused.exit_code, exit_code) << what;
    EXPECT_NE(refused.err, "") << what;
  }
}

// ---- a real network ----

class UndoInDatedSeries : public DatedSeries {
 protected:
  // Import 1 is LSN 2. What could not go back, as "Node urn:...", is left in `left_alone`.
  Elements undo(std::size_t import, std::set<std::string>& left_alone) {
    const CommandResult result =
        node_.run({"undo", fmt::format("import:{}", import + 1), "--json"});
    const json::value answer = json::parse(result.out);
    EXPECT_EQ(result.exit_code == 0, answer.at("lsn").as_int64() != 0) << result.err;
    EXPECT_EQ(answer.at("undone").to_number<std::size_t>(), import + 2);
    for (const json::value& conflict : answer.at("conflicts").as_array())
      left_alone.insert(fmt::format("{} {}", conflict.at("kind").as_string().c_str(),
                                    conflict.at("id").as_string().c_str()));
    undo_ = std::to_string(answer.at("lsn").to_number<std::uint64_t>());
    return elements_of(node_.export_all());
  }
  static std::string content(const Elements& elements, const std::string& key) {
    const auto found = elements.find(key);
    return found == elements.end() ? std::string() : found->second;
  }

  std::string undo_;  // LSN of the newest one
};

// Each element that nothing else changed since is as it was before the import; each that the import
// did not change is as it is; what both changed is listed, or their changes are in different
// fields.
TEST_F(UndoInDatedSeries, TakesBackOneImportInTheMiddleAndNothingElse) {
  const std::string newest = exports_.back();
  const Elements now = elements_of(newest);
  std::size_t taken_back = 0;
  std::size_t overwritten = 0;
  for (std::size_t import = 1; import + 1 < exports_.size(); ++import) {
    const Elements before = elements_of(exports_[import - 1]);
    const Elements after = elements_of(exports_[import]);
    if (exports_[import - 1] == exports_[import]) continue;  // a map that says the same
    std::set<std::string> left_alone;
    const Elements found = undo(import, left_alone);
    overwritten += left_alone.size();
    std::set<std::string> keys;
    for (const Elements* elements : {&before, &after, &now, &found})
      for (const auto& [key, unused] : *elements) keys.insert(key);
    for (const std::string& key : keys) {
      const std::string left = content(after, key);
      const bool untouched = content(before, key) == left;
      const bool unchanged_since = content(now, key) == left;
      if (!untouched && (!unchanged_since || left_alone.contains(key))) continue;
      EXPECT_EQ(content(found, key), content(untouched ? now : before, key))
          << key << ", undo of " << dates_[import];
      taken_back += content(found, key) != content(now, key);
    }
    if (undo_ != "0") node_.done({"undo", undo_});  // else all of it was overwritten
    EXPECT_EQ(node_.export_all(), newest) << "undo of the undo of " << dates_[import];
  }
  EXPECT_GT(taken_back, 100U);
  EXPECT_GT(overwritten, 10U);
  EXPECT_THAT(node_.done({"verify"}), HasSubstr("all is well"));
}

TEST_F(UndoInDatedSeries, TakesBackAllImportsFromTheNewestOn) {
  for (std::size_t import = exports_.size() - 1; import > 0; --import) {
    node_.run({"undo", fmt::format("import:{}", import + 1)});
    EXPECT_EQ(node_.export_all(), exports_[import - 1]) << dates_[import];
  }
}

}  // namespace
}  // namespace netml::e2e
