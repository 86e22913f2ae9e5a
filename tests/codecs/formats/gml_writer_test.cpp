// Maps to GML and back: nothing is lost, whatever the map has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/full_map.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::codecs {
namespace {

using test::full_map;
using test::read_text;
using testing::HasSubstr;

std::string written(const engine::State& state) {
  return test::written("gml", state);
}

TEST(GmlWriter, KeepsEveryFieldOfAMap) {
  test::expect_round_trip("gml", full_map());
}

TEST(GmlWriter, WritesEqualBytesForEqualStates) {
  const engine::State state = full_map();
  EXPECT_EQ(written(state), written(state));
}

TEST(GmlWriter, WritesAsciiWithOneKeyALine) {
  const std::string text = written(full_map());
  for (const char c : text) ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << text;
  EXPECT_THAT(text, HasSubstr("    label \"&#197;rhus \\N\"\n"));
  EXPECT_THAT(text, HasSubstr("\n  label \"Map &#38; &#34;more&#34;\"\n"));
  EXPECT_THAT(text, HasSubstr("two&#10;lines"));
  EXPECT_THAT(text, HasSubstr("    latitude 59.91\n"));
}

TEST(GmlWriter, MakesLabelsDistinct) {
  const std::string text = written(full_map());
  EXPECT_THAT(text, HasSubstr("    identifier \"b\"\n    name \"None\"\n    label \"None (b)\"\n"));
  EXPECT_THAT(text, HasSubstr("    identifier \"c\"\n    name \"None\"\n    label \"None (c)\"\n"));
}

// A name that looks like a made label, and one that is the made label of another node.
TEST(GmlWriter, TellsNamesFromMadeLabels) {
  const engine::State state = test::state_of(R"(<grenml:Topology id="t"
 xmlns:grenml="http://schemas.ogf.org/nml/2020/01/grenml"><grenml:name>T</grenml:name>
<grenml:owner>o</grenml:owner>
<grenml:Institution id="o"><grenml:name>O</grenml:name></grenml:Institution>
<grenml:Node id="a"><grenml:name>X</grenml:name></grenml:Node>
<grenml:Node id="b"><grenml:name>X</grenml:name></grenml:Node>
<grenml:Node id="c"><grenml:name>X (a)</grenml:name></grenml:Node>
<grenml:Node id="d"><grenml:name>[]</grenml:name></grenml:Node>
</grenml:Topology>)");
  const std::string text = written(state);
  EXPECT_THAT(text, HasSubstr("label \"X (a) 2\"\n"));
  EXPECT_THAT(text, HasSubstr("label \"X (a)\"\n"));
  EXPECT_THAT(text, HasSubstr("label \"[] (d)\"\n"));
  const ReadResult read = read_text("gml", text);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(test::says_the_same(*read, state)) << text;
}

// Names that networkx or the table have for something else, and those that no key can be.
TEST(GmlWriter, PutsOtherNamesIntoListsOfTheirOwn) {
  const std::string text = written(full_map());
  for (const char* name : {"", "latitude", "self", "a@b []", "property.x", "key"})
    EXPECT_THAT(text, HasSubstr("    property [\n      name \"" + std::string(name) + "\"\n"));
  EXPECT_THAT(text, HasSubstr("    tag \"1\"\n    tag \"2\"\n"));
  EXPECT_THAT(text, HasSubstr("    id \"i\"\n")) << "of a link it is a value";
}

}  // namespace
}  // namespace netml::codecs
