// Where countries are, roughly: whether a place may be in the country of its region.
//
// Thread: any (pure functions).
#pragma once

#include <string_view>

namespace netml::codecs {

// In degrees. Longitudes beyond 180 do not occur.
struct CountryBox {
  std::string_view code;  // two capital letters (ISO 3166-1)
  int south = 0;
  int north = 0;
  int west = 0;
  int east = 0;

  bool holds(double latitude, double longitude) const {
    return south <= latitude && latitude <= north && west <= longitude && longitude <= east;
  }
};

// Null for a code without a box: of no country, or of one that has no places which stay places when
// latitude and longitude change places.
const CountryBox* country_box(std::string_view code);

}  // namespace netml::codecs
