// Positions of a map of ESnet's panel: degrees, or pixels of a drawing.
//
// Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <optional>

#include "codecs/document/json_tree.hpp"

namespace netml::codecs {

struct EsnetPlace {
  double latitude = 0;  // or the pixels down
  double longitude = 0;

  bool operator==(const EsnetPlace&) const = default;
  // What stands for an unknown place.
  bool is_zero() const { return latitude == 0 && longitude == 0; }
  // Else they are no degrees.
  bool is_on_globe() const;
};

struct EsnetCourse {
  EsnetPlace first;
  EsnetPlace last;
  std::size_t points = 0;
};

// Of a list of two numbers, which may be texts; nothing of all else.
std::optional<EsnetPlace> esnet_place(JsonValue value);
// Of a list of such lists that is not empty.
std::optional<EsnetCourse> course_of(JsonValue value);
// Whether a course is no more than the line between two places.
bool is_straight(const EsnetCourse& course, const EsnetPlace& a, const EsnetPlace& b);

}  // namespace netml::codecs
