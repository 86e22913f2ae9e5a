// The journal answers questions: log, show, diff, history, export --at, replay --into, with and
// without a server, and on data that are damaged (docs/audit.md).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <set>
#include <sstream>

#include "tests/e2e/support/dated_series.hpp"
#include "tests/e2e/support/node.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::e2e {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using test::institution;
using test::link;
using test::node;
using test::topology;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Words = std::vector<std::string>;

std::vector<json::object> documents(const std::string& lines) {
  std::vector<json::object> all;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) all.push_back(json::parse(line).as_object());
  return all;
}

std::string text_at(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

// ---- a small history of our own ----

// A link appears, moves from b to c, and vanishes.
class SmallHistory : public testing::Test {
 protected:
  void SetUp() override {
    import("1", topology("P", "i", institution("i"), node("a"), node("b"), node("c")));
    import("2", topology("P", "i", institution("i"), node("a"), node("b"), node("c"),
                         link("l", "a", "b")));
    import("3", topology("P", "i", institution("i"), node("a"), node("b"), node("c"),
                         link("l", "a", "c")));
    import("4", topology("P", "i", institution("i"), node("a"), node("b"), node("c")));
    node_.done({"token", "create", "peer", "--kind", "polling"});
  }
  void import(const std::string& day, const std::string& xml) {
    const CommandResult result = node_.import(
        xml, {"--root", "--actor", "ann", "--date", fmt::format("2024-03-0{}T12:00:00Z", day)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    exports_.push_back(node_.export_all());
  }
  Node node_;
  std::vector<std::string> exports_;
};

TEST_F(SmallHistory, IsTheSameWithAndWithoutAServer) {
  node_.done({"publish", "spring"});
  std::vector<Words> commands = {
      {"log"},
      {"log", "--json"},
      {"log", "--limit", "2", "--actor", "ann"},
      {"log", "--since", "2024-03-02T00:00:00Z", "--until", "import:3"},
      {"log", "--cause", "token"},
      {"log", "--element", "l"},
      {"log", "--topology", "P", "--json"},
      {"show", "latest"},
      {"show", "import:2", "--json"},
      {"diff", "import:1", "import:3"},
      {"diff", "0", "latest", "--topology", "P", "--json"},
      {"history", "l"},
      {"history", "l", "--json"},
      {"export", "--at", "import:2"},
      {"export", "--at", "import:2", "--topology", "P"},
      {"diff", "1", "latest", "--topology", "#1"},
      {"history", "#1"},
      {"log", "--element", "#1"},
  };
  for (const char* when : {"3", "2024-03-02T12:00:00Z", "import:2", "spring", "latest"})
    for (const char* as : {"--json", ""})
      for (const Words& words : std::vector<Words>{{"log", "--since", when},
                                                   {"log", "--until", when},
                                                   {"show", when},
                                                   {"diff", "2", when},
                                                   {"diff", when, "2"}}) {
        commands.push_back(words);
        if (*as != 0) commands.back().emplace_back(as);
      }
  std::vector<std::string> without;
  for (const Words& words : commands) without.push_back(node_.done(words));
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  for (std::size_t i = 0; i < commands.size(); ++i)
    EXPECT_EQ(node_.done(commands[i]), without[i])
        << fmt::format("{}", fmt::join(commands[i], " "));
  EXPECT_EQ(server->stop(), 0);
}

TEST_F(SmallHistory, LogNamesWhoDidWhatAndHowMuch) {
  const std::vector<json::object> log = documents(node_.done({"log", "--json"}));
  ASSERT_EQ(log.size(), 6U);  // the default rules, four imports, a token
  EXPECT_EQ(text_at(log[0], "cause"), "token");
  EXPECT_EQ(text_at(log[1], "cause"), "import");
  EXPECT_EQ(text_at(log[1], "actor"), "ann");
  EXPECT_THAT(text_at(log[1], "source"), HasSubstr(".xml from "));
  EXPECT_EQ(text_at(log[1], "effective_time"), "2024-03-04T12:00:00+00:00");
  EXPECT_EQ(log[1].at("deleted").to_number<int>(), 1);
  EXPECT_EQ(log[4].at("created").to_number<int>(), 6);  // and the global institution
  const std::string text = node_.done({"log", "--limit", "2"});
  EXPECT_THAT(text, AllOf(HasSubstr("LSN"), HasSubstr("+0 ~0 -1"),
                          HasSubstr("took effect 2024-03-04T12:00:00Z")));
}

// Decision 19: a time means the state as of that effective time.
TEST_F(SmallHistory, FindsPointsInTimeInEveryForm) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(node_.done({"export", "--at", fmt::format("import:{}", i + 1)}), exports_[i]);
    EXPECT_EQ(node_.done({"export", "--at", fmt::format("2024-03-0{}T23:00:00Z", i + 1)}),
              exports_[i]);
    EXPECT_EQ(node_.done({"export", "--at", fmt::format("2024-03-0{}T12:00:00Z", i + 1)}),
              exports_[i]);
  }
  node_.done({"publish", "spring"});
  node_.import(topology("P", "i", institution("i"), node("z")), {"--root"});
  EXPECT_EQ(node_.done({"export", "--at", "spring"}), exports_.back());
  EXPECT_EQ(node_.done({"export", "--at", "published:spring"}), exports_.back());
  for (const auto& [nowhere, exit_code] :
       {std::pair{"999", 1}, {"import:99", 1}, {"summer", 1}, {"import:x", 2}}) {
    const CommandResult result = node_.run({"export", "--at", nowhere});
    EXPECT_EQ(result.exit_code, exit_code) << nowhere;
    EXPECT_THAT(result.err, Not(IsEmpty()));
  }
}

TEST_F(SmallHistory, TellsTheLifeOfALink) {
  const std::vector<json::object> life = documents(node_.done({"history", "l", "--json"}));
  ASSERT_EQ(life.size(), 3U);
  EXPECT_EQ(text_at(life[0], "action"), "created");
  EXPECT_EQ(text_at(life[1], "action"), "updated");
  EXPECT_EQ(life[1].at("fields"),
            json::parse(R"([{"field": "ends", "before": ["a", "b"], "after": ["a", "c"]}])"));
  EXPECT_EQ(text_at(life[2], "action"), "deleted");
  EXPECT_THAT(node_.done({"history", "l"}), HasSubstr("ends: a, b -> a, c"));
  EXPECT_EQ(node_.run({"history", "nobody"}).exit_code, 1);
  EXPECT_THAT(node_.run({"history", "#999"}).err, HasSubstr("ask by the id"));
}

TEST_F(SmallHistory, DiffersWithinATopologyThatIsThere) {
  const std::string all = node_.done({"diff", "import:1", "import:2", "--json"});
  EXPECT_THAT(all, HasSubstr(R"("id":"l")"));
  EXPECT_EQ(node_.done({"diff", "import:1", "import:2", "--json", "--topology", "P"}), all);
  const CommandResult nowhere = node_.run({"diff", "import:1", "import:2", "--topology", "Q"});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("no topology has the id or number 'Q'"));
  EXPECT_THAT(node_.done({"diff", "import:2", "import:2"}), HasSubstr("nothing differs"));
}

TEST_F(SmallHistory, ShowsATransactionInFullButNoSecrets_C5) {
  const std::string moved = node_.done({"show", "import:3"});
  EXPECT_THAT(moved, AllOf(HasSubstr("~ Link l"), HasSubstr("ends: a, b -> a, c"),
                           HasSubstr("+ import record 3")));
  const std::string token = node_.done({"show", "latest", "--json"});
  EXPECT_THAT(token, AllOf(HasSubstr(R"("entry":"token")"), HasSubstr(R"("secret":true)")));
}

// A damaged journal is read as far as it goes; then the damage is reported, with exit code 5.
TEST_F(SmallHistory, IsReadFromDamagedDataAsFarAsItGoes) {
  for (const auto& segment : fs::directory_iterator(node_.data() + "/journal")) {
    std::string bytes = read_file(segment.path());
    const std::size_t newest = bytes.rfind("peer");
    if (newest == std::string::npos) continue;
    bytes[newest] = 'q';
    write_file(segment.path(), bytes);
  }
  for (const auto& entry : fs::directory_iterator(node_.data() + "/checkpoints"))
    fs::remove(entry.path());
  const CommandResult log = node_.run({"log", "--json"});
  EXPECT_EQ(log.exit_code, 5) << log.err;
  const std::vector<json::object> reported = documents(log.out);
  ASSERT_EQ(reported.size(), 6U);
  EXPECT_EQ(reported[4].at("lsn"), 1);
  EXPECT_EQ(reported[5].at("exit_code"), 5);
  EXPECT_THAT(log.err, HasSubstr("damage"));
  EXPECT_EQ(node_.done({"export", "--at", "import:2"}), exports_[1]);
}

TEST_F(SmallHistory, BecomesADataDirectoryOfItsOwn) {
  node_.done({"publish", "spring"});
  node_.import(topology("P", "i", institution("i"), node("z")), {"--root"});
  Node copy;
  const std::vector<json::object> log = documents(node_.done({"log", "--json"}));
  for (const json::object& entry : log) {
    const std::string lsn = fmt::to_string(entry.at("lsn").to_number<int>());
    const fs::path into = node_.file("copy-" + lsn);
    const std::string answer = node_.done({"replay", "--until", lsn, "--into", into.string()});
    EXPECT_THAT(answer, HasSubstr(text_at(entry, "head")));
    fs::remove_all(copy.data());
    fs::rename(into, copy.data());
    const std::string verified = copy.done({"verify"});
    EXPECT_THAT(verified, AllOf(HasSubstr("all is well"), HasSubstr(text_at(entry, "head"))));
    if (lsn != "1") {
      EXPECT_EQ(copy.export_all(), node_.done({"export", "--at", lsn}));
    }
    EXPECT_THAT(copy.done({"setting", "list"}), Not(IsEmpty()));  // opens to write, and goes on
  }
  EXPECT_EQ(node_.run({"replay", "--until", "2", "--into", copy.data()}).exit_code, 1);
}

// A copy with the published item serves it, and goes on.
TEST_F(SmallHistory, ServesWhatACopyPublished) {
  node_.done({"publish", "spring"});
  const std::string published = node_.done({"export", "--published"});
  Node copy;
  node_.done({"replay", "--until", "latest", "--into", copy.data()});
  EXPECT_EQ(copy.done({"export", "--published"}), published);
  const auto server = copy.serve();
  ASSERT_NE(server->port(), 0);
  EXPECT_EQ(copy.import(topology("Q", "q", institution("q"))).exit_code, 0);
  EXPECT_EQ(server->stop(), 0);
  EXPECT_THAT(copy.done({"verify"}), HasSubstr("all is well"));
}

TEST_F(SmallHistory, IsFollowedOnAServerOnly) {
  const CommandResult refused = node_.run({"log", "--follow"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("no server runs"));

  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  Process follower(program(), {"log", "--follow", "--limit", "1", "--json", "--data", node_.data()},
                   "", node_.file("follow.err").string());
  const auto newest = follower.read_line();
  ASSERT_TRUE(newest);
  EXPECT_THAT(*newest, HasSubstr(R"("cause":"token")"));
  node_.done({"publish", "spring"});
  const auto next = follower.read_line();
  ASSERT_TRUE(next);
  EXPECT_THAT(*next, HasSubstr(R"("cause":"publish")"));
  EXPECT_EQ(server->stop(), 0);
  EXPECT_EQ(follower.wait(), 1);
  EXPECT_THAT(read_file(node_.file("follow.err")), HasSubstr("is the server running?"));
}

// `netml log | head`: the shell writes until the reader has gone, so that netml finds it so.
TEST_F(SmallHistory, EndsQuietlyWhenNobodyReadsOn) {
  const std::string script =
      "trap '' PIPE; { while echo; do :; done; exec \"$0\" log --data \"$1\" 2>\"$2\"; } "
      "2>/dev/null | true";
  const std::string messages = node_.file("messages").string();
  Process shell("/bin/sh", {"-c", script, program(), node_.data(), messages}, "/dev/null",
                "/dev/null");
  EXPECT_EQ(shell.wait(), 0);  // of `true`
  EXPECT_EQ(read_file(messages), "");
}

// ---- a real one ----

class AuditOfDatedSeries : public DatedSeries {
 protected:
  static std::set<std::string> expected(const Elements& before, const Elements& after) {
    std::set<std::string> lines;
    for (const auto& [key, content] : before) {
      const auto found = after.find(key);
      if (found == after.end())
        lines.insert("deleted " + key);
      else if (found->second != content)
        lines.insert("updated " + key);
    }
    for (const auto& [key, content] : after)
      if (!before.contains(key)) lines.insert("created " + key);
    return lines;
  }
  std::set<std::string> shown(const std::string& from, const std::string& to) {
    std::set<std::string> lines;
    for (const json::object& element : documents(node_.done({"diff", from, to, "--json"})))
      if (const std::string kind = text_at(element, "kind"); !kind.empty() && kind != "Topology")
        lines.insert(
            fmt::format("{} {} {}", text_at(element, "action"), kind, text_at(element, "id")));
    return lines;
  }
};

TEST_F(AuditOfDatedSeries, DiffersBetweenAnyTwoDatesAsTheFilesDo) {
  std::vector<Elements> elements;
  for (const std::string& file : files_) elements.push_back(elements_of(file));
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  std::size_t changes = 0;
  for (std::size_t a = 0; a < dates_.size(); ++a)
    for (std::size_t b = 0; b < dates_.size(); ++b) {
      const std::set<std::string> lines = expected(elements[a], elements[b]);
      changes += lines.size();
      EXPECT_EQ(shown(dates_[a], dates_[b]), lines) << dates_[a] << " to " << dates_[b];
    }
  EXPECT_GT(changes, 100U);
}

// Of each link that appeared and disappeared: the dates at which the files say so, and at which its
// element reads otherwise.
TEST_F(AuditOfDatedSeries, TellsTheLivesOfItsLinks) {
  std::map<std::string, std::vector<std::string>> lives;
  Elements before;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Elements after = elements_of(files_[i]);
    for (const std::string& line : expected(before, after)) {
      std::istringstream words(line);
      std::string action;
      std::string kind;
      std::string id;
      words >> action >> kind >> id;
      if (kind == "Link") lives[id].push_back(dates_[i].substr(0, 10) + ' ' + action);
    }
    before = after;
  }
  std::erase_if(lives, [](const auto& life) { return life.second.size() < 3; });
  ASSERT_GT(lives.size(), 5U);
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  for (const auto& [id, life] : lives) {
    std::vector<std::string> reported;
    for (const json::object& change : documents(node_.done({"history", id, "--json"})))
      reported.push_back(text_at(change, "effective_time").substr(0, 10) + ' ' +
                         text_at(change, "action"));
    EXPECT_EQ(reported, life) << id;
  }
}

TEST_F(AuditOfDatedSeries, IsExportedAsItWasAtEachDate) {
  for (std::size_t i = 0; i < dates_.size(); ++i)
    EXPECT_EQ(node_.done({"export", "--at", dates_[i]}), exports_[i]) << dates_[i];
}

}  // namespace
}  // namespace netml::e2e
