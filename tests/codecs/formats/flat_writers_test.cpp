// Maps in formats whose elements have attributes with one value each: what is written, and what of
// the map is listed as lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/codecs/formats/full_map.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::codecs {
namespace {

using test::full_map;
using testing::Contains;
using testing::HasSubstr;

WrittenFile written(std::string_view format) {
  const engine::State state = full_map();
  auto file = find_format(format)->write(state.graph, state.graph.mains().front());
  EXPECT_TRUE(file.has_value());
  return file ? *std::move(file) : WrittenFile();
}

std::string small_map(std::string_view format) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId a = builder.node("a \"1\"", {t}, {i});
  const RecordId b = builder.node("b", {t}, {i});
  builder.link("ab", {t}, {i}, a, b);
  return find_format(format)->write(builder.build(), t)->bytes;
}

std::vector<std::string> losses_of(const WrittenFile& file) {
  std::vector<std::string> texts;
  for (const engine::Loss& loss : file.losses.kept())
    texts.push_back(loss.pointer + ": " + loss.field + ": " + loss.reason);
  return texts;
}

// All that the map has is counted, in whatever format.
TEST(FlatWriters, AccountForEveryField) {
  const std::uint64_t present = written("gml").losses.present();
  for (const char* format : {"dot", "gexf", "n2p"})
    EXPECT_EQ(written(format).losses.present(), present) << format;
}

TEST(FlatWriters, ListWhatIsLostWithItsElement) {
  for (const char* format : {"dot", "gexf", "n2p"}) {
    const std::vector<std::string> losses = losses_of(written(format));
    const auto begins = [&](const char* text) {
      return std::ranges::any_of(losses, [&](const auto& loss) { return loss.starts_with(text); });
    };
    EXPECT_TRUE(begins("institution o: institution.")) << format;
    EXPECT_TRUE(begins("topology s: topology.")) << format;
    EXPECT_TRUE(begins("link l: link.owner: an attribute has one value")) << format;
    EXPECT_EQ(std::ranges::count_if(losses,
                                    [](const auto& loss) {
                                      return loss.starts_with("node a: ") &&
                                             loss.ends_with("tag: an attribute has one value");
                                    }),
              1)
        << format;
  }
}

TEST(DotWriter, WritesNodesAndTheLinksBetweenThem) {
  EXPECT_EQ(small_map("dot"), R"(graph {
  graph ["id"="T", "label"="T", "owner"="i"];
  n0 ["id"="a \"1\"", "label"="a \"1\"", "owner"="i"];
  n1 ["id"="b", "label"="b", "owner"="i"];
  n0 -- n1 ["id"="ab", "label"="ab", "owner"="i"];
}
)");
}

TEST(DotWriter, NamesPropertiesSoThatGraphvizPassesThemOver) {
  const std::string text = written("dot").bytes;
  EXPECT_THAT(text, HasSubstr("\"label\"=\"Århus \\\\N\"")) << "no escape";
  EXPECT_THAT(text, HasSubstr("\"property.self\"=\"two\nlines\""));
  EXPECT_THAT(text, HasSubstr("\"property.latitude\"=\"a property\""));
  EXPECT_THAT(text, HasSubstr("\"latitude\"=\"59.91\""));
}

TEST(GexfWriter, WritesNodesAndEdgesWithDeclaredValues) {
  EXPECT_EQ(small_map("gexf"),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<meta><description>T</description></meta>
<graph defaultedgetype="undirected" mode="static">
<attributes class="node" mode="static">
<attribute id="0" title="identifier" type="string"/>
<attribute id="1" title="owner" type="string"/>
</attributes>
<attributes class="edge" mode="static">
<attribute id="0" title="identifier" type="string"/>
<attribute id="1" title="owner" type="string"/>
</attributes>
<nodes>
)"
            R"(<node id="n0" label='a "1"'><attvalues><attvalue for="0" value='a "1"'/>)"
            R"(<attvalue for="1" value="i"/></attvalues></node>)"
            "\n"
            R"(<node id="n1" label="b"><attvalues><attvalue for="0" value="b"/>)"
            R"(<attvalue for="1" value="i"/></attvalues></node>
</nodes>
<edges>
)"
            R"(<edge id="e0" source="n0" target="n1" label="ab"><attvalues>)"
            R"(<attvalue for="0" value="ab"/><attvalue for="1" value="i"/></attvalues></edge>
</edges>
</graph>
</gexf>
)");
}

TEST(GexfWriter, WritesPlacesAsNumbersAndLosesWhatIsSaidOfTheTopology) {
  const WrittenFile file = written("gexf");
  EXPECT_THAT(file.bytes, HasSubstr("title=\"latitude\" type=\"double\"/>"));
  EXPECT_THAT(file.bytes, HasSubstr("title=\"property.latitude\" type=\"string\"/>"));
  EXPECT_THAT(losses_of(file),
              Contains("topology t: topology.version: a graph of GEXF has no attributes"));
}

TEST(N2pWriter, WritesNodesWithPlaces) {
  const std::string text = small_map("n2p");
  EXPECT_THAT(text, testing::StartsWith(R"(<?xml version="1.0" encoding="UTF-8"?>
<network description="" name="T" currentDate="0" currentPlotNodeLayout="")"));
  EXPECT_THAT(text, HasSubstr(R"( version="6" nextElementId="6">
<attribute key="identifier" value="T"/>
<attribute key="owner" value="i"/>
<node id="2" description="" name='a "1"' xCoord="0.0" yCoord="0.0" )"));
  EXPECT_THAT(text, HasSubstr(R"(isUp="true" layersWithIconsDefined="">
<attribute key="place" value="unknown"/>
<attribute key="identifier" value="b"/>
<attribute key="owner" value="i"/>
</node>
<layer id="1" )"));
  EXPECT_THAT(written("n2p").bytes, HasSubstr(" xCoord=\"10.75\" yCoord=\"59.91\""));
}

TEST(N2pWriter, WritesEachLinkInBothDirections) {
  const std::string text = small_map("n2p");
  EXPECT_THAT(text, HasSubstr("<link id=\"4\" description=\"\" name=\"ab\" originNodeId=\"2\" "
                              "destinationNodeId=\"3\" capacity=\"0.0\" lengthInKm=\"0.0\" "
                              "bidirectionalPairId=\"5\""));
  EXPECT_THAT(text, HasSubstr("<link id=\"5\" description=\"\" name=\"ab\" originNodeId=\"3\" "
                              "destinationNodeId=\"2\" capacity=\"0.0\" lengthInKm=\"0.0\" "
                              "bidirectionalPairId=\"4\""));
  EXPECT_THAT(text, testing::EndsWith(R"(<attribute key="identifier" value="ab"/>
<attribute key="owner" value="i"/>
</link>
<sourceRouting>
</sourceRouting>
<hopByHopRouting>
</hopByHopRouting>
</layer>
</network>
)"));
}

}  // namespace
}  // namespace netml::codecs
