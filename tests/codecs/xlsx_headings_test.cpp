// Which row of a sheet holds its headings, and that nothing which holds data is passed over
// silently.
#include "codecs/xlsx/detail/xlsx_headings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/xlsx/detail/xlsx_layout.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "tests/codecs/workbook_text.hpp"

namespace netml::codecs {
namespace {

using engine::Document;
using engine::DocumentNote;
using test::accepted;
using test::formula;
using test::kInstitutionHeaders;
using test::kLinkHeaders;
using test::kNodeHeaders;
using test::read;
using test::refusals;
using test::Row;
using test::small_workbook;
using test::WorkbookText;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Row kTitleRow{"Title"};
const Row kAbout{"about"};
const Row kMarksRow{"Required", "Optional"};
const Row kA{"A", "", "a", "#1", "#2"};
const Row kB{"B", "", "b", "#3", "#4"};

// The text of the only error.
std::string refusal(const WorkbookText& workbook) {
  const ReadResult result = read(workbook);
  if (result || result.error().count != 1) {
    ADD_FAILURE() << "not one error: " << testing::PrintToString(refusals(result));
    return {};
  }
  return result.error().first[0].text();
}

// "warning: ..." or "note: ...".
std::vector<std::string> notes_of(const Document& document) {
  std::vector<std::string> texts;
  for (const DocumentNote& note : document.notes)
    texts.push_back((note.warning ? "warning: " : "note: ") + note.text);
  return texts;
}

std::size_t institutions_in(const Document& document) {
  return document.institutions(document.topologies.at(0)).size() - 1;  // without the global one
}

Row with_name(Row headings, const std::string& name) {
  headings[0] = name;
  return headings;
}

// ---- a row of headings that is not known ----

TEST(XlsxHeadings, WithoutNameAreRefusedOnceNamingTheHeadingThatWasMeant) {
  EXPECT_THAT(refusal(small_workbook().sheet("Nodes", {with_name(kNodeHeaders, "Nam"), kA, kB})),
              AllOf(HasSubstr("sheet Nodes, cell A1"),
                    HasSubstr("no column Name: the heading \"Nam\" is not known; call it")));
  EXPECT_THAT(refusals(small_workbook().sheet("Nodes", {with_name(kNodeHeaders, ""), kA, kB})),
              ElementsAre("missing-column at sheet Nodes, row 1"));
}

TEST(XlsxHeadings, WithoutNameHideNoOtherCauseAndAddNone) {
  EXPECT_THAT(
      refusals(
          small_workbook()
              .sheet("Institutions", {with_name(kInstitutionHeaders, "Nom"), {"Uni"}})
              .sheet("Nodes", {kNodeHeaders, {"A", "", "a", "#91", "#2", "", "", "", "Uni"}, kB})),
      ElementsAre("missing-column at sheet Institutions, cell A1",
                  "latitude-range at sheet Nodes, cell D2"));
}

TEST(XlsxHeadings, ThatLackAreRefusedWhereTheFirstRowStands) {
  EXPECT_THAT(refusal(small_workbook().sheet("Institutions", {{"Uni"}, {"Lab"}})),
              AllOf(HasSubstr("sheet Institutions, cell A1"), HasSubstr("\"Uni\""),
                    HasSubstr("Name, Label, Internal ID, Latitude")));
  EXPECT_THAT(refusals(small_workbook().sheet("Nodes", {kA, kB})),
              ElementsAre("missing-headings at sheet Nodes, cell A1"));
  EXPECT_THAT(refusals(small_workbook().sheet("Links", {{"L", "", "l", "A", "B"}})),
              ElementsAre("missing-headings at sheet Links, cell A1"));
}

TEST(XlsxHeadings, InAnotherLanguageAreRefusedNamingTheNearest) {
  const std::string text = refusal(small_workbook().sheet(
      "Links", {kTitleRow,
                {"Nom", "Étiquette", "Identifiant", "Extrémité", "Extrémité", "Typ"},
                {"L", "", "l", "A", "B"}}));
  EXPECT_THAT(text, AllOf(HasSubstr("sheet Links, cell A2"),
                          HasSubstr("\"Nom\" is not a known heading (the nearest is Name)"),
                          HasSubstr("\"Étiquette\" is not a known heading,"),
                          HasSubstr("Endpoint (twice)")));
  EXPECT_THAT(
      refusals(small_workbook().sheet("Nodes", {{"Имя", "Широта", "Долгота"}, {"A", "#1", "#2"}})),
      ElementsAre("missing-headings at sheet Nodes, cell A1"));
}

TEST(XlsxHeadings, ThatAreShortenedAreNamedInFull) {
  EXPECT_THAT(refusal(small_workbook().sheet(
                  "Nodes", {{"Name", "Latitude", "Long"}, {"A", "#1", "#2"}, {"B", "#3", "#4"}})),
              AllOf(HasSubstr("sheet Nodes, cell C1"),
                    HasSubstr("\"Long\" is not known; call it \"Longitude\"")));
}

TEST(XlsxHeadings, OfNameAloneAreEnoughForInstitutions) {
  EXPECT_EQ(institutions_in(accepted(
                small_workbook().sheet("Institutions", {{"Name"}, {"Uni"}, {"Lab"}, {"Third"}}))),
            3U);
}

TEST(XlsxHeadings, ThatRepeatAmongTheDataAreRefused) {
  EXPECT_THAT(refusals(small_workbook().sheet(
                  "Institutions", {{"Name", "URL"}, {"Uni"}, {"Name", "URL"}, {"Lab"}})),
              ElementsAre("unexpected-row at sheet Institutions, cell A3"));
}

// ---- the rows around them ----

TEST(XlsxHeadings, InTheThirdRowWithoutMarksHaveDataRightBelow) {
  const Document document =
      accepted(small_workbook()
                   .sheet("Nodes", {kTitleRow, kAbout, kNodeHeaders, kA, kB})
                   .sheet("Institutions", {kTitleRow, kAbout, kInstitutionHeaders, {}, {"Uni"}}));
  EXPECT_THAT(document.nodes(document.topologies.at(0)), SizeIs(2));
  EXPECT_EQ(institutions_in(document), 1U);
}

TEST(XlsxHeadings, HaveMarksBelowNameOnly) {
  const Document document = accepted(small_workbook().sheet(
      "Links", {kLinkHeaders, {"L", "", "l", "A", "B", "Optional"}, {"M", "", "m", "A", "B"}}));
  EXPECT_THAT(document.links(document.topologies.at(0)), SizeIs(2));
}

TEST(XlsxHeadings, InTheLastRowThatMayHoldThemHaveMarksToo) {
  std::vector<Row> rows(11);
  rows.insert(rows.end(), {kInstitutionHeaders, kMarksRow, {}, {"Uni"}});
  const Document document = accepted(small_workbook().sheet("Institutions", rows));
  EXPECT_EQ(institutions_in(document), 1U);
}

TEST(XlsxHeadings, RefuseDataAmongTheHintsOfTheTemplate) {
  EXPECT_THAT(refusal(small_workbook().sheet("Nodes", {kNodeHeaders, kMarksRow, kA, kB})),
              AllOf(HasSubstr("sheet Nodes, cell A3"), HasSubstr("data begin in row 4")));
  EXPECT_THAT(refusals(small_workbook().sheet("Links",
                                              {kLinkHeaders, kMarksRow, {"L", "", "l", "A", "b"}})),
              ElementsAre("unexpected-row at sheet Links, cell A3"));
  EXPECT_THAT(refusals(small_workbook().sheet("Nodes", {kA, kNodeHeaders, kB})),
              testing::Contains("unexpected-row at sheet Nodes, cell A1"));
}

TEST(XlsxHeadings, RefuseANodeAmongTheHintsWhoseNumbersAreWrong) {
  const Row halifax{"Halifax", "HFX", "hfx", "44,65", "-63,57"};
  EXPECT_THAT(refusals(small_workbook().sheet("Nodes", {kNodeHeaders, kMarksRow, halifax, kA, kB})),
              testing::Contains("unexpected-row at sheet Nodes, cell A3"));
  for (const std::string latitude : {"44 N", "44 deg 39 min", "", "44.65 north"})
    EXPECT_THAT(refusals(small_workbook().sheet(
                    "Nodes",
                    {kNodeHeaders, kMarksRow, {"Halifax", "", "hfx", latitude, "-63.57"}, kA, kB})),
                testing::Contains("unexpected-row at sheet Nodes, cell A3"))
        << latitude;
}

TEST(XlsxHeadings, RefuseALinkAmongTheHintsWithOneEndThatIsNotKnown) {
  for (const std::string throughput : {"10G", "fast", ""})
    EXPECT_THAT(refusals(small_workbook().sheet(
                    "Links", {kLinkHeaders, kMarksRow, {"L", "", "l", "A", "Bb", "", throughput}})),
                testing::Contains("unexpected-row at sheet Links, cell A3"))
        << throughput;
}

TEST(XlsxHeadings, RefuseAnInstitutionAmongTheHints) {
  const auto with_rows = [](const Row& hint, const Row& note) {
    return refusals(
        small_workbook()
            .sheet("Directions", {{}, {"", "v1.0"}})
            .sheet("Institutions", {kInstitutionHeaders, kMarksRow, hint, note, {"Uni"}}));
  };
  EXPECT_THAT(with_rows({"GARR", "", "", "", "Via dei Tizii"}, {"KTH"}),
              ElementsAre("unexpected-row at sheet Institutions, cell A3",
                          "unexpected-row at sheet Institutions, cell A4"));
  EXPECT_THAT(with_rows({}, {"University of Applied Sciences and Arts"}),
              ElementsAre("unexpected-row at sheet Institutions, cell A4"));
  EXPECT_THAT(with_rows({}, {"Enter your institution in the next row", "", "", "", "Street"}),
              ElementsAre("unexpected-row at sheet Institutions, cell A4"));
}

TEST(XlsxHeadings, PassOverTheHintsThatWeWriteOurselves) {
  const Document document = accepted(
      small_workbook()
          .sheet("Directions", {{}, {"", "v1.0"}})
          .sheet("Institutions",
                 {kInstitutionHeaders,
                  kMarksRow,
                  {"", "degrees, -90 to 90", "degrees, -180 to 180", "metres above sea level"},
                  {"The first institution below owns the topology."},
                  {"Uni"}}));
  EXPECT_THAT(notes_of(document), IsEmpty());
  EXPECT_EQ(institutions_in(document), 1U);
}

TEST(XlsxHeadings, NameTheHintsOfOtherTemplatesInTheLog) {
  for (const std::string latitude : {"-90 to 90", "decimal degrees", "between -90 and 90"}) {
    const Document document = accepted(
        small_workbook()
            .sheet("Directions", {{}, {"", "v1.0"}})
            .sheet("Institutions", {kInstitutionHeaders,
                                    kMarksRow,
                                    {"as it is called", latitude},
                                    {"Please enter your own institution in the row below."},
                                    {"Uni"}}));
    EXPECT_THAT(notes_of(document),
                ElementsAre(HasSubstr("warning: sheet Institutions: row 3 is taken for a hint"),
                            HasSubstr("warning: sheet Institutions: row 4 is taken for a hint")));
    EXPECT_EQ(institutions_in(document), 1U);
  }
}

// ---- columns that are not read ----

TEST(XlsxHeadings, ThatAreNotKnownAreNamedInTheLogWhenTheirColumnsHoldValues) {
  Row headings = kNodeHeaders;
  headings[5] = "Altitud";
  headings.insert(headings.end(), {"Remark", "empty", "check", ""});
  Row a = kA;
  a.resize(kNodeHeaders.size());
  a[5] = "#7";
  a.insert(a.end(), {"x", "", formula("ok"), "y"});
  EXPECT_THAT(
      notes_of(accepted(small_workbook().sheet("Nodes", {headings, a, kB}))),
      ElementsAre(
          "warning: sheet Nodes: column F is not read: its heading \"Altitud\" is not known "
          "(the nearest is Altitude)",
          "warning: sheet Nodes: column K is not read: its heading \"Remark\" is not known",
          "note: sheet Nodes: column M is not read: its heading \"check\" is not known",
          "warning: sheet Nodes: column N is not read: it has no heading"));
}

TEST(XlsxHeadings, ThatAreNotKnownAreNamedAlsoWhenOnlyLateRowsHoldValues) {
  Row headings = kNodeHeaders;
  headings.emplace_back("Remark");
  std::vector<Row> rows{headings, kA, kB};
  for (int i = 0; i < 20; ++i)
    rows.push_back({fmt::format("N{}", i), "", fmt::format("n{}", i), "#1", "#2"});
  rows.back().resize(kNodeHeaders.size());
  rows.back().emplace_back("x");
  EXPECT_THAT(notes_of(accepted(small_workbook().sheet("Nodes", rows))),
              ElementsAre(HasSubstr("column K is not read")));
}

TEST(XlsxHeadings, WithOneLetterWrongHaveANearestOne) {
  EXPECT_EQ(nearest_field(Kind::node, "Nam"), Field::name);
  EXPECT_EQ(nearest_field(Kind::node, "Nome"), Field::name);
  EXPECT_EQ(nearest_field(Kind::node, "Lat."), Field::latitude);
  EXPECT_EQ(nearest_field(Kind::node, "Latitude (deg)"), Field::latitude);
  EXPECT_EQ(nearest_field(Kind::node, "Owner"), Field::owner);
  EXPECT_EQ(nearest_field(Kind::link, "End point A"), Field::first_end);
  EXPECT_EQ(nearest_field(Kind::link, "Longitud"), std::nullopt);
  EXPECT_EQ(nearest_field(Kind::node, "Bandwidth"), std::nullopt);
  EXPECT_EQ(nearest_field(Kind::node, "Название"), std::nullopt);
  EXPECT_EQ(nearest_field(Kind::node, std::string(1'000, 'n')), std::nullopt);
}

// The table is what `netml version --json` tells, too.
TEST(XlsxVersions, OfTheTableAreThoseOfTheLayouts) {
  ASSERT_EQ(kXlsxVersions.size(), 2U);
  EXPECT_EQ(parse_version(kXlsxVersions[0]), TemplateVersion::v0_0);
  EXPECT_EQ(parse_version(kXlsxVersions[1]), TemplateVersion::v1_0);
  EXPECT_EQ(parse_version(" V1.0 "), TemplateVersion::v1_0);
  EXPECT_EQ(parse_version(""), TemplateVersion::v0_0);
  EXPECT_EQ(parse_version("v2.0"), std::nullopt);
}

}  // namespace
}  // namespace netml::codecs
