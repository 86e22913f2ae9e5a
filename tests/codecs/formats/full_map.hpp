// A map that has all that a map can have, for tests of writers.
#pragma once

#include "tests/codecs/formats/map_round_trip.hpp"

namespace netml::codecs::test {

// A topology `t` with the link `l` between the nodes `a` and `b`, and below it `s` with the node
// `c`, which is called as `b` is.
inline engine::State full_map() {
  return state_of(R"(<grenml:Topology id="t" version="2024-01-02T03:04:05+00:00"
 xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
 xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"><grenml:name>Map &amp; "more"</grenml:name>
<grenml:owner>o</grenml:owner><grenml:Property name="label">of the map</grenml:Property>
<grenml:Institution id="o"><grenml:name>Owner</grenml:name><grenml:Location>
<grenml:long>1.5</grenml:long>
<grenml:lat>2.5</grenml:lat><grenml:alt>3</grenml:alt><grenml:address>Street 1</grenml:address>
</grenml:Location><grenml:Property name="tag">nren</grenml:Property>
<grenml:Property name="tag">global</grenml:Property></grenml:Institution>
<grenml:Institution id="p"><grenml:name>Other</grenml:name></grenml:Institution>
<grenml:Link id="l"><grenml:name>L</grenml:name><grenml:owner>p</grenml:owner>
<grenml:Lifetime><nml:start>2020-01-01T00:00:00Z</nml:start>
<nml:end>2030-01-01T00:00:00Z</nml:end></grenml:Lifetime>
<grenml:Property name="key">k</grenml:Property><grenml:Property name="id">i</grenml:Property>
<grenml:Property name="empty"></grenml:Property>
<grenml:node>a</grenml:node><grenml:node>b</grenml:node></grenml:Link>
<grenml:Node id="a"><grenml:name>Århus \N</grenml:name><grenml:short-name>a</grenml:short-name>
<grenml:Location><grenml:long>10.75</grenml:long><grenml:lat>59.91</grenml:lat>
<grenml:unlocode>NOOSL</grenml:unlocode></grenml:Location>
<grenml:Property name="">without a name</grenml:Property>
<grenml:Property name="latitude">a property</grenml:Property>
<grenml:Property name="self">two
lines</grenml:Property><grenml:Property name="a@b []">odd</grenml:Property>
<grenml:Property name="tag">1</grenml:Property><grenml:Property name="tag">2</grenml:Property>
<grenml:Property name="property.x"> blanks </grenml:Property></grenml:Node>
<grenml:Node id="b"><grenml:name>None</grenml:name><grenml:Location><grenml:long>5</grenml:long>
<grenml:lat>60</grenml:lat></grenml:Location></grenml:Node>
<grenml:Topology id="s"><grenml:name>Sub</grenml:name>
<grenml:owner>q</grenml:owner><grenml:Institution id="q"><grenml:name>Q</grenml:name>
</grenml:Institution>
<grenml:Node id="c"><grenml:name>None</grenml:name><grenml:Location><grenml:long>6</grenml:long>
<grenml:lat>61</grenml:lat></grenml:Location></grenml:Node>
</grenml:Topology></grenml:Topology>)");
}

}  // namespace netml::codecs::test
