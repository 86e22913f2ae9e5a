// Maps to networks by RFC 8345 and back: nothing is lost, whatever the map has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/document/json_tree.hpp"
#include "tests/codecs/formats/map_round_trip.hpp"

namespace netml::codecs {
namespace {

using test::imported;
using test::read_text;
using test::state_of;
using testing::HasSubstr;

std::string written(const engine::State& state) {
  return test::written("ietf", state);
}

void expect_round_trip(const engine::State& state) {
  const engine::Document read = test::expect_round_trip("ietf", state);
  EXPECT_TRUE(read.notes.empty()) << read.notes[0].text;
}

constexpr std::string_view kMap = R"(<grenml:Topology id="t" version="2024-01-02T03:04:05+00:00"
 xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
 xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"><grenml:name>The &lt;map&gt;</grenml:name>
<grenml:owner>o</grenml:owner><grenml:Property name="network-id">of the map</grenml:Property>
<grenml:Institution id="o"><grenml:name>Owner</grenml:name>
<grenml:short-name>O</grenml:short-name><grenml:Location><grenml:long>-1.25</grenml:long>
<grenml:lat>2.5</grenml:lat><grenml:alt>3</grenml:alt><grenml:address>Road 7</grenml:address>
</grenml:Location><grenml:Property name="name">a property</grenml:Property>
<grenml:Property name="tag">one</grenml:Property>
<grenml:Property name="tag">two</grenml:Property></grenml:Institution>
<grenml:Institution id="p"><grenml:name>Other</grenml:name></grenml:Institution>
<grenml:Link id="l"><grenml:name>L</grenml:name><grenml:owner>p</grenml:owner>
<grenml:Lifetime><nml:start>2020-01-01T00:00:00Z</nml:start>
<nml:end>2030-01-01T00:00:00Z</nml:end></grenml:Lifetime>
<grenml:Property name="source-tp">a/1</grenml:Property>
<grenml:node>a</grenml:node><grenml:node>b</grenml:node></grenml:Link>
<grenml:Link id="m"><grenml:name>Parallel</grenml:name>
<grenml:node>a</grenml:node><grenml:node>b</grenml:node></grenml:Link>
<grenml:Node id="a"><grenml:name>A</grenml:name><grenml:short-name>a</grenml:short-name>
<grenml:Location><grenml:long>10.75</grenml:long><grenml:lat>59.91</grenml:lat>
<grenml:alt>12.5</grenml:alt><grenml:unlocode>NOOSL</grenml:unlocode></grenml:Location>
<grenml:Property name="">without a name</grenml:Property>
<grenml:Property name="mail@x[].y:z">odd</grenml:Property>
<grenml:Property name="node-id">x</grenml:Property></grenml:Node>
<grenml:Node id="b"><grenml:name>B</grenml:name><grenml:Location><grenml:long>5</grenml:long>
<grenml:lat>60</grenml:lat></grenml:Location></grenml:Node>
SUB</grenml:Topology>)";

// A link of its own to a node of the map above it, and a node that both list.
constexpr std::string_view kSub = R"(<grenml:Topology id="s"><grenml:name>Sub</grenml:name>
<grenml:owner>q</grenml:owner><grenml:Institution id="q"><grenml:name>Q</grenml:name>
</grenml:Institution>
<grenml:Link id="n"><grenml:name>N</grenml:name>
<grenml:node>a</grenml:node><grenml:node>c</grenml:node></grenml:Link>
<grenml:Node id="a"><grenml:name>A</grenml:name>
<grenml:Location><grenml:long>10.75</grenml:long><grenml:lat>59.91</grenml:lat></grenml:Location>
<grenml:Property name="!-from_topology">t</grenml:Property></grenml:Node>
<grenml:Node id="b"><grenml:name>B</grenml:name><grenml:Location><grenml:long>5</grenml:long>
<grenml:lat>60</grenml:lat></grenml:Location></grenml:Node>
<grenml:Node id="c"><grenml:name>C</grenml:name><grenml:Location><grenml:long>6</grenml:long>
<grenml:lat>61</grenml:lat></grenml:Location></grenml:Node>
</grenml:Topology>)";

std::string map_with(std::string_view sub) {
  return test::with("SUB", sub, std::string(kMap));
}

TEST(IetfWriter, KeepsEveryFieldOfAMap) {
  expect_round_trip(state_of(map_with("")));
}

TEST(IetfWriter, KeepsTopologiesInsideOthersAndLinksBetweenThem) {
  expect_round_trip(state_of(map_with(kSub)));
}

TEST(IetfWriter, WritesTwoOneWayLinksForEachLink) {
  const std::string text = written(state_of(map_with("")));
  const auto tree = JsonTree::parse(text, {});
  ASSERT_TRUE(tree.has_value());
  const JsonValue network = *tree->root()["ietf-network:networks"]["network"].items().begin();
  EXPECT_EQ(network["node"].size(), 2U);
  EXPECT_EQ(network["ietf-network-topology:link"].size(), 4U);
  EXPECT_THAT(text, HasSubstr(R"({"link-id":"l#back","source":{"source-node":"b","source-tp":"l"},)"
                              R"("destination":{"dest-node":"a","dest-tp":"l"}})"));
  EXPECT_THAT(text, HasSubstr(R"("ietf-geo-location:geo-location":{"latitude":"59.91",)"
                              R"("longitude":"10.75","height":"12.5"})"));
  EXPECT_THAT(text, HasSubstr(R"([{"tp-id":"l"},{"tp-id":"m"}])"));
}

TEST(IetfWriter, RepeatsANodeThatALinkOfAnotherNetworkJoins) {
  const std::string text = written(state_of(map_with(kSub)));
  EXPECT_THAT(text, HasSubstr(R"({"node-id":"a","supporting-node":[{"network-ref":"t",)"
                              R"("node-ref":"a"}],"netml:copy":true,)"));
}

TEST(IetfWriter, WritesBackWhatItReadFromOthers) {
  const ReadResult read = read_text("ietf", R"({"ietf-network:networks":{"network":[
    {"network-id":"x","node":[{"node-id":"A","m:y":{"z":[1,null]}},{"node-id":"B"}],
     "ietf-network-topology:link":[
      {"link-id":"1","source":{"source-node":"A","source-tp":"p"},
       "destination":{"dest-node":"B"}}]},
    {"network-id":"y","node":[{"node-id":"A"}]}]}})");
  ASSERT_TRUE(read.has_value());
  expect_round_trip(imported(*read));
}

TEST(IetfWriter, WritesEqualBytesForEqualStates) {
  const engine::State state = state_of(map_with(kSub));
  EXPECT_EQ(written(state), written(state));
}

}  // namespace
}  // namespace netml::codecs
