// Networks by RFC 8345 to documents: topologies, pairs of one-way links, places, what stays
// together, what is lost and what is refused, each with its place.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::count_links;
using test::link;
using test::properties;
using test::read_text;
using testing::ElementsAre;
using testing::IsEmpty;

std::string file(std::string_view networks) {
  return std::string(R"({"ietf-network:networks":{"network":[)").append(networks).append("]}}");
}

std::string network(std::string_view id, std::string_view nodes, std::string_view links) {
  return fmt::format(R"({{"network-id":"{}","node":[{}],"ietf-network-topology:link":[{}]}})", id,
                     nodes, links);
}

std::string node(std::string_view id, std::string_view more = {}) {
  return fmt::format(R"({{"node-id":"{}"{}}})", id, more);
}

// From "A/p" to "B/q"; without termination points where there is no slash.
std::string link(std::string_view id, std::string_view from, std::string_view to,
                 std::string_view more = {}) {
  const auto side = [](std::string_view end, std::string_view node, std::string_view point) {
    const std::size_t slash = end.find('/');
    std::string text = fmt::format(R"("{}":"{}")", node, end.substr(0, slash));
    if (slash != std::string_view::npos)
      text += fmt::format(R"(,"{}":"{}")", point, end.substr(slash + 1));
    return text;
  };
  return fmt::format(R"({{"link-id":"{}","source":{{{}}},"destination":{{{}}}{}}})", id,
                     side(from, "source-node", "source-tp"), side(to, "dest-node", "dest-tp"),
                     more);
}

const std::string kTwoNodes = node("A") + "," + node("B");

engine::Document read(std::string_view text, std::string_view name = {}) {
  ReadResult read = read_text("ietf", text, name);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

engine::InputError error_of(std::string_view text) {
  const ReadResult read = read_text("ietf", text);
  EXPECT_FALSE(read.has_value());
  return read ? engine::InputError() : read.error().first.at(0);
}

const engine::Attributes& node_of(const engine::Document& document, std::size_t i,
                                  std::size_t topology = 0) {
  return *document.nodes(document.topologies[topology])[i].attributes;
}
TEST(IetfReader, MakesOneLinkOfTwoThatMirrorEachOther) {
  const auto document = read(
      file(network("net", kTwoNodes, link("ab", "A/p", "B/q") + "," + link("ba", "B/q", "A/p"))));
  EXPECT_EQ(document.topologies.front().attributes->name(), "net");
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_EQ(link(document, 0).name(), "A - B");
  EXPECT_THAT(properties(link(document, 0), "link-id"), ElementsAre("ab", "ba"));
  EXPECT_THAT(properties(link(document, 0), "source-tp"), ElementsAre("A/p"));
  EXPECT_THAT(properties(link(document, 0), "dest-tp"), ElementsAre("B/q"));
  EXPECT_TRUE(document.notes.empty());
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 13U);
}

TEST(IetfReader, PairsParallelLinksByTheirTerminationPoints) {
  const auto document =
      read(file(network("net", kTwoNodes,
                        link("1", "A/p", "B/p") + "," + link("2", "A/q", "B/q") + "," +
                            link("3", "B/q", "A/q") + "," + link("4", "B/p", "A/p"))));
  ASSERT_EQ(count_links(document), 2U);
  EXPECT_THAT(properties(link(document, 0), "link-id"), ElementsAre("1", "4"));
  EXPECT_THAT(properties(link(document, 1), "link-id"), ElementsAre("2", "3"));
}

TEST(IetfReader, KeepsLinksWithoutOneThatGoesBackAndSaysSo) {
  const auto document = read(
      file(network("net", kTwoNodes, link("1", "A/p", "B/p") + "," + link("2", "B/p", "A/q"))));
  ASSERT_EQ(count_links(document), 2U);
  EXPECT_THAT(properties(link(document, 1), "one-way-from"), ElementsAre("B"));
  ASSERT_EQ(document.notes.size(), 2U);
  EXPECT_TRUE(document.notes[0].warning);
  EXPECT_THAT(document.notes[0].text, testing::HasSubstr("link 1 of network net goes one way"));
}

TEST(IetfReader, DoesNotGuessWhichOfSeveralLinksGoBack) {
  const auto document = read(
      file(network("net", kTwoNodes,
                   link("1", "A", "B") + "," + link("2", "A", "B") + "," + link("3", "B", "A"))));
  EXPECT_EQ(count_links(document), 3U);
  EXPECT_EQ(document.notes.size(), 3U);
}

TEST(IetfReader, KeepsWhatTheDirectionsOfALinkSayOtherwise) {
  const auto document =
      read(file(network("net", kTwoNodes,
                        link("1", "A/p", "B/p", R"(,"x:cost":{"metric":1},"x:same":5)") + "," +
                            link("2", "B/p", "A/p", R"(,"x:cost":{"metric":2},"x:same":5)"))));
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_THAT(properties(link(document, 0), "cost"), ElementsAre(R"({"metric":1})"));
  EXPECT_THAT(properties(link(document, 0), "same"), ElementsAre("5"));
  EXPECT_THAT(properties(link(document, 0), "link-back"),
              ElementsAre(R"({"x:cost":{"metric":2}})"));
}

TEST(IetfReader, MakesEachOfSeveralNetworksATopology) {
  const auto document = read(file(
      network("up", node("A", R"(,"supporting-node":[{"network-ref":"low","node-ref":"A"}])"), "") +
      "," + network("low", node("A"), "")));
  ASSERT_EQ(document.topologies.size(), 3U);
  EXPECT_EQ(document.topologies[0].attributes->name(), "file");
  EXPECT_EQ(document.topologies[1].attributes->name(), "up");
  EXPECT_EQ(document.topologies[2].attributes->name(), "low");
  EXPECT_EQ(node_of(document, 0, 1).name(), "A");
  EXPECT_EQ(node_of(document, 0, 2).name(), "A");
  EXPECT_NE(node_of(document, 0, 1).id(), node_of(document, 0, 2).id());
  EXPECT_THAT(properties(node_of(document, 0, 1), "supporting-node"),
              ElementsAre(R"([{"network-ref":"low","node-ref":"A"}])"));
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(IetfReader, MakesIdentifiersOfNetworkAndNodeIdAlone) {
  const auto alone = read(file(network("up", node("A"), "") + "," + network("low", "", "")));
  const auto other = read(
      file(network("low", node("A"), "") + "," + network("up", node("B") + "," + node("A"), "")));
  EXPECT_EQ(node_of(alone, 0, 1).id(), node_of(other, 1, 2).id());
}

TEST(IetfReader, KeepsModulesTogetherUnderTheirNamesWithoutThePrefix) {
  const auto document = read(file(R"({"network-id":"n","network-types":{"m:l3":{}},
    "supporting-network":[{"network-ref":"low"}],"node":[
    {"node-id":"A","m:l3-node-attributes":{"prefix":[{"metric":1}],"none":null},
     "m:flag":["a","b"]}]})"));
  const auto& topology = *document.topologies.front().attributes;
  EXPECT_THAT(properties(topology, "network-types"), ElementsAre(R"({"m:l3":{}})"));
  EXPECT_THAT(properties(topology, "supporting-network"),
              ElementsAre(R"([{"network-ref":"low"}])"));
  EXPECT_THAT(properties(node_of(document, 0), "l3-node-attributes"),
              ElementsAre(R"({"prefix":[{"metric":1}],"none":null})"));
  EXPECT_THAT(properties(node_of(document, 0), "flag"), ElementsAre("a", "b"));
  EXPECT_EQ(document.losses.present(), 8U);
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(IetfReader, KeepsTerminationPointsThatSayMoreThanLinksDo) {
  constexpr std::string_view kPoints =
      R"(,"ietf-network-topology:termination-point":[{"tp-id":"p"},{"tp-id":"q"},{"tp-id":"p","m:x":1}])";
  const auto document =
      read(file(network("net", node("A", kPoints) + "," + node("B"), link("1", "A/p", "B/p"))));
  EXPECT_THAT(properties(node_of(document, 0), "termination-point"),
              ElementsAre(R"({"tp-id":"q"})", R"({"tp-id":"p","m:x":1})"));
}

std::string placed(std::string_view place) {
  return file(
      network("n", node("A", fmt::format(R"(,"ietf-geo-location:geo-location":{})", place)), ""));
}

TEST(IetfReader, ReadsPlacesOnEarthByRfc9179) {
  const auto document = read(placed(
      R"({"reference-frame":{"geodetic-system":{"geodetic-datum":"wgs-84","coord-accuracy":"1"}},
          "latitude":"59.91","longitude":"10.75","height":"5.5",
          "timestamp":"2024-01-01T00:00:00Z"})"));
  const auto fields = node_of(document, 0).fields();
  EXPECT_EQ(fields.coordinates->latitude.value, 59'910'000);
  EXPECT_EQ(fields.coordinates->longitude.value, 10'750'000);
  EXPECT_EQ(fields.altitude->value, 5'500'000);
  EXPECT_THAT(properties(node_of(document, 0), "geo-location.coord-accuracy"), ElementsAre("1"));
  EXPECT_THAT(properties(node_of(document, 0), "geo-location.timestamp"),
              ElementsAre("2024-01-01T00:00:00Z"));
}

TEST(IetfReader, TakesNoPlaceOnAnotherBodyForOneOnEarth) {
  const auto document = read(
      placed(R"({"reference-frame":{"astronomical-body":"moon"},"latitude":"1","longitude":"2"})"));
  EXPECT_FALSE(node_of(document, 0).fields().coordinates);
  EXPECT_THAT(properties(node_of(document, 0), "geo-location"),
              ElementsAre(R"({"reference-frame":{"astronomical-body":"moon"},)"
                          R"("latitude":"1","longitude":"2"})"));
}

TEST(IetfReader, LosesLinksThatDoNotJoinTwoNodesWithTheirPlaces) {
  const auto document = read(file(network(
      "n", kTwoNodes, link("1", "A", "Z") + "," + link("2", "A", "A") + R"(,{"link-id":"3"})")));
  EXPECT_EQ(count_links(document), 0U);
  EXPECT_EQ(document.losses.lost(), 7U);
  EXPECT_EQ(document.losses.kept()[1].text(),
            "/ietf-network:networks/network/0/ietf-network-topology:link/0/source/source-node: "
            "link.source.source-node: an end of the link is no node of its network");
}

TEST(IetfReader, RefusesWhatIsNoNetworkWithThePlace) {
  EXPECT_EQ(error_of("").code, "not-well-formed");
  EXPECT_EQ(error_of("").message, "Error: the file is empty");
  EXPECT_EQ(error_of("{}").code, "missing-member");
  EXPECT_EQ(error_of(file("")).code, "missing-member");
  EXPECT_EQ(error_of(file("{}")).place(), "/ietf-network:networks/network/0");
  EXPECT_EQ(error_of(file(network("n", "{}", ""))).code, "missing-member");
  EXPECT_EQ(error_of(file(network("n", "5", ""))).code, "wrong-type");
  const auto twice = error_of(file(network("n", node("A") + "," + node("A"), "")));
  EXPECT_EQ(twice.code, "duplicate-id");
  EXPECT_EQ(twice.place(), "/ietf-network:networks/network/0/node/1");
  EXPECT_EQ(
      error_of(file(network("n", kTwoNodes, link("1", "A", "B") + "," + link("1", "B", "A")))).code,
      "duplicate-id");
  EXPECT_EQ(error_of(file(node("A", R"(,"node-id":"B")"))).code, "duplicate-member");
}

}  // namespace
}  // namespace netml::codecs
