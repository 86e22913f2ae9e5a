#include "engine/base/great_circle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace netml {

namespace {

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

}  // namespace

// The haversine formula, which stays exact for places near each other.
double great_circle(const SpherePoint& a, const SpherePoint& b) {
  const double south_north = std::sin(radians(b.latitude - a.latitude) / 2);
  const double west_east = std::sin(radians(b.longitude - a.longitude) / 2);
  const double square = south_north * south_north + std::cos(radians(a.latitude)) *
                                                        std::cos(radians(b.latitude)) * west_east *
                                                        west_east;
  return 2 * kEarthRadius * std::asin(std::sqrt(std::min(square, 1.0)));
}

}  // namespace netml
