// GeoJSON to documents: what fields become, what is lost, and what is refused, each with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::count_links;
using test::count_nodes;
using test::link;
using test::node;
using test::read_text;
using test::whole_property;

std::string collection(std::string_view features, std::string_view members = {}) {
  return std::string(R"({"type":"FeatureCollection",)")
      .append(members)
      .append(R"("features":[)")
      .append(features)
      .append("]}");
}

std::string feature(std::string_view geometry, std::string_view properties,
                    std::string_view members = {}) {
  return std::string(R"({"type":"Feature",)")
      .append(members)
      .append(R"("geometry":)")
      .append(geometry)
      .append(R"(,"properties":{)")
      .append(properties)
      .append("}}");
}

std::string point(std::string_view coordinates, std::string_view properties,
                  std::string_view members = {}) {
  return feature(std::string(R"({"type":"Point","coordinates":[)").append(coordinates) + "]}",
                 properties, members);
}

std::string line(std::string_view coordinates, std::string_view properties) {
  return feature(std::string(R"({"type":"LineString","coordinates":[)").append(coordinates) + "]}",
                 properties);
}

engine::Document read(std::string_view text, std::string_view owner = {}) {
  ReadResult read = read_text("geojson", text, {}, owner);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return read ? *std::move(read) : engine::Document();
}

engine::InputErrors errors_of(std::string_view text) {
  return test::errors_of("geojson", text);
}

const std::string kOslo = point("10.75,59.91", R"("name":"Oslo")", R"("id":"o",)");
const std::string kBergen = point("5.32,60.39,12", R"("name":"Bergen")", R"("id":7,)");
const std::string kBoth = kOslo + "," + kBergen;

TEST(GeojsonReader, MakesNodesOfPointsWithLongitudeFirst) {
  const auto document = read(collection(kBoth));
  ASSERT_EQ(count_nodes(document), 2U);
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(node(document, 0).fields().coordinates->latitude.value, 59'910'000);
  EXPECT_EQ(node(document, 1).fields().altitude->value, 12'000'000);
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.present(), 14U);
}

TEST(GeojsonReader, JoinsNodesThatPropertiesNameByKeyIdentifierOrName) {
  const auto document = read(
      collection(kBoth + "," + point("1,2", R"("identifier":"urn:x")") + "," +
                 line("[10.75,59.91],[5.32,60.39]", R"("source":"o","target":7,"capacity":10)") +
                 "," + feature("null", R"("FROM":"Oslo","TO":"urn:x")") + "," +
                 line("[5.32,60.39],[1,2]", R"("start":{"id":"7"},"end":"urn:x")")));
  ASSERT_EQ(count_links(document), 3U);
  EXPECT_EQ(link(document, 0).name(), "Oslo - Bergen");
  EXPECT_EQ(whole_property(link(document, 0), "capacity"), "10");
  EXPECT_EQ(whole_property(link(document, 0), "course"), "(none)") << "it is the straight line";
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GeojsonReader, JoinsNodesThatAreExactlyAtTheEndsOfALine) {
  const auto document = read(collection(
      kBoth + "," + line("[5.32,60.39],[8,61],[10.75,59.91]", R"("start":"2018-01-01")")));
  ASSERT_EQ(count_links(document), 1U);
  EXPECT_EQ(whole_property(link(document, 0), "course"), "[[5.32,60.39],[8,61],[10.75,59.91]]");
  EXPECT_EQ(whole_property(link(document, 0), "start"), "2018-01-01");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GeojsonReader, LosesLinksWithoutTwoNodesWithPlaceAndReason) {
  const auto document =
      read(collection(kOslo + "," + line("[10.75,59.91],[1,2]", R"("name":"x")") + "," +
                      line("[10.75,59.91],[1,2]", R"("source":"o","target":"o")")));
  EXPECT_EQ(count_links(document), 0U);
  EXPECT_EQ(document.losses.lost(), 15U);
  const auto& losses = document.losses.kept();
  EXPECT_EQ(
      losses[0].text(),
      "/features/1/type: link@type: neither names nor places tell which two nodes of the file "
      "it joins");
  EXPECT_EQ(losses[6].pointer, "/features/1/properties/name");
  EXPECT_EQ(losses[6].field, "link.name");
  EXPECT_EQ(losses.back().reason, "a link joins two different nodes");
}

TEST(GeojsonReader, DoesNotChooseAmongNodesAtOnePlaceOrOfOneName) {
  const auto document =
      read(collection(point("1,2", R"("name":"A")") + "," + point("1,2", R"("name":"A")") + "," +
                      kOslo + "," + line("[1,2],[10.75,59.91]", R"("from":"A","to":"Oslo")")));
  EXPECT_EQ(count_nodes(document), 3U);
  EXPECT_EQ(count_links(document), 0U);
}

TEST(GeojsonReader, KeepsAsPropertyWhatIsNoPlace) {
  const auto document = read(collection(
      point("10,120", "") + "," + feature("null", R"("name":"N")") + "," +
      feature(R"({"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]})", R"("name":"P")") +
      "," + point("", R"("name":"E")")));
  ASSERT_EQ(count_nodes(document), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(node(document, i).fields().coordinates);
  EXPECT_EQ(whole_property(node(document, 0), "latitude"), "120");
  EXPECT_EQ(whole_property(node(document, 0), "longitude"), "10");
  EXPECT_EQ(whole_property(node(document, 2), "geometry"),
            R"({"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]})");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GeojsonReader, KeepsMembersOfOthersAndNestedValues) {
  const auto document = read(
      collection(point("1,2", R"("name":"A","kind":"city","tags":["x","y"],"a":{"b":[{"c":1}]})",
                       R"("bbox":[1,2,1,2],"tippecanoe":{"minzoom":5},)"),
                 R"("name":"Net","bbox":[0,0,9,9],"license":"CC0",)"));
  const auto& topology = document.topologies.front();
  EXPECT_EQ(topology.attributes->name(), "Net");
  EXPECT_EQ(whole_property(*topology.attributes, "bbox"), "0099");
  EXPECT_EQ(whole_property(*topology.attributes, "license"), "CC0");
  EXPECT_EQ(whole_property(node(document, 0), "kind"), "city");
  EXPECT_EQ(whole_property(node(document, 0), "tags"), "xy");
  EXPECT_EQ(whole_property(node(document, 0), "a"), R"({"b":[{"c":1}]})");
  EXPECT_EQ(whole_property(node(document, 0), "tippecanoe"), R"({"minzoom":5})");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GeojsonReader, TakesTheNetworkOfEveryFeatureOnce) {
  const std::string network = R"("network":{"id":"n1","name":"Net","links":[{"rel":"x"}]})";
  const std::string other = R"("network":{"id":"n1","name":"Other"})";
  const auto document = read(collection(
      point("1,2", R"("id":"1","featureType":"node","physicalInfrastructureProvider":)"
                   R"({"id":"p","name":"FibreOne"},)" +
                       network) +
      "," + point("3,4", R"("id":"2",)" + network) + "," + point("5,6", R"("id":"3",)" + other)));
  const auto& topology = document.topologies.front();
  EXPECT_EQ(topology.attributes->id(), "n1");
  EXPECT_EQ(topology.attributes->name(), "Net");
  EXPECT_EQ(whole_property(*topology.attributes, "links"), R"([{"rel":"x"}])");
  EXPECT_EQ(whole_property(node(document, 1), "network"), "(none)");
  EXPECT_EQ(whole_property(node(document, 2), "network"), R"({"id":"n1","name":"Other"})");
  EXPECT_EQ(whole_property(node(document, 0), "physicalinfrastructureprovider"),
            R"({"id":"p","name":"FibreOne"})");
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GeojsonReader, KeepsSeveralNetworksApart) {
  const auto document = read(
      collection(point("1,2", R"("id":"1","name":"A","network":{"id":"n1","name":"N"})") + "," +
                 point("3,4", R"("id":"1","name":"B","network":{"id":"n2","name":"M"})")));
  ASSERT_EQ(document.topologies.size(), 3U);
  EXPECT_EQ(document.nodes(document.topologies[1]).size(), 1U);
  EXPECT_EQ(document.nodes(document.topologies[2]).size(), 1U);
}

TEST(GeojsonReader, MakesTheNodesThatASpanHoldsWhole) {
  const std::string ends =
      R"("start":{"id":"1","name":"A","location":{"type":"Point","coordinates":[1,2]},)"
      R"("power":true},)"
      R"("end":{"id":"2","name":"B","location":{"type":"Point","coordinates":[3,4]}})";
  const auto document =
      read(collection(line("[1,2],[2,2],[3,4]", R"("featureType":"span","name":"s1",)" + ends) +
                      "," + line("[1,2],[3,4]", R"("name":"s2",)" + ends)));
  ASSERT_EQ(count_nodes(document), 2U);
  ASSERT_EQ(count_links(document), 2U);
  EXPECT_EQ(node(document, 0).fields().coordinates->longitude.value, 1'000'000);
  EXPECT_EQ(whole_property(node(document, 0), "power"), "true");
  EXPECT_EQ(whole_property(link(document, 1), "start"), "(none)")
      << "it repeats what the first one says";
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(GeojsonReader, FollowsNoOrder) {
  const std::string a = point("1,2", R"("kind":"pop")");
  const std::string b = point("1,2", R"("kind":"core")");
  const auto one = read(collection(a + "," + b));
  const auto other = read(collection(b + "," + a));
  EXPECT_NE(node(one, 0).id(), node(one, 1).id());
  EXPECT_EQ(node(one, 0).id(), node(other, 1).id());
  EXPECT_EQ(node(one, 1).id(), node(other, 0).id());
}

TEST(GeojsonReader, LosesControlCharactersWithTheirField) {
  const auto document = read(collection(point("1,2", R"("name":"a\u0001b","\u0007":"x")")));
  EXPECT_EQ(node(document, 0).name(),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(whole_property(node(document, 0), "\xef\xbf\xbd"), "x");
  EXPECT_EQ(document.losses.lost(), 1U);
  EXPECT_EQ(document.losses.kept()[0].text(),
            "/features/0/properties/name: node.name: control characters in it are replaced");
}

TEST(GeojsonReader, CountsEmptyValues) {
  const auto document = read(R"({"type":"FeatureCollection","features":[]})");
  EXPECT_EQ(document.losses.carried(), 2U);
  const auto single = read(R"({"type":"Feature","geometry":null,"properties":null,"id":1})");
  EXPECT_EQ(count_nodes(single), 1U);
  EXPECT_EQ(single.losses.carried(), 4U);
}

TEST(GeojsonReader, RefusesWhatIsNoFeaturesWithThePlace) {
  EXPECT_EQ(errors_of("[]").first.at(0).code, "wrong-root");
  EXPECT_EQ(errors_of(R"({"type":"Point","coordinates":[1,2]})").first.at(0).code, "wrong-root");
  EXPECT_EQ(errors_of("{").first.at(0).code, "not-well-formed");
  EXPECT_EQ(errors_of(R"({"type":"FeatureCollection"})").first.at(0).code, "wrong-type");
  const auto errors = errors_of(collection(
      R"(1,{"type":"Feature","geometry":5},{"type":"Feature","geometry":null,"properties":[]})"));
  ASSERT_EQ(errors.count, 3U);
  EXPECT_EQ(errors.first[0].place(), "/features/0");
  EXPECT_EQ(errors.first[1].place(), "/features/1/geometry");
  EXPECT_EQ(errors.first[2].place(), "/features/2/properties");
  const auto twice =
      errors_of(collection(point("1,2", R"("id":"a")") + "," + point("3,4", R"("id":"a")")));
  EXPECT_EQ(twice.first.at(0).place(), "/features/1");
  EXPECT_EQ(twice.first.at(0).code, "duplicate-id");
}

TEST(GeojsonReader, RefusesPositionsInAnotherReferenceSystem) {
  const auto crs = [](std::string_view name) {
    return collection(kOslo, std::string(R"("crs":{"type":"name","properties":{"name":")")
                                 .append(name)
                                 .append(R"("}},)"));
  };
  EXPECT_EQ(errors_of(crs("urn:ogc:def:crs:EPSG::3857")).first.at(0).place(),
            "/crs/properties/name");
  EXPECT_EQ(count_nodes(read(crs("urn:ogc:def:crs:OGC:1.3:CRS84"))), 1U);
}

TEST(GeojsonReader, IsKnownByItsContent) {
  EXPECT_EQ((*detect_format("x", collection("")))->name, "geojson");
  EXPECT_EQ((*detect_format("x", " {\"features\" : [ {\"type\" :\n\"Feature\""))->name, "geojson");
  EXPECT_EQ((*detect_format("x", R"({"networks":[{"id":"1"}]})"))->name, "ofds");
  EXPECT_FALSE(detect_format("x", R"({"nodes":[]})").has_value());
}

}  // namespace
}  // namespace netml::codecs
