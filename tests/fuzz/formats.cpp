// Files of other formats. All that is in one is carried or lost, and what was read is written and
// read again: without loss where the format holds all that a map has.
#include <cstdlib>
#include <string>
#include <vector>

#include "codecs/formats/netbox/netbox_dump.hpp"
#include "codecs/formats/netbox/netbox_pages.hpp"
#include "codecs/places/gazetteer_reader.hpp"
#include "engine/base/texts.hpp"
#include "engine/places/folded_name.hpp"
#include "tests/codecs/formats/format_text.hpp"
#include "tests/codecs/netml_text.hpp"
#include "tests/codecs/workbook_text.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace netml::codecs::test {
namespace {

using fuzz::between_bars;
using fuzz::promise;
using fuzz::Target;

// Whether all that a map has comes back from a file of the format.
enum class Holds { all, some };

void check_way_back(std::string_view format, const engine::Document& document, Holds holds) {
  const engine::State map = imported(document);
  if (map.graph.mains().empty()) return;
  const auto written = find_format(format)->write(map.graph, map.graph.mains().front());
  promise(written.has_value(), "what was read can be written");
  const ReadResult again = read_text(format, written->bytes);
  promise(again.has_value(), "what was written can be read");
  if (holds == Holds::some) return;
  promise(again->losses.lost() == 0, "what was written is read without loss");
  promise(says_the_same(*again, map), "a map is the same after it was written and read");
}

void read_file(std::string_view format, std::string_view input, Holds holds) {
  const ReadResult read = read_text(format, input);
  promise(read || (read.error().count > 0 && !read.error().first.empty()),
          "what is refused has an error");
  promise(same(read, read_text(format, input)), "a file reads the same each time");
  if (!read) return;
  // What is only read is written as GeoJSON, which holds all that a map has.
  const bool written = find_format(format)->write != nullptr;
  check_way_back(written ? format : "geojson", *read, holds);
}

// Sheets between form feeds, each with its name in the first line; cells between bars.
std::string workbook_of(std::string_view input) {
  std::string plain(input);
  for (char& c : plain)
    if (c == '<' || c == '&' || (c < ' ' && c != '\n' && c != '\f')) c = ' ';
  WorkbookText workbook;
  for (std::string_view rest = plain; !rest.empty();) {
    std::string_view sheet = take_until(rest, '\f');
    std::string name(take_until(sheet, '\n'));
    std::erase(name, '"');
    std::vector<Row> rows;
    while (!sheet.empty()) {
      std::string_view line = take_until(sheet, '\n');
      Row& row = rows.emplace_back();
      while (!line.empty()) row.emplace_back(take_until(line, '|'));
    }
    workbook.sheet(name, rows);
  }
  return workbook.build();
}

void read_sheets_of_others(std::string_view input) {
  const std::string bytes = workbook_of(input);
  const ReadResult read = read_text("xlsx", bytes, "net");
  promise(read || (read.error().count > 0 && !read.error().first.empty()),
          "what is refused has an error");
  promise(same(read, read_text("xlsx", bytes, "net")), "a workbook reads the same each time");
}

Target target(std::string name, Holds holds, std::vector<std::string> samples,
              std::string_view words) {
  const auto run = [name, holds](std::string_view input) { read_file(name, input, holds); };
  return {name, std::move(samples), between_bars(words), run};
}

Target csv_files() {
  return target(
      "csv", Holds::all,
      {"kind,identifier,name,latitude,longitude,owner,topology,parent,from,to,tag,tag,property,"
       "value\r\n"
       "topology,t,T,,,o,,,,,,,,\r\ntopology,s,S,,,p,,t,,,,,,\r\n"
       "institution,o,O,1.5,2.5,,,,,,x,,,\r\nnode,a,A,50.5,5.5,o,,,,,x,y,,\r\n"
       "more,a,,,,,,,,,,,note,\"two\r\nlines\"\r\nnode,b,B,,,p,s,,,,,,,\r\n"
       "link,l,,,,o,,,a,B,'=1,,,\r\n",
       "Site;Lat;Long;Vendor\nOslo;59,91;10,75;Acme\nBergen;;;\n",
       "a note\n\nNode A\tNode Z\tDistance\nOslo\tBergen\t300\nBergen\tOslo\t300\n"},
      "node,c,C|link,m|more,a|\r\n|,|;|\t|\"|\"\"|'|'=|=1+1|-5|0|1|2.5|kind|property.|value|"
      "name|id|"
      "from|to|a|b|A|B|topology|institution|parent|latitude|sep=;\n|\xe9|\xc3\xa9|x@y[]|Total,|"
      " |2024-01-01T00:00:00Z|999");
}

Target esnet_files() {
  return target(
      "esnet", Holds::all,
      {R"({"edges":[{"name":"A---B","latLngs":[[1,2],[5,5],[3,4]]},{"name":"x",)"
       R"("coordinates":[[1,2],[3,4]],"children":[{"name":"c"}],"meta":)"
       R"({"endpoint_identifiers":{"names":["A","B"],"identifiers":["a","b"]}}}],)"
       R"("nodes":[{"name":"A","latLng":[1,2]},{"name":"B","coordinate":["3",4],"meta":)"
       R"({"svg":"","owners":["o"],"topologies":["t"]}},{"name":"C","coordinate":[500,0]}],)"
       R"("meta":{"identifier":"i","institutions":[{"name":"o","properties":{"name":"n"}}],)"
       R"("topologies":[{"identifier":"t","parent":"i"}]}})",
       R"({"title":"T","panels":[{"id":1,"layers":[{"name":"L","mapjson":)"
       R"("{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"edges\":[{\"name\":\"A---B\"}]}"}]}]})"},
      R"("meta":{|},|"identifier":"a"|"name":"A"|"coordinate":[0,0]|"properties":{"a@b[]":|[]|{})"
      R"(|"coordinates":[|]|null|"mapjson":"|"nodes":[|"edges":[|\"|---|"latitude":0|"parent":)"
      R"(|"coordinate":"x"|"owner":"o"|"endpoint_identifiers.names":[|"property.x":""|,|1e400)"
      R"(|"properties":[{"x":[""]},{"x":"1"}]|"coordinates":[[1,2],[7,8],[3,4]])");
}

Target geojson_files() {
  return target(
      "geojson", Holds::all,
      {R"({"type":"FeatureCollection","name":"N","features":[{"type":"Feature","id":1,)"
       R"("geometry":{"type":"Point","coordinates":[170,5.5,3]},"properties":{"name":"A",)"
       R"("network":{"id":"n","name":"N"}}},{"type":"Feature","geometry":null,"properties":)"
       R"({"id":"2","a":{"b":[1,{"c":null}]}}},{"type":"Feature","geometry":{"type":)"
       R"("LineString","coordinates":[[170,5],[180,6],[-170,7]]},"properties":{"source":1,)"
       R"("target":"2","owner":["x","y"]}}]})",
       R"({"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":)"
       R"("MultiLineString","coordinates":[[[170,0],[180,5]],[[-180,5],[-170,10]]]},)"
       R"("properties":{"start":{"id":"1","location":{"type":"Point","coordinates":[170,0]}},)"
       R"("end":{"id":"2","location":{"type":"Point","coordinates":[-170,10]}}}}]})"},
      R"("id":1,|"id":"2",|"kind":"link",|"kind":"institution",|"kind":"topology",|null|[]|{})"
      R"(|"network":{"id":"m"},|"parent":"n",|"topology":"n",|"identifier":"n",|"course":)"
      R"(|"other_properties":[["a@b","c"]],|"property.|"geometry":|"coordinates":|[180,5],)"
      R"(|[-180,5],|"MultiLineString"|"Polygon"|"end":{"id":"1"},|"from":"1","to":"A",|\u0000)"
      R"(|"version":"2024-01-01T00:00:00Z",|"owner":{"name":"o"},|-1e400)"
      R"(|"featureType":"span",)");
}

Target gml_files() {
  return target(
      "gml", Holds::all,
      {"Creator \"x\" graph [ directed 1 label \"G\" node [ id 0 label \"A &#233;\" "
       "Latitude 50 "
       "Longitude 5.5 graphics [ x 1 y 2 w 3 ] ] node [ id 1 label \"A\" ] # comment\n"
       "edge [ source 0 target 1 property [ name \"a b\" value \"c\" ] ] ]"},
      "node [|edge [|graph [|institution [|topology [|property [|graphics [|]|id 2|source 1"
      "|target 2|label \"B\"|name \"n\"|value \"v\"|\"|&amp;|&#9;|&eacute;|\xe9|# \n"
      "|identifier \"i\"|identifier \"n\"|label \"n (i)\"|topology \"t\"|parent \"t\""
      "|owner \"o\"|version \"2024-01-01T00:00:00Z\"|latitude 999|a [ b [ c 1 ] ]");
}

Target gnpy_files() {
  return target(
      "gnpy", Holds::some,
      {R"({"network_name":"n","elements":[{"uid":"a","type":"Roadm","metadata":{"location":)"
       R"({"city":"A","latitude":50,"longitude":8}},"params":{"x":[1]}},{"uid":"b","type":)"
       R"("Edfa","operational":{"gain":null}},{"uid":"f","type":"Fiber","params":{"length":)"
       R"(80.5,"length_units":"km","loss":0.2}},{"uid":"g","type":"RamanFiber"}],)"
       R"("connections":[{"from_node":"a","to_node":"f"},{"from_node":"f","to_node":"b"},)"
       R"({"from_node":"b","to_node":"g"},{"from_node":"g","to_node":"a"},)"
       R"({"from_node":"a","to_node":"b"}]})"},
      R"({"uid":"c","type":"Fused"},|{"from_node":"c","to_node":"a"},|"type":"Fiber",)"
      R"(|"length":-1e400,|"latitude":0,|"longitude":0.0,|"params":{"length":5},|"to_node":"f")"
      R"(|"metadata":null,|"a"|"b"|"f"|"g"|[]|{}|null|999)");
}

Target graphml_files() {
  return target(
      "graphml", Holds::all,
      {R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="l" attr.name="label"/>)"
       R"(<key id="y" attr.name="lat"/><key id="x" attr.name="lon"><default>5</default></key>)"
       R"(<graph id="G" edgedefault="undirected"><node id="a"><data key="l">A</data>)"
       R"(<data key="y">50</data></node><node id="b"><port name="p"/></node>)"
       R"(<edge id="e" source="a" target="b" directed="true"/></graph></graphml>)"},
      R"(<node id="c"/>|<edge source="b" target="a"/>|<data key="l">B</data>|</node>)"
      R"(|<graph id="institutions">|<graph id="topologies">|</graph>|</graphml>)"
      R"(|<key id="o" attr.name="owner"/>|<data key="o">O</data>|<data key="l">)"
      R"(|</data>|<default>|</default>|<x y="z">|</x>|&#9;|identifier|topology|label)"
      R"(|parent|owner|version|id="a"|id="b"|2024-01-01T00:00:00Z|999|<graph>|<desc>)");
}

Target ietf_files() {
  return target(
      "ietf", Holds::all,
      {R"({"ietf-network:networks":{"network":[{"network-id":"n","node":[{"node-id":"a",)"
       R"("ietf-network-topology:termination-point":[{"tp-id":"p"},{"tp-id":"q","m:x":1}],)"
       R"("ietf-geo-location:geo-location":{"latitude":"50","longitude":"8"}},{"node-id":"b"}],)"
       R"("ietf-network-topology:link":[{"link-id":"1","source":{"source-node":"a","source-tp":)"
       R"("p"},"destination":{"dest-node":"b","dest-tp":"r"}},{"link-id":"2","source":)"
       R"({"source-node":"b","source-tp":"r"},"destination":{"dest-node":"a","dest-tp":"p"}}]},)"
       R"({"network-id":"m","netml:identifier":"urn:m","netml:parent":"n","node":[{"node-id":)"
       R"("c","netml:property":[{"name":"x","value":"y"}]},{"node-id":"a","supporting-node":)"
       R"([{"network-ref":"n","node-ref":"a"}],"netml:copy":true}],)"
       R"("ietf-network-topology:link":[{"link-id":"3","netml:identifier":"urn:l","source":)"
       R"({"source-node":"c"},"destination":{"dest-node":"a"}}]}],)"
       R"("netml:institution":[{"identifier":"urn:i","name":"I","latitude":1,"longitude":2}]}})"},
      R"({"node-id":"d"},|"netml:owner":["urn:i"],|"netml:topology":["urn:m","n"],)"
      R"(|"netml:name":"x",|"netml:identifier":"urn:l",|"netml:copy":true,|"m:y":{"z":[1,null]},)"
      R"(|"netml:version":"2024-01-01T00:00:00Z",|"netml:parent":"urn:m",|"height":"7",)"
      R"(|"reference-frame":{"astronomical-body":"moon"},|"source-tp":"p"|"dest-node":"b")"
      R"(|"n"|"m"|"a"|"b"|"c"|"p"|"1"|"3"|[]|{}|null|999)");
}

Target kml_files() {
  return target(
      "kml", Holds::all,
      {R"(<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>N</name><Folder><name>F</name>)"
       R"(<Placemark id="a"><name>A</name><TimeSpan><begin>2024-01-01T00:00:00Z</begin></TimeSpan>)"
       R"(<ExtendedData><Data name="tag"><value>nren</value></Data></ExtendedData><Point>)"
       R"(<coordinates>170,50,7</coordinates></Point></Placemark><Placemark><name>B</name>)"
       R"(<Point><coordinates>-170,51</coordinates></Point></Placemark></Folder><Placemark>)"
       R"(<LineString><coordinates>170,50 0,0 -170,51</coordinates></LineString></Placemark>)"
       R"(</Document></kml>)"},
      R"(<Data name="source"><value>A</value></Data>|<Data name="target"><value>B</value></Data>)"
      R"(|<Data name="kind"><value>|group|institution|</value></Data>|<ExtendedData>|</ExtendedData>)"
      R"(|<Data name="identifier"><value>|<Data name="topology"><value>|<Data name="owner"><value>)"
      R"(|<MultiGeometry>|</MultiGeometry>|<LineString><coordinates>170,50 180,50</coordinates>)"
      R"(</LineString>|<LineString><coordinates>-180,50 -170,51</coordinates></LineString>)"
      R"(|<Point>|</Point>|<Folder>|</Folder>|<Placemark>|</Placemark>|<name>|</name>|&#9;|&#13;)"
      R"(|<Placemark id="b">|<Polygon/>|<styleUrl>#netml.x</styleUrl>|<Style id="netml.x"/>)"
      R"(|<altitudeMode>absolute</altitudeMode>|<address>x</address>|999|-180|,0|A|B|<value>)");
}

Target netbox_files() {
  return target(
      "netbox", Holds::some,
      {R"([{"model":"dcim.site","pk":1,"fields":{"name":"A","tenant":1,"latitude":"1.5","longitude":2}},)"
       R"({"model":"dcim.site","pk":2,"fields":{"name":"B","status":"active"}},)"
       R"({"model":"tenancy.tenant","pk":1,"fields":{"name":"T"}},)"
       R"({"model":"circuits.provider","pk":1,"fields":{"name":"P"}},)"
       R"({"model":"circuits.circuit","pk":1,"fields":{"cid":"C","provider":1,"commit_rate":5}},)"
       R"({"model":"circuits.circuittermination","pk":1,"fields":{"circuit":1,"term_side":"A","site":1}},)"
       R"({"model":"circuits.circuittermination","pk":2,"fields":{"circuit":1,"term_side":"Z","site":2}}])",
       R"([{"model":"dcim.site","pk":1,"fields":{}},{"model":"dcim.site","pk":2,"fields":{}},)"
       R"({"model":"dcim.device","pk":1,"fields":{"site":1}},{"model":"dcim.device","pk":2,"fields":{"site":2}},)"
       R"({"model":"dcim.interface","pk":1,"fields":{"device":1}},{"model":"dcim.interface","pk":2,"fields":{"device":2}},)"
       R"({"model":"dcim.rearport","pk":1,"fields":{"positions":2}},{"model":"dcim.frontport","pk":1,"fields":{"rear_port":1,"rear_port_position":2}},)"
       R"({"model":"dcim.cabletermination","pk":1,"fields":{"cable":1,"cable_end":"A","termination_type":["dcim","interface"],"termination_id":1}},)"
       R"({"model":"dcim.cabletermination","pk":2,"fields":{"cable":1,"cable_end":"B","termination_type":["dcim","frontport"],"termination_id":1}},)"
       R"({"model":"dcim.cabletermination","pk":3,"fields":{"cable":2,"cable_end":"A","termination_type":["dcim","rearport"],"termination_id":1}},)"
       R"({"model":"dcim.cabletermination","pk":4,"fields":{"cable":2,"cable_end":"B","termination_type":["dcim","interface"],"termination_id":2}}])"},
      R"("interface"|"frontport"|"rearport"|"cable":1|"cable":2|"A"|"B"|"Z"|"site":1|"site":2|null|[]|{})"
      R"(|"circuits","circuittermination"|"termination_id":1|"pk":3|"positions":1|"rear_port_position":1)"
      R"(|"termination_a_id":1|"termination_a_type":["dcim","interface"]|"_location":1|"provider_network":1)");
}

std::string dump_of(netbox::PageReader& reader) {
  std::string dump;
  const Status written = netbox::write_dump(reader.seal(), [&](std::string_view piece) -> Status {
    dump += piece;
    return {};
  });
  promise(written.has_value(), "what was read is written");
  return dump;
}

// Pages between form feeds, each with its sort of records in the first line.
void read_pages_of_netbox(std::string_view input) {
  netbox::PageReader reader;
  while (!input.empty()) {
    std::string_view page = take_until(input, '\f');
    const std::string_view model = take_until(page, '\n');
    const auto read = reader.add(model, page, {});
    promise(read || !read.error().code.empty(), "what is refused has an error");
  }
  const std::string dump = dump_of(reader);
  netbox::PageReader again;
  promise(again.resume(dump, {}).has_value(), "what was kept is read");
  promise(dump_of(again) == dump, "what was kept comes back");
}

Target netbox_pages() {
  return {
      "netbox_pages",
      {"dcim.site\n"
       R"({"count":2,"next":null,"results":[{"id":1,"name":"A","tenant":{"id":1}},{"id":2,"slug":"b"}]})"
       "\fdcim.interface\n"
       R"({"count":1,"results":[{"id":1,"device":{"id":1}}]})"
       "\fdcim.cable\n"
       R"({"count":1,"results":[{"id":1,"a_terminations":[{"object_type":"dcim.interface","object_id":1}],"b_terminations":[]}]})"
       "\fcircuits.circuittermination\n"
       R"({"count":1,"results":[{"id":1,"circuit":{"id":1},"term_side":"A","termination_type":"dcim.site","termination_id":1}]})"
       "\fcircuits.circuit\n"
       R"({"count":1,"results":[{"id":1,"cid":"C","provider":{"id":1},"commit_rate":5,"status":{"value":"x"}}]})"},
      between_bars("dcim.frontport|dcim.rearport|dcim.device|dcim.location|tenancy.tenant|\"id\":1|"
                   "\"id\":2|\"rear_port\":1|\"positions\":4|null|[]|{}|\f|\n|\"site\":{\"id\":1}|"
                   "\"provider_network\":{\"id\":1}|\"dcim.powerport\"|\"object_id\":2"),
      read_pages_of_netbox};
}

Target nml_files() {
  return target(
      "nml", Holds::some,
      {R"(<Topology xmlns="http://schemas.ogf.org/nml/2013/05/base#" id="t"><name>T</name>)"
       R"(<BidirectionalPort id="p"><PortGroup id="i"/><PortGroup id="o"/></BidirectionalPort>)"
       R"(<Relation type="x#hasInboundPort"><PortGroup id="i"><LabelGroup labeltype="v">1-9)"
       R"(</LabelGroup><Relation type="x#isAlias"><PortGroup id="q"/></Relation></PortGroup>)"
       R"(</Relation><Relation type="x#hasOutboundPort"><PortGroup id="o"/></Relation>)"
       R"(</Topology>)",
       R"(<Topology xmlns="http://schemas.ogf.org/nml/2013/05/base#" xmlns:x="urn:netml:nml">)"
       R"(<Node id="a"><Relation type="hasOutboundPort"><Port id="ao"/></Relation></Node>)"
       R"(<Node id="b"><Relation type="hasInboundPort"><Port id="bi"/></Relation>)"
       R"(<x:property name="half_link">{"port":"p"}</x:property></Node>)"
       R"(<Port id="ao"><Relation type="isSource"><Link id="l"/></Relation></Port>)"
       R"(<Port id="bi"><Relation type="isSink"><Link id="l"/></Relation></Port>)"
       R"(<Link id="l"/></Topology>)"},
      R"(<Node id="c"/>|<Node/>|<Link id="m"/>|<Link/>|<Port id="p"/>|<Port/>|</Topology>)"
      R"(|<Topology id="s">|<Topology>|<BidirectionalLink>|</BidirectionalLink>|</Relation>)"
      R"(|<Relation type="hasNode">|<Relation type="isAlias">|<Relation type="isSource">)"
      R"(|<Relation type="isSink">|<Relation>|<BidirectionalPort id="t">|</BidirectionalPort>)"
      R"(|<x:property name="half_link">|</x:property>|<x:owner>o</x:owner>|<Location>|<lat>9)"
      R"(|</lat>|</Location>|id="t"|id="a"|id="urn:netml:made:1"|<x:Institution id="o"/>)"
      R"(|{"port":"p","in":"i"}|<name>N</name>|<x:topology>s</x:topology>|contact|version)");
}

Target ofds_files() {
  return target(
      "ofds", Holds::all,
      {R"({"networks":[{"id":"n","name":"N","nodes":[{"id":"1","name":"A","location":{"type":)"
       R"("Point","coordinates":[1,2]},"physicalInfrastructureProvider":{"id":"p","name":)"
       R"("P"}},{"id":"2"}],"spans":[{"id":"1","start":"1","end":"2","route":{"type":)"
       R"("LineString","coordinates":[[1,2],[2,2],[3,4]]}}],"organisations":[{"id":"p",)"
       R"("name":"P"}],"contracts":[{"id":"c","dateSigned":"2016-06-30"}]}]})"},
      R"(,{"id":"m","nodes":[]}|"id":"3",|"start":"2",|"end":"1",|"language":"en",|null|[]|{})"
      R"(|"links":[{"rel":"x"}],|"publisher":{"name":"x"},|"phases":[{"id":"1"}])"
      R"(|"status":"")");
}

Target oscars_files() {
  return target(
      "oscars", Holds::some,
      {R"({"devices":[{"urn":"a","latitude":"0.0","longitude":"0.0","ports":[{"urn":"a:1"}]},)"
       R"({"urn":"b","latitude":1}],"problems":[],"adjcies":[{"a":{"device":"a","port":"a:1"},)"
       R"("z":{"device":"b","port":"b:1"},"metrics":{"MPLS":1}},{"z":{"device":"a",)"
       R"("port":"a:1"},"a":{"device":"b","port":"b:1"},"metrics":{"MPLS":2}}]})",
       R"({"positions":{"a":{"x":0,"y":0}}})", R"([{"urn":"a"},{"a":{"device":"a"},"z":{}}])"},
      R"("devices":[|"adjcies":[|"positions":{|"device":"a"|"port":"a:1"|"urn":"a"|{}|[]|null)"
      R"(|,|"a":{|"z":{|},|]|"latitude":"0"|"longitude":200)");
}

Target sdx_files() {
  return target(
      "sdx", Holds::some,
      {R"({"id":"urn:sdx:t","name":"T","version":1,"nodes":[{"id":"a","ports":[{"id":"a1",)"
       R"("private":["status"],"status":"up"}],"location":{"latitude":1,"longitude":2}},)"
       R"({"id":"b","ports":[{"id":"b1","nni":"urn:sdx:port:c"}]}],"links":[{"id":"l",)"
       R"("ports":["a1","b1"],"latency":1},{"id":"m","ports":[{"id":"b1"},{"id":"z"}]}],)"
       R"("netml":{"properties":[["x","y"]],"made":["version"],"institutions":[{"id":"o"}]}})"},
      R"({"id":"c"}|"id":|"ports":|"private":["id"]|"private":["ports"]|"netml":{|"links":[)"
      R"(|"properties":[["ports","[]"]]|"properties":[["half_link","{\"port\":\"b1\"}"]])"
      R"(|"properties":[["links","[1]"]]|"urn:netml:made:port:1"|"nodes":[|"location":{|null)"
      R"(|"nni":"urn:sdx:port:a"|[]|{}|]|}|,|"owners":["o"]|"topologies":[{"id":"s"}]|"made":)"
      R"(|"vlan_range":[[1,2]]|"label_range":["1-2"]|"services":{|"timestamp":|"name":"x")");
}

Target sheets_of_others() {
  return {
      "sheets",
      {"Nodes\nA network\nCity|Latitude|Longitude|Type\nOslo|#59.9|#10.5|ROADM\nBergen||#5|\f"
       "Links\n||east cable||west\nNode A|Node Z|PMD|x|PMD\nOslo|Bergen|1||2\fEqpt\nNode A|Node "
       "Z|y\n"
       "Oslo|Bergen|3\nA|B|4\n"},
      {"|",    "\n",   "\f",     "#",    "Oslo", "Bergen", "Node A", "Node Z",  "kind",
       "node", "link", "more",   "name", "id",   "from",   "to",     "Nodes\n", "Institutions\n",
       "#1",   "#2",   "#1e308", "east", "west"},
      read_sheets_of_others};
}

// What a gazetteer comes to, however it is cut: its lines, or why it is none.
std::string gazetteer_text(const std::vector<std::string_view>& pieces) {
  std::string text;
  GazetteerReader reader(
      [&](const engine::Country& country) { text += country.code + country.name + '\n'; },
      [&](const engine::City& city) {
        const engine::Micro latitude = city.place.latitude;
        const engine::Micro longitude = city.place.longitude;
        promise(engine::country_code(city.country) == city.country, "a city has a country");
        promise(std::abs(latitude.value) <= 90'000'000, "a latitude is in range");
        promise(std::abs(longitude.value) <= 180'000'000, "a longitude is in range");
        text += engine::city_text(city) + engine::folded_name(city.name) + '\n';
      });
  for (const std::string_view piece : pieces)
    if (const auto read = reader.write(piece); !read) return text + read.error().text();
  const auto read = reader.finish();
  return read ? text : text + read.error().text();
}

Target gazetteers() {
  return {"gazetteer",
          {"netml places 1\tmade\t3\nNO\tNorway\nOslo\tNO\t12\t59.9\t10.7\n"
           "Å\tNO\t\t-0\t1e1\n",
           std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10)},
          {"\t", "\n", "3", "0", "netml places 1", "NO", "-90", "180.1", "nan", "\xff", "\x1f\x8b"},
          [](std::string_view input) {
            promise(gazetteer_text({input}) == gazetteer_text(fuzz::in_pieces(input)),
                    "a gazetteer reads the same in pieces");
          }};
}

std::vector<Target> targets() {
  return {csv_files(),    esnet_files(),      geojson_files(), gml_files(),
          gnpy_files(),   graphml_files(),    ietf_files(),    kml_files(),
          netbox_files(), nml_files(),        ofds_files(),    oscars_files(),
          sdx_files(),    sheets_of_others(), netbox_pages(),  gazetteers()};
}

}  // namespace
}  // namespace netml::codecs::test

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::codecs::test::targets());
}
