#include "engine/quality/geography.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "engine/graph/sphere_point.hpp"

namespace netml::engine {

namespace {

constexpr double kEarthRadiusKm = kEarthRadius / 1000;

double chord_squared(const Direction& a, const Direction& b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z;
}

double kilometres_of_chord(double squared) {
  return 2 * kEarthRadiusKm * std::asin(std::min(1.0, std::sqrt(squared) / 2));
}

}  // namespace

Direction direction(const Coordinates& place) {
  constexpr double kRadian = std::numbers::pi / 180;
  const double latitude = sphere_point(place).latitude * kRadian;
  const double longitude = sphere_point(place).longitude * kRadian;
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

double kilometres(const Direction& a, const Direction& b) {
  return kilometres_of_chord(chord_squared(a, b));
}

double kilometres(const Coordinates& a, const Coordinates& b) {
  return great_circle(sphere_point(a), sphere_point(b)) / 1000;
}

double nearest(const Direction& from, std::span<const Direction> places, std::size_t except) {
  double squared = 4;  // of the longest chord
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i != except) squared = std::min(squared, chord_squared(from, places[i]));
  return kilometres_of_chord(squared);
}

double farthest(const Direction& from, std::span<const Direction> places, std::size_t except) {
  double squared = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i != except) squared = std::max(squared, chord_squared(from, places[i]));
  return kilometres_of_chord(squared);
}

std::vector<Misreading> misreadings(const Coordinates& place) {
  const auto& [latitude, longitude] = place;
  std::vector<Misreading> all;
  if (std::abs(longitude.value) <= 90'000'000) all.push_back({true, {longitude, latitude}});
  all.push_back({false, {latitude, {-longitude.value}}});
  all.push_back({false, {{-latitude.value}, longitude}});
  all.push_back({false, {{-latitude.value}, {-longitude.value}}});
  std::erase_if(all, [&](const Misreading& other) { return other.place == place; });
  return all;
}

// Places in one cell of a grid are nearer than near_km to each other, so only those that are alone
// in theirs are compared with the others. At most a few hundred cells can have one place.
std::vector<double> nearest_others(std::span<const Direction> places, double near_km) {
  const double near_chord = 2 * std::sin(near_km / kEarthRadiusKm / 2);
  const double side = near_chord / std::numbers::sqrt3;
  const auto cell = [&](const Direction& at) {
    const auto number = [&](double value) {  // whole, and not less than 0
      return static_cast<std::uint64_t>(static_cast<std::int64_t>((value + 1) / side));
    };
    return number(at.x) << 40 | number(at.y) << 20 | number(at.z);
  };
  struct Cell {
    std::size_t count = 0;
    std::size_t last = 0;
  };
  boost::unordered_flat_map<std::uint64_t, Cell> cells;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Cell& of_place = cells[cell(places[i])];
    ++of_place.count;
    of_place.last = i;
  }
  std::vector<double> distances(places.size(), near_km);
  for (const auto& [number, each] : cells)
    if (each.count == 1) distances[each.last] = nearest(places[each.last], places, each.last);
  return distances;
}

}  // namespace netml::engine
