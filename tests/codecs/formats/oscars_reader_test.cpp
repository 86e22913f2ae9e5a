// Topologies of OSCARS to documents: devices, links in two directions, the three older files.
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
using test::warnings;
using testing::ElementsAre;
using testing::IsEmpty;

engine::Document read(std::string_view text) {
  return document_of("oscars", text, "net");
}

engine::InputErrors errors_of(std::string_view text) {
  return test::errors_of("oscars", text);
}

// An adjacency from port p of one device to port q of another.
std::string adjacency(std::string_view a, std::string_view p, std::string_view z,
                      std::string_view q, int metric = 10) {
  return std::string(R"({"a":{"device":")")
      .append(a)
      .append(R"(","port":")")
      .append(p)
      .append(R"("},"z":{"device":")")
      .append(z)
      .append(R"(","port":")")
      .append(q)
      .append(R"("},"metrics":{"MPLS":)" + std::to_string(metric) + "}}");
}

std::string topology(std::string_view adjacencies) {
  return std::string(R"({"devices":[{"urn":"r1"},{"urn":"r2"}],"problems":[],"adjcies":[)")
      .append(adjacencies)
      .append("]}");
}

TEST(OscarsReader, MakesNodesOfDevicesWithTheirPortsTogether) {
  const auto document =
      read(R"({"devices":[{"urn":"r1","latitude":"0.0","longitude":"0.0","location":"X",)"
           R"("capabilities":["E","M"],"ports":[{"urn":"r1:1","reservableIngressBw":10}]},)"
           R"({"urn":"r2","latitude":"59.5","longitude":10.25},{"urn":"r3","latitude":120,)"
           R"("longitude":5}]})");
  EXPECT_EQ(node(document, 0).name(), "r1");
  EXPECT_FALSE(node(document, 0).coordinates());
  EXPECT_THAT(properties(node(document, 0), "ports"),
              ElementsAre(R"([{"urn":"r1:1","reservableIngressBw":10}])"));
  EXPECT_THAT(properties(node(document, 0), "capabilities"), ElementsAre("E", "M"));
  EXPECT_EQ(node(document, 1).coordinates()->latitude.value, 59'500'000);
  EXPECT_THAT(properties(node(document, 2), "latitude"), ElementsAre("120"));
  EXPECT_THAT(warnings(document), ElementsAre("0,0 stands for an unknown place at 1 device: r1"));
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 14U);
}

TEST(OscarsReader, JoinsTwoDirectionsWhereDevicesAndPortsAreMirrored) {
  const auto document =
      read(topology(adjacency("r1", "1", "r2", "2") + "," + adjacency("r2", "2", "r1", "1") + "," +
                    adjacency("r2", "3", "r1", "1")));
  ASSERT_EQ(count_links(document), 2U);
  EXPECT_THAT(properties(link(document, 0), "a.port"), ElementsAre("1"));
  EXPECT_THAT(properties(link(document, 0), "metrics.mpls"), ElementsAre("10"));
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 18U);
}

TEST(OscarsReader, KeepsWhatTheOtherDirectionSaysOtherwise) {
  const std::string one = adjacency("r1", "1", "r2", "2", 10);
  const std::string back = adjacency("r2", "2", "r1", "1", 20);
  for (const std::string& text : {one + "," + back, back + "," + one}) {
    const auto document = read(topology(text));
    ASSERT_EQ(count_links(document), 1U);
    EXPECT_THAT(properties(link(document, 0), "metrics.mpls"), ElementsAre("10"));
    EXPECT_THAT(properties(link(document, 0), "back.metrics.mpls"), ElementsAre("20"));
  }
}

TEST(OscarsReader, GivesParallelLinksIdentifiersByTheirPorts) {
  const auto one =
      read(topology(adjacency("r1", "1", "r2", "1") + "," + adjacency("r1", "2", "r2", "2")));
  const auto other =
      read(topology(adjacency("r2", "2", "r1", "2") + "," + adjacency("r2", "1", "r1", "1")));
  EXPECT_NE(link(one, 0).id(), link(one, 1).id());
  EXPECT_EQ(link(one, 0).id(), link(other, 1).id());
}

TEST(OscarsReader, LosesLinksToDevicesThatAreNotListed) {
  const auto document = read(
      topology(adjacency("r1", "1", "r9", "2") + "," + adjacency("r1", "1", "r1", "2") + ",7"));
  EXPECT_EQ(count_links(document), 0U);
  EXPECT_EQ(document.losses.lost(), 11U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "/adjcies/0/a/device: adjcy.a.device: z.device r9 is no device of the file");
  EXPECT_EQ(document.losses.kept()[5].reason, "a link joins two different nodes");
  EXPECT_EQ(document.losses.kept()[10].reason, "it does not say which two devices it joins");
}

TEST(OscarsReader, ReadsAListOfDevices) {
  const auto document = read(R"([{"urn":"r1"},{"urn":"r2","type":"ROUTER"}])");
  EXPECT_EQ(document.nodes(document.topologies[0]).size(), 2U);
  EXPECT_THAT(warnings(document), IsEmpty());
}

TEST(OscarsReader, MakesNodesOfTheEndsWhereAFileListsNoDevices) {
  const auto document =
      read("[" + adjacency("r1", "1", "r2", "2") + "," + adjacency("r2", "2", "r1", "1") + "]");
  EXPECT_EQ(document.nodes(document.topologies[0]).size(), 2U);
  EXPECT_EQ(count_links(document), 1U);
  EXPECT_THAT(warnings(document),
              ElementsAre("the file does not list its devices: 2 nodes only named: r1, r2"));
}

TEST(OscarsReader, KeepsPositionsInPixelsAsProperties) {
  const auto document = read(R"({"positions":{"r1":{"x":0,"y":0},"r2":{"x":30,"y":0}}})");
  EXPECT_EQ(node(document, 0).name(), "r1");
  EXPECT_FALSE(node(document, 1).coordinates());
  EXPECT_THAT(properties(node(document, 1), "x"), ElementsAre("30"));
  EXPECT_EQ(document.losses.present(), 4U);
  const auto both = read(R"({"devices":[{"urn":"r1"}],"positions":{"r1":{"x":7},"r2":{"x":1}}})");
  EXPECT_THAT(properties(node(both, 0), "x"), ElementsAre("7"));
  EXPECT_EQ(both.losses.kept().at(0).pointer, "/positions/r2/x");
}

TEST(OscarsReader, IsKnownByWhatFilesBeginWith) {
  const auto format = [](std::string_view text) {
    const auto found = detect_format("x", text);
    return found ? std::string((*found)->name) : std::string();
  };
  EXPECT_EQ(format(topology("")), "oscars");
  EXPECT_EQ(format("[" + adjacency("r1", "1", "r2", "2") + "]"), "oscars");
  EXPECT_EQ(format(R"([{"urn":"r1","reservableVlans":[]}])"), "oscars");
  EXPECT_EQ(format(R"({"positions":{"r1":{"x":0,"y":0}}})"), "oscars");
}

TEST(OscarsReader, RefusesWhatIsNoTopologyWithThePlace) {
  EXPECT_EQ(errors_of("{}").first.at(0).code, "missing-member");
  EXPECT_EQ(errors_of("[]").first.at(0).code, "missing-member");
  const auto errors = errors_of(R"({"devices":[{"urn":"r1"},{"model":"m"}]})");
  ASSERT_EQ(errors.count, 1U);
  EXPECT_EQ(errors.first[0].place(), "/devices/1");
  EXPECT_EQ(errors_of(R"([{"urn":"r1"},{"urn":"r1"}])").first.at(0).code, "duplicate-id");
  EXPECT_EQ(errors_of(R"([{"urn":"r1"},5])").first.at(0).place(), "/1");
}

}  // namespace
}  // namespace netml::codecs
