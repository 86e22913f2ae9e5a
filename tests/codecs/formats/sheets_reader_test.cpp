// Workbooks of others: which sheets are read, where their headings are, what is lost, found and
// refused, each with sheet and cell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/read_document.hpp"
#include "tests/codecs/workbook_text.hpp"

namespace netml::codecs {
namespace {

using test::notes_of;
using test::property;
using test::Row;
using test::WorkbookText;
using testing::HasSubstr;

const std::vector<Row> kNodes{{"A network"},
                              {"", "", "", "a remark on one column"},
                              {"City", "Latitude", "Longitude", "Type"},
                              {"Oslo", "#59.91", "#10.75", "ROADM"},
                              {"Bergen", "", "", "ILA"}};
const std::vector<Row> kLinks{{"", "", "east cable (from a to z)", "", "west (from z to a)"},
                              {"Node A", "Node Z", "Distance (km)", "PMD", "Distance (km)", "PMD"},
                              {"Oslo", "Bergen", "#300.5", "", "#301"}};

ReadResult read_file(const WorkbookText& workbook) {
  return test::read_text("xlsx", workbook.build(), "net");
}
engine::Document document_of(const WorkbookText& workbook) {
  ReadResult result = read_file(workbook);
  EXPECT_TRUE(result.has_value()) << result.error().first.at(0).text();
  return result ? *std::move(result) : engine::Document();
}
std::string refusal_of(const WorkbookText& workbook) {
  const ReadResult result = read_file(workbook);
  EXPECT_FALSE(result.has_value());
  return result ? std::string() : result.error().first.at(0).text();
}
TEST(SheetsReader, FindsHeadingsAndTellsGroupsOfColumnsApart) {
  const auto document = document_of(WorkbookText().sheet("Nodes", kNodes).sheet("Links", kLinks));
  const auto& topology = document.topologies.front();
  ASSERT_EQ(document.nodes(topology).size(), 2U);
  const auto& oslo = *document.nodes(topology)[0].attributes;
  EXPECT_EQ(oslo.name(), "Oslo");
  EXPECT_EQ(oslo.fields().coordinates->latitude.value, 59'910'000);
  EXPECT_EQ(property(oslo, "type"), "ROADM") << "a remark above it is no group";
  const auto& link = *document.links(topology)[0].attributes;
  EXPECT_EQ(property(link, "east distance (km)"), "300.5");
  EXPECT_EQ(property(link, "west distance (km)"), "301");
  EXPECT_EQ(document.losses.present(), 10U);
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(SheetsReader, ListsWhatOtherSheetsHoldAsLost) {
  auto workbook = WorkbookText().sheet("Nodes", kNodes).sheet("Links", kLinks);
  workbook.sheet(
      "Eqpt",
      {{"Node A", "Node Z", "amp type"}, {"Bergen", "Oslo", "low"}, {"Oslo", "nowhere", "high"}});
  workbook.sheet("Service", {{"", "", "optional"},
                             {"route id", "Source", "Destination", "path"},
                             {"r1", "Oslo", "nowhere"}});
  const auto document = document_of(workbook);
  EXPECT_EQ(document.links(document.topologies.front()).size(), 1U);
  EXPECT_EQ(document.losses.lost(), 9U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "sheet Eqpt, cell A2: other.Node A: its sheet holds neither nodes nor links");
  EXPECT_EQ(notes_of(document), "sheet Eqpt, cell A3: there is no link between Oslo and nowhere\n");
}

TEST(SheetsReader, NotesNodesThatNoLinkUsesAndLinksThatComeAgain) {
  auto nodes = kNodes;
  nodes.push_back({"Alone", "", "", ""});
  auto links = kLinks;
  links.push_back({"Bergen", "Oslo", "#300.5"});
  const auto document = document_of(WorkbookText().sheet("Nodes", nodes).sheet("Links", links));
  EXPECT_EQ(document.links(document.topologies.front()).size(), 2U);
  EXPECT_THAT(notes_of(document), HasSubstr("sheet Nodes, cell A6: no link uses node Alone"));
  EXPECT_THAT(notes_of(document),
              HasSubstr("sheet Links, cell A4: the link between Bergen and Oslo "
                        "is at sheet Links, cell A3 already"));
}

TEST(SheetsReader, RefusesWithSheetAndCell) {
  auto nodes = kNodes;
  nodes.push_back({"Oslo"});
  EXPECT_EQ(refusal_of(WorkbookText().sheet("Nodes", nodes).sheet("Links", kLinks)),
            "sheet Nodes, cell A6: Error: Oslo is a node already, at sheet Nodes, cell A4 (Oslo)");
  auto links = kLinks;
  links.push_back({"Oslo", "nowhere"});
  EXPECT_EQ(refusal_of(WorkbookText().sheet("Nodes", kNodes).sheet("Links", links)),
            "sheet Links, cell B4: Error: nowhere is no node of the file (nowhere)");
}

TEST(SheetsReader, LosesCellsWithoutAValue) {
  auto nodes = kNodes;
  nodes[4] = {"Bergen", "<v>#REF!</v>|t=\"e\"", test::formula(""), "ILA"};
  const auto document = document_of(WorkbookText().sheet("Nodes", nodes).sheet("Links", kLinks));
  EXPECT_EQ(document.losses.lost(), 2U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "sheet Nodes, cell B5: node.Latitude: the cell holds the error #REF!");
}

TEST(SheetsReader, ReadsAnySheetsThatHaveColumnsOfNodesAndLinks) {
  const auto document = document_of(
      WorkbookText()
          .sheet("Sheet1", {{"name", "lat", "lon"}, {"A", "#1.5", "#2.5"}, {"B", "#3.5", "#4.5"}})
          .sheet("Sheet2", {{"from", "to"}, {"A", "B"}})
          .sheet("People", {{"Name", "Room"}, {"Ada", "1"}}));
  EXPECT_EQ(document.nodes(document.topologies.front()).size(), 2U);
  EXPECT_EQ(document.links(document.topologies.front()).size(), 1U);
  EXPECT_EQ(document.losses.lost(), 2U) << "a sheet without places beside one that has them";
}

TEST(SheetsReader, LeavesWhatIsLaidOutAsTheTemplateToItsReader) {
  EXPECT_THAT(
      refusal_of(WorkbookText().sheet("Institutions", {{"Name"}, {"Uni"}}).sheet("Nodes", kNodes)),
      HasSubstr("sheet Links: Error: there is no sheet Links"));
  EXPECT_THAT(refusal_of(WorkbookText().sheet("Sheet1", {{"colour", "size"}, {"red", "3"}})),
              HasSubstr("there is no sheet Institutions"));
}

}  // namespace
}  // namespace netml::codecs
