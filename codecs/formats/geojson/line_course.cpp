#include "codecs/formats/geojson/line_course.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "codecs/document/numbers.hpp"

namespace netml::codecs {

namespace {

constexpr std::int64_t kMicroPerDegree = 1'000'000;
constexpr std::int64_t kHalfTurn = 180 * kMicroPerDegree;
constexpr std::int64_t kTurn = 2 * kHalfTurn;
constexpr double kLatitudeMax = 90;
constexpr double kLongitudeMax = 180;

constexpr std::string_view kLine = "LineString";
constexpr std::string_view kLines = "MultiLineString";

std::int64_t way(const Place& from, const Place& to) {
  return std::abs(to.longitude.value - from.longitude.value);
}

bool is_shorter_across(const Place& from, const Place& to) {
  return way(from, to) > kHalfTurn;
}

// Where the straight line meets 180 degrees: on the side of `from`, then on the other one.
std::pair<Place, Place> crossing(const Place& from, const Place& to) {
  const std::int64_t side = from.longitude.value > 0 ? kHalfTurn : -kHalfTurn;
  const std::int64_t all = kTurn - way(from, to);
  const std::int64_t before = kHalfTurn - std::abs(from.longitude.value);
  const std::int64_t climb = to.latitude.value - from.latitude.value;
  const engine::Micro latitude{from.latitude.value + (all == 0 ? 0 : climb * before / all)};
  return {{{side}, latitude}, {{-side}, latitude}};
}

// Whether a line is cut between the two.
bool is_joint(const std::optional<Place>& end, const std::optional<Place>& begin) {
  return end && begin && std::abs(end->longitude.value) == kHalfTurn &&
         begin->longitude.value == -end->longitude.value && begin->latitude == end->latitude;
}

using Positions = std::vector<JsonValue>;

// Empty where it is no list of two positions or more.
Positions positions_of(JsonValue list) {
  Positions positions;
  for (const JsonValue item : list.items()) {
    if (!is_position(item)) return {};
    positions.push_back(item);
  }
  if (positions.size() < 2) positions.clear();
  return positions;
}

std::vector<Positions> parts_of(JsonValue geometry) {
  const std::string_view type = geometry["type"].text();
  const JsonValue coordinates = geometry["coordinates"];
  std::vector<Positions> parts;
  if (type == kLine) {
    parts.push_back(positions_of(coordinates));
  } else if (type == kLines) {
    for (const JsonValue part : coordinates.items()) parts.push_back(positions_of(part));
  }
  const bool whole = std::ranges::none_of(parts, &Positions::empty);
  if (!whole) parts.clear();
  return parts;
}

bool is_straight(const std::vector<Positions>& parts, const StraightLine& line) {
  return std::ranges::equal(parts, line, [](const Positions& part, const auto& straight) {
    return std::ranges::equal(part, straight, [](JsonValue position, const Place& place) {
      return position.size() == 2 && place_of(position) == place;
    });
  });
}

// Whether the ends of two parts say no more than that the line between their neighbours was cut.
bool is_only_cut(const Positions& part, const Positions& next) {
  const auto before = place_of(part[part.size() - 2]);
  const auto after = place_of(next[1]);
  if (!before || !after || !is_shorter_across(*before, *after)) return false;
  if (part.back().size() != 2 || next.front().size() != 2) return false;
  const auto [end, begin] = crossing(*before, *after);
  return place_of(part.back()) == end && place_of(next.front()) == begin;
}

// Nothing where not all parts are joined at 180 degrees.
std::optional<Positions> joined_at_180(const std::vector<Positions>& parts) {
  Positions line = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Positions& part = parts[i - 1];
    const Positions& next = parts[i];
    if (!is_joint(place_of(part.back()), place_of(next.front()))) return std::nullopt;
    const bool drop = is_only_cut(part, next);
    if (drop) line.pop_back();
    line.insert(line.end(), next.begin() + (drop ? 1 : 0), next.end());
  }
  return line;
}

void append_place(std::string& out, const Place& place) {
  out += '[';
  append_shortest(out, place.longitude);
  out += ',';
  append_shortest(out, place.latitude);
  out += ']';
}

using Texts = std::vector<std::string>;  // of the positions of each part of a line

void append_geometry(std::string& out, const Texts& parts) {
  const bool several = parts.size() > 1;
  out += several ? R"({"type":"MultiLineString","coordinates":[[)"
                 : R"({"type":"LineString","coordinates":[)";
  out += parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) (out += "],[") += parts[i];
  out += several ? "]]}" : "]}";
}

Texts cut_at_180(const Positions& positions) {
  Texts parts(1);
  std::optional<Place> before;
  for (const JsonValue position : positions) {
    const auto place = place_of(position);
    const bool crosses = before && place && is_shorter_across(*before, *place);
    if (crosses && !is_joint(before, place)) {
      const auto [end, begin] = crossing(*before, *place);
      parts.back() += ',';
      append_place(parts.back(), end);
      append_place(parts.emplace_back(), begin);
    } else if (crosses) {
      parts.emplace_back();
    }
    if (!parts.back().empty()) parts.back() += ',';
    parts.back() += position.json();
    before = place;
  }
  return parts;
}

}  // namespace

bool is_position(JsonValue value) {
  std::size_t numbers = 0;
  for (const JsonValue item : value.items()) {
    if (!item.is_number()) return false;
    ++numbers;
  }
  return numbers >= 2;
}

std::optional<Place> place_of(JsonValue position) {
  const auto items = position.items();
  const auto longitude = parse_number((*items.begin()).text());
  const auto latitude = parse_number((*std::next(items.begin())).text());
  const auto within = [](const std::optional<double>& value, double most) {
    return value && *value >= -most && *value <= most;
  };
  if (!within(longitude, kLongitudeMax) || !within(latitude, kLatitudeMax)) return std::nullopt;
  return Place{round_to_micro(*longitude), round_to_micro(*latitude)};
}

LineEnds ends_of_line(JsonValue geometry) {
  const std::vector<Positions> parts = parts_of(geometry);
  if (parts.empty()) return {};
  return {parts.front().front(), parts.back().back()};
}

StraightLine straight_line(const Place& from, const Place& to) {
  if (!is_shorter_across(from, to)) return {{from, to}};
  const auto [end, begin] = crossing(from, to);
  return {{from, end}, {begin, to}};
}

void append_line(std::string& out, const StraightLine& line) {
  Texts parts;
  for (const auto& part : line) {
    std::string& text = parts.emplace_back();
    append_place(text, part.front());
    text += ',';
    append_place(text, part.back());
  }
  append_geometry(out, parts);
}

std::optional<std::string> course_of_line(JsonValue geometry, const std::optional<Place>& from,
                                          const std::optional<Place>& to) {
  const std::vector<Positions> parts = parts_of(geometry);
  if (from && to &&
      (is_straight(parts, straight_line(*from, *to)) ||
       is_straight(parts, straight_line(*to, *from))))
    return std::nullopt;
  const auto line = parts.size() > 1 ? joined_at_180(parts) : std::nullopt;
  if (!line) return geometry["coordinates"].json();
  std::string course = "[";
  for (const JsonValue position : *line) {
    if (course.size() > 1) course += ',';
    course += position.json();
  }
  return course += ']';
}

std::optional<std::string> line_of_course(std::string_view course, const std::optional<Place>& from,
                                          const std::optional<Place>& to) {
  if (!course.starts_with("[[")) return std::nullopt;
  const auto tree = JsonTree::parse(course, {});
  if (!tree || !tree->root().is_array()) return std::nullopt;
  std::string line;
  if (const Positions positions = positions_of(tree->root()); !positions.empty()) {
    append_geometry(line, cut_at_180(positions));
  } else {
    line = R"({"type":"MultiLineString","coordinates":)";
    (line += course) += '}';
  }
  const auto written = JsonTree::parse(line, {});
  if (!written || ends_of_line(written->root()).first.is_absent()) return std::nullopt;
  if (course_of_line(written->root(), from, to) != course) return std::nullopt;
  return line;
}

}  // namespace netml::codecs
