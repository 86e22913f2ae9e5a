// Places on the globe: how far apart, and which others are near.
//
// Thread: any (values and pure functions).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/graph/attributes.hpp"

namespace netml::engine {

// A point of the unit sphere.
struct Direction {
  double x = 0;
  double y = 0;
  double z = 0;
};
Direction direction(const Coordinates& place);
// Along the great circle; for many places, as engine/base/great_circle.hpp is exact and slow.
double kilometres(const Direction& a, const Direction& b);
double kilometres(const Coordinates& a, const Coordinates& b);

// From a place to the nearest or the farthest of all but the one at `except`, of which there must
// be one.
double nearest(const Direction& from, std::span<const Direction> places, std::size_t except);
double farthest(const Direction& from, std::span<const Direction> places, std::size_t except);

// What somebody may have meant who wrote `place`: latitude and longitude exchanged, or one with
// the wrong sign. Those that are places and another one.
struct Misreading {
  bool swapped = false;  // else mirrored
  Coordinates place;
};
std::vector<Misreading> misreadings(const Coordinates& place);

// Of each place how far the nearest other one is, but what is nearer than `near_km` is only said to
// be that. Time: next to n, since few places of a globe can be alone.
std::vector<double> nearest_others(std::span<const Direction> places, double near_km);

}  // namespace netml::engine
