// Network packages of the Open Fibre Data Standard to documents, and all that is wrong with one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::document_of;
using test::property;
using test::read_text;

std::string package(std::string_view networks, std::string_view members = {}) {
  return std::string("{").append(members).append(R"("networks":[)").append(networks).append("]}");
}

std::string network(std::string_view id, std::string_view members) {
  return std::string(R"({"name":"Net )")
      .append(id)
      .append(R"(","id":")")
      .append(id)
      .append("\",")
      .append(members)
      .append("}");
}

constexpr std::string_view kNodes =
    R"("nodes":[{"id":"1","name":"A","location":{"type":"Point","coordinates":[1,2]},)"
    R"("physicalInfrastructureProvider":{"id":"p","name":"FibreOne"}},{"id":"2","name":"B"}])";

engine::Document read(std::string_view text) {
  return document_of("ofds", text);
}

// "place code" of each.
std::vector<std::string> errors_of(std::string_view text) {
  const ReadResult read = read_text("ofds", text);
  EXPECT_FALSE(read.has_value()) << text;
  std::vector<std::string> errors;
  if (!read)
    for (const auto& error : read.error().first) errors.push_back(error.place() + " " + error.code);
  return errors;
}

TEST(OfdsReader, MakesNodesLinksAndInstitutionsOfANetwork) {
  const auto document = read(package(
      network("n1", std::string(kNodes) +
                        R"(,"spans":[{"id":"1","start":"1","end":"2","directed":false,)"
                        R"("route":{"type":"LineString","coordinates":[[1,2],[2,2],[3,4]]}}],)"
                        R"("organisations":[{"id":"p","name":"FibreOne","country":"GH"}],)"
                        R"("phases":[{"id":"1","name":"First"}],"contracts":[],"accuracy":250)")));
  const auto& topology = document.topologies.front();
  EXPECT_EQ(topology.attributes->id(), "n1");
  EXPECT_EQ(property(*topology.attributes, "phases"), R"([{"id":"1","name":"First"}])");
  EXPECT_EQ(property(*topology.attributes, "accuracy"), "250");
  ASSERT_EQ(document.nodes(topology).size(), 2U);
  ASSERT_EQ(document.links(topology).size(), 1U);
  const auto& link = *document.links(topology)[0].attributes;
  EXPECT_EQ(link.name(), "A - B");
  EXPECT_EQ(property(link, "course"), "[[1,2],[2,2],[3,4]]");
  EXPECT_EQ(property(link, "directed"), "false");
  const auto& node = *document.nodes(topology)[0].attributes;
  EXPECT_EQ(node.fields().coordinates->longitude.value, 1'000'000);
  EXPECT_EQ(property(node, "physicalinfrastructureprovider"), R"({"id":"p","name":"FibreOne"})");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(OfdsReader, LosesSpansWithoutTwoNodes) {
  const auto document = read(package(network(
      "n1", std::string(kNodes) + R"(,"spans":[{"id":"1","start":"1"},{"id":"2","start":"1",)"
                                  R"("end":"9"}])")));
  EXPECT_TRUE(document.links(document.topologies.front()).empty());
  EXPECT_EQ(document.losses.lost(), 5U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "/networks/0/spans/0/id: link.id: it does not join two nodes");
  EXPECT_EQ(document.losses.kept()[4].text(),
            "/networks/0/spans/1/end: link.end: its ends are no nodes of the file");
}

TEST(OfdsReader, KeepsSeveralNetworksApart) {
  const auto document = read(package(network("n1", kNodes) + "," + network("n2", kNodes)));
  ASSERT_EQ(document.topologies.size(), 3U);
  EXPECT_EQ(document.nodes(document.topologies[1]).size(), 2U);
  EXPECT_EQ(document.nodes(document.topologies[2]).size(), 2U);
}

TEST(OfdsReader, RefusesWithEachProblemAndItsPointer) {
  EXPECT_THAT(
      errors_of(package(network(
          "1", R"("website":"example.com","publisher":"me","accuracyDetails":7,"contracts":{},)"
               R"("publicationDate":"May","phases":[{"id":"1"},{"id":"1"}],"organisations":[{}],)"
               R"("language":"","spans":[{"directed":"yes","fibreCount":"5"}])"))),
      testing::UnorderedElementsAre(
          "/networks/0/website wrong-type", "/networks/0/publisher wrong-type",
          "/networks/0/accuracyDetails wrong-type", "/networks/0/contracts wrong-type",
          "/networks/0/publicationDate wrong-type", "/networks/0/phases/1/id duplicate-id",
          "/networks/0/organisations/0 missing-id", "/networks/0/language empty-text",
          "/networks/0/spans/0/directed wrong-type", "/networks/0/spans/0/fibreCount wrong-type",
          "/networks/0/spans/0 missing-id", "/networks/0/spans/0 missing-end"));
  EXPECT_EQ(errors_of("{}"), std::vector<std::string>{" wrong-root"});
  EXPECT_EQ(errors_of(package("1")), std::vector<std::string>{"/networks/0 wrong-type"});
  EXPECT_EQ(errors_of(package(network("a", kNodes) + "," + network("a", kNodes))),
            std::vector<std::string>{"/networks/1/id duplicate-id"});
}

}  // namespace
}  // namespace netml::codecs
