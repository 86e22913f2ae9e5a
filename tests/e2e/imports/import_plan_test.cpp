// Imports that are planned, looked at, and applied exactly or not at all
// (docs/requirements/command-line.md, "Imports"; docs/import-plans.md).
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <sstream>

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
using testing::Not;

class ImportPlans : public testing::Test {
 protected:
  void SetUp() override {
    import(topology("P", "i", institution("i"), node("a"), node("b"), link("l", "a", "b")));
    base_ = node_.export_all();
  }
  static std::string next() {
    return topology("P", "i", institution("i"), node("a").named("new"), node("c"));
  }
  void import(const std::string& xml) {
    const CommandResult result = node_.import(xml, {"--root"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  CommandResult plan(const std::string& xml) { return node_.import(xml, {"--root", "--plan"}); }
  std::vector<json::object> show(std::vector<std::string> words) {
    words.insert(words.begin(), {"plan", "show"});
    words.emplace_back("--json");
    std::vector<json::object> documents;
    std::istringstream lines(node_.done(words));
    for (std::string line; std::getline(lines, line);)
      documents.push_back(json::parse(line).as_object());
    return documents;
  }

  Node node_;
  std::string base_;
};

TEST_F(ImportPlans, DoWhatTheImportWouldHaveDone) {
  const CommandResult planned = plan(next());
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("Import complete"));
  EXPECT_THAT(planned.err, HasSubstr("plan 1, nothing was changed: 1 created"));
  EXPECT_EQ(node_.export_all(), base_);
  EXPECT_THAT(node_.done({"plan", "list"}), HasSubstr("import.xml"));
  EXPECT_THAT(node_.done({"plan", "show", "1"}),
              AllOf(HasSubstr("(top level)"), HasSubstr("+ Node c\n"), HasSubstr("- Node b\n"),
                    HasSubstr("- Link l\n"), HasSubstr("~ Node a\n    name: a -> new\n")));

  const CommandResult applied = node_.run({"apply", "1", "--actor", "ann"});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_THAT(applied.err, HasSubstr("import 2 at LSN 4: 1 created"));
  Node other;
  ASSERT_EQ(other.import(base_, {"--root"}).exit_code, 0);
  ASSERT_EQ(other.import(next(), {"--root"}).exit_code, 0);
  EXPECT_EQ(node_.export_all(), other.export_all());
  EXPECT_THAT(node_.done({"show", "4"}),
              AllOf(HasSubstr("ann"), HasSubstr("import"), HasSubstr("import.xml, plan 1, from"),
                    HasSubstr("- plan 1\n")));
  EXPECT_EQ(node_.run({"apply", "1"}).exit_code, 1);  // used up
  EXPECT_THAT(node_.done({"verify"}), HasSubstr("all is well"));
  node_.done({"undo", "import:2"});
  EXPECT_EQ(node_.export_all(), base_);
}

TEST_F(ImportPlans, ArePages) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  const std::vector<json::object> all = show({"1"});
  const std::size_t elements = all.at(0).at("elements").to_number<std::size_t>();
  ASSERT_EQ(all.size(), elements + 1);
  json::object later = all.at(0);  // the first page alone plans anew, to see whether it still fits
  later.erase("stale");
  later.erase("moved_count");
  later.erase("export");
  std::vector<json::object> paged;
  for (std::size_t offset = 0; offset < elements; ++offset) {
    const auto page = show({"1", "--offset", std::to_string(offset), "--limit", "1"});
    ASSERT_EQ(page.size(), 2U);
    EXPECT_EQ(page.at(0), offset == 0 ? all.at(0) : later);
    paged.push_back(page.at(1));
  }
  EXPECT_EQ(paged, std::vector<json::object>(all.begin() + 1, all.end()));
  EXPECT_EQ(show({"1", "--offset", "1000"}).size(), 1U);
  EXPECT_EQ(show({"1", "--limit", "0"}).size(), 1U);
}

TEST_F(ImportPlans, AreAppliedWhenOnlyOtherThingsMoved) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  import(topology("Q", "q", institution("q"), node("x")));
  const std::string shown = node_.done({"plan", "show", "1"});
  EXPECT_THAT(shown, Not(HasSubstr("Node x")));  // what was planned, not what has come since
  auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  EXPECT_EQ(node_.done({"plan", "show", "1"}), shown);
  const CommandResult applied = node_.run({"apply", "1"});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  server->kill();
  EXPECT_THAT(node_.done({"export", "--topology", "P"}), HasSubstr("<grenml:name>new<"));
}

TEST_F(ImportPlans, ChangeNothingWhereSomethingMovedAndNameIt) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  import(topology("P", "i", institution("i"), node("a").named("between"), node("b"),
                  link("l", "a", "b")));
  const std::string moved = node_.export_all();
  const CommandResult refused = node_.run({"apply", "1"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.out, "moved: Node a\n");
  EXPECT_THAT(refused.err, AllOf(HasSubstr("plan 1 cannot be applied"), HasSubstr("since LSN 2"),
                                 HasSubstr("1 element moved"), HasSubstr("Node 'a'"),
                                 HasSubstr("`netml plan again 1`")));
  EXPECT_EQ(node_.export_all(), moved);
  EXPECT_THAT(node_.done({"plan", "list"}), HasSubstr("import.xml"));  // still there
  const CommandResult as_json = node_.run({"apply", "1", "--json"});
  EXPECT_EQ(as_json.exit_code, 1);
  EXPECT_EQ(json::parse(as_json.out).at("moved").at(0).at("id").as_string(), "a");
}

TEST_F(ImportPlans, OfTwoNewPeersAreBothApplied) {
  ASSERT_EQ(plan(topology("Q", "q", institution("q"), node("x"))).exit_code, 0);
  ASSERT_EQ(plan(topology("R", "r", institution("r"), node("y"))).exit_code, 0);
  import(topology("S", "s", institution("s"), node("z")));
  for (const char* number : {"1", "2"}) {
    const CommandResult applied = node_.run({"apply", number});
    EXPECT_EQ(applied.exit_code, 0) << applied.out << applied.err;
  }
  for (const char* id : {"Q", "R", "S"})
    EXPECT_THAT(node_.done({"export", "--topology", id}), HasSubstr("grenml:Topology"));
}

// Where there is no main topology, nobody can choose to go below it.
TEST(ImportPlansOfAnEmptyNode, PutTheSecondPeerBelowTheFirstOncePlannedAgain) {
  Node node;
  for (const char* id : {"Q", "R"}) {
    const std::string owner = std::string(id) + ":i";
    ASSERT_EQ(node.import(topology(id, owner, institution(owner)), {"--plan"}).exit_code, 0);
  }
  ASSERT_EQ(node.run({"apply", "1"}).exit_code, 0);
  EXPECT_EQ(node.run({"apply", "2"}).exit_code, 1) << "it would have become the main topology";
  EXPECT_THAT(node.done({"plan", "again", "2"}), HasSubstr("Topology R"));
  const CommandResult applied = node.run({"apply", "2"});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_THAT(node.export_all(), AllOf(HasSubstr("\"Q\""), HasSubstr("\"R\"")));
}

TEST_F(ImportPlans, ArePlannedAgainWithWhatDiffersAndThenApplied) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  import(topology("P", "i", institution("i"), node("a").named("between"), node("b"),
                  link("l", "a", "b")));
  ASSERT_EQ(node_.run({"apply", "1"}).exit_code, 1);
  const std::string differs =
      "planned: ~ Node a\n    name: a -> new\nnow:     ~ Node a\n    name: between -> new\n";
  EXPECT_THAT(node_.done({"plan", "again", "1", "--dry-run"}), HasSubstr(differs));
  EXPECT_EQ(node_.run({"apply", "1"}).exit_code, 1) << "looking changes nothing";
  EXPECT_THAT(node_.done({"plan", "again", "1", "--actor", "ann"}), HasSubstr(differs));
  EXPECT_THAT(node_.done({"plan", "show", "1"}), HasSubstr("name: between -> new"));
  EXPECT_THAT(node_.done({"plan", "again", "1"}), HasSubstr("nothing would be done otherwise"));
  EXPECT_EQ(node_.run({"apply", "1"}).exit_code, 0);
  EXPECT_THAT(node_.done({"plan", "list", "--json"}), HasSubstr("[]"));
  EXPECT_EQ(node_.run({"plan", "again", "1"}).exit_code, 1);
}

TEST_F(ImportPlans, AreBoundToTheRulesAndSettingsToo) {
  import(topology("R", "i", institution("i"), topology("C", "i", institution("i"), node("c"))));
  ASSERT_EQ(plan(topology("R", "i", institution("i"))).exit_code, 0);
  node_.done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", "Off"});
  const CommandResult refused = node_.run({"apply", "1"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("moved: Topology C\n"));
  node_.done({"setting", "reset", "TOPOLOGY_DELETION_PROPAGATION"});
  EXPECT_EQ(node_.run({"apply", "1"}).exit_code, 0);
}

TEST_F(ImportPlans, AreBoundToTheRulesThatTheyRan) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  write_file(node_.file("rules.json"),
             R"([{"name": "Decisions", "rules": [{"name": "no c",
  "match_criteria": [{"match_type": "Match Nodes by ID",
                      "matchinfo_set": [{"key": "ID", "value": "c"}]}],
  "actions": [{"action_type": "Delete Node", "actioninfo_set": []}]}]}])");
  node_.done({"rules", "import", node_.file("rules.json").string()});
  const CommandResult refused = node_.run({"apply", "1"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("moved: Node c\n"));
  EXPECT_EQ(node_.export_all(), base_);
}

TEST_F(ImportPlans, AreDeleted) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  EXPECT_EQ(node_.done({"plan", "delete", "1"}), "deleted plan 1\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"plan", "delete", "1"}, {"plan", "show", "1"}, {"apply", "1"}}) {
    const CommandResult refused = node_.run(words);
    EXPECT_EQ(refused.exit_code, 1) << words.front();
    EXPECT_THAT(refused.err, HasSubstr("there is no plan 1")) << words.front();
  }
  ASSERT_EQ(plan(next()).exit_code, 0);
  EXPECT_THAT(node_.done({"plan", "list"}), HasSubstr("\n2 "));  // numbers are not given again
}

TEST_F(ImportPlans, AreNotMadeOfWhatIsNoMap) {
  EXPECT_EQ(plan("<no map").exit_code, 3);
  EXPECT_THAT(node_.done({"plan", "list", "--json"}), HasSubstr(R"("items":[])"));
}

TEST_F(ImportPlans, AreMissedByVerificationWhenTheirFileIsGone) {
  ASSERT_EQ(plan(next()).exit_code, 0);
  const std::string hash(json::parse(node_.done({"plan", "list", "--json"}))
                             .at("items")
                             .at(0)
                             .at("file_hash")
                             .as_string());
  for (const char* ending : {"", ".zst"})
    std::filesystem::remove(std::filesystem::path(node_.data()) / "uploads" / (hash + ending));
  const CommandResult verified = node_.run({"verify"});
  EXPECT_EQ(verified.exit_code, 5);
  EXPECT_THAT(verified.out + verified.err, HasSubstr("the file of plan 1 is missing"));
  EXPECT_NE(node_.run({"apply", "1"}).exit_code, 0);
}

}  // namespace
}  // namespace netml::e2e
