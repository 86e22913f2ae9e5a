// GML to documents: what fields become, what is lost, and what is refused, each with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::link;
using test::node;
using test::property;
using test::read_text;

engine::Document read(std::string_view text, std::string_view owner = {}) {
  ReadResult read = read_text("gml", text, {}, owner);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

std::string graph(std::string_view contents) {
  return std::string("graph [ label \"G\" ").append(contents).append(" ]");
}

// "code at line 1, column 2"
std::string refusal_of(std::string_view text) {
  const ReadResult read = read_text("gml", text);
  if (read) return "(none)";
  const engine::InputError& error = read.error().first.at(0);
  return error.code + " at " + error.place();
}

std::string name_of(std::string_view label) {
  const auto document = read(graph(std::string("node [ id 0 label \"").append(label) + "\" ]"));
  return std::string(node(document, 0).name());
}

constexpr std::string_view kTwoNodes = "node [ id 0 label \"A\" ] node [ id 1 label \"B\" ] ";

TEST(GmlReader, MakesNodesAndLinksWithNamesPlacesAndProperties) {
  const auto document = read(R"(# by somebody
Creator "hand"
graph [ directed 0 label "Net" Note "of the net"
  node [ id 7 label "Oslo" Latitude 59.91 Longitude 10.75 Internal 1 ]
  node [ id -1 label "Bergen" hyperedge 1 ]
  edge [ source 7 target -1 LinkSpeed "10" id "e3" ] ])");
  const auto& topology = document.topologies[0];
  ASSERT_EQ(document.nodes(topology).size(), 2U);
  EXPECT_EQ(topology.attributes->name(), "Net");
  EXPECT_EQ(property(*topology.attributes, "note"), "of the net");
  EXPECT_EQ(property(*topology.attributes, "creator"), "hand");
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(node(document, 0).fields().coordinates->latitude.value, 59'910'000);
  EXPECT_EQ(property(node(document, 0), "internal"), "1");
  EXPECT_FALSE(node(document, 1).fields().coordinates) << "unknown, and not 0/0";
  EXPECT_EQ(property(node(document, 1), "hyperedge"), "1");
  EXPECT_EQ(link(document, 0).name(), "Oslo - Bergen");
  EXPECT_EQ(property(link(document, 0), "linkspeed"), "10");
  EXPECT_EQ(property(link(document, 0), "id"), "e3");
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 16U);
}

TEST(GmlReader, ListsWhatIsLostWithItsPlace) {
  const auto document = read(
      "graph [ directed 1\n node [ id 0 graphics [ x 1.5 y 2\n w 30 Line [ point [ x 1 ] ] ]\n"
      " LabelGraphics [ text \"A\" color \"#000000\" ] ]\n] graph [ label \"other\" ]");
  ASSERT_EQ(document.losses.lost(), 5U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "line 1, column 9: graph.directed: a link has no direction");
  EXPECT_EQ(document.losses.kept()[1].text(),
            "line 3, column 2: node.graphics.w: it only draws the node");
  EXPECT_EQ(document.losses.kept()[2].field, "node.graphics.Line.point.x");
  EXPECT_EQ(document.losses.kept()[3].field, "node.labelgraphics.color");
  EXPECT_EQ(document.losses.kept()[4].text(),
            "line 5, column 11: graph.label: only the first graph has fields of its own");
  EXPECT_EQ(property(node(document, 0), "x"), "1.5");
  EXPECT_EQ(property(node(document, 0), "y"), "2");
  EXPECT_EQ(node(document, 0).name(), "A");
  EXPECT_EQ(document.losses.carried(), 4U);
}

TEST(GmlReader, ReadsEntitiesAndEncodings) {
  EXPECT_EQ(name_of("&#197;rhus &amp; &quot;M&uuml;nchen&quot; &#x141;&apos;&lt;&gt;"),
            "Århus & \"München\" Ł'<>");
  EXPECT_EQ(name_of("C&NLMAN; & &unknown; &#; &#1; &#xd800;"),
            "C&NLMAN; & &unknown; &#; &#1; &#xd800;")
      << "no entities";
  EXPECT_EQ(name_of("Zürich"), "Zürich");
  EXPECT_EQ(name_of("Z\xfcrich"), "Zürich") << "Latin-1";
  EXPECT_EQ(read("\xef\xbb\xbfgraph [ label \"B\" ]").topologies[0].attributes->name(), "B");
  EXPECT_EQ(name_of("# no\n[comment]"), "# no\n[comment]");
}

TEST(GmlReader, MakesPropertiesOfListsAndOfRepeatedKeys) {
  const auto document = read(graph(
      "node [ id 0 a [ b [ c 1 ] d 2 ] empty [ ] word INF "
      "property [ name \"a@b c\" value \"v\" ] property [ name \"half\" other 3 ] tag 1 tag 2 ]"));
  const engine::Attributes& only = node(document, 0);
  EXPECT_EQ(property(only, "a.b.c"), "1");
  EXPECT_EQ(property(only, "a.d"), "2");
  EXPECT_EQ(property(only, "word"), "INF");
  EXPECT_EQ(property(only, "a@b c"), "v");
  EXPECT_EQ(property(only, "name"), "half");
  EXPECT_EQ(property(only, "other"), "3");
  EXPECT_EQ(only.properties().size(), 8U) << "both tags";
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 11U);
}

TEST(GmlReader, CountsEachFieldOfALinkThatJoinsOneNodeWithItself) {
  const auto document = read(
      graph("edge [ target 0 source 0 x 1 property [ name \"n\" value \"v\" ] ] node [ id 0 ]"));
  EXPECT_EQ(document.losses.lost(), 5U);
  EXPECT_EQ(document.losses.carried(), 2U);
  EXPECT_TRUE(document.links(document.topologies[0]).empty());
}

TEST(GmlReader, TellsParallelLinksApartWhateverTheirOrder) {
  constexpr std::string_view kFirst = "edge [ source 0 target 1 id \"e1\" ] ";
  constexpr std::string_view kSecond = "edge [ source 1 target 0 id \"e2\" ] ";
  const auto one = read(graph(std::string(kTwoNodes).append(kFirst).append(kSecond)));
  const auto other = read(graph(std::string(kSecond).append(kFirst).append(kTwoNodes)));
  ASSERT_EQ(one.links(one.topologies[0]).size(), 2U);
  EXPECT_NE(link(one, 0).id(), link(one, 1).id());
  EXPECT_EQ(link(one, 0).id(), link(other, 1).id());
  EXPECT_EQ(link(one, 1).id(), link(other, 0).id());
}

TEST(GmlReader, GivesTheSameIdentifiersAsGraphml) {
  const auto gml = read(graph(std::string(kTwoNodes) + "edge [ source 0 target 1 ]"));
  const ReadResult graphml = read_text(
      "graphml",
      "<graphml><key id='l' attr.name='label'/><graph><data key='l'>G</data>"
      "<node id='0'><data key='l'>A</data></node><node id='1'><data key='l'>B</data></node>"
      "<edge source='0' target='1'/></graph></graphml>");
  ASSERT_TRUE(graphml.has_value());
  EXPECT_EQ(gml.topologies[0].attributes->id(), graphml->topologies[0].attributes->id());
  EXPECT_EQ(node(gml, 0).id(), node(*graphml, 0).id());
  EXPECT_EQ(link(gml, 0).id(), link(*graphml, 0).id());
}

TEST(GmlReader, BelongsToWhoIsNamed) {
  const auto document = read(graph("node [ id 0 ]"), "Internet2");
  const auto& topology = document.topologies[0];
  EXPECT_EQ(document.elements[topology.owner].attributes->name(), "Internet2");
}

TEST(GmlReader, RefusesWhatIsNoGmlWithThePlace) {
  EXPECT_EQ(refusal_of(""), "missing-element at line 1, column 1");
  EXPECT_EQ(refusal_of("graph [\n node [ id 0"), "not-well-formed at line 2, column 2");
  EXPECT_EQ(refusal_of("graph [ ] ]"), "not-well-formed at line 1, column 11");
  EXPECT_EQ(refusal_of("graph [ label ]"), "not-well-formed at line 1, column 9");
  EXPECT_EQ(refusal_of("graph [ ] label"), "not-well-formed at line 1, column 11");
  EXPECT_EQ(refusal_of("graph [\n \"label\" 5 ]"), "not-well-formed at line 2, column 2");
  EXPECT_EQ(refusal_of("graph [ 5 5 ]"), "not-well-formed at line 1, column 9");
  EXPECT_EQ(refusal_of("graph [ [ ] ]"), "not-well-formed at line 1, column 9");
  EXPECT_EQ(refusal_of("graph [ é 1 ]"), "not-well-formed at line 1, column 9");
  EXPECT_EQ(refusal_of("graph [ label \"é\n\" x \"\1\" ]"), "not-well-formed at line 2, column 5");
  EXPECT_EQ(refusal_of("graph [ label \"open ]"), "not-well-formed at line 1, column 15");
}

TEST(GmlReader, RefusesElementsThatDoNotFitTogether) {
  EXPECT_EQ(refusal_of(graph("node [ label \"A\" ]")), "missing-attribute at line 1, column 19");
  EXPECT_EQ(refusal_of(graph("node [ id \"\" ]")), "missing-attribute at line 1, column 19");
  EXPECT_EQ(refusal_of(graph("node [ id 0 ] node [ id 0 ]")), "duplicate-id at line 1, column 33");
  EXPECT_EQ(refusal_of(graph("node [ id 0 ]\nedge [ source 0 target 9 ]")),
            "node-unknown at line 2, column 1");
  EXPECT_EQ(refusal_of(graph("node [ id 0 ]\nedge [ source 0 ]")),
            "missing-attribute at line 2, column 1");
  EXPECT_EQ(refusal_of(graph("node [ id 0 ]\nedge [ source 0 source 0 target 0 ]")),
            "duplicate-attribute at line 2, column 1");
}

TEST(GmlReader, RefusesWhatIsBeyondLimits) {
  std::string deep = "graph [ ";
  for (int i = 0; i < 1'000; ++i) deep += "a [ ";
  EXPECT_EQ(refusal_of(deep).substr(0, 9), "too-large") << "no name is as long as the way there";
  std::string nested;
  for (int i = 0; i < 1'001; ++i) nested += "graph [ graphics [ ";
  EXPECT_EQ(refusal_of(nested).substr(0, 4), "too-");
  const std::string text(std::size_t{1} << 21, 'x');
  EXPECT_EQ(refusal_of("graph [ label \"" + text + "\" ]"), "too-large at line 1, column 15");
  EXPECT_EQ(refusal_of("graph [ " + text.substr(0, 2'000) + " 1 ]"),
            "too-large at line 1, column 9");
}

TEST(GmlReader, IsKnownByItsFirstWords) {
  const FileFormat* const gml = find_format("gml");
  EXPECT_EQ(&format_of_bytes("# c\nCreator \"graph [\"\nVersion 1\nGraph\n[\n"), gml);
  EXPECT_EQ(&format_of_bytes("\xef\xbb\xbfgraph ["), gml);
  for (const char* other :
       {"graph {", "graph G {\n a -- b [label=x] }", "", "graph", "{\"graph\": [", "<graph>",
        "strict graph", "a,b\ngraph,[", "edges [ graph [", "] graph ["})
    EXPECT_NE(&format_of_bytes(other), gml) << other;
  EXPECT_EQ(format_of("a.gml"), gml);
}

}  // namespace
}  // namespace netml::codecs
