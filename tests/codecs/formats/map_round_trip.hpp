// Maps through a format and back, and one with a bit of everything.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "tests/codecs/formats/format_text.hpp"

namespace netml::codecs::test {

inline engine::State state_of(std::string_view netml) {
  NetmlReader reader;
  reader.feed(std::as_bytes(std::span(netml)));
  const ReadResult read = reader.finish();
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  return imported(*read);
}

// A file of the format that lacks nothing of the map.
inline std::string written(std::string_view format, const engine::State& state) {
  const auto file = find_format(format)->write(state.graph, state.graph.mains().front());
  EXPECT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->losses.lost(), 0U);
  return file->bytes;
}

// Written, nothing is lost, and read again nothing either, and the map is the same; so are the
// bytes of the same map. What was read.
inline engine::Document expect_round_trip(std::string_view format, const engine::State& state) {
  const std::string bytes = written(format, state);
  EXPECT_EQ(written(format, state), bytes);
  ReadResult read = read_text(format, bytes);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text() << '\n' << bytes;
  if (!read) return {};
  EXPECT_EQ(read->losses.lost(), 0U) << read->losses.texts().front();
  EXPECT_TRUE(says_the_same(*read, state)) << bytes;
  return *std::move(read);
}

// With another text in the place of `word`.
inline std::string with(std::string_view word, std::string_view replacement, std::string text) {
  return text.replace(text.find(word), word.size(), replacement);
}

// Half links are `HALVES`, a topology inside is `SUB`.
inline constexpr std::string_view kMapOfAll =
    R"(<grenml:Topology id="t" version="2024-01-02T03:04:05+00:00"
 xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
 xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"><grenml:name>Map &amp; more</grenml:name>
<grenml:owner>o</grenml:owner><grenml:Property name="label">of the map</grenml:Property>
<grenml:Institution id="o"><grenml:name>Owner</grenml:name><grenml:Location>
<grenml:long>1.5</grenml:long>
<grenml:lat>2.5</grenml:lat><grenml:alt>3</grenml:alt><grenml:address>Street 1</grenml:address>
</grenml:Location>
<grenml:Property name="tag">nren</grenml:Property>
<grenml:Property name="tag">global</grenml:Property></grenml:Institution>
<grenml:Institution id="p"><grenml:name>Other</grenml:name></grenml:Institution>
<grenml:Link id="l"><grenml:name>L</grenml:name><grenml:owner>p</grenml:owner>
<grenml:Lifetime><nml:start>2020-01-01T00:00:00Z</nml:start>
<nml:end>2030-01-01T00:00:00Z</nml:end></grenml:Lifetime>
<grenml:Property name="empty"></grenml:Property>
<grenml:Property name="bandwidth">100</grenml:Property>
<grenml:Property name="ports">of mine</grenml:Property>
<grenml:node>a</grenml:node><grenml:node>b</grenml:node></grenml:Link>
<grenml:Link id="m"><grenml:name>M</grenml:name>
<grenml:node>b</grenml:node><grenml:node>a</grenml:node></grenml:Link>
<grenml:Node id="a"><grenml:name>A</grenml:name><grenml:short-name>a</grenml:short-name>
<grenml:Location><grenml:long>10.75</grenml:long><grenml:lat>59.91</grenml:lat>
<grenml:unlocode>NOOSL</grenml:unlocode></grenml:Location>
<grenml:Property name="">without a name</grenml:Property>
<grenml:Property name="latitude">a property</grenml:Property>
<grenml:Property name="ports">[1</grenml:Property>
<grenml:Property name="a@b[]">signs</grenml:Property>
<grenml:Property name="private">bandwidth</grenml:Property>
<grenml:Property name="property.x"> blanks </grenml:Property>HALVES</grenml:Node>
<grenml:Node id="b"><grenml:name>None</grenml:name><grenml:Location><grenml:long>5</grenml:long>
<grenml:lat>60</grenml:lat></grenml:Location></grenml:Node>
SUB</grenml:Topology>)";

inline constexpr std::string_view kSubtopology =
    R"(<grenml:Topology id="s"><grenml:name>Sub</grenml:name>
<grenml:owner>q</grenml:owner><grenml:Institution id="q"><grenml:name>Q</grenml:name>
</grenml:Institution>
<grenml:Node id="c"><grenml:name>None</grenml:name><grenml:Location><grenml:long>6</grenml:long>
<grenml:lat>61</grenml:lat></grenml:Location></grenml:Node>
</grenml:Topology>)";

inline constexpr std::string_view kHalves =
    R"(<grenml:Property name="half_link">{"port":"x","in":"i","out":"o","peer_in":"p",)"
    R"("peer_out":"q"}</grenml:Property>
<grenml:Property name="half_link">{"port":"w","labels":"1-5","label_type":"vlan",)"
    R"("odd":"z"}</grenml:Property>
<grenml:Property name="half_link">{"port":"x","peer":"y"}</grenml:Property>
<grenml:Property name="half_link">none</grenml:Property>)";

inline std::string map_of_all(std::string_view halves, std::string_view sub) {
  return with("SUB", sub, with("HALVES", halves, std::string(kMapOfAll)));
}

}  // namespace netml::codecs::test
