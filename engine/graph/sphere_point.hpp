// Where coordinates are on the globe, in degrees.
//
// Thread: any (pure functions).
#pragma once

#include "engine/base/great_circle.hpp"
#include "engine/graph/attributes.hpp"

namespace netml::engine {

inline SpherePoint sphere_point(const Coordinates& place) {
  constexpr double kMicro = 1e6;
  return {static_cast<double>(place.latitude.value) / kMicro,
          static_cast<double>(place.longitude.value) / kMicro};
}

}  // namespace netml::engine
