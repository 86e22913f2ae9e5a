// Maps of ESnet's panel to documents: places, ends of edges, dashboards, what is lost and refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::count_links;
using test::document_of;
using test::link;
using test::node;
using test::properties;
using test::read_text;
using test::warnings;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

engine::Document read(std::string_view text) {
  return document_of("esnet", text, "net");
}

engine::InputErrors errors_of(std::string_view text) {
  return test::errors_of("esnet", text);
}

// Two nodes, and edges.
std::string map_with(std::string_view edges) {
  return std::string(R"({"nodes":[{"name":"A","latLng":[10,20]},{"name":"B","latLng":[30,40]}],)")
      .append(R"("edges":[)")
      .append(edges)
      .append("]}");
}

TEST(EsnetReader, MakesNodesAndEdgesOfTheOlderForm) {
  const auto document = read(map_with(R"({"name":"A---B","latLngs":[[10,20],[15.5,25],[30,40]]})"));
  EXPECT_EQ(node(document, 0).name(), "A");
  EXPECT_EQ(node(document, 0).coordinates()->latitude.value, 10'000'000);
  EXPECT_EQ(node(document, 1).coordinates()->longitude.value, 40'000'000);
  EXPECT_EQ(link(document, 0).name(), "A---B");
  EXPECT_THAT(properties(link(document, 0), "coordinates"),
              ElementsAre("[[10,20],[15.5,25],[30,40]]"));
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 13U);
}

TEST(EsnetReader, MakesNodesAndEdgesOfTheNewerForm) {
  const auto document =
      read(R"({"edges":[{"name":"x","coordinates":[[1,2],[3,4]],"children":[{"name":"c"}],)"
           R"("meta":{"endpoint_identifiers":{"names":["B","A"],"pops":["p","q"]},"speed":100}}],)"
           R"("nodes":[{"name":"A","coordinate":["1","2"],"meta":{"svg":"","template":null}},)"
           R"({"name":"B","coordinate":[3,4],"meta":{}}]})");
  EXPECT_EQ(node(document, 0).coordinates()->latitude.value, 1'000'000);
  EXPECT_THAT(properties(node(document, 0), "svg"), ElementsAre(""));
  EXPECT_THAT(properties(link(document, 0), "coordinates"), IsEmpty()) << "a straight line";
  EXPECT_THAT(properties(link(document, 0), "children"), ElementsAre(R"([{"name":"c"}])"));
  EXPECT_THAT(properties(link(document, 0), "endpoint_identifiers.pops"), ElementsAre("p", "q"));
  EXPECT_THAT(properties(link(document, 0), "endpoint_identifiers.names"), IsEmpty());
  EXPECT_THAT(properties(link(document, 0), "speed"), ElementsAre("100"));
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(EsnetReader, TakesZeroForAnUnknownPlaceAndSaysSo) {
  const auto document = read(R"({"nodes":[{"name":"A","latLng":[0,0]},)"
                             R"({"name":"B","coordinate":["0.0","-0"]},{"name":"C"},)"
                             R"({"name":"D","coordinate":[0,5]}]})");
  for (const std::size_t i : {0, 1, 2}) EXPECT_FALSE(node(document, i).coordinates()) << i;
  EXPECT_TRUE(node(document, 3).coordinates());
  EXPECT_THAT(warnings(document), ElementsAre("0,0 stands for an unknown place at 2 nodes: A, B"));
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(EsnetReader, KeepsPositionsInPixelsAsProperties) {
  const auto document = read(R"({"nodes":[{"name":"A","coordinate":[350.5,120]},)"
                             R"({"name":"B","latLng":["12",  "x"]}]})");
  EXPECT_FALSE(node(document, 0).coordinates());
  EXPECT_THAT(properties(node(document, 0), "coordinate"), ElementsAre("[350.5,120]"));
  EXPECT_THAT(properties(node(document, 1), "latlng"), ElementsAre("12", "x"));
  EXPECT_THAT(warnings(document), ElementsAre(HasSubstr("1 node: A")));
}

TEST(EsnetReader, FindsTheEndsOfAnEdgeByItsCourse) {
  const auto document = read(map_with(R"({"name":"none","latLngs":[["30.0",40],[10,20.0]]})"));
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_THAT(properties(link(document, 0), "coordinates"), IsEmpty());
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(EsnetReader, FindsTheEndsByNamesWithAMarkInThem) {
  const auto document = read(R"({"nodes":[{"name":"A---B"},{"name":"C"},{"name":"B---C"}],)"
                             R"("edges":[{"name":"A---B---C"}]})");
  EXPECT_EQ(count_links(document), 1U);
}

TEST(EsnetReader, LosesEdgesWithoutTwoEndsWithTheReason) {
  const auto document =
      read(R"({"nodes":[{"name":"A","latLng":[1,1]},{"name":"B","latLng":[1,1]},{"name":"C"},)"
           R"({"name":"C"},{"name":"D","latLng":[2,2]}],"edges":[{"name":"A---Z"},)"
           R"({"name":"A---C","latLngs":[[2,2],[9,9]]},{"name":"","latLngs":[[1,1],[2,2]]},)"
           R"({"name":"D---D","meta":{}}]})");
  EXPECT_EQ(count_links(document), 0U);
  const auto& counts = document.losses.counts();
  EXPECT_EQ(document.losses.lost(), 13U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "/edges/0/name: edge.name: its name is not that of two nodes, and it has no course");
  EXPECT_EQ(counts[1].reason, "its name is not that of two nodes, and its course ends at no node");
  EXPECT_EQ(counts[3].reason,
            "its name is not that of two nodes, and several nodes stand where its course ends");
  EXPECT_EQ(counts.back().reason, "a link joins two different nodes");
}

TEST(EsnetReader, WarnsOfEdgesThatAreDrawnToOtherNodes) {
  const auto document =
      read(R"({"nodes":[{"name":"A","latLng":[1,1]},{"name":"B","latLng":[2,2]},)"
           R"({"name":"C","latLng":[3,3]}],"edges":[{"name":"A---B","latLngs":[[1,1],[3,3]]}]})");
  EXPECT_EQ(count_links(document), 1U);
  EXPECT_THAT(warnings(document), ElementsAre("1 edge drawn to other nodes than named: A---B"));
}

TEST(EsnetReader, DistinguishesNodesOfOneNameWhateverTheirOrder) {
  constexpr std::string_view kOne = R"({"name":"A","latLng":[1,1]})";
  constexpr std::string_view kOther = R"({"name":"A","latLng":[2,2]})";
  const auto text = [](std::string_view first, std::string_view second) {
    return std::string(R"({"nodes":[)").append(first).append(",").append(second).append("]}");
  };
  const auto one = read(text(kOne, kOther));
  const auto other = read(text(kOther, kOne));
  EXPECT_NE(node(one, 0).id(), node(one, 1).id());
  EXPECT_EQ(node(one, 0).id(), node(other, 1).id());
}

constexpr std::string_view kDashboard =
    R"({"title":"T","uid":"u","version":3,"refresh":"","panels":[{"id":7,"options":{"layers":[)"
    R"({"color":"red","name":"One","mapjson":"{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],)"
    R"(\"edges\":[{\"name\":\"A---B\"},{\"name\":\"A---C\"}]}"},)"
    R"({"name":"Two","mapjson":"{\"nodes\":[{\"name\":\"A\"}]}"},)"
    R"({"name":"None","mapjson":""},{"name":"Bad","mapjson":"{"}]}}]})";

TEST(EsnetReader, ReadsEachMapOfADashboardAsATopology) {
  ReadResult read = read_text("esnet", kDashboard);
  ASSERT_TRUE(read.has_value()) << read.error().first.at(0).text();
  ASSERT_EQ(read->topologies.size(), 3U);
  EXPECT_EQ(read->topologies[0].attributes->name(), "T");
  EXPECT_EQ(read->topologies[1].attributes->name(), "One");
  EXPECT_EQ(read->nodes(read->topologies[1]).size(), 2U);
  EXPECT_EQ(read->nodes(read->topologies[2]).size(), 1U);
  EXPECT_NE(read->nodes(read->topologies[1])[0].attributes->id(),
            read->nodes(read->topologies[2])[0].attributes->id());
}

TEST(EsnetReader, NamesThePlaceOfALossInsideAText) {
  const auto document = read(kDashboard);
  EXPECT_EQ(document.losses.present(), 17U);
  std::vector<std::string> places;
  for (const engine::Loss& loss : document.losses.kept()) places.push_back(loss.pointer);
  EXPECT_THAT(places,
              ElementsAre("/refresh", "/panels/0/id", "/panels/0/options/layers/0/color",
                          "/panels/0/options/layers/2/name", "/panels/0/options/layers/3/name",
                          "/panels/0/options/layers/3/mapjson",
                          "/panels/0/options/layers/0/mapjson#/edges/1/name"));
}

TEST(EsnetReader, DistinguishesLayersOfOneName) {
  constexpr std::string_view kLayer = R"({"name":"L","mapjson":"{\"nodes\":[{\"name\":\"A\"}]}"})";
  const std::string text = std::string(R"({"panels":[{"id":1,"layers":[)")
                               .append(kLayer)
                               .append(R"(]},{"id":2,"layers":[)")
                               .append(kLayer)
                               .append(",")
                               .append(kLayer)
                               .append("]}]}");
  const auto document = read(text);
  ASSERT_EQ(document.topologies.size(), 4U);
  EXPECT_NE(document.topologies[1].attributes->id(), document.topologies[2].attributes->id());
  EXPECT_NE(document.topologies[2].attributes->id(), document.topologies[3].attributes->id());
}

TEST(EsnetReader, IsKnownByWhatFilesBeginWith) {
  const auto format = [](std::string_view text) {
    const auto found = detect_format("x", text);
    return found ? std::string((*found)->name) : std::string();
  };
  EXPECT_EQ(format(R"( {"edges": [ {"name":"A---B", "latLngs": [[1,2]]} ]})"), "esnet");
  EXPECT_EQ(format(R"({"nodes":[{"name":"A","coordinate":[1,2]}]})"), "esnet");
  EXPECT_EQ(format(R"({"annotations":{"uid":"-- Grafana --"}})"), "esnet");
  EXPECT_EQ(format(kDashboard), "esnet");
  EXPECT_EQ(format(R"({"type":"x","nodes":[{"coordinates":[1,2]}]})"), "");
}

TEST(EsnetReader, SharesItsEndingWithOtherFormats) {
  const auto found = detect_format("x.json", R"({"a":1})");
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().message, HasSubstr("esnet"));
  EXPECT_THAT(found.error().message, HasSubstr("oscars"));
  EXPECT_EQ((*detect_format("x.json", R"({"adjcies":[]})"))->name, "oscars");
}

TEST(EsnetReader, RefusesWhatIsNoMapWithThePlace) {
  EXPECT_EQ(errors_of("{\n \"nodes\": [}").first.at(0).place(), "line 2, column 12");
  EXPECT_EQ(errors_of(R"({"panels":[]})").first.at(0).code, "missing-member");
  EXPECT_EQ(errors_of(R"([1])").first.at(0).code, "missing-member");
  const std::string deep = std::string(2'000, '[') + std::string(2'000, ']');
  const auto errors = errors_of(R"({"a":[{"mapjson":")" + deep + "\"}]}");
  EXPECT_EQ(errors.first.at(0).code, "too-deep");
  EXPECT_EQ(errors.first.at(0).pointer, "/a/0/mapjson");
}

TEST(EsnetReader, CallsTopologiesWithoutANameByTheirIdentifiers) {
  const auto document =
      read(R"({"nodes":[{"name":"A","latLng":[1,2]}],"edges":[],"meta":{"identifier":"i",)"
           R"("topologies":[{"identifier":"t","parent":"i"}]}})");
  ASSERT_EQ(document.topologies.size(), 2U);
  EXPECT_EQ(document.topologies[1].attributes->name(), "t");
}

}  // namespace
}  // namespace netml::codecs
