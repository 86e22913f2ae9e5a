// Coordinates of KML: "longitude,latitude" or "longitude,latitude,altitude", in degrees and metres,
// with blanks between places. Blanks around commas, which no standard allows, can only mean one
// thing.
//
// Thread: any (pure functions).
#pragma once

#include <string_view>
#include <vector>

namespace netml::codecs {

struct KmlPlace {
  double longitude = 0;
  double latitude = 0;
  std::string_view longitude_text = {};
  std::string_view latitude_text = {};
  std::string_view altitude_text = {};  // may be empty

  // Exactly there; the meridian of 180 degrees is one from either side.
  bool is_at(const KmlPlace& other) const;
};

// The places of `text`, of which they are views. False when one of them is none on the earth.
bool parse_places(std::string_view text, std::vector<KmlPlace>& places);

// Adds a line to one that was cut in two at 180 degrees. False when it does not go on there.
bool join_at_180(std::vector<KmlPlace>& line, const std::vector<KmlPlace>& next);

}  // namespace netml::codecs
