// Maps to NML and back: nothing is lost, whatever the map has; and what is written is NML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/map_round_trip.hpp"

namespace netml::codecs {
namespace {

using namespace test;
using testing::HasSubstr;

std::string written(std::string_view netml) {
  return test::written("nml", state_of(netml));
}

TEST(NmlWriter, KeepsEveryFieldOfAMap) {
  expect_round_trip("nml", state_of(map_of_all("", "")));
}

TEST(NmlWriter, KeepsTopologiesInsideOthers) {
  expect_round_trip("nml", state_of(map_of_all("", kSubtopology)));
}

TEST(NmlWriter, KeepsHalfLinksAsTheyAre) {
  expect_round_trip("nml", state_of(map_of_all(kHalves, "")));
}

TEST(NmlWriter, WritesALinkThroughItsPorts) {
  const std::string text = written(map_of_all("", ""));
  EXPECT_THAT(text, HasSubstr("<BidirectionalLink id=\"l\"><name>L</name>"));
  EXPECT_THAT(text, HasSubstr("base#isSource\"><Link id=\"urn:netml:made:link:1\"/>"));
  EXPECT_THAT(text, HasSubstr("base#isSink\"><Link id=\"urn:netml:made:link:1\"/>"));
}

TEST(NmlWriter, WritesHalfLinksAsPortsWithTheirAliases) {
  const std::string text = written(map_of_all(kHalves, ""));
  EXPECT_THAT(text, HasSubstr("<BidirectionalPort id=\"x\"><Port id=\"i\"/><Port id=\"o\"/>"));
  EXPECT_THAT(text, HasSubstr("base#isAlias\"><Port id=\"p\"/>"));
  EXPECT_THAT(text, HasSubstr("<LabelGroup labeltype=\"vlan\">1-5</LabelGroup>"));
}

}  // namespace
}  // namespace netml::codecs
