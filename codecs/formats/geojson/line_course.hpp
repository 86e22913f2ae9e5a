// Lines of GeoJSON, and the course of a link that they show (docs/formats/geojson.md).
//
// A course is a text: the positions of a line as a JSON list, as they are spelled. A line that was
// cut at 180 degrees (RFC 7946, section 3.1.9) is one list again; other lines of several parts are
// a list of lists.
//
// Thread: any (pure functions).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/json_tree.hpp"
#include "engine/graph/record.hpp"

namespace netml::codecs {

struct Place {
  engine::Micro longitude;
  engine::Micro latitude;

  bool operator==(const Place&) const = default;
};

// A list of two numbers or more.
bool is_position(JsonValue value);
// Of a position that begins with a longitude and a latitude within their ranges.
std::optional<Place> place_of(JsonValue position);
// The ends of a LineString or MultiLineString, first and last; absent where it is none, or a part
// of it has less than two positions.
struct LineEnds {
  JsonValue first;
  JsonValue last;
};
LineEnds ends_of_line(JsonValue geometry);

// The straight line in parts: two where it is shorter across 180 degrees.
using StraightLine = std::vector<std::vector<Place>>;
StraightLine straight_line(const Place& from, const Place& to);
void append_line(std::string& out, const StraightLine& line);  // a geometry as JSON

// Of a line with ends_of_line(): nothing where it is no more than the straight line between the
// places, in either direction.
std::optional<std::string> course_of_line(JsonValue geometry, const std::optional<Place>& from,
                                          const std::optional<Place>& to);
// A geometry as JSON of which course_of_line() makes the course again; nothing where there is none.
std::optional<std::string> line_of_course(std::string_view course, const std::optional<Place>& from,
                                          const std::optional<Place>& to);

}  // namespace netml::codecs
