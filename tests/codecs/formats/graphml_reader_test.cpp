// GraphML to documents: what fields become, what is lost, and what is refused, each with its place.
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

std::string graphml(std::string_view keys, std::string_view graph) {
  return std::string("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")
      .append(keys)
      .append("<graph id=\"G\" edgedefault=\"undirected\">")
      .append(graph)
      .append("</graph></graphml>");
}

constexpr std::string_view kKeys =
    "<key id='l' for='node' attr.name='label' attr.type='string'/>"
    "<key id='y' for='node' attr.name='Latitude' attr.type='double'/>"
    "<key id='x' for='node' attr.name='Longitude' attr.type='double'/>"
    "<key id='s' for='edge' attr.name='LinkSpeed' attr.type='string'/>";

engine::Document read(std::string_view text, std::string_view owner = {}) {
  ReadResult read = read_text("graphml", text, {}, owner);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

engine::InputErrors errors_of(std::string_view text) {
  return test::errors_of("graphml", text);
}

TEST(GraphmlReader, MakesNodesAndLinksWithNamesPlacesAndProperties) {
  const auto document = read(
      graphml(kKeys,
              "<node id='0'><data key='l'>Oslo</data><data key='y'>59.91</data>"
              "<data key='x'>10.75</data></node><node id='1'><data key='l'>Bergen</data></node>"
              "<edge source='0' target='1'><data key='s'>10</data></edge>"));
  ASSERT_EQ(document.nodes(document.topologies[0]).size(), 2U);
  EXPECT_EQ(document.topologies[0].attributes->name(), "G");
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(node(document, 0).fields().coordinates->latitude.value, 59'910'000);
  EXPECT_FALSE(node(document, 1).fields().coordinates) << "unknown, and not 0/0";
  EXPECT_EQ(link(document, 0).name(), "Oslo - Bergen");
  EXPECT_EQ(property(link(document, 0), "linkspeed"), "10");
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 11U);
}

TEST(GraphmlReader, ListsADirectionThatAllEdgesHave) {
  std::string text = graphml("", "<node id='a'/>");
  text.replace(text.find("undirected"), std::string_view("undirected").size(), "directed");
  const auto document = read(text);
  EXPECT_THAT(document.losses.texts(),
              testing::ElementsAre("1 x graph@edgedefault: a link has no direction"));
}

TEST(GraphmlReader, ListsWhatIsLostWithItsPlace) {
  const auto document =
      read(graphml("",
                   "\n<node id='a'><port name='p'/></node><node id='b'/>\n"
                   " <edge source='a' target='b' directed='true'/>"
                   "<hyperedge><endpoint node='a'/><endpoint node='b'/></hyperedge>"));
  EXPECT_EQ(document.losses.lost(), 4U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "line 2, column 14: port@name: links join nodes, not ports");
  EXPECT_EQ(document.losses.kept()[1].text(),
            "line 3, column 2: edge@directed: a link has no direction");
  EXPECT_EQ(document.losses.counts()[2].field, "endpoint@node");
  EXPECT_EQ(document.losses.counts()[2].count, 2U);
}

TEST(GraphmlReader, CountsEachFieldOfALinkThatJoinsOneNodeWithItself) {
  const auto document = read(graphml(kKeys,
                                     "<node id='a'/><edge source='a' target='a' id='e'>"
                                     "<data key='s'></data></edge>"));
  EXPECT_EQ(document.losses.lost(), 4U);
  EXPECT_EQ(document.losses.carried(), 3U);
  EXPECT_TRUE(document.links(document.topologies[0]).empty());
}

TEST(GraphmlReader, KeepsAsPropertyWhatCannotBeWhatItShould) {
  const auto document =
      read(graphml(kKeys, "<node id='a'><data key='y'>120</data><data key='x'>10</data></node>"));
  EXPECT_FALSE(node(document, 0).fields().coordinates);
  EXPECT_EQ(property(node(document, 0), "latitude"), "120");
  EXPECT_EQ(property(node(document, 0), "longitude"), "10");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GraphmlReader, GivesDefaultsToThoseWithoutAValue) {
  const auto document =
      read(graphml("<key id='k' for='node' attr.name='kind'><default>pop</default></key>",
                   "<node id='a'/><node id='b'><data key='k'>core</data></node>"));
  EXPECT_EQ(property(node(document, 0), "kind"), "pop");
  EXPECT_EQ(property(node(document, 1), "kind"), "core");
}

TEST(GraphmlReader, ReadsLabelsAndPositionsOfYed) {
  const auto document = read(graphml(
      "<key id='d' for='node' yfiles.type='nodegraphics'/>",
      "<node id='n0'><data key='d'><y:ShapeNode xmlns:y='http://www.yworks.com/xml/graphml'>"
      "<y:Geometry x='1.5' y='2' width='30'/><y:NodeLabel> Oslo <y:LabelModel/></y:NodeLabel>"
      "</y:ShapeNode></data></node>"));
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(property(node(document, 0), "x"), "1.5");
  EXPECT_EQ(document.losses.lost(), 1U);
  EXPECT_EQ(document.losses.kept()[0].field, "node/Geometry@width");
}

TEST(GraphmlReader, TellsParallelLinksApartWhateverTheirOrder) {
  constexpr std::string_view kNodes = "<node id='a'/><node id='b'/>";
  constexpr std::string_view kFirst = "<edge id='e1' source='a' target='b'/>";
  constexpr std::string_view kSecond = "<edge id='e2' source='b' target='a'/>";
  const auto one = read(graphml("", std::string(kNodes).append(kFirst).append(kSecond)));
  const auto other = read(graphml("", std::string(kSecond).append(kFirst).append(kNodes)));
  ASSERT_EQ(one.links(one.topologies[0]).size(), 2U);
  EXPECT_NE(link(one, 0).id(), link(one, 1).id());
  EXPECT_EQ(link(one, 0).id(), link(other, 1).id());
  EXPECT_EQ(link(one, 1).id(), link(other, 0).id());
}

TEST(GraphmlReader, BelongsToWhoIsNamed) {
  const auto document = read(graphml("", "<node id='a'/>"), "Internet2");
  const auto& topology = document.topologies[0];
  EXPECT_EQ(document.elements[topology.owner].attributes->name(), "Internet2");
}

TEST(GraphmlReader, RefusesWhatIsNoGraphWithThePlace) {
  EXPECT_EQ(errors_of("<gexf/>").first.at(0).code, "wrong-root");
  EXPECT_EQ(errors_of("<graphml/>").first.at(0).code, "missing-element");
  const auto errors = errors_of(graphml("", "\n<node id='a'/>\n<edge source='a' target='z'/>"));
  ASSERT_EQ(errors.count, 1U);
  EXPECT_EQ(errors.first[0].place(), "line 3, column 1");
  EXPECT_EQ(errors_of(graphml("", "<node id='a'/><node id='a'/>")).first.at(0).code,
            "duplicate-id");
  EXPECT_EQ(errors_of(graphml("<key attr.name='x'/>", "")).first.at(0).code, "missing-attribute");
  EXPECT_EQ(errors_of("<!DOCTYPE graphml><graphml/>").first.at(0).code, "dtd-forbidden");
}

}  // namespace
}  // namespace netml::codecs
