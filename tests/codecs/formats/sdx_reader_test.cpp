// Topologies of AtlanticWave-SDX to documents: links, half links, and what is private.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/half_links/half_link.hpp"
#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::document_of;
using test::link;
using test::node;
using test::read_text;
using test::whole_property;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string network(std::string_view nodes, std::string_view links) {
  return std::string(R"({"id":"urn:sdx:topology:x.net","name":"X","nodes":[)")
      .append(nodes)
      .append(R"(],"links":[)")
      .append(links)
      .append("]}");
}

constexpr std::string_view kNodes =
    R"({"id":"a","name":"A","ports":[{"id":"a1","label_range":["100-200","1000"]},{"id":"a2"}]},)"
    R"({"id":"b","name":"B","ports":[{"id":"b1","node":"urn:wrong"}]})";

engine::Document read(std::string_view text) {
  return document_of("sdx", text);
}

TEST(SdxReader, JoinsPortsOfTheNodesThatListThem) {
  const auto document = read(network(
      kNodes, R"({"id":"l","bandwidth":10,"nni":"False","ports":[{"id":"a1"},{"id":"b1"}]})"));
  ASSERT_EQ(document.links(document.topologies[0]).size(), 1U);
  EXPECT_EQ(link(document, 0).id(), "l");
  EXPECT_EQ(whole_property(link(document, 0), "bandwidth"), "10");
  EXPECT_EQ(whole_property(link(document, 0), "nni"), "False")
      << "booleans stay as they are spelled";
  EXPECT_EQ(whole_property(link(document, 0), "ports"), R"([{"id":"a1"},{"id":"b1"}])");
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 17U);
}

TEST(SdxReader, TakesPortsByTheirIdentifiersAlone) {
  const auto document = read(network(kNodes, R"({"id":"l","ports":["a1","b1"]})"));
  ASSERT_EQ(document.links(document.topologies[0]).size(), 1U);
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(SdxReader, MakesAHalfLinkOfALinkToAnotherNetwork) {
  const auto document = read(network(
      kNodes, R"({"id":"l","latency":5,"ports":[{"id":"y:c1","node":"y:c"},{"id":"a1"}]})"));
  EXPECT_TRUE(document.links(document.topologies[0]).empty());
  EXPECT_EQ(whole_property(node(document, 0), "half_link"),
            R"({"port":"a1","link":"l","peer":"y:c1","labels":"100-200,1000"})");
  EXPECT_EQ(whole_property(node(document, 0), "links"),
            R"([{"id":"l","latency":5,"ports":[{"id":"y:c1","node":"y:c"},{"id":"a1"}]}])");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(SdxReader, MakesAHalfLinkOfAPortThatNamesAnother) {
  const auto document = read(network(
      R"({"id":"a","ports":[{"id":"urn:sdx:port:x:1","name":"p","nni":"urn:sdx:port:y:1",)"
      R"("services":{"l2vpn-ptp":{"vlan_range":[[1,100],[200,300]]}}},)"
      R"({"id":"urn:sdx:port:x:2","nni":"urn:sdx:link:x:l"},{"id":"urn:sdx:port:x:3","nni":""}]})",
      ""));
  EXPECT_EQ(whole_property(node(document, 0), "half_link"),
            R"({"port":"urn:sdx:port:x:1","name":"p","peer":"urn:sdx:port:y:1",)"
            R"("labels":"1-100,200-300"})");
}

TEST(SdxReader, DoesNotReadWhatIsPrivate) {
  const auto document = read(network(
      R"({"id":"a","private":["secret"],"secret":"CANARY","ports":[{"id":"a1","status":"CANARY",)"
      R"("private":["status"]}],"location":{"private":["latitude","longitude"],"latitude":1.5,)"
      R"("longitude":2.5,"address":"Here"}})",
      R"({"id":"l","loss":"CANARY","private":["loss"],"ports":[{"id":"a1"},{"id":"y"}]})"));
  EXPECT_FALSE(node(document, 0).coordinates());
  EXPECT_EQ(node(document, 0).address(), "Here");
  for (const engine::Property& property : node(document, 0).properties())
    EXPECT_EQ(property.value.find("CANARY"), std::string::npos) << property.value;
  ASSERT_EQ(document.losses.lost(), 5U);
  EXPECT_EQ(document.losses.kept()[0].text(), "/nodes/0/secret: node.secret: it is private");
  EXPECT_EQ(document.losses.kept()[1].text(),
            "/nodes/0/ports/0/status: node.ports[].status: it is private");
}

TEST(SdxReader, LosesALinkWithoutAnyNodeOfTheFile) {
  const auto document = read(network(kNodes, R"({"id":"l","ports":[{"id":"x"},{"id":"y"}]})"));
  ASSERT_EQ(document.losses.lost(), 3U);
  EXPECT_EQ(document.losses.kept()[0].reason, "none of its ports is of a node of the file");
}

TEST(SdxReader, LosesALinkOfOnePort) {
  const auto document = read(network(kNodes, R"({"id":"l","ports":["a1"]},{"ports":["a1","a2"]})"));
  ASSERT_EQ(document.losses.lost(), 4U);
  EXPECT_EQ(document.losses.kept()[0].reason, "it does not join two ports");
  EXPECT_EQ(document.losses.kept()[2].reason, "a link joins two different nodes");
}

std::string place(std::string_view id, std::string_view latitude, std::string_view longitude,
                  std::string_view more = {}) {
  return fmt::format(R"({{"id":"{}","location":{{"latitude":{},"longitude":{}{}}}}})", id, latitude,
                     longitude, more);
}

constexpr std::string_view kFlorida = R"(,"iso3166_2_lvl4":"US-FL")";

std::vector<std::string> findings(const std::vector<std::string>& nodes) {
  const auto document = read(network(fmt::format("{}", fmt::join(nodes, ",")), ""));
  std::vector<std::string> texts;
  for (const auto& note : document.notes) texts.push_back(note.text);
  return texts;
}

TEST(SdxReader, NotesASwappedPlaceByTheCountryOfItsRegionAndKeepsIt) {
  const auto document = read(network(place("a", "-80.3", "25.7", kFlorida), ""));
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0].text,
            "latitude and longitude of node a look swapped: -80.3, 25.7 is not in US, but 25.7, "
            "-80.3 may be");
  EXPECT_EQ(node(document, 0).coordinates()->latitude.value, -80'300'000);
}

TEST(SdxReader, NotesTheSwappedPlacesAloneHoweverManyThereAre) {
  const std::string right = place("a", "25.7", "-80.3", kFlorida);
  const std::string b = place("b", "-80.1", "26.3", kFlorida);
  const std::string c = place("c", "28.0", "-26.2", R"(,"iso3166_2_lvl4":"ZA-GP")");
  EXPECT_THAT(findings({right}), IsEmpty());
  EXPECT_THAT(findings({right, b}), ElementsAre(HasSubstr("node b look swapped")));
  EXPECT_THAT(findings({b, right, c}),
              ElementsAre(HasSubstr("node b look swapped"), HasSubstr("node c look swapped")));
}

TEST(SdxReader, HoldsPlacesWithoutARegionAgainstThoseInTheirCountry) {
  const std::string right = place("a", "25.7", "-80.3", kFlorida);
  const std::string swapped = place("b", "-80.1", "26.3");
  EXPECT_THAT(findings({right, swapped, place("c", "-81.6", "30.3")}),
              ElementsAre(HasSubstr("node b look swapped: -80.1, 26.3 is far from all others"),
                          HasSubstr("node c look swapped")));
  // Its region is private, and not looked at.
  EXPECT_THAT(findings({place("d", "-80.3", "25.7",
                              R"(,"iso3166_2_lvl4":"US-FL","private":["iso3166_2_lvl4"])")}),
              IsEmpty());
}

TEST(SdxReader, BlamesNoPlaceWhereNothingSaysWhichIsRight) {
  const std::string a = place("a", "25.7", "-80.3");
  const std::string b = place("b", "-80.1", "26.3");
  const std::string c = place("c", "-81.6", "30.3");
  EXPECT_THAT(findings({c}), IsEmpty());
  EXPECT_THAT(findings({b, c}), IsEmpty());
  EXPECT_THAT(findings({a, b, c}),
              ElementsAre("latitude and longitude look swapped, either of 1 node: a or of 2 nodes: "
                          "b, c"));
  EXPECT_EQ(findings({a, b}).size(), 1U);
}

TEST(SdxReader, NotesNoPlacesThatAreFarApart) {
  EXPECT_THAT(findings({place("miami", "25.7", "-80.3", kFlorida),
                        place("fortaleza", "-3.7", "-38.5", R"(,"iso3166_2_lvl4":"BR-CE")"),
                        place("cape-town", "-33.9", "18.4", R"(,"iso3166_2_lvl4":"ZA-WC")"),
                        place("guam", "13.4", "144.8", R"(,"iso3166_2_lvl4":"US-GU")"),
                        place("oslo", "59.9", "10.7")}),
              IsEmpty());
}

TEST(SdxReader, NotesRegionsThatAreNoneAndKeepsThem) {
  const auto document = read(network(R"({"id":"a","location":{"iso3166_2_lvl4":"US-MIA"}},)"
                                     R"({"id":"b","location":{"iso3166_2_lvl4":"US-FL"}},)"
                                     R"({"id":"c","location":{"iso3166_2_lvl4":"NL-NH"}})",
                                     ""));
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0].text, "US-MIA of node a is no region of ISO 3166-2");
  EXPECT_EQ(whole_property(node(document, 0), "location.iso3166_2_lvl4"), "US-MIA");
}

TEST(SdxReader, TakesANamelessIdentifierForNone) {
  const auto document = read(R"({"id":"urn:sdx:","name":"X","timestamp":"20210811-214909",)"
                             R"("domain_service":{"owner":"FIU"},"nodes":[]})");
  const engine::Attributes& topology = *document.topologies[0].attributes;
  EXPECT_NE(topology.id(), "urn:sdx:");
  EXPECT_EQ(whole_property(topology, "id"), "urn:sdx:");
  EXPECT_EQ(whole_property(topology, "timestamp"), "20210811-214909");
  EXPECT_EQ(document.elements[document.topologies[0].owner].attributes->name(), "FIU");
}

TEST(SdxReader, RefusesWhatIsNoTopologyWithThePlace) {
  EXPECT_EQ(read_text("sdx", R"({"id":"urn:sdx:x","nodes":7})").error().first[0].code,
            "missing-element");
  EXPECT_EQ(read_text("sdx", R"({"nodes":[)").error().first[0].line, 1U);
  EXPECT_EQ(read_text("sdx", network(R"({"id":"a"},{"id":"a"})", "")).error().first[0].code,
            "duplicate-id");
}

TEST(SdxReader, IsFoundByContents) {
  EXPECT_EQ((*detect_format("file.json", network("", "")))->name, "sdx");
}

}  // namespace
}  // namespace netml::codecs
