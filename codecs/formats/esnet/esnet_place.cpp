#include "codecs/formats/esnet/esnet_place.hpp"

#include <array>
#include <cmath>

#include "codecs/document/numbers.hpp"

namespace netml::codecs {

bool EsnetPlace::is_on_globe() const {
  constexpr double kLatitudeMax = 90;
  constexpr double kLongitudeMax = 180;
  return std::abs(latitude) <= kLatitudeMax && std::abs(longitude) <= kLongitudeMax;
}

std::optional<EsnetPlace> esnet_place(JsonValue value) {
  std::array<double, 2> numbers{};
  std::size_t count = 0;
  for (const JsonValue item : value.items()) {
    const auto number = parse_number(item.text());
    if (count == numbers.size() || !number || !std::isfinite(*number)) return {};
    numbers[count++] = *number;
  }
  if (count < numbers.size()) return {};
  return EsnetPlace{numbers[0], numbers[1]};
}

std::optional<EsnetCourse> course_of(JsonValue value) {
  EsnetCourse course;
  for (const JsonValue item : value.items()) {
    const auto place = esnet_place(item);
    if (!place) return {};
    if (course.points++ == 0) course.first = *place;
    course.last = *place;
  }
  if (course.points == 0) return {};
  return course;
}

bool is_straight(const EsnetCourse& course, const EsnetPlace& a, const EsnetPlace& b) {
  return course.points == 2 &&
         ((course.first == a && course.last == b) || (course.first == b && course.last == a));
}

}  // namespace netml::codecs
