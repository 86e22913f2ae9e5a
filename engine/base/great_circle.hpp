// How far two places on the Earth are from each other, which is taken for a sphere.
//
// Thread: any (pure functions).
#pragma once

namespace netml {

inline constexpr double kEarthRadius = 6'371'000;  // metres

// Degrees.
struct SpherePoint {
  double latitude = 0;
  double longitude = 0;
  bool operator==(const SpherePoint&) const = default;
};

// In metres, along the great circle.
double great_circle(const SpherePoint& a, const SpherePoint& b);

}  // namespace netml
