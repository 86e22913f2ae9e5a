// Lines of GeoJSON: what is more than the straight line, and where lines are cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/formats/geojson/line_course.hpp"

namespace netml::codecs {
namespace {

constexpr std::int64_t kDegree = 1'000'000;

Place place(std::int64_t longitude, std::int64_t latitude) {
  return {{longitude * kDegree}, {latitude * kDegree}};
}

std::string course_of(std::string_view geometry, const Place& from, const Place& to) {
  const auto tree = JsonTree::parse(geometry, {});
  EXPECT_TRUE(tree.has_value());
  EXPECT_FALSE(ends_of_line(tree->root()).first.is_absent()) << geometry;
  return course_of_line(tree->root(), from, to).value_or("straight");
}

std::string line_between(const Place& from, const Place& to) {
  std::string text;
  append_line(text, straight_line(from, to));
  return text;
}

TEST(LineCourse, CutsStraightLinesAt180Degrees) {
  EXPECT_EQ(line_between(place(10, 50), place(20, 60)),
            R"({"type":"LineString","coordinates":[[10.0,50.0],[20.0,60.0]]})");
  EXPECT_EQ(line_between(place(170, 0), place(-170, 10)),
            R"({"type":"MultiLineString","coordinates":)"
            R"([[[170.0,0.0],[180.0,5.0]],[[-180.0,5.0],[-170.0,10.0]]]})");
  EXPECT_EQ(line_between(place(180, 1), place(-180, 3)),
            R"({"type":"MultiLineString","coordinates":)"
            R"([[[180.0,1.0],[180.0,1.0]],[[-180.0,1.0],[-180.0,3.0]]]})");
}

TEST(LineCourse, KnowsAStraightLineInBothDirections) {
  for (const auto& [from, to] :
       {std::pair(place(10, 50), place(20, 60)), std::pair(place(170, 0), place(-170, 10)),
        std::pair(place(180, 1), place(-180, 3))}) {
    EXPECT_EQ(course_of(line_between(from, to), from, to), "straight");
    EXPECT_EQ(course_of(line_between(from, to), to, from), "straight");
  }
}

TEST(LineCourse, KeepsWayPointsAsTheyAreSpelled) {
  EXPECT_EQ(course_of(R"({"type":"LineString","coordinates":[[10,50],[1.50e1, 55],[20,60]]})",
                      place(10, 50), place(20, 60)),
            "[[10,50],[1.50e1,55],[20,60]]");
  EXPECT_EQ(course_of(R"({"type":"LineString","coordinates":[[10,50,7],[20,60,7]]})", place(10, 50),
                      place(20, 60)),
            "[[10,50,7],[20,60,7]]")
      << "heights are more than the straight line";
}

TEST(LineCourse, MakesOneCourseOfPartsThatMeetAt180Degrees) {
  EXPECT_EQ(course_of(R"({"type":"MultiLineString","coordinates":[[[160,0],[170,0],[180,5]],)"
                      R"([[-180,5],[-170,10]]]})",
                      place(160, 0), place(-170, 10)),
            "[[160,0],[170,0],[-170,10]]")
      << "the points between say no more than that it was cut";
  EXPECT_EQ(course_of(R"({"type":"MultiLineString","coordinates":[[[170,0],[180,9]],)"
                      R"([[-180,9],[-170,10]]]})",
                      place(170, 0), place(-170, 10)),
            "[[170,0],[180,9],[-180,9],[-170,10]]");
  EXPECT_EQ(course_of(R"({"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]})",
                      place(1, 2), place(7, 8)),
            "[[[1,2],[3,4]],[[5,6],[7,8]]]");
}

TEST(LineCourse, IsALineOfWhichTheSameCourseIsMade) {
  for (const char* course :
       {"[[10,50],[15,55],[20,60]]", "[[160,0],[170,0],[-170,10]]",
        "[[170,0],[180,9],[-180,9],[-170,10]]", "[[[1,2],[3,4]],[[5,6],[7,8]]]",
        "[[-179,1],[179,2],[-179,3],[10,50]]"}) {
    const auto line = line_of_course(course, place(10, 50), place(20, 60));
    ASSERT_TRUE(line.has_value()) << course;
    EXPECT_EQ(course_of(*line, place(10, 50), place(20, 60)), course) << *line;
  }
}

TEST(LineCourse, IsNoLineWhereAReaderWouldMakeSomethingElseOfIt) {
  for (const char* course : {"", "A2", "[]", "[[1,2]]", "[[1,2],[\"3\",4]]", "[[1, 2],[3,4]]",
                             "[[10.0,50.0],[20.0,60.0]]", "[[1,2],[3,4]]]", "[[[1,2]],[[3,4]]]",
                             "[[170,0],[180,5],[-180,5],[-170,10]]"})
    EXPECT_EQ(line_of_course(course, place(10, 50), place(20, 60)), std::nullopt) << course;
}

TEST(LineCourse, KnowsNoPlaceBeyondTheRanges) {
  const auto tree = JsonTree::parse("[[181,0],[0,91],[180,-90],[1]]", {});
  auto item = tree->root().items().begin();
  EXPECT_FALSE(place_of(*item));
  EXPECT_FALSE(place_of(*++item));
  EXPECT_EQ(place_of(*++item), place(180, -90));
  EXPECT_FALSE(is_position(*++item));
}

}  // namespace
}  // namespace netml::codecs
