// CSV to documents: which column is what, what is lost, and what is refused, each with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/formats/csv/csv_text.hpp"
#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::count_links;
using test::count_nodes;
using test::link;
using test::node;
using test::notes_of;
using test::property;
using test::read_text;
using testing::HasSubstr;

engine::Document read(std::string_view text, std::string_view owner = {}) {
  ReadResult read = read_text("csv", text, {}, owner);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

std::string refusal_of(std::string_view text) {
  const ReadResult read = read_text("csv", text);
  EXPECT_FALSE(read.has_value()) << text;
  return read ? std::string() : read.error().first.at(0).text();
}

TEST(CsvReader, MakesNodesOfColumnsThatItKnowsAndPropertiesOfOthers) {
  const auto document = read(
      "Site Name,Lat,Long,Institution,Vendor\n"
      "Oslo,59.91,10.75,Uninett,Acme\n"
      "Bergen,,,,\n",
      "NORDUnet");
  ASSERT_EQ(count_nodes(document), 2U);
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(node(document, 0).fields().coordinates->latitude.value, 59'910'000);
  EXPECT_EQ(property(node(document, 0), "vendor"), "Acme");
  EXPECT_FALSE(node(document, 1).fields().coordinates) << "unknown, and not 0/0";
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 6U);
}

TEST(CsvReader, MakesNodesOfTheEndsOfLinksWhereNoneAreListed) {
  const auto document = read("Node A;Node Z;Distance\nOslo;Bergen;300\nBergen;Oslo;301\n");
  EXPECT_EQ(count_nodes(document), 2U);
  ASSERT_EQ(count_links(document), 2U);
  EXPECT_EQ(link(document, 0).name(), "Oslo - Bergen");
  EXPECT_EQ(property(link(document, 0), "distance"), "300");
  EXPECT_EQ(document.losses.present(), 6U);
  EXPECT_THAT(notes_of(document), HasSubstr("made of the ends of its links"));
  EXPECT_THAT(notes_of(document), HasSubstr("line 3, column 1: the link between Bergen and Oslo is "
                                            "at line 2, column 1 already, the other way round"));
}

TEST(CsvReader, ReadsNodesAndLinksOfOneFileInAnyOrder) {
  const auto document = read(
      "kind\tid\tname\tfrom\tto\n"
      "link\tc1\t\tOslo\tn2\n"
      "node\tn1\tOslo\t\t\n"
      "node\tn2\tOslo 2\t\t\n"
      "\t\tTotal\t\t\n");
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_EQ(link(document, 0).name(), "Oslo - Oslo 2");
  EXPECT_EQ(property(link(document, 0), "id"), "c1");
  EXPECT_EQ(document.losses.lost(), 1U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "line 5, column 3: other.name: the row does not say what it is");
}

TEST(CsvReader, TakesAColumnKindThatIsSomethingElseForAProperty) {
  const auto document = read("name,kind,lat\nOslo,core,59.9\n");
  EXPECT_EQ(property(node(document, 0), "kind"), "core");
}

TEST(CsvReader, LosesRowsThatAreNoElementWithAllTheirCells) {
  const auto document = read("kind,name,from,to,x\nnode,A,,,\nlink,,A,A,1\nlink,,A,,\nnode,,,,2\n");
  EXPECT_EQ(count_links(document), 0U);
  EXPECT_EQ(document.losses.carried(), 2U);
  EXPECT_EQ(document.losses.lost(), 8U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "line 3, column 1: link.kind: a link joins two different nodes");
}

TEST(CsvReader, KnowsSeparatorsByTheHeadingsAndDecimalCommasByTheSeparator) {
  const auto document = read("Our sites\n\nname;latitude;longitude;size\nOslo;59,91;10,75;1,5\n");
  EXPECT_EQ(node(document, 0).fields().coordinates->longitude.value, 10'750'000);
  EXPECT_EQ(property(node(document, 0), "size"), "1,5");
  EXPECT_EQ(document.losses.present(), 4U) << "what stands above the headings is no field";
  EXPECT_EQ(count_nodes(read("sep=;\r\nname;lat\r\nA;1\r\n")), 1U);
}

TEST(CsvReader, ReadsQuotesLineBreaksAndMarksOfFormulas) {
  const auto document = read(
      "name,note,\"say \"\"x\"\"\",empty,t\r\n"
      "\" A\",\"two\r\nlines, and \"\"quotes\"\"\",'=1+1,',''s\r\n"
      "B,'s-Gravenhage,,,-5\r\n");
  EXPECT_EQ(node(document, 0).name(), " A");
  EXPECT_EQ(property(node(document, 0), "note"), "two\r\nlines, and \"quotes\"");
  EXPECT_EQ(property(node(document, 0), "say \"x\""), "=1+1");
  EXPECT_EQ(property(node(document, 0), "empty"), "");
  EXPECT_EQ(property(node(document, 0), "t"), "'s");
  EXPECT_EQ(property(node(document, 1), "note"), "'s-Gravenhage") << "no mark";
  EXPECT_EQ(document.losses.present(), 8U);
}

TEST(CsvReader, ReadsLatin1WithANoteAndUtf8WithAMark) {
  const auto latin = read("name,city\nZ\xfcrich,\x80\n");
  EXPECT_EQ(node(latin, 0).name(), "Zürich");
  EXPECT_EQ(property(node(latin, 0), "city"), "€") << "the name comes first in the table";
  EXPECT_THAT(notes_of(latin), HasSubstr("not UTF-8"));
  EXPECT_EQ(node(read("\xef\xbb\xbfname,lat\nZürich,47\n"), 0).name(), "Zürich");
}

TEST(CsvReader, DoesNotTakeUnitsOfADrawingForDegrees) {
  const auto drawn = read("name,lat,lon\nA,0,1\nB,2,1\nC,3,4\n");
  EXPECT_FALSE(node(drawn, 0).fields().coordinates);
  EXPECT_EQ(property(node(drawn, 2), "lat"), "3");
  EXPECT_THAT(notes_of(drawn), HasSubstr("all 3 latitudes and longitudes are whole numbers"));
  EXPECT_TRUE(node(read("name,lat,lon\nA,0,1\nB,2,1.5\nC,3,4\n"), 0).fields().coordinates);
}

TEST(CsvReader, KeepsLongValuesInPieces) {
  const auto document = read("name,note\nA," + std::string(600, 'x') + "\n");
  EXPECT_EQ(node(document, 0).properties().size(), 2U);
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(CsvReader, GivesIdentifiersThatDoNotFollowTheOrderOfRows) {
  const auto one = read("id,name\n1,A\n2,A\n3,B\n");
  const auto other = read("id,name\n3,B\n2,A\n1,A\n");
  EXPECT_EQ(node(one, 0).id(), node(other, 2).id());
  EXPECT_EQ(node(one, 2).id(), node(other, 0).id());
  EXPECT_NE(node(one, 0).id(), node(one, 1).id());
}

TEST(CsvReader, RefusesWithTheCell) {
  EXPECT_EQ(refusal_of("name,lat\nA,1.5\nB,2.5\nA,3.5\n"),
            "line 4, column 1: Error: A is a node already, at line 2, column 1 (A)");
  EXPECT_EQ(refusal_of("kind,name,from,to\nnode,A,,\nlink,,A,nowhere\n"),
            "line 3, column 9: Error: nowhere is no node of the file (nowhere)");
  EXPECT_EQ(refusal_of("kind,id,name,from,to\nnode,1,A,,\nnode,2,A,,\nnode,3,B,,\nlink,,,A,B\n"),
            "line 5, column 8: Error: several nodes are called A (A)");
  EXPECT_EQ(refusal_of("kind,name,identifier\nnode,A,a\nmore,,b\n"),
            "line 3, column 7: Error: the row does not go on with the element above it (b)");
}

TEST(CsvReader, RefusesWhatIsNoTable) {
  EXPECT_THAT(refusal_of("colour,size\nred,3\n"), HasSubstr("no row of headings"));
  EXPECT_THAT(refusal_of(""), HasSubstr("no row of headings"));
  EXPECT_EQ(refusal_of("name,lat\n\"A,1\n"), "line 2, column 1: Error: a quote is not closed");
  EXPECT_EQ(refusal_of("name,lat\n\"A\"x,1\n"),
            "line 2, column 3: Error: a quote is closed, but the cell goes on");
  EXPECT_THAT(refusal_of(std::string("name,lat\nA\0,1\n", 14)), HasSubstr("control character"));
  EXPECT_THAT(refusal_of("\xff\xfen\0a\0"), HasSubstr("UTF-16"));
}

TEST(CsvReader, IsKnownByItsHeadings) {
  EXPECT_TRUE(is_csv("name,latitude,longitude\n"));
  EXPECT_TRUE(is_csv("source;target;weight\nA;B;1\n"));
  EXPECT_FALSE(is_csv("name\n"));
  EXPECT_FALSE(is_csv("{\"name\",\"latitude\"\n"));
  EXPECT_FALSE(is_csv("name,latitude without an end"));
  EXPECT_EQ(*detect_format("x", "name,latitude\n"), find_format("csv"));
}

// ---- what somebody says of headings ----

engine::Document read_as(std::string_view text, std::string_view headings) {
  ReadResult read = read_text("csv", text, {}, {}, headings);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

TEST(CsvReader, TakesHeadingsForWhatIsSaidOfThem) {
  const auto document = read_as("Extremo 1;Extremo 2;Proveedor;Circuito;Name\nLima;Cusco;X;c1;a\n",
                                "Extremo 1=link end\nextremo-2=Link End\nCircuito=name");
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_EQ(link(document, 0).name(), "c1");
  EXPECT_EQ(property(link(document, 0), "name"), "a") << "another column is the name";
  EXPECT_EQ(property(link(document, 0), "proveedor"), "X");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(CsvReader, TakesOneHeadingOfTwoColumnsForBothEnds) {
  const auto document = read_as("Sitio,Sitio\nLima,Cusco\n", "Sitio=link end");
  EXPECT_EQ(count_links(document), 1U);
}

TEST(CsvReader, KeepsAKnownHeadingAsAPropertyWhereThatIsSaid) {
  const auto document = read_as("name,lat,owner\nOslo,3,me\n", "lat=property\nowner=property");
  EXPECT_EQ(property(node(document, 0), "lat"), "3");
  EXPECT_EQ(property(node(document, 0), "owner"), "me");
  EXPECT_FALSE(node(document, 0).fields().coordinates);
}

TEST(CsvReader, RefusesWhatIsSaidOfHeadingsThatAreNotThere) {
  const auto refusal = [](std::string_view text, std::string_view headings) {
    const ReadResult read = read_text("csv", text, {}, {}, headings);
    return read ? std::string() : read.error().first.at(0).text();
  };
  EXPECT_EQ(refusal("name,lat\nOslo,3\n", "City=name"),
            "Error: no column is called City, which is said to be name");
  EXPECT_EQ(refusal("name,A,z\nc,Oslo,Bergen\n", "A=link end"),
            "Error: one column is said to be the end of links; they have two, so say both");
}

}  // namespace
}  // namespace netml::codecs
