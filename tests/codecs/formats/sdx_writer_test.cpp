// Maps to topologies of AtlanticWave-SDX and back: nothing is lost, whatever the map has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/map_round_trip.hpp"

namespace netml::codecs {
namespace {

using namespace test;
using testing::HasSubstr;

// Read, and written again.
std::string written_again(std::string_view sdx) {
  const ReadResult read = read_text("sdx", sdx);
  EXPECT_TRUE(read.has_value()) << read.error().first.at(0).text();
  const engine::State state = imported(*read);
  return find_format("sdx")->write(state.graph, state.graph.mains().front())->bytes;
}

TEST(SdxWriter, KeepsEveryFieldOfAMap) {
  expect_round_trip("sdx", state_of(map_of_all("", "")));
}

TEST(SdxWriter, KeepsTopologiesInsideOthers) {
  expect_round_trip("sdx", state_of(map_of_all("", kSubtopology)));
}

TEST(SdxWriter, KeepsHalfLinksAsTheyAre) {
  expect_round_trip("sdx", state_of(map_of_all(kHalves, "")));
}

constexpr std::string_view kNetwork = R"({"id":"urn:sdx:topology:x.net","name":"X","version":3,
"model_version":"2.0.0","timestamp":"2024-07-18T15:33:12Z","nodes":[
{"id":"urn:sdx:node:x.net:a","name":"a","ports":[{"id":"urn:sdx:port:x.net:a:1","mtu":1500}]},
{"id":"urn:sdx:node:x.net:b","name":"b","ports":[{"id":"urn:sdx:port:x.net:b:1"},
{"id":"urn:sdx:port:x.net:b:2"}]}],
"links":[{"id":"urn:sdx:link:x.net:l","name":"l","bandwidth":10,"status":"up",
"ports":["urn:sdx:port:x.net:a:1","urn:sdx:port:x.net:b:1"]},
{"id":"urn:sdx:link:nni:m","ports":["urn:sdx:port:x.net:b:2","urn:sdx:port:y.net:c:1"]}]})";

TEST(SdxWriter, WritesPortsAndMembersWhereTheFormatHasThem) {
  const std::string text = written_again(kNetwork);
  EXPECT_THAT(text, HasSubstr(R"("ports":["urn:sdx:port:x.net:a:1","urn:sdx:port:x.net:b:1"])"));
  EXPECT_THAT(text, HasSubstr(R"("bandwidth":10,"status":"up")"));
  EXPECT_THAT(text, HasSubstr(R"("ports":[{"id":"urn:sdx:port:x.net:a:1","mtu":1500}])"));
  EXPECT_THAT(text, HasSubstr(R"("timestamp":"2024-07-18T15:33:12)"));
}

TEST(SdxWriter, WritesHalfLinksInTheListOfLinks) {
  EXPECT_THAT(written_again(kNetwork), HasSubstr(R"({"id":"urn:sdx:link:nni:m","ports":[)"));
}

TEST(SdxWriter, KeepsWhatWasReadFromTheFormat) {
  const ReadResult read = read_text("sdx", kNetwork);
  ASSERT_TRUE(read.has_value());
  expect_round_trip("sdx", imported(*read));
  expect_round_trip("nml", imported(*read));
}

TEST(SdxWriter, SaysWhatItMade) {
  const engine::State state = state_of(map_of_all("", ""));
  const std::string text =
      find_format("sdx")->write(state.graph, state.graph.mains().front())->bytes;
  EXPECT_THAT(text, HasSubstr(R"("made":["version","model_version"])"));
}

}  // namespace
}  // namespace netml::codecs
