// KML and KMZ to documents: what placemarks and folders become, what is lost, and what is refused,
// each with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/document/zip_writer.hpp"
#include "tests/codecs/formats/read_document.hpp"

namespace netml::codecs {
namespace {

using test::document_of;
using test::node;
using test::properties;
using test::read_text;
using testing::ElementsAre;
using testing::SizeIs;

std::string kml(std::string_view features) {
  return std::string("<kml xmlns='http://www.opengis.net/kml/2.2'><Document><name>Net</name>")
      .append(features)
      .append("</Document></kml>");
}

std::string point(std::string_view name, std::string_view coordinates,
                  std::string_view fields = {}) {
  return std::string("<Placemark><name>")
      .append(name)
      .append("</name>")
      .append(fields)
      .append("<Point><coordinates>")
      .append(coordinates)
      .append("</coordinates></Point></Placemark>");
}

std::string line(std::string_view coordinates, std::string_view fields = {}) {
  return std::string("<Placemark>")
      .append(fields)
      .append("<LineString><coordinates>")
      .append(coordinates)
      .append("</coordinates></LineString></Placemark>");
}

std::string values(std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string text = "<ExtendedData>";
  for (const auto& [name, value] : values)
    text.append("<Data name='")
        .append(name)
        .append("'><value>")
        .append(value)
        .append("</value></Data>");
  return text + "</ExtendedData>";
}

const std::string kOslo = point("Oslo", "10.75,59.91,0");
const std::string kBergen = point("Bergen", "5.32,60.39,0");

engine::Document read(std::string_view text, std::string_view format = "kml") {
  return document_of(format, text);
}

engine::InputErrors errors_of(std::string_view text, std::string_view format = "kml") {
  const ReadResult read = read_text(format, text);
  EXPECT_FALSE(read.has_value());
  return read ? engine::InputErrors() : read.error();
}

auto links(const engine::Document& document) {
  return document.links(document.topologies.front());
}
std::string reason(const engine::Document& document) {
  return document.losses.counts().empty() ? "(none)" : document.losses.counts().front().reason;
}

TEST(KmlReader, MakesNodesOfPointsAndLinksOfLinesBetweenThem) {
  const auto document = read(kml(line("10.75,59.91,0 5.320,60.39,0") + kOslo + kBergen));
  ASSERT_EQ(document.nodes(document.topologies[0]).size(), 2U);
  EXPECT_EQ(document.topologies[0].attributes->name(), "Net");
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(node(document, 0).fields().coordinates->longitude.value, 10'750'000);
  EXPECT_FALSE(node(document, 0).fields().altitude) << "0 says that nobody knows it";
  ASSERT_THAT(links(document), SizeIs(1));
  EXPECT_EQ(links(document)[0].attributes->name(), "Oslo - Bergen");
  EXPECT_EQ(links(document)[0].attributes->property_count(), 0U);
  EXPECT_EQ(document.losses.lost(), 0U);
  EXPECT_EQ(document.losses.carried(), 6U);
}

TEST(KmlReader, KeepsFieldsAsGoogleEarthHasThem) {
  const auto document = read(
      kml(point("Oslo", " 10.75,59.91,23 ",
                "<address>Forskningsveien</address><phoneNumber>47</phoneNumber>"
                "<Snippet maxLines='2'>PoP</Snippet>"
                "<description><![CDATA[<b>Core</b>]]></description>"
                "<TimeSpan><begin>2001-02-03T04:05:06Z</begin><end>2031</end></TimeSpan>"
                "<atom:author xmlns:atom='http://www.w3.org/2005/Atom'><atom:name>A</atom:name>"
                "</atom:author>")));
  const engine::Attributes& oslo = node(document, 0);
  EXPECT_EQ(oslo.address(), "Forskningsveien");
  EXPECT_EQ(oslo.fields().altitude->value, 23'000'000);
  EXPECT_TRUE(oslo.fields().start);
  EXPECT_THAT(properties(oslo, "timespan/end"), ElementsAre("2031")) << "a year is no time";
  EXPECT_THAT(properties(oslo, "description"), ElementsAre("<b>Core</b>"));
  EXPECT_THAT(properties(oslo, "phonenumber"), ElementsAre("47"));
  EXPECT_THAT(properties(oslo, "snippet"), ElementsAre("PoP"));
  EXPECT_THAT(properties(oslo, "maxlines"), ElementsAre("2"));
  EXPECT_THAT(properties(oslo, "author/name"), ElementsAre("A"));
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(KmlReader, ReadsExtendedDataOfAllSorts) {
  const auto document = read(
      kml("<Schema name='pops' id='pops'><SimpleField name='kind' type='string'/></Schema>" +
          point("A", "1,2",
                "<ExtendedData><Data name='speed'><displayName>Speed</displayName>"
                "<value> 10 </value></Data><SchemaData schemaUrl='#pops'>"
                "<SimpleData name='Class'>core</SimpleData><SimpleData name='empty'/></SchemaData>"
                "<x:code xmlns:x='urn:x'>NO</x:code></ExtendedData>")));
  EXPECT_THAT(properties(node(document, 0), "speed"), ElementsAre(" 10 "));
  EXPECT_THAT(properties(node(document, 0), "class"), ElementsAre("core"));
  EXPECT_THAT(properties(node(document, 0), "empty"), ElementsAre(""));
  EXPECT_THAT(properties(node(document, 0), "code"), ElementsAre("NO"));
  EXPECT_EQ(document.losses.lost(), 1U);
  EXPECT_EQ(reason(document), "it only describes a value");
  EXPECT_EQ(document.losses.carried(), 7U);
}

TEST(KmlReader, KeepsLongTextsInPieces) {
  const std::string text(700, 'x');
  const auto document = read(
      kml(point("A", "1,2", "<description>" + text + "</description>" + values({{"note", text}}))));
  EXPECT_THAT(properties(node(document, 0), "description"), SizeIs(2));
  EXPECT_THAT(properties(node(document, 0), "note"), SizeIs(2));
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(KmlReader, FindsEndsByWhatALineNames) {
  const std::string nodes = "<Placemark id='o'><name>Oslo</name></Placemark>" +
                            point("Bergen", "5.32,60.39") +
                            point("Voss", "6,60", values({{"identifier", "urn:voss"}}));
  const auto by = [&](std::string_view source, std::string_view target) {
    return read(kml(nodes + "<Placemark>" + values({{"source", source}, {"target", target}}) +
                    "</Placemark>"));
  };
  EXPECT_EQ(links(by("o", "Bergen"))[0].attributes->name(), "Oslo - Bergen");
  EXPECT_EQ(links(by("Oslo", "urn:voss"))[0].attributes->name(), "Oslo - Voss");
  EXPECT_EQ(reason(by("o", "Narvik")), "its end Narvik is no node of the file");
  EXPECT_EQ(reason(by("o", "Oslo")), "a link joins two different nodes");
  EXPECT_EQ(by("o", "Narvik").losses.lost(), 2U);
}

TEST(KmlReader, KeepsWayPointsAndWhatDoesNotRunStraight) {
  const auto way = read(kml(kOslo + kBergen + line("10.75,59.91 8,60\n5.32,60.39")));
  EXPECT_THAT(properties(*links(way)[0].attributes, "coordinates"),
              ElementsAre("10.75,59.91 8,60\n5.32,60.39"));
  const std::string ends = values({{"source", "Bergen"}, {"target", "Oslo"}});
  const auto straight = read(kml(kOslo + kBergen + line("10.75,59.91 5.32,60.39", ends)));
  EXPECT_EQ(links(straight)[0].attributes->property_count(), 0U);
  const auto crooked = read(kml(kOslo + kBergen + line("10,59 5,60", ends)));
  EXPECT_THAT(properties(*links(crooked)[0].attributes, "coordinates"), ElementsAre("10,59 5,60"));
  EXPECT_EQ(way.losses.lost() + straight.losses.lost() + crooked.losses.lost(), 0U);
}

TEST(KmlReader, ListsLinesWithoutNodesAsLost) {
  const auto nowhere = read(kml(kOslo + kBergen + "\n " + line("10.75,59.91 5.32,60.3900001")));
  EXPECT_THAT(links(nowhere), SizeIs(0));
  EXPECT_EQ(nowhere.losses.kept().at(0).text(),
            "line 2, column 2: link/coordinates: no node stands exactly at its end");
  const auto several = read(kml(kOslo + kBergen + point("Twin", "10.75,59.910") +
                                line("10.75,59.91 5.32,60.39", "<name>L</name>")));
  EXPECT_EQ(reason(several), "several nodes stand at its end");
  EXPECT_EQ(several.losses.lost(), 2U);
  const auto loop = read(kml(kOslo + line("10.75,59.91 8,60 10.75,59.91")));
  EXPECT_EQ(reason(loop), "a link joins two different nodes");
  EXPECT_EQ(reason(read(kml(kOslo + line("north")))), "its coordinates are no places");
}

TEST(KmlReader, JoinsLinesThatAreCutAt180Degrees) {
  const std::string nodes = point("A", "170,10") + point("B", "-170,20");
  const auto with = [&](std::string_view second) {
    return read(kml(nodes +
                    "<Placemark><MultiGeometry><LineString><coordinates>170,10 180,15</coordinates>"
                    "</LineString><LineString><coordinates>" +
                    std::string(second) +
                    "</coordinates></LineString></MultiGeometry></Placemark>"));
  };
  const auto joined = with("-180,15 -170,20");
  ASSERT_THAT(links(joined), SizeIs(1));
  EXPECT_EQ(links(joined)[0].attributes->property_count(), 0U);
  EXPECT_EQ(joined.losses.lost(), 0U);
  EXPECT_EQ(reason(with("-180,16 -170,20")), "several geometries are neither a node nor a link");
}

TEST(KmlReader, MakesTopologiesOfFolders) {
  const auto document = read(kml("<Folder><name>North</name>" + kOslo + "<Folder><name>Sea</name>" +
                                 kBergen + "</Folder></Folder>" + point("A", "1,2")));
  ASSERT_THAT(document.topologies, SizeIs(3));
  EXPECT_EQ(document.topologies[1].attributes->name(), "North");
  EXPECT_EQ(document.topologies[2].attributes->name(), "Sea");
  EXPECT_EQ(document.topologies[2].parent, 1U);
  for (const auto& topology : document.topologies) EXPECT_THAT(document.nodes(topology), SizeIs(1));
}

TEST(KmlReader, TakesGroupsForNoTopologies) {
  const auto document =
      read(kml("<Folder><name>GARR</name><open>1</open>" + values({{"kind", "group"}}) + kOslo +
               "<Placemark><name>I</name>" +
               values({{"kind", "institution"}, {"identifier", "i"}}) + "</Placemark></Folder>"));
  ASSERT_THAT(document.topologies, SizeIs(1));
  EXPECT_THAT(document.nodes(document.topologies[0]), SizeIs(1));
  EXPECT_THAT(document.institutions(document.topologies[0]), SizeIs(2));
  EXPECT_EQ(document.losses.lost(), 1U);
  EXPECT_EQ(reason(document), "it only draws the map");
}

TEST(KmlReader, GivesFoldersOfOneNameIdentifiersThatDoNotFollowTheirOrder) {
  const auto folder = [](std::string_view outer) {
    return std::string("<Folder><name>")
        .append(outer)
        .append("</name><Folder><name>Links</name></Folder></Folder>");
  };
  const auto one = read(kml(folder("A") + folder("B")));
  const auto other = read(kml(folder("B") + folder("A")));
  ASSERT_THAT(one.topologies, SizeIs(5));
  EXPECT_EQ(one.topologies[2].attributes->id(), other.topologies[4].attributes->id());
  EXPECT_NE(one.topologies[2].attributes->id(), one.topologies[4].attributes->id());
}

TEST(KmlReader, TellsNodesOfOneNameApartWhateverTheirOrder) {
  const std::string first = point("None", "1,2");
  const std::string second = point("None", "3,4");
  const auto one = read(kml(first + second));
  const auto other = read(kml(second + first));
  EXPECT_EQ(node(one, 0).id(), node(other, 1).id());
  EXPECT_NE(node(one, 0).id(), node(one, 1).id());
}

TEST(KmlReader, ListsWhatIsNoNetworkAsLost) {
  const auto document = read(
      kml("<Style id='s'><LineStyle><color>ff0000ff</color></LineStyle></Style>"
          "<NetworkLink><name>N</name><Link><href>http://x</href></Link></NetworkLink>"
          "<GroundOverlay><Icon><href>a.png</href></Icon></GroundOverlay>"
          "\n<Placemark><name>Area</name><styleUrl>#s</styleUrl><Polygon><outerBoundaryIs>"
          "<LinearRing><coordinates>0,0 1,1 1,0 0,0</coordinates></LinearRing></outerBoundaryIs>"
          "</Polygon></Placemark>"));
  EXPECT_THAT(document.nodes(document.topologies[0]), SizeIs(0));
  EXPECT_EQ(document.losses.carried(), 1U);
  EXPECT_EQ(document.losses.lost(), 8U);
  EXPECT_EQ(document.losses.kept().back().text(),
            "line 2, column 1: node/name: an area is neither a node nor a link");
}

TEST(KmlReader, KeepsCoordinatesThatAreNoPlace) {
  const auto document = read(kml(point("A", "10,120") + point("B", "5, 60, 7")));
  EXPECT_FALSE(node(document, 0).fields().coordinates) << "unknown, and not 0/0";
  EXPECT_THAT(properties(node(document, 0), "coordinates"), ElementsAre("10,120"));
  EXPECT_EQ(node(document, 1).fields().coordinates->latitude.value, 60'000'000);
  EXPECT_EQ(node(document, 1).fields().altitude->value, 7'000'000);
  EXPECT_EQ(document.losses.lost(), 0U);
}

TEST(KmlReader, KnowsWhatAnAltitudeIsAbove) {
  const auto mode = [](std::string_view name, std::string_view altitude) {
    return read(kml("<Placemark><Point><altitudeMode>" + std::string(name) +
                    "</altitudeMode><coordinates>1,2," + std::string(altitude) +
                    "</coordinates></Point></Placemark>"));
  };
  EXPECT_EQ(node(mode("absolute", "0"), 0).fields().altitude->value, 0);
  const auto relative = mode("relativeToGround", "12");
  EXPECT_FALSE(node(relative, 0).fields().altitude);
  EXPECT_THAT(properties(node(relative, 0), "height"), ElementsAre("12"));
  EXPECT_EQ(relative.losses.lost(), 0U);
}

TEST(KmlReader, CallsWhatHasNoNameByItsIdOrPlace) {
  const auto document =
      read(kml("<Placemark id='p7'/><Placemark><Point><coordinates>10.50,60,7</coordinates></Point>"
               "</Placemark><Placemark/><Folder/>"));
  EXPECT_EQ(node(document, 0).name(), "p7");
  EXPECT_EQ(node(document, 1).name(), "10.50,60");
  EXPECT_EQ(node(document, 2).name(), "placemark");
  EXPECT_EQ(document.topologies[1].attributes->name(), "folder");
}

TEST(KmlReader, ReadsAPlacemarkAloneAndOlderNamespaces) {
  const auto document = read("<kml xmlns='http://earth.google.com/kml/2.1'>" + kOslo + "</kml>");
  EXPECT_EQ(node(document, 0).name(), "Oslo");
  EXPECT_EQ(document.topologies[0].attributes->name(), "file");
}

TEST(KmlReader, RefusesWhatIsNoKmlWithThePlace) {
  EXPECT_EQ(errors_of("<gpx/>").first.at(0).code, "wrong-root");
  EXPECT_EQ(errors_of("").first.at(0).code, "not-well-formed");
  EXPECT_EQ(errors_of("<!DOCTYPE kml><kml/>").first.at(0).code, "dtd-forbidden");
  const auto errors = errors_of(kml("<Placemark id='a'/>\n<Placemark id='a'/>"));
  EXPECT_EQ(errors.first.at(0).code, "duplicate-id");
  EXPECT_EQ(errors.first.at(0).place(), "line 2, column 1");
}

std::string archive(std::initializer_list<std::pair<std::string, std::string>> files) {
  ZipWriter writer;
  for (const auto& [name, text] : files) {
    writer.begin(name);
    writer.write(text);
  }
  return std::move(writer).finish();
}

TEST(KmzReader, TakesTheFirstKmlForTheMap) {
  const auto document =
      read(archive({{"images/a.png", "x"}, {"Doc.KML", kml(kOslo)}, {"other.kml", "<x/>"}}), "kmz");
  EXPECT_EQ(node(document, 0).name(), "Oslo");
}

TEST(KmzReader, RefusesWhatIsNoArchiveOfAMap) {
  EXPECT_EQ(errors_of("<kml/>", "kmz").first.at(0).code, "not-a-kmz");
  EXPECT_EQ(errors_of(archive({{"a.txt", "x"}}), "kmz").first.at(0).code, "not-a-kmz");
  EXPECT_EQ(errors_of(archive({{"../doc.kml", kml("")}}), "kmz").first.at(0).code, "not-a-kmz");
  EXPECT_EQ(errors_of(archive({{"doc.kml", "<kml>"}}), "kmz").first.at(0).place(),
            "line 1, column 6");
  const std::string bomb = archive({{"doc.kml", kml(std::string(20U << 20, ' '))}});
  EXPECT_EQ(errors_of(bomb, "kmz").first.at(0).code, "too-large");
}

TEST(KmzReader, IsKnownByItsFirstFileElseByItsName) {
  const std::string map = archive({{"doc.kml", "<kml/>"}});
  const std::string images = archive({{"a.png", "x"}, {"doc.kml", "<kml/>"}});
  const std::string workbook = archive({{"[Content_Types].xml", "x"}});
  EXPECT_EQ((*detect_format("map", map))->name, "kmz");
  EXPECT_EQ((*detect_format("map.kmz", images))->name, "kmz");
  EXPECT_EQ((*detect_format("map.xlsx", images))->name, "xlsx");
  EXPECT_FALSE(detect_format("map", images).has_value());
  EXPECT_EQ((*detect_format("map", workbook))->name, "xlsx");
  EXPECT_EQ((*detect_format("map", "<kml/>"))->name, "kml");
}

}  // namespace
}  // namespace netml::codecs
