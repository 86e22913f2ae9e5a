// What the columns of a spreadsheet become (docs/requirements/exchange-format.md, section 14), in
// files as programs write them.
#include "codecs/xlsx/xlsx_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/formats/file_format.hpp"
#include "codecs/xlsx/detail/xlsx_cells.hpp"
#include "engine/base/sha256.hpp"
#include "tests/codecs/workbook_text.hpp"

namespace netml::codecs {
namespace {

using engine::Attributes;
using engine::Document;
using engine::Property;
using test::accepted;
using test::kInstitutionHeaders;
using test::kLinkHeaders;
using test::kNodeHeaders;
using test::Row;
using test::small_workbook;
using test::WorkbookText;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// ---- what was read, in short ----

const engine::DocumentTopology& root_of(const Document& document) {
  return document.topologies.at(0);
}
const Attributes& institution(const Document& document, std::size_t i) {
  return *document.institutions(root_of(document))[i + 1].attributes;  // after the global one
}
const Attributes& node(const Document& document, std::size_t i) {
  return *document.nodes(root_of(document))[i].attributes;
}
const Attributes& link(const Document& document, std::size_t i) {
  return *document.links(root_of(document))[i].attributes;
}
std::vector<std::string> properties_of(const Attributes& attributes) {
  std::vector<std::string> texts;
  attributes.for_each_property([&](const Property& property) {
    texts.push_back(fmt::format("{}={}", property.name, property.value));
  });
  return texts;
}
std::vector<std::string> owners_of(const Document& document,
                                   const engine::DocumentElement& element) {
  std::vector<std::string> ids;
  for (const engine::DocumentIndex owner : document.owners_of(element))
    ids.emplace_back(document.elements[owner].attributes->name());
  return ids;
}
// One node with these cells after its name, label and identifier.
const Attributes& node_with(Document& document, const Row& place) {
  Row row{"A", "", "a"};
  row.insert(row.end(), place.begin(), place.end());
  document =
      accepted(small_workbook().sheet("Nodes", {kNodeHeaders, row}).sheet("Links", {kLinkHeaders}));
  return node(document, 0);
}

// ---- columns ----

TEST(Xlsx, ReadsEveryColumnOfInstitutions) {
  const Document document = accepted(small_workbook().sheet(
      "Institutions",
      {kInstitutionHeaders,
       {"Uni", "#44.65", "#-63.57", "#12.5", "1 Main St", "http://uni", "nren;sren", "urn:uni"}}));
  const Attributes& uni = institution(document, 0);
  EXPECT_EQ(uni.id(), "urn:uni");
  EXPECT_EQ(uni.name(), "Uni");
  EXPECT_EQ(uni.coordinates(), (engine::Coordinates{{44'650'000}, {-63'570'000}}));
  EXPECT_EQ(uni.altitude(), engine::Micro{12'500'000});
  EXPECT_EQ(uni.address(), "1 Main St");
  EXPECT_THAT(properties_of(uni), ElementsAre("url=http://uni", "tag=nren", "tag=sren"));
}

TEST(Xlsx, ReadsEveryColumnOfNodes) {
  const Document document = accepted(small_workbook().sheet(
      "Nodes", {kNodeHeaders,
                {"A", "AA", "a", "#1.5", "#-2.5", "#3", "Street", "core; edge", "Lab", "Uni;"},
                {"B", "", "b", "#0", "#0"}}));
  const Attributes& a = node(document, 0);
  EXPECT_EQ(a.id(), "a");
  EXPECT_EQ(a.short_name(), "AA");
  EXPECT_EQ(a.coordinates(), (engine::Coordinates{{1'500'000}, {-2'500'000}}));
  EXPECT_EQ(a.altitude(), engine::Micro{3'000'000});
  EXPECT_EQ(a.address(), "Street");
  EXPECT_THAT(properties_of(a), ElementsAre("tag=core", "tag=edge"));
  const auto nodes = document.nodes(root_of(document));
  EXPECT_THAT(owners_of(document, nodes[0]), ElementsAre("Uni", "Lab"));
  // Zero is a value, and the owner of the topology owns all.
  EXPECT_EQ(node(document, 1).coordinates(), engine::Coordinates{});
  EXPECT_THAT(owners_of(document, nodes[1]), ElementsAre("Uni"));
}

TEST(Xlsx, ReadsEveryColumnOfLinks) {
  const Document document = accepted(small_workbook().sheet(
      "Links", {kLinkHeaders, {"L", "LL", "l", "A", "b", "fibre", "#100", "Lab", "Uni;Lab"}}));
  const Attributes& l = link(document, 0);
  EXPECT_EQ(l.id(), "l");
  EXPECT_EQ(l.short_name(), "LL");
  EXPECT_THAT(properties_of(l), ElementsAre("tag=fibre", "throughput=100"));
  const auto& element = document.links(root_of(document))[0];
  EXPECT_THAT(owners_of(document, element), ElementsAre("Uni", "Lab"));
  EXPECT_EQ(document.elements[element.ends[0]].attributes->id(), "a");
  EXPECT_EQ(document.elements[element.ends[1]].attributes->id(), "b");
}

TEST(Xlsx, NamesTheTopologyAsTold) {
  const auto document = test::read(small_workbook().build(), "Example Net");
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(root_of(*document).attributes->name(), "Example Net");
  EXPECT_EQ(root_of(*document).attributes->id(), generated_id(Kind::topology, "Example Net"));
  EXPECT_EQ(document->elements[root_of(*document).owner].attributes->name(), "Uni");
}

TEST(Xlsx, GeneratesIdentifiersFromNameAndLabel) {
  const Document document =
      accepted(small_workbook().sheet("Nodes", {kNodeHeaders,
                                                {"Halifax POP", "HFX", "", "#1", "#2"},
                                                {"A", "", "", "#1", "#2"},
                                                {"B", "", "", "#1", "#2"}}));
  EXPECT_EQ(node(document, 0).id(), generated_id(Kind::node, "Halifax POP", "HFX"));
  EXPECT_EQ(node(document, 1).id(), generated_id(Kind::node, "A"));
  EXPECT_EQ(institution(document, 0).id(), generated_id(Kind::institution, "Uni"));
}

TEST(Xlsx, CutsLongTextsAndNotesIt) {
  const Document document = accepted(
      small_workbook().sheet("Institutions", {kInstitutionHeaders, {std::string(160, 'x')}}));
  EXPECT_EQ(institution(document, 0).name(), std::string(125, 'x') + "...");
  EXPECT_THAT(document.notes, SizeIs(1));
}

TEST(Xlsx, FindsLongNamesThatWereCut) {
  const std::string name(160, 'x');
  const Document document = accepted(
      small_workbook()
          .sheet("Nodes", {kNodeHeaders, {name, "", "a", "#1", "#2"}, {"B", "", "b", "#1", "#2"}})
          .sheet("Links", {kLinkHeaders, {"L", "", "", name, "B"}}));
  EXPECT_THAT(document.links(root_of(document)), SizeIs(1));
}

TEST(Xlsx, TakesTheGlobalInstitutionAsOwnerByItsIdentifier) {
  const Document document = accepted(small_workbook().sheet(
      "Nodes", {kNodeHeaders,
                {"A", "", "a", "#1", "#2", "", "", "", std::string(engine::kGlobalInstitutionId)},
                {"B", "", "b", "#1", "#2"}}));
  EXPECT_THAT(owners_of(document, document.nodes(root_of(document))[0]),
              ElementsAre("GREN", "Uni"));
}

TEST(Xlsx, ReadsNoneAsNoOwnerWithAWarning) {
  const Document document = accepted(
      small_workbook().sheet("Nodes", {kNodeHeaders,
                                       {"A", "", "a", "#1", "#2", "", "", "", "None", "None; Lab"},
                                       {"B", "", "b", "#1", "#2"}}));
  EXPECT_THAT(owners_of(document, document.nodes(root_of(document))[0]), ElementsAre("Uni", "Lab"));
  ASSERT_THAT(document.notes, SizeIs(2));
  EXPECT_TRUE(document.notes[0].warning);
  EXPECT_EQ(document.notes[0].text,
            "Node a: \"None\" in the column Ownership (row 2) is read as no owner");
}

TEST(Xlsx, ReadsNoneAsTheInstitutionOfThatIdentifier) {
  const auto document_with = [](const Row& institution) {
    return accepted(small_workbook()
                        .sheet("Institutions", {kInstitutionHeaders, {"Uni"}, institution})
                        .sheet("Nodes", {kNodeHeaders,
                                         {"A", "", "a", "#1", "#2", "", "", "", "None"},
                                         {"B", "", "b", "#1", "#2"}}));
  };
  const Document by_id = document_with({"Nobody", "", "", "", "", "", "", "None"});
  EXPECT_THAT(owners_of(by_id, by_id.nodes(root_of(by_id))[0]), ElementsAre("Uni", "Nobody"));
  EXPECT_THAT(by_id.notes, IsEmpty());
  const Document by_name = document_with({"None"});
  EXPECT_THAT(owners_of(by_name, by_name.nodes(root_of(by_name))[0]), ElementsAre("Uni"));
}

// ---- layouts ----

TEST(Xlsx, TakesTheMeaningOfColumnsFromTheirHeaders) {
  const Document document = accepted(
      small_workbook().sheet("Nodes", {{"remark", "LONGITUDE ", "lati tude", "name", "Internal-ID"},
                                       {"x", "#2", "#1", "A", "a"},
                                       {"y", "#4", "#3", "B", "b"}}));
  EXPECT_EQ(node(document, 0).coordinates(), (engine::Coordinates{{1'000'000}, {2'000'000}}));
  EXPECT_THAT(properties_of(node(document, 0)), IsEmpty());
}

const Row kTitle{"Title"};
const Row kMarks{"Required", "Optional"};
const Row kInstitutionHints{"as people call it", "-90 to 90"};
const Row kNodeHints{"as people call it", "", "", "-90 to 90", "-180 to 180"};
const Row kLinkHints{"as people call it", "", "", "a node", "another", "", "Gbps"};

TEST(Xlsx, ReadsThePublishedSampleWhoseVersionPromisesOneColumnMore) {
  const Document document =
      accepted(WorkbookText{}
                   .sheet("Directions", {{"Title", "Version"}, {"", "v1.0"}})
                   .sheet("Institutions",
                          {kTitle,
                           {"about"},
                           {"Name", "Latitude", "Longitude", "Altitude", "Address", "URL", "Type"},
                           kMarks,
                           kInstitutionHints,
                           {"Please fill in the row below for your own institution."},
                           {"Uni", "", "", "", "Street", "http://u", "nren", test::formula("ok")}})
                   .sheet("Nodes", {kTitle,
                                    {"about"},
                                    kNodeHeaders,
                                    kMarks,
                                    kNodeHints,
                                    {"A", "", "a", "#1", "#2"},
                                    {"B", "", "b", "#1", "#2"}})
                   .sheet("Links", {kTitle,
                                    {"about"},
                                    kLinkHeaders,
                                    kMarks,
                                    kLinkHints,
                                    {"L", "", "l", "A", "B", "fibre", "#10"}}));
  EXPECT_EQ(institution(document, 0).name(), "Uni");
  EXPECT_THAT(properties_of(institution(document, 0)), ElementsAre("url=http://u", "tag=nren"));
  EXPECT_THAT(properties_of(link(document, 0)), ElementsAre("tag=fibre", "throughput=10"));
}

// The sheets of a template without headers: title rows, then data from the row given.
WorkbookText headless(const std::string& version, const Row& uni, std::uint32_t first_institution,
                      const Row& a, const Row& l) {
  WorkbookText workbook;
  if (!version.empty()) workbook.sheet("Directions", {{"", "Version"}, {"", version}});
  workbook.sheet("Institutions", {uni}, first_institution);
  workbook.sheet("Nodes", {a, {"B", "", "b", "#1", "#2"}}, 6);
  workbook.sheet("Links", {l}, 6);
  return workbook;
}

TEST(Xlsx, FallsBackToTheLayoutWithoutVersion) {
  const Document document =
      accepted(headless("", {"Uni", "#1", "#2", "#3", "Street", "http://u", "nren"}, 6,
                        {"A", "AA", "a", "#1", "#2", "#3", "Street", "core", "Uni", ""},
                        {"L", "LL", "l", "A", "B", "fibre", "#10", "Uni", ""}));
  EXPECT_THAT(properties_of(institution(document, 0)), ElementsAre("url=http://u", "tag=nren"));
  EXPECT_THAT(properties_of(node(document, 0)), ElementsAre("tag=core"));
  EXPECT_THAT(properties_of(link(document, 0)), ElementsAre("tag=fibre", "throughput=10"));
}

TEST(Xlsx, FallsBackToTheLayoutOfVersion1) {
  const Document document =
      accepted(headless("v1.0", {"Uni", "#1", "#2", "#3", "Street", "http://u", "about", "nren"}, 7,
                        {"A", "AA", "a", "#1", "#2", "#3", "Street", "about a", "core", "Uni", ""},
                        {"L", "LL", "l", "A", "B", "about l", "fibre", "#10", "Uni", ""}));
  EXPECT_THAT(properties_of(institution(document, 0)),
              ElementsAre("url=http://u", "description=about", "tag=nren"));
  EXPECT_THAT(properties_of(node(document, 0)), ElementsAre("description=about a", "tag=core"));
  EXPECT_THAT(properties_of(link(document, 0)),
              ElementsAre("description=about l", "tag=fibre", "throughput=10"));
}

TEST(Xlsx, SpreadsAMergedHeaderOverBothEnds) {
  Row headers = kLinkHeaders;
  headers[4] = "";
  const Document document =
      accepted(small_workbook().sheet("Links", {headers, {"L", "", "l", "A", "B"}}));
  EXPECT_THAT(document.links(root_of(document)), SizeIs(1));
}

TEST(Xlsx, FindsSheetsInAnyOrderAndCase) {
  WorkbookText workbook;
  workbook.sheet("LINKS", {kLinkHeaders, {"L", "", "l", "A", "B"}});
  workbook.sheet("notes", {{"whatever"}});
  workbook.sheet("nodes ", {kNodeHeaders, {"A", "", "a", "#1", "#2"}, {"B", "", "b", "#3", "#4"}});
  workbook.sheet(" institutions", {kInstitutionHeaders, {"Uni"}});
  EXPECT_THAT(accepted(workbook).links(root_of(accepted(workbook))), SizeIs(1));
}

// ---- cells ----

TEST(Xlsx, PassesOverEmptyRowsAndColumnsWithoutMeaning) {
  const Document document = accepted(small_workbook().sheet(
      "Institutions", {kInstitutionHeaders,
                       {},
                       {"Uni"},
                       {" ", "", "", "", "", "", "", "", test::formula("")},
                       {"", "", "", "", "", "", "", "", "<v>#REF!</v>|t=\"e\""}}));
  EXPECT_THAT(document.institutions(root_of(document)), SizeIs(2));
}

TEST(Xlsx, TrimsTexts) {
  Document document;
  EXPECT_EQ(node_with(document, {"#1", "#2", "", " \xc2\xa0 Street\t "}).address(), "Street");
}

TEST(Xlsx, WritesNumbersInTextColumnsAsPeopleDo) {
  Document document;
  EXPECT_EQ(node_with(document, {"#1", "#2", "", "#123"}).address(), "123");
  EXPECT_EQ(node_with(document, {"#1", "#2", "", "#4.5999999999999996"}).address(), "4.6");
  EXPECT_EQ(node_with(document, {"#1", "#2", "", "#1E21"}).address(), "1e+21");
  EXPECT_EQ(node_with(document, {"#1", "#2", "", "#-0"}).address(), "0");
}

TEST(Xlsx, ReadsNumbersThatStandAsTexts) {
  Document document;
  EXPECT_EQ(node_with(document, {"44.65", " -63.57 "}).coordinates(),
            (engine::Coordinates{{44'650'000}, {-63'570'000}}));
}

TEST(Xlsx, TakesTheResultsOfFormulas) {
  Document document;
  EXPECT_EQ(
      node_with(document, {"<f>1+1</f><v>2</v>|", "#2", "", test::formula("Street")}).address(),
      "Street");
  EXPECT_EQ(node(document, 0).coordinates()->latitude, engine::Micro{2'000'000});
}

TEST(Xlsx, ReadsTruthValuesAsTexts) {
  Document document;
  EXPECT_EQ(node_with(document, {"#1", "#2", "", "<v>1</v>|t=\"b\""}).address(), "TRUE");
  EXPECT_EQ(node_with(document, {"#1", "#2", "", "<v>0</v>|t=\"b\""}).address(), "FALSE");
}

constexpr const char* kDateStyles =
    "<numFmts><numFmt numFmtId=\"164\" formatCode=\"&quot;day&quot; yyyy\\-mm\\-dd\"/>"
    "<numFmt numFmtId=\"165\" formatCode=\"0.00 &quot;dys&quot;\"/></numFmts>"
    "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
    "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/>"
    "<xf numFmtId=\"165\"/></cellXfs>";

TEST(Xlsx, ReadsDatesByTheFormatOfTheirCells) {
  const auto address = [](std::string_view cell, const std::string& properties) {
    return std::string(
        node(accepted(small_workbook()
                          .styles(kDateStyles)
                          .properties(properties)
                          .sheet("Nodes", {kNodeHeaders,
                                           {"A", "", "a", "#1", "#2", "", std::string(cell)},
                                           {"B", "", "b", "#1", "#2"}})),
             0)
            .address());
  };
  EXPECT_EQ(address("<v>45352</v>|s=\"1\"", ""), "2024-03-01");
  EXPECT_EQ(address("<v>45352.5</v>|s=\"2\"", ""), "2024-03-01T12:00:00");
  EXPECT_EQ(address("<v>0.75</v>|s=\"1\"", ""), "18:00:00");
  EXPECT_EQ(address("<v>45352</v>|s=\"3\"", ""), "45352");
  EXPECT_EQ(address("<v>45352</v>|", ""), "45352");
  EXPECT_EQ(address("<v>43890</v>|s=\"1\"", "date1904=\"1\""), "2024-03-01");
  EXPECT_EQ(address("<v>59</v>|s=\"1\"", ""), "1900-02-28");
  EXPECT_EQ(address("<v>61</v>|s=\"1\"", ""), "1900-03-01");
  EXPECT_EQ(address("<v>2024-03-01T00:00:00</v>|t=\"d\"", ""), "2024-03-01T00:00:00");
}

TEST(Xlsx, KnowsFormatsOfDates) {
  for (const char* format : {"yyyy-mm-dd", "d/m/yy", "[h]:mm", "[$-409]h:mm AM/PM", "mmm\\ d"})
    EXPECT_TRUE(is_date_format(format)) << format;
  for (const char* format : {"General", "0.00", "#,##0\\ \"day\"", "[Red]0", "0.0E+00", "@", "_d0",
                             "\"unclosed d", "[unclosed d"})
    EXPECT_FALSE(is_date_format(format)) << format;
}

TEST(Xlsx, ReadsSharedTextsWithTheirRunsAndWithoutPronunciation) {
  const Document document = accepted(
      small_workbook()
          .shared_strings({"<t>Uni</t>", "<r><t>Rich </t></r><r><rPr><b/></rPr><t>text</t></r>",
                           "<t>A</t><rPh sb=\"0\" eb=\"1\"><t>ei</t></rPh>",
                           "<t xml:space=\"preserve\">x_x0041_y_x005F_x0041__x0001_</t>"})
          .sheet("Institutions", {kInstitutionHeaders,
                                  {"<v>0</v>|t=\"s\"", "", "", "", "<v>1</v>|t=\"s\"", "",
                                   "<v>2</v>|t=\"s\"", "<v>3</v>|t=\"s\""}}));
  const Attributes& uni = institution(document, 0);
  EXPECT_EQ(uni.name(), "Uni");
  EXPECT_EQ(uni.address(), "Rich text");
  EXPECT_THAT(properties_of(uni), ElementsAre("tag=A"));
  EXPECT_EQ(uni.id(), "xAy_x0041__x0001_");
}

TEST(Xlsx, CountsRowsAndCellsThatBearNoReference) {
  const Document document = accepted(small_workbook().sheet_xml(
      "Institutions",
      "<row><c t=\"inlineStr\"><is><t>Name</t></is></c><c t=\"inlineStr\"><is><t>URL</t></is></c>"
      "</row><row><c t=\"inlineStr\"><is><r><t>U</t></r><r><t>ni</t></r></is></c>"
      "<c t=\"str\"><v>http://u</v></c></row>"));
  EXPECT_EQ(institution(document, 0).name(), "Uni");
  EXPECT_THAT(properties_of(institution(document, 0)), ElementsAre("url=http://u"));
}

TEST(Xlsx, ReadsTheStrictVariantAndPassesOverExtensions) {
  WorkbookText workbook = small_workbook();
  workbook.part("xl/worksheets/sheet1.xml",
                "<worksheet xmlns=\"http://purl.oclc.org/ooxml/spreadsheetml/main\" "
                "xmlns:x=\"urn:extension\"><x:sheetData><x:row/></x:sheetData><sheetData>"
                "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Name</t></is></c>"
                "<c r=\"B1\" t=\"inlineStr\"><is><t>URL</t></is></c></row>"
                "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>Uni</t></is></c><x:c/></row>"
                "</sheetData></worksheet>");
  EXPECT_EQ(institution(accepted(workbook), 0).name(), "Uni");
}

TEST(Xlsx, FindsTheWorkbookByThePackageWhenOnlyAnEndingDeclaresIt) {
  WorkbookText workbook = small_workbook();
  workbook
      .part("[Content_Types].xml",
            fmt::format("<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/"
                        "content-types\"><Default Extension=\"xml\" ContentType=\"{}\"/></Types>",
                        test::kSheetMainType))
      .part("_rels/.rels",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
            "relationships\">" +
                WorkbookText::relationship("x", "officeDocument", "/xl/workbook.xml") +
                "</Relationships>");
  EXPECT_EQ(institution(accepted(workbook), 0).name(), "Uni");
}

TEST(Xlsx, CapsAltitudes) {
  Document document;
  EXPECT_EQ(node_with(document, {"#1", "#2", "#9500"}).altitude(), engine::Micro{9'000'000'000});
  EXPECT_THAT(document.notes, SizeIs(1));
}

// ---- names of files ----

TEST(FileFormat, IsKnownByTheEndOfTheName) {
  for (const char* name : {"a.xml", "A.XML", "a.NetML", "a.grenml", "x.txt.xml"})
    EXPECT_EQ(format_of(name), &netml_format()) << name;
  for (const char* name : {"a.xlsx", "A.XlsX"})
    EXPECT_EQ(format_of(name), find_format("xlsx")) << name;
  for (const char* name :
       {"", "xml", "axml", ".xml", "a.xml.gz", "a.txt", "x_xml.pdf", "a.xlsm", "a.xls", "a.[ml"})
    EXPECT_EQ(format_of(name), nullptr) << name;
}

TEST(FileFormat, IsKnownByTheFirstBytesOfAFileWithoutAName) {
  EXPECT_EQ(&format_of_bytes("PK\3\4..."), find_format("xlsx"));
  EXPECT_EQ(&format_of_bytes("<?xml"), &netml_format());
  EXPECT_EQ(&format_of_bytes(""), &netml_format());
}

}  // namespace
}  // namespace netml::codecs
