// What is wrong with a spreadsheet: all of it, each with sheet, row and column
// (docs/requirements/exchange-format.md, section 14.4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/codecs/workbook_text.hpp"
#include "tests/support/file_content.hpp"

namespace netml::codecs {
namespace {

using test::kInstitutionHeaders;
using test::kLinkHeaders;
using test::kNodeHeaders;
using test::read;
using test::refusals;
using test::Row;
using test::small_workbook;
using test::WorkbookText;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> refusals_of_institution(const Row& row) {
  return refusals(small_workbook().sheet("Institutions", {kInstitutionHeaders, row}));
}
std::vector<std::string> refusals_of_node(const Row& row) {
  return refusals(small_workbook().sheet(
      "Nodes", {kNodeHeaders, {"A", "", "a", "#1", "#2"}, {"B", "", "b", "#1", "#2"}, row}));
}
std::vector<std::string> refusals_of_link(const Row& row) {
  return refusals(small_workbook().sheet("Links", {kLinkHeaders, row}));
}

TEST(XlsxErrors, AreAllCollectedInTheOrderOfTheSheets) {
  const ReadResult result = read(
      small_workbook()
          .sheet("Institutions", {kInstitutionHeaders, {"Uni", "x"}})
          .sheet("Nodes", {kNodeHeaders, {"A", "", "a", "#1", "y"}, {"B", "", "b", "#91", "#2"}})
          .sheet("Links", {kLinkHeaders, {"L", "", "l", "A", "C", "", "", "Nobody"}}));
  EXPECT_THAT(
      refusals(result),
      ElementsAre("missing-element at sheet Institutions, cell C2",
                  "bad-number at sheet Institutions, cell B2", "bad-number at sheet Nodes, cell E2",
                  "latitude-range at sheet Nodes, cell D3", "owner-unknown at sheet Links, cell H2",
                  "node-unknown at sheet Links, cell E2"));
  EXPECT_EQ(result.error().count, 6U);
  EXPECT_EQ(result.error().first.back().id, "l");
  EXPECT_EQ(result.error().first.back().text(),
            "sheet Links, cell E2: Error: node C of Link l is not listed on the sheet Nodes (l)");
}

TEST(XlsxErrors, AreCountedBeyondThoseThatAreKept) {
  std::vector<Row> rows{kNodeHeaders};
  for (int i = 0; i < 7; ++i) rows.push_back({fmt::format("N{}", i), "", "", "x", "#1"});
  XlsxOptions options{.topology_name = "Net"};
  options.limits.errors = 3;
  const ReadResult result = read_xlsx(
      small_workbook().sheet("Nodes", rows).sheet("Links", {kLinkHeaders}).build(), options);
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().first, SizeIs(3));
  EXPECT_EQ(result.error().count, 7U);
}

TEST(XlsxErrors, NameMissing) {
  EXPECT_THAT(refusals_of_institution({"", "", "", "", "Street"}),
              ElementsAre("name-missing at sheet Institutions, cell A2"));
  EXPECT_THAT(refusals_of_node({"", "", "c", "#1", "#2"}),
              ElementsAre("name-missing at sheet Nodes, cell A4"));
  EXPECT_THAT(refusals_of_link({"", "", "l", "A", "B"}),
              ElementsAre("name-missing at sheet Links, cell A2"));
}

TEST(XlsxErrors, PlacesOfNodesAreNeeded) {
  EXPECT_THAT(refusals_of_node({"C", "", "c"}),
              ElementsAre("missing-element at sheet Nodes, cell D4",
                          "missing-element at sheet Nodes, cell E4"));
}

TEST(XlsxErrors, Numbers) {
  EXPECT_THAT(refusals_of_node({"C", "", "c", "44,65", "#2"}),
              ElementsAre("bad-number at sheet Nodes, cell D4"));
  EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "<v>1</v>|t=\"b\""}),
              ElementsAre("bad-number at sheet Nodes, cell E4"));
  EXPECT_THAT(refusals_of_node({"C", "", "c", "#90.000001", "#2"}),
              ElementsAre("latitude-range at sheet Nodes, cell D4"));
  EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#-180.5"}),
              ElementsAre("longitude-range at sheet Nodes, cell E4"));
  EXPECT_THAT(refusals_of_node({"C", "", "c", "NaN", "#1"}),
              ElementsAre("latitude-range at sheet Nodes, cell D4"));
  EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#1", "NaN"}),
              ElementsAre("altitude-invalid at sheet Nodes, cell F4"));
}

TEST(XlsxErrors, ADateIsNoNumber) {
  EXPECT_THAT(refusals(small_workbook()
                           .styles("<cellXfs><xf numFmtId=\"14\"/></cellXfs>")
                           .sheet("Nodes", {kNodeHeaders,
                                            {"A", "", "a", "<v>45</v>|s=\"0\"", "2"},
                                            {"B", "", "b", "1", "2"}})),
              ElementsAre("bad-number at sheet Nodes, cell D2"));
}

TEST(XlsxErrors, IdentifiersUsedTwiceNameBothRows) {
  const ReadResult result = read(small_workbook().sheet("Nodes", {kNodeHeaders,
                                                                  {"A", "", "a", "#1", "#2"},
                                                                  {"B", "", "b", "#1", "#2"},
                                                                  {},
                                                                  {"C", "", "a", "#1", "#2"}}));
  EXPECT_THAT(refusals(result), ElementsAre("duplicate-id at sheet Nodes, cell C5"));
  EXPECT_THAT(result.error().first[0].message, HasSubstr("row 2 and in row 5"));
  // Without a column of identifiers the name is what is repeated.
  EXPECT_THAT(refusals(small_workbook().sheet("Institutions",
                                              {{"Name", "URL"}, {"Uni"}, {"Uni", "http://u"}})),
              ElementsAre("duplicate-id at sheet Institutions, cell A3"));
  EXPECT_THAT(refusals(small_workbook().sheet(
                  "Links", {kLinkHeaders, {"L", "", "l", "A", "B"}, {"M", "", "l", "A", "B"}})),
              ElementsAre("duplicate-id at sheet Links, cell C3"));
}

TEST(XlsxErrors, IdentifiersAreNotCut) {
  EXPECT_THAT(refusals_of_node({"C", "", std::string(129, 'x'), "#1", "#2"}),
              ElementsAre("id-too-long at sheet Nodes, cell C4"));
  EXPECT_THAT(refusals_of_node({"C", "", std::string(128, 'x'), "#1", "#2"}), IsEmpty());
}

TEST(XlsxErrors, OwnersMustBeListed) {
  EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#2", "", "", "", "Nobody", "Lab; No one"}),
              ElementsAre("owner-unknown at sheet Nodes, cell I4",
                          "owner-unknown at sheet Nodes, cell J4"));
  EXPECT_THAT(refusals_of_link({"L", "", "l", "A", "B", "", "", "Uni;Lab"}),
              ElementsAre("owner-unknown at sheet Links, cell H2"));
}

TEST(XlsxErrors, NamesMustMeanOneRow) {
  EXPECT_THAT(refusals(small_workbook()
                           .sheet("Institutions", {kInstitutionHeaders,
                                                   {"Uni", "", "", "", "", "", "", "u1"},
                                                   {"Uni", "", "", "", "", "", "", "u2"}})
                           .sheet("Nodes", {kNodeHeaders,
                                            {"A", "", "a1", "#1", "#2", "", "", "", "Uni"},
                                            {"A", "", "a2", "#1", "#2", "", "", "", "u2"}})
                           .sheet("Links", {kLinkHeaders, {"L", "", "l", "A", "a2"}})),
              ElementsAre("ambiguous-name at sheet Nodes, cell I2",
                          "ambiguous-name at sheet Links, cell D2"));
}

TEST(XlsxErrors, LinksHaveTwoDifferentEnds) {
  EXPECT_THAT(refusals_of_link({"L", "", "l", "A"}),
              ElementsAre("link-ends at sheet Links, cell E2"));
  EXPECT_THAT(refusals_of_link({"L", "", "l", "A", "a"}),
              ElementsAre("link-ends at sheet Links, cell E2"));
}

TEST(XlsxErrors, CellsWithoutAResult) {
  EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#2", "", test::formula("")}),
              ElementsAre("bad-cell at sheet Nodes, cell G4"));
  EXPECT_THAT(refusals_of_node({"C", "", "c", "<v>#DIV/0!</v>|t=\"e\"", "#2"}),
              ElementsAre("bad-cell at sheet Nodes, cell D4"));
}

TEST(XlsxErrors, EmptyResultsOfFormulas) {
  for (const char* cell : {"<f>A1</f><v></v>|", "<f>A1</f><v/>|t=\"n\"", "<f>A1</f><v> </v>|",
                           "<f>A1</f><v></v>|t=\"b\"", "<f t=\"shared\" si=\"0\"/><v></v>|"}) {
    EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#2", cell}),
                ElementsAre("bad-cell at sheet Nodes, cell F4"))
        << cell;
    EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#2", "", cell}),
                ElementsAre("bad-cell at sheet Nodes, cell G4"))
        << cell;
  }
  // An empty text is a result, and an empty cell without a formula is empty.
  for (const char* cell : {"<f>A1</f><v></v>|t=\"str\"", "<v></v>|"})
    EXPECT_THAT(refusals_of_node({"C", "", "c", "#1", "#2", "", cell}), IsEmpty()) << cell;
}

TEST(XlsxErrors, ResultsThatAreStillToBeCalculated) {
  const auto refusals_with = [](const char* calculation, const std::string& altitude) {
    return refusals(small_workbook()
                        .calculation(calculation)
                        .sheet("Nodes", {kNodeHeaders,
                                         {"A", "", "a", "#1", "#2", altitude},
                                         {"B", "", "b", "#1", "#2"}}));
  };
  const std::string zero = "<f>A1</f><v>0</v>|";
  EXPECT_THAT(refusals_with("fullCalcOnLoad=\"1\"", zero),
              ElementsAre("bad-cell at sheet Nodes, cell F2"));
  EXPECT_THAT(refusals_with("fullCalcOnLoad=\"1\"", "<f>A1</f><v>7</v>|"), IsEmpty());
  EXPECT_THAT(refusals_with("fullCalcOnLoad=\"1\"", "#0"), IsEmpty());
  EXPECT_THAT(refusals_with("calcId=\"1\"", zero), IsEmpty());
}

TEST(XlsxErrors, ATopologyNeedsAnOwner) {
  EXPECT_THAT(refusals(small_workbook().sheet("Institutions", {kInstitutionHeaders})),
              ElementsAre("owner-missing at sheet Institutions"));
}

TEST(XlsxErrors, ATopologyNeedsAName) {
  EXPECT_THAT(refusals(read(small_workbook().build(), "")), ElementsAre("name-missing"));
}

TEST(XlsxErrors, SheetsAndColumnsThatLack) {
  EXPECT_THAT(refusals(small_workbook().without_sheet("Nodes").without_sheet("Links")),
              ElementsAre("missing-sheet at sheet Nodes", "missing-sheet at sheet Links"));
  EXPECT_THAT(
      read(small_workbook().without_sheet("Nodes").sheet("Node", {})).error().first[0].message,
      HasSubstr("there is no sheet Nodes; the workbook has Institutions, Links, Node"));
  EXPECT_THAT(refusals(small_workbook().sheet("Nodes", {{"Name", "Latitude"}, {"A", "#1"}})),
              ElementsAre("missing-column at sheet Nodes, row 1"));
  EXPECT_THAT(
      refusals(small_workbook().sheet("Links", {{"Name", "Type", "x"}, {"L"}})),
      ElementsAre("missing-column at sheet Links, row 1", "missing-column at sheet Links, row 1"));
  EXPECT_THAT(refusals(small_workbook().sheet("Institutions", {{"Name", "URL", "URL"}, {"Uni"}})),
              testing::Contains("duplicate-column at sheet Institutions, cell C1"));
}

TEST(XlsxErrors, AnUnknownVersionOfTheTemplate) {
  WorkbookText workbook = small_workbook();
  workbook.sheet("Directions", {{"", "Version"}, {"", "v7"}});
  const ReadResult result = read(workbook);
  EXPECT_THAT(refusals(result), ElementsAre("unknown-version at sheet Directions, cell B2"));
  EXPECT_THAT(result.error().first[0].message, HasSubstr("v7"));
}

// Real workbooks of another program, whose sheets have names of ours.
TEST(XlsxSamples, OfAnotherLayoutAreRefusedNamingTheSheetThatLacks) {
  namespace fs = std::filesystem;
  const char* data = std::getenv("NETML_TEST_DATA");
  const fs::path folder = fs::path(data == nullptr ? "" : data) / "formats" / "xlsx";
  if (data == nullptr || !fs::is_directory(folder))
    GTEST_SKIP() << "NETML_TEST_DATA names no folder with formats/xlsx";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const ReadResult result = read(netml::test::file_content(entry.path()));
    EXPECT_THAT(refusals(result), ElementsAre("missing-sheet at sheet Institutions"))
        << entry.path();
    EXPECT_THAT(result.error().first[0].message, HasSubstr("the workbook has Nodes, Links"));
  }
}

}  // namespace
}  // namespace netml::codecs
