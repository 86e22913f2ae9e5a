// Maps to GeoJSON and back: nothing is lost, whatever the map has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/map_round_trip.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::codecs {
namespace {

using test::imported;
using test::state_of;

std::string written(const engine::State& state) {
  return test::written("geojson", state);
}

void expect_round_trip(const engine::State& state) {
  const engine::Document read = test::expect_round_trip("geojson", state);
  EXPECT_EQ(imported(read).graph.content_digest(), state.graph.content_digest())
      << "the elements of the map are in the order in which they are written";
}

std::string located(std::string_view id, std::string_view location, std::string_view more = {}) {
  return std::string("<grenml:Node id=\"")
      .append(id)
      .append("\"><grenml:name>N</grenml:name>")
      .append(location)
      .append(more)
      .append("</grenml:Node>\n");
}

std::string at(std::string_view longitude, std::string_view latitude) {
  return std::string("<grenml:Location><grenml:long>")
      .append(longitude)
      .append("</grenml:long><grenml:lat>")
      .append(latitude)
      .append("</grenml:lat></grenml:Location>");
}

std::string link(std::string_view id, std::string_view from, std::string_view to,
                 std::string_view more = {}) {
  return std::string("<grenml:Link id=\"")
      .append(id)
      .append("\"><grenml:name>L</grenml:name>")
      .append(more)
      .append("<grenml:node>")
      .append(from)
      .append("</grenml:node><grenml:node>")
      .append(to)
      .append("</grenml:node></grenml:Link>\n");
}

std::string property(std::string_view name, std::string_view value) {
  return std::string("<grenml:Property name=\"")
      .append(name)
      .append("\">")
      .append(value)
      .append("</grenml:Property>");
}

std::string map(std::string_view elements, std::string_view topologies = {}) {
  return std::string(R"(<grenml:Topology id="t" version="2024-01-02T03:04:05+00:00"
 xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
 xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"><grenml:name>Map &amp; more</grenml:name>
<grenml:owner>o</grenml:owner>)")
      .append(property("label", "of the map"))
      .append("<grenml:Institution id=\"o\"><grenml:name>Owner \"1\"</grenml:name>")
      .append(at("1.5", "2.5"))
      .append("</grenml:Institution>")
      .append("<grenml:Institution id=\"p\"><grenml:name>Other</grenml:name>")
      .append("</grenml:Institution>\n")
      .append(elements)
      .append(topologies)
      .append("</grenml:Topology>");
}

TEST(GeojsonWriter, KeepsEveryFieldOfAMap) {
  const std::string lifetime =
      "<grenml:owner>o</grenml:owner><grenml:owner>p</grenml:owner><grenml:Lifetime>"
      "<nml:start>2020-01-01T00:00:00Z</nml:start><nml:end>2030-01-01T00:00:00Z</nml:end>"
      "</grenml:Lifetime>";
  expect_round_trip(state_of(map(
      link("l", "a", "b",
           lifetime + property("source", "s") + property("network", "{}") + property("empty", "")) +
      located("a",
              "<grenml:Location><grenml:long>10.75</grenml:long><grenml:lat>59.91</grenml:lat>"
              "<grenml:alt>-3.5</grenml:alt><grenml:unlocode>NOOSL</grenml:unlocode>"
              "<grenml:address>Street 1</grenml:address></grenml:Location>",
              property("", "nameless") + property("kind", "city") + property("tag", "x") +
                  property("tag", "y") + property("a@b", "1") + property("c[]", "2") +
                  property("property.x", " blanks ") + property("other_properties", "z") +
                  property("physicalinfrastructureprovider", "f")) +
      located("b", ""))));
}

TEST(GeojsonWriter, KeepsTopologiesInsideOthers) {
  expect_round_trip(state_of(
      map(located("a", at("1", "2")),
          "<grenml:Topology id=\"s\"><grenml:name>Sub</grenml:name><grenml:owner>q</grenml:owner>"
          "<grenml:Institution id=\"q\"><grenml:name>Q</grenml:name></grenml:Institution>" +
              located("c", at("5", "6"), property("parent", "none")) + "</grenml:Topology>")));
}

TEST(GeojsonWriter, WritesLinesAlongTheirCourseCutAt180Degrees) {
  const std::string nodes =
      located("a", at("170", "0")) + located("b", at("-170", "10")) + located("c", at("10", "50"));
  const engine::State straight = state_of(map(link("l", "a", "b") + nodes));
  EXPECT_THAT(written(straight),
              testing::HasSubstr("[[[170.0,0.0],[180.0,5.0]],[[-180.0,5.0],[-170.0,10.0]]]"));
  expect_round_trip(straight);
  const engine::State around =
      state_of(map(link("l", "a", "c", property("course", "[[170,0],[90,20],[10,50]]")) + nodes));
  const std::string text = written(around);
  EXPECT_THAT(text, testing::HasSubstr("\"coordinates\":[[170,0],[90,20],[10,50]]"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\"course\"")));
  expect_round_trip(around);
  // No line would be read as these.
  for (const char* course : {"north", "[[170.0,0.0],[10.0,50.0]]", "[[1,2]]"})
    expect_round_trip(state_of(map(link("l", "a", "c", property("course", course)) + nodes)));
}

TEST(GeojsonWriter, WritesOneFeatureALine) {
  engine::test::GraphBuilder builder;
  const RecordId t = builder.topology("T", {}, RecordId{2}, true);
  const RecordId i = builder.institution("i", {t});
  const RecordId a = builder.node("a \"1\"", {t}, {i});
  const RecordId b = builder.node("b", {t}, {i});
  builder.link("ab", {t}, {i}, a, b);
  const auto file = find_format("geojson")->write(builder.build(), t);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->bytes,
            R"({"type":"FeatureCollection",
"topology":{"identifier":"T","name":"T","owner":"i"},
"features":[
)"
            R"({"type":"Feature","properties":{"kind":"node","identifier":"a \"1\"",)"
            R"("name":"a \"1\"","owner":"i"},"geometry":null},
)"
            R"({"type":"Feature","properties":{"kind":"node","identifier":"b","name":"b",)"
            R"("owner":"i"},"geometry":null},
)"
            R"({"type":"Feature","properties":{"kind":"link","source":"a \"1\"","target":"b",)"
            R"("identifier":"ab","name":"ab","owner":"i"},"geometry":null},
)"
            R"({"type":"Feature","properties":{"kind":"institution","identifier":"i",)"
            R"("name":"i"},"geometry":null}]}
)");
  EXPECT_EQ(file->losses.present(), 16U);
}

}  // namespace
}  // namespace netml::codecs
