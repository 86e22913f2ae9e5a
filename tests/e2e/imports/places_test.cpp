// Places of nodes without coordinates are proposed as a plan, from a small gazetteer, and nothing
// else of the map changes (docs/formats/places.md).
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
using testing::Not;

constexpr std::string_view kCities =
    "netml places 1\tmade 7\t6\n"
    "NO\tNorway\n"
    "SE\tSweden\n"
    "Bergen\tNO\t46\t60.39299\t5.32415\n"
    "Bergen\tNL\t07\t52.66917\t4.70417\n"
    "Oslo\tNO\t12\t59.91273\t10.74609\n"
    "Ålesund\tNO\t15\t62.47225\t6.15492\n";

test::ElementText unplaced(std::string_view name) {
  return test::ElementText(Kind::node, "urn:" + std::string(name)).named(name);
}

// As the exchange format says that a place is unknown.
test::ElementText zero(std::string_view name) {
  return unplaced(name).location("<grenml:long>0.0</grenml:long><grenml:lat>0.0</grenml:lat>");
}

class Places : public testing::Test {
 protected:
  void SetUp() override {
    write_file(node_.file("cities.tsv"), kCities);
    ASSERT_EQ(node_
                  .import(topology("P", "i", institution("i"), unplaced("Oslo"), unplaced("Bergen"),
                                   unplaced("ALBQ"), zero("Paris"), node("urn:placed"),
                                   link("l", "urn:Oslo", "urn:placed"),
                                   topology("C", "j", institution("j"),
                                            unplaced("ALESUND").with("rack", "7"),
                                            node("urn:placed").copy_of("P"),
                                            link("m", "urn:ALESUND", "urn:placed"))),
                          {"--root"})
                  .exit_code,
              0);
    base_ = node_.export_all();
  }

  CommandResult propose(std::vector<std::string> options = {}) {
    std::vector<std::string> words{"places", "propose", "--gazetteer", node_.file("cities.tsv"),
                                   "--topology"};
    if (options.empty()) options.emplace_back("P");
    words.insert(words.end(), options.begin(), options.end());
    return node_.run(words);
  }
  // Elements that differ from what was imported, in whatever field.
  std::string differences() {
    const std::string lines = node_.done({"diff", "import:1", "latest", "--json"});
    const json::value heading = json::parse(lines.substr(0, lines.find('\n')));
    return json::serialize(
        json::array{heading.at("created"), heading.at("updated"), heading.at("deleted")});
  }

  Node node_;
  std::string base_;
};

TEST_F(Places, AreProposedShownAppliedAndUndone) {
  const CommandResult proposed = propose();
  ASSERT_EQ(proposed.exit_code, 0) << proposed.err;
  EXPECT_EQ(proposed.out,
            "one city: 2\n"
            "  ALESUND (urn:ALESUND): Ålesund, NO, 15 at 62.472250 6.154920, by its name\n"
            "  Oslo (urn:Oslo): Oslo, NO, 12 at 59.912730 10.746090, by its name\n"
            "several cities: 1\n"
            "  Bergen (urn:Bergen): NL 1, NO 1, by its name\n"
            "no city: 2\n"
            "  ALBQ (urn:ALBQ)\n"
            "  Paris (urn:Paris)\n");
  EXPECT_THAT(proposed.err,
              AllOf(HasSubstr("5 nodes without coordinates, looked up in made 7"),
                    HasSubstr("plan 1, nothing was changed: 0 created, 2 updated, 0 deleted")));
  EXPECT_EQ(node_.export_all(), base_);
  EXPECT_EQ(differences(), "[0,0,0]");
  EXPECT_THAT(node_.done({"plan", "list"}), HasSubstr("places.csv"));
  EXPECT_THAT(node_.done({"plan", "show", "1"}),
              AllOf(HasSubstr("~ Node urn:Oslo\n"), HasSubstr("59.91273"),
                    HasSubstr("made 7: Oslo, NO"), HasSubstr("~ Node urn:ALESUND\n"),
                    Not(HasSubstr("Topology")), Not(HasSubstr("urn:placed"))));

  node_.done({"apply", "1"});
  const std::string placed = node_.export_all();
  EXPECT_THAT(placed, AllOf(HasSubstr("59.91273"), HasSubstr("made 7: Ålesund, NO"),
                            HasSubstr("rack"), HasSubstr("\"l\"")));
  EXPECT_EQ(differences(), "[0,2,0]");
  EXPECT_THAT(node_.done({"verify"}), HasSubstr("all is well"));
  // What has a place now is not asked about again.
  EXPECT_THAT(propose({"P", "--country", "SE"}).err,
              HasSubstr("3 nodes without coordinates, looked up in made 7\nno plan was made"));

  node_.done({"undo", "import:2"});
  EXPECT_EQ(node_.export_all(), base_);
  EXPECT_EQ(differences(), "[0,0,0]");
}

TEST_F(Places, AreChosenByCountry) {
  const json::value answer = json::parse(propose({"P", "--country", "no", "--json"}).out);
  EXPECT_EQ(answer.at("found_count"), 3);
  EXPECT_EQ(answer.at("plan"), 1);
  EXPECT_EQ(answer.at("found").at(1).at("city"), "Bergen");
  EXPECT_EQ(answer.at("found").at(1).at("country"), "NO");
}

TEST_F(Places, OfATopologyBelowLeaveTheOthersAlone) {
  const CommandResult proposed = propose({"C"});
  ASSERT_EQ(proposed.exit_code, 0) << proposed.err;
  EXPECT_THAT(proposed.err, HasSubstr("0 created, 1 updated, 0 deleted"));
  node_.done({"apply", "1"});
  EXPECT_THAT(node_.export_all(),
              AllOf(HasSubstr("made 7: Ålesund, NO"), Not(HasSubstr("made 7: Oslo, NO"))));
}

TEST_F(Places, AreProposedByARunningServerToo) {
  const auto server = node_.serve();
  ASSERT_NE(server->port(), 0);
  const CommandResult proposed = propose();
  EXPECT_EQ(proposed.exit_code, 0) << proposed.err;
  EXPECT_THAT(proposed.err, HasSubstr("plan 1, nothing was changed"));
}

TEST_F(Places, AreNotProposedFromWrongFilesOrForWrongTopologies) {
  const auto refused = [&](std::vector<std::string> options, int exit_code) {
    const CommandResult result = propose(std::move(options));
    EXPECT_EQ(result.exit_code, exit_code);
    return result.err;
  };
  EXPECT_THAT(refused({"urn:none"}, 1), HasSubstr("no topology has the id \"urn:none\""));
  EXPECT_THAT(refused({"P", "--country", "NOR"}, 2), HasSubstr("code of two letters"));
  EXPECT_THAT(refused({"P", "--country", "XX"}, 2), HasSubstr("the gazetteer has no country XX"));
  write_file(node_.file("cities.tsv"), kCities.substr(0, kCities.size() - 9));
  EXPECT_THAT(refused({"P"}, 3), HasSubstr("the file is cut off: 5 of 6 lines are there"));
  write_file(node_.file("cities.tsv"), "netml places 1\tmade\t2\nNO\tNorway\nOslo\n");
  EXPECT_THAT(refused({"P"}, 3), HasSubstr("cities.tsv:3: Error: this line is no city"));
  write_file(node_.file("cities.tsv"), base_);
  EXPECT_THAT(refused({"P"}, 3), HasSubstr("this is no gazetteer"));
  EXPECT_EQ(node_.run({"plan", "show", "1"}).exit_code, 1);
  EXPECT_EQ(differences(), "[0,0,0]");
}

}  // namespace
}  // namespace netml::e2e
