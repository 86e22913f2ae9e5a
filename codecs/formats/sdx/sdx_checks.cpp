#include "codecs/formats/sdx/sdx_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/numbers.hpp"
#include "codecs/formats/draft/name_list.hpp"
#include "codecs/formats/sdx/sdx_countries.hpp"
#include "codecs/formats/sdx/sdx_private.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr double kFar = 30;  // degrees
constexpr double kNear = 10;
constexpr std::size_t kCountryLetters = 2;

struct Point {
  double latitude = 0;
  double longitude = 0;

  Point swapped() const { return {longitude, latitude}; }
};

double distance(const Point& a, const Point& b) {
  return std::max(std::abs(a.latitude - b.latitude), std::abs(a.longitude - b.longitude));
}

struct Place {
  Point point;
  JsonValue node;
  const CountryBox* country = nullptr;  // of its region, where that says one

  bool fits(const Point& where) const {
    return country != nullptr && country->holds(where.latitude, where.longitude);
  }
};

// Empty where it is private.
std::string_view region_of(JsonValue node) {
  constexpr std::string_view kRegion = "iso3166_2_lvl4";
  const JsonValue location = node["location"];
  if (private_names(node).contains("location") || private_names(location).contains(kRegion))
    return {};
  return location[kRegion].text();
}

const CountryBox* country_of(JsonValue node) {
  const std::string_view region = region_of(node);
  if (region.size() <= kCountryLetters || region[kCountryLetters] != '-') return nullptr;
  return country_box(region.substr(0, kCountryLetters));
}

// Those that nobody keeps private.
std::vector<Place> places_of(JsonValue topology) {
  std::vector<Place> places;
  for (const JsonValue node : topology["nodes"].items()) {
    const JsonValue location = node["location"];
    const auto hidden = private_names(location);
    if (private_names(node).contains("location") || hidden.contains("latitude") ||
        hidden.contains("longitude"))
      continue;
    const auto latitude = parse_number(location["latitude"].text());
    const auto longitude = parse_number(location["longitude"].text());
    if (latitude && longitude) places.push_back({{*latitude, *longitude}, node, country_of(node)});
  }
  return places;
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

Point middle_of(const std::vector<Point>& points) {
  std::vector<double> latitudes;
  std::vector<double> longitudes;
  for (const Point& point : points) {
    latitudes.push_back(point.latitude);
    longitudes.push_back(point.longitude);
  }
  return {middle_of(std::move(latitudes)), middle_of(std::move(longitudes))};
}

// Those that are among the others only when latitude and longitude change places.
std::vector<const Place*> odd_ones(const std::vector<Place>& places, const Point& middle) {
  std::vector<const Place*> odd;
  for (const Place& place : places)
    if (distance(place.point, middle) > kFar && distance(place.point.swapped(), middle) < kNear)
      odd.push_back(&place);
  return odd;
}

void note_swapped(const Place& place, std::string_view why, engine::DocumentNotes& notes) {
  notes.add({true, Kind::node,
             fmt::format("latitude and longitude of node {} look swapped: {}, {} {}",
                         excerpt(place.node["id"].text()), place.point.latitude,
                         place.point.longitude, why)});
}

std::string listed(const std::vector<const Place*>& places) {
  NameList names;
  for (const Place* place : places) names.add(place->node["id"].text());
  return fmt::format("{}: {}", counted(names.count(), "node"), names.text());
}

// Where no country says which of them are right. The middle is that of all places, each turned so
// that the smaller number comes first, which swapped ones cannot move. What lies around it is
// swapped or what lies around it when turned, and which of the two nobody knows.
void note_two_ways(const std::vector<Place>& places, engine::DocumentNotes& notes) {
  std::vector<Point> turned;
  for (const Place& place : places)
    turned.push_back(place.point.latitude < place.point.longitude ? place.point
                                                                  : place.point.swapped());
  const Point middle = middle_of(turned);
  const std::vector<const Place*> some = odd_ones(places, middle);
  const std::vector<const Place*> others = odd_ones(places, middle.swapped());
  if (some.empty() || others.empty()) return;
  const bool are_fewer = some.size() < others.size();
  notes.add({true, Kind::node,
             fmt::format("latitude and longitude look swapped, either of {} or of {}",
                         listed(are_fewer ? some : others), listed(are_fewer ? others : some))});
}

bool is_region_of(std::string_view region, std::string_view regions) {
  for (std::size_t at = regions.find(region); at != std::string_view::npos;
       at = regions.find(region, at + 1)) {
    const bool begins = at == 0 || regions[at - 1] == ' ';
    const std::size_t end = at + region.size();
    if (begins && (end == regions.size() || regions[end] == ' ')) return true;
  }
  return false;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kRegions{{
    {"BR", "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO"},
    {"CL", "AI AN AP AR AT BI CO LI LL LR MA ML NB RM TA VS"},
    {"US",
     "AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC "
     "ND NE NH NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UM UT VA VI VT WA WI WV WY"},
    {"ZA", "EC FS GP KZN LP MP NC NW WC"},
}};

bool is_region(std::string_view code) {
  constexpr std::size_t kPartMax = 3;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_part = [&](char c) { return is_capital(c) || (c >= '0' && c <= '9'); };
  if (code.size() < kCountryLetters + 2 || code[kCountryLetters] != '-') return false;
  const std::string_view country = code.substr(0, kCountryLetters);
  const std::string_view part = code.substr(kCountryLetters + 1);
  if (part.size() > kPartMax || !std::ranges::all_of(country, is_capital) ||
      !std::ranges::all_of(part, is_part))
    return false;
  for (const auto& [known, parts] : kRegions)
    if (country == known) return is_region_of(part, parts);
  return true;
}

}  // namespace

// A place in the country of its region is right. The others are held against those.
void note_doubtful_places(JsonValue topology, engine::DocumentNotes& notes) {
  std::vector<Place> doubtful;
  std::vector<Point> right;
  for (const Place& place : places_of(topology)) {
    const Point swapped = place.point.swapped();
    if (place.fits(place.point)) {
      right.push_back(place.point);
    } else if (place.fits(swapped)) {
      right.push_back(swapped);
      note_swapped(place,
                   fmt::format("is not in {}, but {}, {} may be", place.country->code,
                               swapped.latitude, swapped.longitude),
                   notes);
    } else {
      doubtful.push_back(place);
    }
  }
  if (doubtful.empty()) return;
  if (right.empty()) return note_two_ways(doubtful, notes);
  for (const Place* place : odd_ones(doubtful, middle_of(right)))
    note_swapped(*place, "is far from all others", notes);
}

void note_unknown_regions(JsonValue topology, engine::DocumentNotes& notes) {
  for (const JsonValue node : topology["nodes"].items()) {
    const std::string_view code = region_of(node);
    if (code.empty() || is_region(code)) continue;
    notes.add({true, Kind::node,
               fmt::format("{} of node {} is no region of ISO 3166-2", excerpt(code),
                           excerpt(node["id"].text()))});
  }
}

}  // namespace netml::codecs
