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
#include "codecs/formats/sdx/sdx_private.hpp"

namespace netml::codecs {

namespace {

struct Place {
  double latitude = 0;
  double longitude = 0;
  JsonValue node;
};

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
    if (latitude && longitude) places.push_back({*latitude, *longitude, node});
  }
  return places;
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
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
  constexpr std::size_t kCountry = 2;
  constexpr std::size_t kPartMax = 3;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_part = [&](char c) { return is_capital(c) || (c >= '0' && c <= '9'); };
  if (code.size() < kCountry + 2 || code[kCountry] != '-') return false;
  const std::string_view country = code.substr(0, kCountry);
  const std::string_view part = code.substr(kCountry + 1);
  if (part.size() > kPartMax || !std::ranges::all_of(country, is_capital) ||
      !std::ranges::all_of(part, is_part))
    return false;
  for (const auto& [known, parts] : kRegions)
    if (country == known) return is_region_of(part, parts);
  return true;
}

}  // namespace

void note_doubtful_places(JsonValue topology, engine::DocumentNotes& notes) {
  constexpr double kFar = 30;  // degrees
  constexpr double kNear = 10;
  const std::vector<Place> places = places_of(topology);
  if (places.size() < 3) return;
  std::vector<double> latitudes;
  std::vector<double> longitudes;
  for (const Place& place : places) {
    latitudes.push_back(place.latitude);
    longitudes.push_back(place.longitude);
  }
  const double latitude = middle_of(std::move(latitudes));
  const double longitude = middle_of(std::move(longitudes));
  const auto distance = [&](double y, double x) {
    return std::max(std::abs(y - latitude), std::abs(x - longitude));
  };
  for (const Place& place : places)
    if (distance(place.latitude, place.longitude) > kFar &&
        distance(place.longitude, place.latitude) < kNear)
      notes.add({true, Kind::node,
                 fmt::format("latitude and longitude of node {} look swapped: {}, {} is far from "
                             "all others",
                             excerpt(place.node["id"].text()), place.latitude, place.longitude)});
}

void note_unknown_regions(JsonValue topology, engine::DocumentNotes& notes) {
  constexpr std::string_view kRegion = "iso3166_2_lvl4";
  for (const JsonValue node : topology["nodes"].items()) {
    const JsonValue location = node["location"];
    const bool hidden =
        private_names(node).contains("location") || private_names(location).contains(kRegion);
    const std::string_view code = location[kRegion].text();
    if (hidden || code.empty() || is_region(code)) continue;
    notes.add({true, Kind::node,
               fmt::format("{} of node {} is no region of ISO 3166-2", excerpt(code),
                           excerpt(node["id"].text()))});
  }
}

}  // namespace netml::codecs
