// Maps to ESnet's panel and back: nothing is lost, and the panel finds what it draws.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/codecs/formats/full_map.hpp"

namespace netml::codecs {
namespace {

using test::full_map;
using test::imported;
using test::read_text;
using test::state_of;
using testing::HasSubstr;
using testing::Not;

std::string written(const engine::State& state) {
  return test::written("esnet", state);
}

void expect_round_trip(const engine::State& state) {
  test::expect_round_trip("esnet", state);
}

engine::State state_of_file(std::string_view json) {
  const ReadResult read = read_text("esnet", json);
  EXPECT_TRUE(read.has_value());
  return imported(*read);
}

// Two nodes, and an edge with these members.
std::string file_with(std::string_view edge) {
  return std::string(R"({"nodes":[{"name":"A","coordinate":[10,20]},)"
                     R"({"name":"B","coordinate":[30,40]}],"edges":[{"name":"A---B",)")
      .append(edge)
      .append("}]}");
}

TEST(EsnetWriter, KeepsEveryFieldOfAMap) {
  expect_round_trip(full_map());
  expect_round_trip(state_of(test::map_of_all("", "")));
}

TEST(EsnetWriter, WritesWhatThePanelDrawsWhereItLooks) {
  const std::string text = written(state_of(test::map_of_all("", "")));
  EXPECT_THAT(text,
              HasSubstr(R"({"name":"A","coordinate":[59.91,10.75],"meta":{"identifier":"a")"));
  EXPECT_THAT(text, HasSubstr(R"({"name":"L","coordinates":[[59.91,10.75],[60.0,5.0]],"meta":{)"));
  EXPECT_THAT(text, HasSubstr(R"("endpoint_identifiers":{"identifiers":["a","b"],"names":["A",)"));
}

TEST(EsnetWriter, IsKnownByItsContent) {
  const std::string text = written(full_map());
  const auto format = detect_format("map.json", text.substr(0, kRecognizedBytes));
  ASSERT_TRUE(format.has_value());
  EXPECT_EQ((*format)->name, "esnet");
}

TEST(EsnetWriter, IsKnownByItsContentWhateverItSays) {
  const std::string text = written(state_of(
      test::with(R"(<grenml:Property name="bandwidth">100</grenml:Property>)",
                 R"(<grenml:Property name="model_version">urn:sdx:node:a</grenml:Property>)",
                 test::map_of_all("", ""))));
  const auto format = detect_format("map.json", text.substr(0, kRecognizedBytes));
  ASSERT_TRUE(format.has_value());
  EXPECT_EQ((*format)->name, "esnet");
}

TEST(EsnetWriter, KeepsTheOrderOfPropertiesWhoseNamesComeAgain) {
  const auto state = state_of(test::map_of_all(R"(<grenml:Property name="x">1</grenml:Property>
<grenml:Property name="y">2</grenml:Property><grenml:Property name="x">3</grenml:Property>)",
                                               ""));
  EXPECT_THAT(written(state), HasSubstr(R"("x":"1","y":"2"},{"x":"3"}])"));
  expect_round_trip(state);
}

TEST(EsnetWriter, WritesWayPointsWhereAFileHadThem) {
  const std::string course = R"("coordinates":[[10,20],[15.5,25],[30,40]])";
  const auto in_front = state_of_file(file_with(course + R"(,"colour":"red")"));
  EXPECT_THAT(written(in_front), HasSubstr(course + R"(,"meta":{)"));
  expect_round_trip(in_front);
  const auto behind = state_of_file(file_with(R"("colour":"red",)" + course));
  EXPECT_THAT(written(behind), HasSubstr("}," + course + "}"));
  expect_round_trip(behind);
  const auto between = state_of_file(file_with(R"("a":"1",)" + course + R"(,"b":"2")"));
  EXPECT_THAT(written(between), HasSubstr(R"("coordinates":[[10.0,20.0],[30.0,40.0]])"));
  expect_round_trip(between);
}

TEST(EsnetWriter, WritesWayPointsInPieces) {
  std::string course = R"("coordinates":[[10,20])";
  for (int i = 0; i < 200; ++i) course += ",[11." + std::to_string(i) + ",21]";
  const auto state = state_of_file(file_with(course + ",[30,40]]"));
  EXPECT_THAT(written(state), HasSubstr(course));
  expect_round_trip(state);
}

TEST(EsnetWriter, DrawsNoLineThatAPropertyOnlyLooksLike) {
  for (const char* value : {"[[59.91,10.75],[60.0,5.0]]", "[[59.91,10.75],[60,5]]",
                            "[[1, 2],[3,4],[5,6]]", "[]", "x", ""}) {
    const std::string property =
        std::string(R"(<grenml:Property name="coordinates">)") + value + "</grenml:Property>";
    const auto state = state_of(test::with(R"(<grenml:Property name="empty"></grenml:Property>)",
                                           property, test::map_of_all("", "")));
    expect_round_trip(state);
  }
}

TEST(EsnetWriter, WritesNoPlaceThatStandsForAnUnknownOne) {
  const auto state = state_of(test::with(
      "<grenml:long>5</grenml:long>\n<grenml:lat>60</grenml:lat>",
      "<grenml:long>0</grenml:long>\n<grenml:lat>0</grenml:lat>", test::map_of_all("", "")));
  EXPECT_THAT(written(state), HasSubstr(R"("latitude":0.0,"longitude":0.0)"));
  EXPECT_THAT(written(state), Not(HasSubstr("[0.0,0.0]")));
  expect_round_trip(state);
}

}  // namespace
}  // namespace netml::codecs
