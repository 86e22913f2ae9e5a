#include "engine/quality/countries.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/graph/sphere_point.hpp"
#include "engine/places/folded_name.hpp"

namespace netml::engine {

namespace {

using Ring = std::vector<std::array<float, 2>>;

// How often a line from the place to the east crosses the ring.
bool is_crossed_oddly(const Ring& ring, float longitude, float latitude) {
  bool odd = false;
  for (std::size_t i = 0, before = ring.size() - 1; i < ring.size(); before = i++) {
    const auto& [x, y] = ring[i];
    const auto& [from_x, from_y] = ring[before];
    if ((y > latitude) == (from_y > latitude)) continue;
    if (longitude < (from_x - x) * (latitude - y) / (from_y - y) + x) odd = !odd;
  }
  return odd;
}

// How far a place is from a line of the outline, in degrees of latitude. Good enough over a hundred
// kilometres.
float degrees_away(const std::array<float, 2>& from, const std::array<float, 2>& to,
                   float longitude, float latitude) {
  const float narrowing = std::cos(latitude * std::numbers::pi_v<float> / 180);
  const float x = (to[0] - from[0]) * narrowing;
  const float y = to[1] - from[1];
  const float there_x = (longitude - from[0]) * narrowing;
  const float there_y = latitude - from[1];
  const float length = x * x + y * y;
  const float along =
      length == 0 ? 0 : std::clamp((there_x * x + there_y * y) / length, 0.0F, 1.0F);
  return std::hypot(there_x - along * x, there_y - along * y);
}

bool is_near(const Ring& ring, float longitude, float latitude) {
  constexpr auto kNearDegrees = static_cast<float>(Countries::kNearKm / 111.2);
  for (std::size_t i = 0, before = ring.size() - 1; i < ring.size(); before = i++)
    if (degrees_away(ring[before], ring[i], longitude, latitude) <= kNearDegrees) return true;
  return false;
}

}  // namespace

Countries::Countries(std::vector<CountryOutline> countries) : countries_(std::move(countries)) {
  boxes_.resize(countries_.size());
  for (std::size_t i = 0; i < countries_.size(); ++i) {
    const CountryOutline& country = countries_[i];
    by_names_.emplace_back(folded_name(country.code), i);
    for (const std::string& name : country.names) by_names_.emplace_back(folded_name(name), i);
    for (const Ring& ring : country.rings) {
      Box box;
      for (const auto& [longitude, latitude] : ring) {
        box.west = std::min(box.west, longitude);
        box.east = std::max(box.east, longitude);
        box.south = std::min(box.south, latitude);
        box.north = std::max(box.north, latitude);
      }
      boxes_[i].push_back(box);
    }
  }
  std::ranges::sort(by_names_);
}

std::optional<std::size_t> Countries::find(std::string_view code_or_name) const {
  const std::string folded = folded_name(code_or_name);
  const auto found =
      std::ranges::lower_bound(by_names_, folded, {}, &std::pair<std::string, std::size_t>::first);
  if (found == by_names_.end() || found->first != folded) return std::nullopt;
  return found->second;
}

bool Countries::holds(std::size_t country, const Coordinates& place) const {
  const SpherePoint point = sphere_point(place);
  const auto longitude = static_cast<float>(point.longitude);
  const auto latitude = static_cast<float>(point.latitude);
  const auto& rings = countries_[country].rings;
  bool inside = false;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const Box& box = boxes_[country][i];
    if (latitude >= box.south && latitude <= box.north && longitude >= box.west &&
        longitude <= box.east)
      inside ^= is_crossed_oddly(rings[i], longitude, latitude);
  }
  return inside || std::ranges::any_of(
                       rings, [&](const Ring& ring) { return is_near(ring, longitude, latitude); });
}

}  // namespace netml::engine
