// Maps to KML and back: nothing is lost, whatever the map has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/formats/kml/kml_styles.hpp"
#include "tests/codecs/formats/map_round_trip.hpp"
#include "tests/support/file_content.hpp"

namespace netml::codecs {
namespace {

using test::imported;
using test::read_text;
using test::state_of;
using testing::HasSubstr;

std::string written(const engine::State& state, std::string_view format = "kml") {
  return test::written(format, state);
}

engine::State of_kml(std::string_view features) {
  const ReadResult read =
      read_text("kml", std::string("<kml><Document>").append(features) + "</Document></kml>");
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return imported(*read);
}

// A map with all that a map can have, and with texts that formats stumble over.
std::string map_with(std::string_view inner) {
  std::string text = R"(<t:Topology id="urn:net" version="2024-01-02T03:04:05+00:00"
 xmlns:t="http://schemas.ogf.org/nml/2020/01/grenml"
 xmlns:n="http://schemas.ogf.org/nml/2013/05/base#"><t:name>Net &lt;1&gt;</t:name>
<t:owner>urn:o</t:owner><t:Property name="kind">group</t:Property>
<t:Property name="description">of the net</t:Property>
<t:Institution id="urn:o"><t:name>Owner</t:name><t:Location><t:long>-1.5</t:long>
<t:lat>2.25</t:lat><t:alt>0</t:alt><t:address>A &amp; B</t:address></t:Location>
<t:Property name="tag">nren</t:Property><t:Property name="tag">x</t:Property></t:Institution>
<t:Institution id="urn:p"><t:name>Other</t:name></t:Institution>
<t:Link id="urn:l"><t:name>L</t:name><t:owner>urn:p</t:owner>
<t:Lifetime><n:start>2020-01-01T00:00:00Z</n:start><n:end>2030-01-01T00:00:00Z</n:end></t:Lifetime>
<t:Property name="source">no end</t:Property><t:Property name="tag">International</t:Property>
<t:node>urn:a</t:node><t:node>urn:b</t:node></t:Link>
<t:Link id="urn:m"><t:name>M</t:name><t:node>urn:a</t:node><t:node>urn:c</t:node></t:Link>
<t:Node id="urn:a"><t:name>A</t:name><t:short-name>a</t:short-name><t:Location>
<t:long>179.5</t:long><t:lat>10</t:lat><t:unlocode>FJSUV</t:unlocode></t:Location>
<t:Property name="">without a name</t:Property><t:Property name="lat"> 5 </t:Property>
<t:Property name="property.x"></t:Property><t:Property name="mail@noc">a</t:Property>
<t:Property name="@x">b</t:Property><t:Property name="property.y@z">c</t:Property></t:Node>
<t:Node id="urn:b"><t:name> None </t:name><t:owner>urn:p</t:owner><t:owner>urn:o</t:owner>
<t:Location><t:long>-170</t:long><t:lat>-3.5</t:lat><t:alt>12.5</t:alt></t:Location></t:Node>
<t:Node id="urn:c"><t:name>Nowhere</t:name></t:Node>
INNER</t:Topology>)";
  return text.replace(text.find("INNER"), 5, inner);
}

constexpr std::string_view kInner = R"(<t:Topology id="urn:s"><t:name>Inner</t:name>
<t:owner>urn:q</t:owner><t:Institution id="urn:q"><t:name>Q</t:name></t:Institution>
<t:Node id="urn:d"><t:name>D</t:name><t:Location><t:long>6</t:long><t:lat>61</t:lat></t:Location>
</t:Node><t:Topology id="urn:u"><t:name>Innermost</t:name><t:owner>urn:q</t:owner>
<t:Institution id="urn:q"><t:name>Q</t:name></t:Institution>
<t:Node id="urn:d"><t:name>D</t:name><t:Location><t:long>6</t:long><t:lat>61</t:lat></t:Location>
</t:Node></t:Topology></t:Topology>
<t:Topology id="urn:v"><t:name>Last</t:name><t:owner>urn:o</t:owner>
<t:Institution id="urn:o"><t:name>Owner</t:name></t:Institution></t:Topology>)";

TEST(KmlWriter, KeepsEveryFieldOfAMap) {
  test::expect_round_trip("kml", state_of(map_with("")));
}

TEST(KmlWriter, KeepsTopologiesInsideOthers) {
  test::expect_round_trip("kml", state_of(map_with(kInner)));
}

TEST(KmzWriter, KeepsEveryFieldOfAMap) {
  test::expect_round_trip("kmz", state_of(map_with(kInner)));
}

TEST(KmlWriter, WritesEqualBytesForEqualStates) {
  const engine::State state = state_of(map_with(kInner));
  EXPECT_EQ(written(state), written(state));
  EXPECT_EQ(written(state, "kmz"), written(state, "kmz"));
}

TEST(KmlWriter, CutsLinesAt180Degrees) {
  EXPECT_THAT(written(state_of(map_with(""))),
              HasSubstr("<MultiGeometry><LineString><coordinates>179.5,10.0 180.0,9.357143"
                        "</coordinates></LineString><LineString><coordinates>-180.0,9.357143 "
                        "-170.0,-3.5</coordinates></LineString></MultiGeometry>"));
}

TEST(KmlWriter, HasFoldersByTopologyAndOwner) {
  const std::string text = written(state_of(map_with(kInner)));
  const auto at = [&](std::string_view part) { return text.find(part); };
  EXPECT_LT(at("<Folder><name>Institutions</name>"), at("<Folder><name>Owner</name>"));
  EXPECT_LT(at("<Folder><name>Owner</name>"), at("<Folder><name>Other</name>"));
  EXPECT_LT(at("<Folder><name>Other</name>"), at("<Folder><name>Inner</name>"));
  EXPECT_LT(at("<Folder><name>Inner</name>"), at("<Folder><name>Innermost</name>"));
}

TEST(KmlWriter, DrawsTheWayPointsThatAFileGave) {
  const std::string way = "<LineString><coordinates>1,2 3,4 5,6</coordinates></LineString>";
  const engine::State state = of_kml(
      "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark><Placemark>"
      "<Point><coordinates>5,6</coordinates></Point></Placemark><Placemark>" +
      way + "</Placemark>");
  EXPECT_THAT(written(state), HasSubstr(way));
  test::expect_round_trip("kml", state);
}

TEST(KmlWriter, DrawsNoWayPointsThatLeadElsewhere) {
  const engine::State state = of_kml(
      "<Placemark id='a'><Point><coordinates>1,2</coordinates></Point></Placemark>"
      "<Placemark id='b'><Point><coordinates>5,6</coordinates></Point></Placemark>"
      "<Placemark><ExtendedData><Data name='source'><value>a</value></Data>"
      "<Data name='target'><value>b</value></Data></ExtendedData><LineString><coordinates>"
      "1,2 3,4 5,7</coordinates></LineString></Placemark>");
  EXPECT_THAT(written(state), HasSubstr("<Data name=\"coordinates\"><value>1,2 3,4 5,7</value>"));
  test::expect_round_trip("kml", state);
}

TEST(KmlWriter, HasTheColoursOfTheMapOnTheSite) {
  const std::string text = written(state_of(map_with("")));
  EXPECT_THAT(text, HasSubstr("<Style id=\"netml.node.nren\"><IconStyle><color>ff7c2d2a</color>"));
  EXPECT_THAT(text, HasSubstr("<styleUrl>#netml.link.international</styleUrl>"));
  EXPECT_THAT(text, HasSubstr("<styleUrl>#netml.node.plain</styleUrl>"));
  std::string styles;
  for (const char* source : {"styles.ts", "palette.ts"})
    styles += netml::test::file_content(std::string(NETML_DOCS "/../admin/web/src/map/") + source);
  for (const auto& [tag, colour] : kLinkColours)
    EXPECT_THAT(styles, HasSubstr("'#" + std::string(colour) + "'")) << tag;
  for (const auto& [tag, colour] : kNodeColours)
    EXPECT_THAT(styles, HasSubstr("'#" + std::string(colour) + "'")) << tag;
}

}  // namespace
}  // namespace netml::codecs
