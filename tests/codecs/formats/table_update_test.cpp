// Tables that set values of elements that are there: what cells mean, what is refused, each with
// its cell, and what becomes of a map, against a model of a few lines.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/import/plan_update.hpp"
#include "tests/codecs/formats/full_map.hpp"
#include "tests/codecs/formats/read_document.hpp"
#include "tests/codecs/workbook_text.hpp"

namespace netml::codecs {
namespace {

using test::full_map;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

UpdateResult read_update(std::string_view format, std::string_view text,
                         std::string_view map = {}) {
  const FileLimits limits;
  test::TextFile file(text);
  return find_format(format)->read_update(file,
                                          {.headings = *HeadingMap::parse(map), .limits = limits});
}

struct Outcome {
  std::vector<std::string> errors;
  engine::State state;
  std::size_t changed = 0;
  std::string log;
};

Outcome outcome_of(const engine::State& state, const UpdateResult& update) {
  const auto texts = [](const engine::InputErrors& errors) {
    std::vector<std::string> all;
    for (const engine::InputError& error : errors.first) all.push_back(error.text());
    return all;
  };
  if (!update) return {.errors = texts(update.error()), .state = {}, .log = {}};
  engine::InputErrors errors;
  const auto plan =
      plan_update(state, state.graph.mains().front(), *update, ReadLimits{}.errors, errors);
  if (!plan) return {.errors = texts(errors), .state = {}, .log = {}};
  return {.errors = {},
          .state = *engine::apply(state, plan->transaction, state.lsn.next()),
          .changed = plan->transaction.records.size(),
          .log = plan->log.text()};
}

// Of a CSV file.
Outcome update(const engine::State& state, std::string_view text, std::string_view map = {}) {
  return outcome_of(state, read_update("csv", text, map));
}

const engine::Attributes& element(const engine::State& state, Kind kind, std::string_view id) {
  return state.graph.attributes(state.graph.find_newest(kind, id));
}

// ---- what cells mean ----

TEST(TableUpdate, SetsKeepsAndDeletesValues) {
  const auto after = update(full_map(),
                            "kind,identifier,name,short name,latitude,tag,tag,new one\n"
                            "node,a,,-,,3,,x\n"
                            "node,b,B,bb,,,,\n"
                            "institution,o,,,,-,,\n");
  ASSERT_THAT(after.errors, IsEmpty());
  EXPECT_EQ(after.changed, 3U);
  const auto& a = element(after.state, Kind::node, "a");
  EXPECT_EQ(a.name(), "Århus \\N");
  EXPECT_EQ(a.fields().short_name, "");
  EXPECT_EQ(a.fields().coordinates->latitude.value, 59'910'000);
  EXPECT_THAT(test::properties(a, "tag"), ElementsAre("3")) << "those that are filled are all";
  EXPECT_EQ(test::property(a, "new one"), "x");
  EXPECT_EQ(element(after.state, Kind::node, "b").name(), "B");
  EXPECT_EQ(element(after.state, Kind::node, "b").fields().short_name, "bb");
  EXPECT_EQ(test::property(element(after.state, Kind::institution, "o"), "tag"), "(none)");
  EXPECT_THAT(after.log, HasSubstr("fields of the file: 12 present, 12 carried, 0 lost"));
}

TEST(TableUpdate, KeepsTheOrderOfPropertiesAndPutsNewOnesLast) {
  const auto after = update(full_map(), "identifier,zz,self,latitude\na,1,2,\n");
  std::string order;
  element(after.state, Kind::node, "a").for_each_property([&](const engine::Property& property) {
    order += fmt::format("{}={} ", property.name, property.value);
  });
  EXPECT_THAT(order, HasSubstr("latitude=a property self=2 a@b []=odd"));
  EXPECT_TRUE(order.ends_with("zz=1 ")) << order;
}

TEST(TableUpdate, TakesAMarkedMinusForAText) {
  const auto after = update(full_map(), "identifier,dash,empty\na,'-,'\n");
  EXPECT_EQ(test::property(element(after.state, Kind::node, "a"), "dash"), "-");
  EXPECT_EQ(test::property(element(after.state, Kind::node, "a"), "empty"), "");
}

TEST(TableUpdate, SetsTimesPlacesOwnersAndEnds) {
  const auto after = update(full_map(),
                            "kind;identifier;latitude;longitude;lifetime end;owner;owner;from;to\n"
                            "node;a;1,5;-2,25;;p;o;;\n"
                            "node;b;-;-;;;;;\n"
                            "node;c;;;2031-01-01T00:00:00Z;;;;\n"
                            "link;l;;;-;o;;b;a\n");
  ASSERT_THAT(after.errors, ElementsAre(HasSubstr("line 4, column 10: Error: end: needs a start")));
  const auto without =
      update(full_map(),
             "kind;identifier;latitude;longitude;lifetime end;owner;owner;from;to\n"
             "node;a;1,5;-2,25;;p;o;;\n"
             "node;b;-;-;;;;;\n"
             "link;l;;;-;o;;b;a\n");
  ASSERT_THAT(without.errors, IsEmpty());
  const engine::Graph& graph = without.state.graph;
  const auto ends = graph.relations(graph.find_newest(Kind::link, "l")).ends();
  EXPECT_EQ(graph.attributes(ends[0]).id(), "b");  // both at once: one after the other is a loop
  EXPECT_EQ(graph.attributes(ends[1]).id(), "a");
}

TEST(TableUpdate, KnowsElementsBelowTheTopologyAndTheTopologyItself) {
  const auto after = update(full_map(),
                            "kind,identifier,name,topology,parent\n"
                            "topology,t,Renamed,,\n"
                            "topology,s,,,t\n"
                            "node,c,C,s,\n");
  ASSERT_THAT(after.errors, IsEmpty());
  EXPECT_EQ(after.changed, 2U);
  EXPECT_EQ(element(after.state, Kind::topology, "t").name(), "Renamed");
  EXPECT_EQ(element(after.state, Kind::node, "c").name(), "C");
}

TEST(TableUpdate, TakesTheMapThatTheNodeWritesAndChangesNothing) {
  const engine::State state = full_map();
  const auto after = update(state, test::written("csv", state));
  EXPECT_THAT(after.errors, IsEmpty());
  EXPECT_EQ(after.changed, 0U);
}

TEST(TableUpdate, PassesOverACopyWhoseMarkStandsInARowBelow) {
  const auto after = update(full_map(),
                            "kind,identifier,name,property,value\n"
                            "node,a,Other,,\n"
                            "more,a,,!-from_topology,urn:elsewhere\n");
  EXPECT_THAT(after.errors, IsEmpty());
  EXPECT_EQ(after.changed, 0U);
}

TEST(TableUpdate, GoesByWhatIsSaidOfHeadings) {
  const auto after = update(full_map(), "Node;City;Vendor\na;Oslo;X\n",
                            "Node=identifier\nCity=property\nVendor=short name");
  ASSERT_THAT(after.errors, IsEmpty());
  const auto& a = element(after.state, Kind::node, "a");
  EXPECT_EQ(a.name(), "Århus \\N");
  EXPECT_EQ(test::property(a, "city"), "Oslo");
  EXPECT_EQ(a.fields().short_name, "X");
}

TEST(TableUpdate, KeepsLongValuesInPieces) {
  const std::string text(engine::kPropertyValueCharactersMax + 3, 'x');
  const auto after = update(full_map(), fmt::format("identifier,note\na,{}\n", text));
  EXPECT_EQ(test::properties(element(after.state, Kind::node, "a"), "note").size(), 2U);
  EXPECT_EQ(test::whole_property(element(after.state, Kind::node, "a"), "note"), text);
}

TEST(TableUpdate, ReadsSheetsByTheirNamesAndLosesThoseWithoutIdentifiers) {
  const auto workbook = test::WorkbookText()
                            .sheet("Nodes", {{"identifier", "tag"}, {"a", "7"}})
                            .sheet("Links", {{"identifier", "bandwidth"}, {"l", "#100"}})
                            .sheet("Notes", {{"name", "remark"}, {"a", "no key"}})
                            .build();
  const auto read = read_update("xlsx", workbook);
  const auto after = outcome_of(full_map(), read);
  ASSERT_THAT(after.errors, IsEmpty());
  EXPECT_EQ(test::property(element(after.state, Kind::node, "a"), "tag"), "7");
  EXPECT_EQ(test::property(element(after.state, Kind::link, "l"), "bandwidth"), "100");
  EXPECT_EQ(read->losses.lost(), 2U);
  EXPECT_EQ(read->losses.kept()[0].text(),
            "sheet Notes, cell A2: other.name: its sheet has no column identifier");
}

// ---- what is refused ----

TEST(TableUpdate, RefusesAllThatIsWrongWithItsCell) {
  const auto refused = update(full_map(),
                              "kind,identifier,latitude,version,owner,short name\n"
                              "node,,1,,,\n"
                              "node,a,north,,,\n"
                              "node,b,,soon,,\n"
                              ",c,,,,\n"
                              "node,c,,,,1\n"
                              "node,c,,,,2\n");
  EXPECT_THAT(
      refused.errors,
      UnorderedElementsAre("line 2, column 1: Error: the row has no identifier (node)",
                           "line 5, column 2: Error: the row does not say what it is (c)",
                           "line 3, column 8: Error: it is no number (north)",
                           "line 7, column 6: Error: a row above has this identifier, too (c)",
                           "line 4, column 9: Error: it is no date and time as "
                           "2024-03-01T12:00:00Z (soon)"));
}

TEST(TableUpdate, RefusesWhatDoesNotFitTheMap) {
  const auto refused = update(full_map(),
                              "kind,identifier,name,latitude,longitude,owner,topology\n"
                              "node,nobody,,,,,\n"
                              "link,a,,,,,\n"
                              "node,a,-,,,,\n"
                              "node,b,,91,1,,\n"
                              "node,c,,,,nobody,\n"
                              "institution,q,,,,,t\n");
  EXPECT_THAT(
      refused.errors,
      ElementsAre(
          HasSubstr(
              "line 2, column 6: Error: no Node of Map & \"more\" has this identifier (nobody)"),
          HasSubstr("line 3, column 6: Error: no Link of"),
          "line 4, column 8: Error: name: must not be empty (a)",
          "line 5, column 9: Error: latitude: -90 to 90 degrees (b)",
          HasSubstr("line 6, column 11: Error: no Institution of"),
          "line 7, column 19: Error: an update moves nothing; the Institution is in s (q)"));
}

TEST(TableUpdate, RefusesTablesThatAreNoUpdate) {
  const auto errors = [](std::string_view text, std::string_view map = {}) {
    return update(full_map(), text, map).errors;
  };
  EXPECT_THAT(errors("name,latitude\na,1\n"),
              ElementsAre(HasSubstr("no row of headings has a column identifier")));
  EXPECT_THAT(errors("identifier,name\na,b\n", "Node=identifier"),
              ElementsAre(HasSubstr("no column is called Node, which is said to be identifier")));
  EXPECT_THAT(errors("identifier,name,label\na,x,y\n"),
              ElementsAre("line 2, column 5: Error: the row has it at line 2, column 3, too (y)"));
  const auto workbook =
      test::WorkbookText().sheet("Institutions", {{"Internal ID", "Name"}, {"o", "O"}}).build();
  EXPECT_THAT(outcome_of(full_map(), read_update("xlsx", workbook)).errors,
              ElementsAre(HasSubstr("is a map and no update")));
}

// ---- against a model ----

// By identifier and heading: all values.
using Model = std::map<std::string, std::map<std::string, std::vector<std::string>>>;
constexpr std::size_t kNodes = 12;
const std::vector<std::string> kHeadings{"short name", "p", "q", "p", "address", "q", "p"};

bool has_one_value(const std::string& heading) {
  return heading == "short name" || heading == "address";
}

std::string random_cell(std::mt19937& random) {
  const std::vector<std::string> cells{"", "", "", "-", "-", "'-", "x", "\"y, z\"", "1", "'=1+1"};
  return cells[random() % cells.size()];
}

std::string value_of(const std::string& cell) {
  if (cell.starts_with("'")) return cell.substr(1);
  return cell.starts_with("\"") ? cell.substr(1, cell.size() - 2) : cell;
}

std::string random_update(std::mt19937& random, Model& model) {
  std::string text = fmt::format("identifier,{}\n", fmt::join(kHeadings, ","));
  for (std::size_t node = 0; node < kNodes; ++node) {
    if (random() % 3 == 0) continue;
    const std::string id = fmt::format("n{}", node);
    text += id;
    std::map<std::string, std::vector<std::string>> filled;
    for (const std::string& heading : kHeadings) {
      const std::string cell = random_cell(random);
      text += "," + cell;
      if (!cell.empty()) filled[heading].push_back(cell);
    }
    text += '\n';
    for (auto& [heading, cells] : filled) {
      auto& values = model[id][heading];
      values.clear();
      for (const std::string& cell : cells)
        if (cell != "-") values.push_back(value_of(cell));
    }
  }
  return text;
}

Model model_of(const engine::State& state) {
  Model model;
  for (std::size_t node = 0; node < kNodes; ++node) {
    const std::string id = fmt::format("n{}", node);
    const engine::Attributes& attributes = element(state, Kind::node, id);
    for (const std::string& heading : kHeadings) {
      auto& values = model[id][heading];
      const auto text =
          heading == "address" ? attributes.fields().address : attributes.fields().short_name;
      if (!has_one_value(heading))
        values = test::properties(attributes, heading);
      else if (!text.empty())
        values = {std::string(text)};
    }
  }
  return model;
}

TEST(TableUpdate, AgreesWithAModelOfRandomUpdates) {
  std::string text = "identifier,name\n";
  for (std::size_t node = 0; node < kNodes; ++node) text += fmt::format("n{0},N{0}\n", node);
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    std::mt19937 random(seed);
    engine::State state = test::imported(test::document_of("csv", text, "net", "owner"));
    Model model = model_of(state);
    for (int round = 0; round < 20; ++round) {
      const std::string file = random_update(random, model);
      const Outcome after = update(state, file);
      ASSERT_THAT(after.errors, IsEmpty()) << file;
      ASSERT_EQ(model_of(after.state), model) << file;
      EXPECT_EQ(update(after.state, file).changed, 0U) << "sent again: " << file;
      state = after.state;
    }
  }
}

}  // namespace
}  // namespace netml::codecs
