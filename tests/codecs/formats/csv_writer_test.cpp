// Maps to CSV and back: nothing is lost, whatever the map has, and no cell is a formula.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codecs/formats/csv/csv_text.hpp"
#include "codecs/formats/csv/csv_writer.hpp"
#include "tests/codecs/formats/map_round_trip.hpp"

namespace netml::codecs {
namespace {

using test::imported;
using test::state_of;
using testing::HasSubstr;

std::string written(const engine::State& state) {
  return test::written("csv", state);
}

void expect_round_trip(const engine::State& state) {
  const engine::Document read = test::expect_round_trip("csv", state);
  EXPECT_EQ(written(imported(read)), written(state));
}

constexpr std::string_view kMap = R"(<grenml:Topology id="t" version="2024-01-02T03:04:05+00:00"
 xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"
 xmlns:nml="http://schemas.ogf.org/nml/2013/05/base#"><grenml:name>Map, "more"</grenml:name>
<grenml:owner>o</grenml:owner><grenml:Property name="label">of the map</grenml:Property>
<grenml:Institution id="o"><grenml:name>Owner</grenml:name><grenml:Location>
<grenml:long>1.5</grenml:long><grenml:lat>2.5</grenml:lat><grenml:alt>3</grenml:alt>
<grenml:address>Street 1
City</grenml:address></grenml:Location>
<grenml:Property name="tag">nren</grenml:Property><grenml:Property name="tag">b</grenml:Property>
</grenml:Institution>
<grenml:Institution id="p"><grenml:name>=Other</grenml:name></grenml:Institution>
<grenml:Link id="l"><grenml:name>L</grenml:name><grenml:owner>p</grenml:owner>
<grenml:Lifetime><nml:start>2020-01-01T00:00:00Z</nml:start>
<nml:end>2030-01-01T00:00:00Z</nml:end></grenml:Lifetime>
<grenml:Property name="empty"></grenml:Property>
<grenml:node>b</grenml:node><grenml:node>a</grenml:node></grenml:Link>
<grenml:Node id="a"><grenml:name>A</grenml:name><grenml:short-name>a</grenml:short-name>
<grenml:Location><grenml:long>-10</grenml:long><grenml:lat>59</grenml:lat>
<grenml:unlocode>NOOSL</grenml:unlocode></grenml:Location>
<grenml:Property name="">without a name</grenml:Property>
<grenml:Property name="latitude">a property</grenml:Property>
<grenml:Property name="kind">a kind</grenml:Property>
<grenml:Property name="user@host[]">-5 is no formula, but -x is</grenml:Property>
<grenml:Property name="=name">-x</grenml:Property>
<grenml:Property name="=name">'</grenml:Property>
<grenml:Property name="property.x"> blanks </grenml:Property></grenml:Node>
<grenml:Node id="b"><grenml:name>None</grenml:name><grenml:owner>p</grenml:owner>
<grenml:owner>o</grenml:owner><grenml:Location><grenml:long>5</grenml:long>
<grenml:lat>60</grenml:lat></grenml:Location>
<grenml:Property name="kind">'s</grenml:Property>
<grenml:Property name="latitude">out of order</grenml:Property>
<grenml:Property name="kind">''</grenml:Property></grenml:Node>
<grenml:Node id="d"><grenml:name>D</grenml:name><grenml:Location><grenml:long>0</grenml:long>
<grenml:lat>1</grenml:lat></grenml:Location></grenml:Node>
SUB</grenml:Topology>)";

constexpr std::string_view kSub = R"(<grenml:Topology id="s"><grenml:name>Sub</grenml:name>
<grenml:owner>q</grenml:owner><grenml:Institution id="q"><grenml:name>Q</grenml:name>
</grenml:Institution>
<grenml:Node id="c"><grenml:name>None</grenml:name><grenml:Location><grenml:long>6</grenml:long>
<grenml:lat>61</grenml:lat></grenml:Location></grenml:Node>
</grenml:Topology>)";

std::string map_with(std::string_view sub) {
  return test::with("SUB", sub, std::string(kMap));
}

TEST(CsvWriter, KeepsEveryFieldOfAMap) {
  expect_round_trip(state_of(map_with("")));
}

TEST(CsvWriter, KeepsTopologiesInsideOthers) {
  expect_round_trip(state_of(map_with(kSub)));
}

TEST(CsvWriter, PutsWhatHasNoColumnBelowTheElement) {
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += fmt::format("<grenml:Property name=\"p{}\">{}</grenml:Property>", i, i);
  for (int i = 0; i < 100; ++i) many += "<grenml:Property name=\"again\">x</grenml:Property>";
  std::string text = map_with("");
  const std::string_view before = "<grenml:Property name=\"\">";
  text.insert(text.find(before), many);
  const engine::State state = state_of(text);
  EXPECT_THAT(written(state), HasSubstr("\r\nmore,a,"));
  expect_round_trip(state);
}

TEST(CsvWriter, WritesNoFormulas) {
  const std::string bytes = written(state_of(map_with("")));
  EXPECT_THAT(bytes, HasSubstr(",'=Other,"));
  EXPECT_THAT(bytes, HasSubstr(",-10.0,")) << "a number is none";
  const auto table = parse_csv(bytes, ',', {});
  ASSERT_TRUE(table.has_value());
  for (const char* const text : {"=1", "+a", "-a", "@a", "\ta", "\ra"}) {
    EXPECT_TRUE(is_like_formula(text)) << text;
    std::string cell;
    append_csv_cell(cell, text);
    EXPECT_THAT(cell, testing::MatchesRegex("\"?'.*")) << text;
  }
}

TEST(CsvWriter, BeginsWithWhatARowIs) {
  const std::string bytes = written(state_of(map_with("")));
  EXPECT_THAT(bytes, testing::StartsWith("kind,identifier,name,"));
  EXPECT_THAT(bytes, HasSubstr("\r\ntopology,t,\"Map, \"\"more\"\"\","));
}

std::string columns_of(const engine::State& state, const std::vector<std::string>& headings) {
  const auto file = write_csv_columns(state.graph, state.graph.mains().front(), headings);
  return file ? file->bytes : file.error().text();
}

TEST(CsvWriter, WritesTheColumnsThatAreAskedForOfElementsThatMayHaveThem) {
  const auto state = state_of(map_with(kSub));
  EXPECT_EQ(columns_of(state, {"short-name", "UN/LOCODE"}),
            "kind,identifier,name,short name,unlocode\r\n"
            "institution,o,Owner,,\r\n"
            "institution,p,'=Other,,\r\n"
            "institution,q,Q,,\r\n"
            "node,a,A,a,NOOSL\r\n"
            "node,b,None,,\r\n"
            "node,d,D,,\r\n"
            "node,c,None,,\r\n"
            "link,l,L,,\r\n");
  EXPECT_THAT(columns_of(state, {"from", "to", "Circuit ID", "name"}),
              HasSubstr("kind,identifier,name,from,to,property.circuit id\r\n"));
  EXPECT_THAT(columns_of(state, {"parent"}), testing::Not(HasSubstr("node,")));
  EXPECT_THAT(columns_of(state, {"name"}), HasSubstr("topology,s,Sub\r\n"));
}

TEST(CsvWriter, WritesAllValuesOfAColumnThatIsAskedFor) {
  const std::string text = columns_of(state_of(map_with("")), {"property.kind"});
  EXPECT_THAT(text, HasSubstr("kind,identifier,name,property.kind,property.kind\r\n"));
  EXPECT_THAT(text, HasSubstr("node,b,None,'s,'''\r\n"));
}

TEST(CsvWriter, RefusesHeadingsThatAreNone) {
  const auto state = state_of(map_with(""));
  EXPECT_EQ(columns_of(state, {"name", ""}), "columns: \"\" is no heading");
  EXPECT_EQ(columns_of(state, std::vector<std::string>(65, "x")), "columns: at most 64");
}

}  // namespace
}  // namespace netml::codecs
